"""A learned model read from its file, with numpy alone: no server, no Java."""

import copy
import hashlib
import json
import re
import urllib.parse

import numpy as np

from . import kernels
from .errors import KoopstreamError, ModelFormatError, NotFittedError
from .ridge import HeldOut, LambdaChoice, RidgeFamily

_TYPES = {"F64": "<f8", "I64": "<i8"}
_LARGEST_HEADER = 1 << 20
_CHECKSUM = re.compile(rb'("checksum":")([0-9a-f]{64})(")')


def load_model(path):
    """Reads a model file (``koop learn -o``, a server's download, a Flink job's model)."""
    with open(path, "rb") as file:
        return Model(file.read(), str(path))


def timescales(eigenvalues, dt):
    """-dt / ln|lambda|, infinite where |lambda| >= 1."""
    with np.errstate(divide="ignore"):
        decay = -np.log(np.minimum(np.abs(eigenvalues), 1.0))
        return np.where(decay > 0, dt / decay, np.inf)


class Model:
    """An immutable Koopman model: eigenvalues, eigenfunctions, one-step predictions, forecasts.

    The operator is U = sum_ij W_ij phi(x_next_i) (x) phi(x_j). It is kept as M in the orthonormal bases that the Cholesky factors
    define, which stays well scaled where W does not. A model of least squares holds statistics, from which M is found for any ridge
    and rank: see :meth:`at`.
    """

    def __init__(self, data, source="model"):
        self.metadata, self.tensors = _read(data, source)
        tensors = self.tensors
        #: Kept states; ``x_next`` is the same where inputs and outputs are one space (least squares).
        self.x = tensors["x"]
        self._factor_x = tensors["L_x"]
        self._one_basis = "x_next" not in tensors
        self.x_next = self.x if self._one_basis else tensors["x_next"]
        self._factor_next = self._factor_x if self._one_basis else tensors["L_x_next"]
        #: Accepted samples that have not reached the operator in this file: they wait for the end of their block.
        self.n_pending = len(tensors["pending_x"])
        self._kernel_x = kernels.parse(self.metadata["input_kernel"], tensors)
        self._kernel_next = kernels.parse(self.metadata["output_kernel"], tensors)
        self._family = self._choice = None
        self._m = self._operator_matrix(None, None, "prediction")
        self._eigen = None

    def at(self, lambda_=None, rank=None, by="prediction"):
        """The model of the same statistics at another ridge or of a rank; only for least squares.

        Without ``lambda_`` the ridge is that of the file, or the one that the held-out pairs choose for spectra. Rank by what is
        predicted (reduced-rank regression) or by ``"input"`` (principal-component regression).
        """
        if self.metadata["method"] != "least-squares":
            raise KoopstreamError("only a least-squares model has another lambda_ or rank")
        if lambda_ is not None and not lambda_ > 0:
            raise ValueError(f"lambda_ = {lambda_}: must be > 0")
        other = copy.copy(self)
        other._m = self._operator_matrix(lambda_, rank, by)
        other._eigen = None
        return other

    # What it is ---------------------------------------------------------------------------------------------------------

    @property
    def n_features_in_(self):
        """Coordinates of a state."""
        return int(self.metadata["input_dimension"])

    @property
    def n_samples_seen_(self):
        """Number of pairs learned."""
        return int(self.metadata["samples"])

    @property
    def feature_names_in_(self):
        """Names of the coordinates of an observation; x1, x2, ... when the file has none."""
        names = self.metadata.get("names")
        if names is None:
            return [f"x{i + 1}" for i in range(self.n_features_in_)]
        return [urllib.parse.unquote(name) for name in names.split(",")]

    @property
    def kernel(self):
        """The kernel as text; ``@name`` stands for scales that are too many for a text and are in ``tensors``."""
        return self.metadata["input_kernel"]

    @property
    def lambda_choice(self):
        """Which ridge the held-out pairs choose for ``forecast`` and for ``spectrum``; None for a model that is not of least squares."""
        if self._choice is None and self.metadata["method"] == "least-squares":
            self._choice = LambdaChoice(self._ridges(), self._held_out())
        return self._choice

    @property
    def W(self):  # noqa: N802 (the paper's name)
        """The paper's coefficient matrix; its entries can be huge."""
        return np.linalg.solve(self._factor_next.T, np.linalg.solve(self._factor_x.T, self._m.T).T)

    # Questions ----------------------------------------------------------------------------------------------------------

    def project(self, rows):
        """Coordinates of rows of columns, of a model that was learned from projected rows (``tensors`` has ``projection_mean`` and ``projection_basis``)."""
        return (np.asarray(rows, float) - self._projection("mean")) @ self._projection("basis").T

    def lift(self, coordinates):
        """Rows of columns at coordinates; inverse of ``project`` but for what the projection misses."""
        return self._projection("mean") + np.asarray(coordinates, float) @ self._projection("basis")

    def _projection(self, part):
        if "projection_basis" not in self.tensors:
            raise ValueError("this model was learned from the columns themselves, without a projection")
        return self.tensors["projection_" + part]

    @property
    def eigenvalues_(self):
        """All eigenvalues of the Koopman operator, largest modulus first."""
        return self._eigenpairs()[0].copy()

    def timescales(self, dt=1.0):
        """Implied time scales -dt / ln|lambda|; infinite where |lambda| >= 1, which does not decay."""
        return timescales(self.eigenvalues_, dt)

    def eigenfunctions(self, X, k=None):
        """Values of the leading k eigenfunctions, shape (n, k); each has largest modulus 1 over the kept inputs."""
        vectors = self._eigenpairs()[1]
        return self._coordinates(self._states(X)) @ vectors[:, :k]

    def coverage(self, X):
        """How much of each state the kept ones span, from 0 (nothing was learned there) to 1."""
        X = self._states(X)
        whole = np.array([self._kernel_x(row[None], row[None])[0, 0] for row in X])
        return np.clip((self._coordinates(X) ** 2).sum(axis=1) / whole, 0.0, 1.0)

    def weights(self, X):
        """Weights a with E[g(x_next) | x] = sum_i a_i g(x_next_i); one row a state."""
        return self._image(self._coordinates(self._states(X)))

    def predict(self, X):
        """E[x_next | x] per row of X."""
        return self.weights(X) @ self.x_next

    def forecast(self, x0, steps, return_std=False):
        """The expected path after x0 by powers of the operator, shape (steps, d), row s for step s + 1; on request with its standard deviation.

        The server and ``koop forecast`` add increments step by step, which is more exact for least squares, and give bands from held-out pairs.
        """
        seen = self._coordinates(self._states(np.reshape(x0, (1, -1))))
        step = self._one_step()
        mean, spread = [], []
        for s in range(steps):
            weights = self._image(seen)[0]
            mass = weights.sum()
            if not mass > 1e-3:
                raise KoopstreamError(
                    f"after {s + 1} steps the forecast has mass {mass:.3g} left: the start lies where nothing was learned"
                )
            centre = weights @ self.x_next / mass
            mean.append(centre)
            spread.append(np.sqrt(np.maximum(0.0, weights @ self.x_next**2 / mass - centre**2)))
            seen = seen @ step.T
        return (np.array(mean), np.array(spread)) if return_std else np.array(mean)

    # Arithmetic ---------------------------------------------------------------------------------------------------------

    def _states(self, X):
        X = np.asarray(X, dtype=float)
        if X.ndim != 2 or X.shape[1] != self.n_features_in_:
            raise ValueError(f"X has shape {X.shape}; expected (n, {self.n_features_in_})")
        if not np.isfinite(X).all():
            raise ValueError("X contains NaN or infinity")
        if len(self.x) == 0:
            raise NotFittedError("the model has learned nothing yet")
        return X

    def _operator_matrix(self, lambda_, rank, by):
        method = self.metadata["method"]
        if method != "least-squares":
            return self.tensors["M" if method == "sogd" else "M_average"]
        if lambda_ is None:
            given = self.metadata["lambda"]
            lambda_ = self.lambda_choice.spectrum if given == "chosen" else float(given)
        return self._ridges().operator(lambda_, rank, by)

    def _ridges(self):
        if self._family is None:
            tensors, weight = self.tensors, float(self.metadata["weight"])
            s, t, v = tensors["S"], tensors["T"], tensors["V"]
            first, first_next = tensors["first_x"], tensors["first_x_next"]
            if len(first) > 0:
                # All pairs so far are in the file: counted with all points that were kept since.
                faded = float(self.metadata["forgetting"]) ** np.arange(len(first) - 1, -1, -1)
                beta, alpha = self._coordinates(first), self._coordinates_next(first_next)
                increment = first_next.copy()
                shared = min(first.shape[1], first_next.shape[1])
                increment[:, :shared] -= first[:, :shared]
                weighed, weight = beta * faded[:, None], faded.sum()
                s, t = weighed.T @ beta, alpha.T @ weighed
                v = np.c_[increment, np.ones(len(first))].T @ weighed
            self._family = RidgeFamily(s, t, v, weight)
        return self._family

    def _held_out(self):
        none = np.zeros((0, self.n_features_in_))
        x, x_next = self.tensors.get("held_x", none), self.tensors.get("held_x_next", none)
        to = self._coordinates_next(x_next)
        norms = np.array([self._kernel_next(row[None], row[None])[0, 0] for row in x_next])
        missed = np.maximum(0.0, norms - (to**2).sum(axis=1))
        runs = self.tensors.get("held_run", np.zeros(0, int))
        return HeldOut(x, x_next, runs, self._coordinates(x), to, missed, self._one_basis)

    def _coordinates(self, X):
        """Coordinates of phi(x) in the basis of the kept inputs, one row a state: L^-1 k(x)."""
        return np.linalg.solve(self._factor_x, self._kernel_x(self.x, X)).T

    def _coordinates_next(self, X):
        return np.linalg.solve(self._factor_next, self._kernel_next(self.x_next, X)).T

    def _image(self, seen):
        return np.linalg.solve(self._factor_next.T, self._m @ seen.T).T

    def _one_step(self):
        """C M with C = Q_X^T Q_Y = L_x^-1 k(x, x_next) L_next^-T: one step of what the operator sees."""
        if self._one_basis:
            return self._m
        cross = np.linalg.solve(self._factor_x, self._kernel_x(self.x, self.x_next))
        return np.linalg.solve(self._factor_next, cross.T).T @ self._m

    def _eigenpairs(self):
        if self._eigen is None:
            if len(self.x) == 0:
                raise NotFittedError("the model has learned nothing yet")
            values, vectors = np.linalg.eig(self._one_step().T)
            order = np.lexsort((-values.imag, -np.round(np.abs(values), 12)))
            values, vectors = values[order], vectors[:, order]
            at_inputs = self._factor_x @ vectors
            peak = at_inputs[np.abs(at_inputs).argmax(axis=0), np.arange(len(values))]
            self._eigen = values, vectors / peak
        return self._eigen


