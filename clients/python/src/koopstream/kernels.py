"""Kernels in the text form of model files, e.g. ``0.4*gaussian(0.4)+0.6*gaussian(sigma=0.7)``, as functions on arrays."""

import re

import numpy as np

from .errors import ModelFormatError

_NUMBER = re.compile(r"-?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9-]*")
_REFERENCE = re.compile(r"[A-Za-z0-9_]+")
_DEEPEST = 64


def parse(text, arrays=None):
    """A function ``k(X, Y)`` that gives the Gram matrix of rows of X with rows of Y. Only the names listed here exist.

    ``scaled(kernel, @name)`` takes its scales from the array of that name.
    """
    reader = _Reader(text, arrays or {})
    kernel = reader.expression()
    if reader.peek():
        raise reader.wrong("expected '+', '*' or the end")
    return kernel


def _squared_distances(x, y):
    # Differences, not the expanded square: near points would lose all their digits.
    total = np.zeros((len(x), len(y)))
    for column in range(x.shape[1]):
        difference = x[:, column, None] - y[None, :, column]
        total += difference * difference
    return total


def _radial(profile):
    return lambda x, y: profile(_squared_distances(x, y))


def _gaussian(rate):
    return _radial(lambda d: np.exp(-rate * d))


def _matern32(sigma):
    def profile(d):
        s = np.sqrt(3.0 * d) / sigma
        return (1.0 + s) * np.exp(-s)

    return _radial(profile)


def _matern52(sigma):
    def profile(d):
        s = np.sqrt(5.0 * d) / sigma
        return (1.0 + s + s * s / 3.0) * np.exp(-s)

    return _radial(profile)


def _polynomial(degree, offset):
    return lambda x, y: (x @ y.T + offset) ** degree


class _Reader:
    def __init__(self, text, arrays):
        self.text = text
        self.arrays = arrays
        self.at = 0
        self.depth = 0

    def wrong(self, why):
        return ModelFormatError(f"kernel {self.text!r}, position {self.at + 1}: {why}")

    def peek(self):
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def accept(self, char):
        if self.peek() == char:
            self.at += 1
            return True
        return False

    def require(self, char):
        if not self.accept(char):
            raise self.wrong(f"expected {char!r}")

    def match(self, pattern, what):
        self.peek()
        found = pattern.match(self.text, self.at)
        if not found:
            raise self.wrong(f"expected {what}")
        self.at = found.end()
        return found.group()

    def number(self):
        return float(self.match(_NUMBER, "a number"))

    def expression(self):
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self.wrong(f"is nested more than {_DEEPEST} deep")
        terms = [self.term()]
        while self.accept("+"):
            terms.append(self.term())
        self.depth -= 1
        return terms[0] if len(terms) == 1 else lambda x, y: sum(term(x, y) for term in terms)

    def term(self):
        weight, factors = 1.0, []
        while True:
            following = self.peek()
            if following in tuple("0123456789.-"):
                weight *= self.number()
            elif self.accept("("):
                factors.append(self.expression())
                self.require(")")
            else:
                factors.append(self.call())
            if not self.accept("*"):
                break
        if not factors:
            raise self.wrong("a number must be followed by '*' and a kernel")

        def product(x, y):
            result = weight * factors[0](x, y)
            for factor in factors[1:]:
                result = result * factor(x, y)
            return result

        return product

    def call(self):
        name = self.match(_NAME, "a kernel name")
        self.require("(")
        if name == "scaled":
            inner = self.expression()
            divisor = self.scales()
            self.require(")")
            return lambda x, y: inner(x / divisor, y / divisor)
        if name == "concat":
            return self.concatenated()
        arguments = self.arguments()

        def take(key, fallback=None):
            value = arguments.pop(key, None)
            if value is None and key == "sigma":
                value = arguments.pop("", None)
            value = fallback if value is None else value
            if value is None:
                raise self.wrong(f"{name} needs {key}=...")
            return value

        if name == "gaussian":
            kernel = _gaussian(take("gamma")) if "gamma" in arguments else _gaussian(0.5 / take("sigma") ** 2)
        elif name == "laplacian":
            sigma = take("sigma")
            kernel = _radial(lambda d: np.exp(-np.sqrt(d) / sigma))
        elif name == "matern32":
            kernel = _matern32(take("sigma"))
        elif name == "matern52":
            kernel = _matern52(take("sigma"))
        elif name == "rational-quadratic":
            sigma, alpha = take("sigma"), take("alpha", 1.0)
            kernel = _radial(lambda d: np.exp(-alpha * np.log1p(d / (2.0 * alpha * sigma * sigma))))
        elif name == "inverse-multiquadric":
            sigma = take("sigma")
            kernel = _radial(lambda d: 1.0 / np.sqrt(1.0 + d / (sigma * sigma)))
        elif name in ("linear", "polynomial"):
            degree = 1 if name == "linear" else int(take("degree"))
            kernel = _polynomial(degree, take("offset", 0.0))
            take("radius")
        else:
            raise self.wrong(f"unknown kernel {name!r}")
        if arguments:
            raise self.wrong(f"{name} has no parameter {next(iter(arguments))!r}")
        return kernel

    def scales(self):
        scales = []
        while self.accept(","):
            if not scales and self.accept("@"):
                name = self.match(_REFERENCE, "the name of an array")
                if name not in self.arrays or self.arrays[name].ndim != 1:
                    raise self.wrong(f"there are no scales {name!r}")
                return self.arrays[name]
            scales.append(self.number())
        return np.array(scales)

    def concatenated(self):
        parts, start = [], 0
        while True:
            stop = start + int(self.number())
            self.require(":")
            parts.append((start, stop, self.expression()))
            start = stop
            if not self.accept(","):
                break
        self.require(")")

        def product(x, y):
            result = 1.0
            for first, last, kernel in parts:
                result = result * kernel(x[:, first:last], y[:, first:last])
            return result

        return product

    def arguments(self):
        arguments = {}
        if self.accept(")"):
            return arguments
        while True:
            key = ""
            if self.peek().isalpha():
                key = self.match(_NAME, "a name")
                self.require("=")
            if key in arguments:
                raise self.wrong(f"parameter {key!r} is given twice")
            arguments[key] = self.number()
            if not self.accept(","):
                break
        self.require(")")
        return arguments