def _read(data, source):
    if len(data) < 8:
        raise ModelFormatError(f"{source}: {len(data)} bytes are too few for a model file")
    length = int.from_bytes(data[:8], "little")
    if length > _LARGEST_HEADER or 8 + length > len(data):
        raise ModelFormatError(f"{source}: not a safetensors file, or cut off: it announces a header of {length} bytes")
    try:
        header = json.loads(data[8 : 8 + length].decode("utf-8"))
        metadata = header.pop("__metadata__")
        version = int(metadata["version"])
    except (UnicodeDecodeError, ValueError, KeyError, AttributeError, TypeError) as e:
        raise ModelFormatError(f"{source}: the header cannot be read: {e}") from e
    if metadata.get("format") != "koopstream-model":
        raise ModelFormatError(f"{source}: is a {metadata.get('format', 'foreign')} file, not a koopstream-model")
    if version not in (1, 2, 3, 4):
        raise ModelFormatError(f"{source}: has format version {version}; this package reads versions 1 to 4")
    if metadata.get("method") not in ("sogd", "sogd-averaged", "least-squares"):
        raise ModelFormatError(f"{source}: method {metadata.get('method')!r} is not known to this package")
    if version == 1 and metadata["method"] == "least-squares":
        raise ModelFormatError(
            f"{source}: is a least-squares model of format version 1, whose statistics cannot be carried over;"
            " learn it again from its data"
        )
    _check(data, length, source)
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        block = data[8 + length + begin : 8 + length + end]
        tensors[name] = np.frombuffer(block, _TYPES[entry["dtype"]]).reshape(entry["shape"])
        if not np.isfinite(tensors[name]).all():
            raise ModelFormatError(f"{source}: tensor {name} holds NaN or infinity")
    return metadata, tensors


def _check(data, length, source):
    found = _CHECKSUM.search(data, 8, 8 + length)
    if not found:
        raise ModelFormatError(f"{source}: has no checksum")
    digest = hashlib.sha256(data[: found.start(2)] + b"0" * 64 + data[found.end(2) :]).hexdigest()
    if digest != found.group(2).decode():
        raise ModelFormatError(f"{source}: the checksum is wrong: the file is damaged or was changed")
