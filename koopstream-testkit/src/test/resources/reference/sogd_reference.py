#!/usr/bin/env python3
"""Reference data for sparse stochastic operator gradient descent (SOGD).

This is an oracle, not an implementation to be used: it follows the paper's formulas as they stand
(coefficient recursion of the lemma on U_t, Gram matrices and the projection of the appendix on implementing
Algorithm 1), in 80 bit arithmetic, in O(m^3) a sample. It knows nothing of factor updates or of orthonormal
coordinates, so an implementation that uses them is checked against something else than itself.

    U = sum_ij W_ij phi(y_i) (x) phi(x_j)

    one sample (x, y) with step eta and ridge lambda, dictionary of m pairs:
      W~ = [ (1 - lambda eta) W   -eta W k_X(x) ]      G~  = Gram matrix of dictionary and sample, (m+1) x (m+1)
           [        0                   eta     ]      G_  = its first m columns (the paper's G bar), (m+1) x m
      Z* = G_Y^-1 G_Y_^T W~ G_X_ G_X^-1                G   = Gram matrix of the dictionary, m x m
      EXACT:  test = || Z* - U~ ||_HS                  (Z* stands for the operator with these coefficients)
      PAPER:  test = sqrt Tr[ W~^T (G~_Y - G_Y_ G_Y^-1 G_Y_^T) W~ G~_X ]
      admitted iff test > eps_t; then W = W~, else W = Z*.

Samples are numbered t = 1, 2, ...; sample t uses eta_t and eps_t. Needs Python 3 and numpy only.
Usage: python3 sogd_reference.py        (writes case-1/, case-2/, ... beside this file)
"""

import os
import sys
import time

import numpy as np

LD = np.longdouble
HERE = os.path.dirname(os.path.abspath(__file__))


# ---------------------------------------------------------------------------------------------------------
# Small dense linear algebra in long double (numpy.linalg works in float64 only).

def cholesky(g):
    """Lower triangular L with L L^T = g; raises if a pivot is not positive."""
    m = g.shape[0]
    low = np.zeros((m, m), dtype=LD)
    for j in range(m):
        pivot = g[j, j] - low[j, :j] @ low[j, :j]
        if not pivot > 0:
            raise ArithmeticError("pivot %d is %r" % (j, pivot))
        low[j, j] = np.sqrt(pivot)
        low[j + 1:, j] = (g[j + 1:, j] - low[j + 1:, :j] @ low[j, :j]) / low[j, j]
    return low


def solve(low, rhs):
    """(L L^T)^-1 rhs for a vector or a matrix of columns."""
    out = np.array(rhs, dtype=LD)
    m = low.shape[0]
    for i in range(m):
        out[i] = (out[i] - low[i, :i] @ out[:i]) / low[i, i]
    for i in range(m - 1, -1, -1):
        out[i] = (out[i] - low[i + 1:, i] @ out[i + 1:]) / low[i, i]
    return out


def lower_solve(low, rhs):
    """L^-1 rhs for a matrix of columns."""
    out = np.array(rhs, dtype=LD)
    for i in range(low.shape[0]):
        out[i] = (out[i] - low[i, :i] @ out[:i]) / low[i, i]
    return out


def hs_norm(coefficients, low_y, low_x):
    """Hilbert-Schmidt norm of the operator with these coefficients, sqrt Tr(D^T G_Y D G_X).

    With G = L L^T the trace is the sum of squares of L_Y^T D L_X: the same number without the cancellation
    between large terms of both signs that the trace, summed as it stands, suffers.
    """
    core = low_y.T @ coefficients @ low_x
    return np.sqrt((core * core).sum())


# ---------------------------------------------------------------------------------------------------------
# Kernels: sums of weighted radial terms.

def _gaussian(d2, sigma):
    return np.exp(-d2 / (2 * sigma * sigma))


def _laplacian(d2, sigma):
    return np.exp(-np.sqrt(d2) / sigma)


def _matern52(d2, sigma):
    s = np.sqrt(LD(5) * d2) / sigma
    return (1 + s + s * s / 3) * np.exp(-s)


PROFILES = {"gaussian": _gaussian, "laplacian": _laplacian, "matern52": _matern52}


class Kernel:
    def __init__(self, *terms):
        self.terms = terms  # (weight, name, sigma)

    def __call__(self, a, b):
        """Matrix of kernel values between the rows of a and the rows of b."""
        a = np.atleast_2d(np.asarray(a, dtype=LD))
        b = np.atleast_2d(np.asarray(b, dtype=LD))
        diff = a[:, None, :] - b[None, :, :]
        d2 = (diff * diff).sum(axis=2)
        total = np.zeros(d2.shape, dtype=LD)
        for weight, name, sigma in self.terms:
            total = total + LD(weight) * PROFILES[name](d2, LD(sigma))
        return total

    def text(self):
        if len(self.terms) == 1 and self.terms[0][0] == 1.0:
            return "%s(sigma=%r)" % self.terms[0][1:]
        return "+".join("%r*%s(sigma=%r)" % term for term in self.terms)


# ---------------------------------------------------------------------------------------------------------
# Schedules.

class ConstantStep:
    def __init__(self, eta):
        self.eta = eta

    def __call__(self, t):
        return LD(self.eta)

    def text(self):
        return "constant(%r)" % self.eta


class DecayingStep:
    def __init__(self, eta, r, a):
        self.eta, self.r, self.a = eta, r, a

    def __call__(self, t):
        return LD(self.eta) / (LD(t) + LD(self.r)) ** LD(self.a)

    def text(self):
        return "decay(eta=%r,r=%r,a=%r)" % (self.eta, self.r, self.a)


class ConstantBudget:
    def __init__(self, eps):
        self.eps = eps

    def __call__(self, eta):
        return LD(self.eps)

    def text(self):
        return "constant(%r)" % self.eps


class ProportionalBudget:
    def __init__(self, b):
        self.b = b

    def __call__(self, eta):
        return LD(self.b) * eta * eta

    def text(self):
        return "proportional(%r)" % self.b


# ---------------------------------------------------------------------------------------------------------
# The algorithm.

class Result:
    pass


def run(case):
    kx, ky = case["kernels"]
    step, budget, lam = case["step"], case["budget"], LD(case["lam"])
    xs, ys = case["data"]
    out = Result()
    out.admitted, out.trace = [], []
    out.margin = np.inf          # smallest |test - eps| / eps
    out.novelty = np.inf         # smallest relative squared residual of an admitted feature, either side
    out.literal_gap = LD(0)      # Z* with both inverses applied as written, against Z* as used
    out.trace_gap = LD(0)        # squared residual as the plain trace, against the sum of squares
    dict_x = np.zeros((0, xs.shape[1]))
    dict_y = np.zeros((0, ys.shape[1]))
    w = np.zeros((0, 0), dtype=LD)
    gx, gy = np.zeros((0, 0), dtype=LD), np.zeros((0, 0), dtype=LD)
    low_x, low_y = gx, gy
    for t in range(1, len(xs) + 1):
        x, y = xs[t - 1:t], ys[t - 1:t]
        eta = step(t)
        eps = budget(eta)
        m = len(dict_x)
        # Gram matrices of dictionary and sample together, and their first m columns.
        ext_x, ext_y = np.vstack([dict_x, x]), np.vstack([dict_y, y])
        gtx, gty = kx(ext_x, ext_x), ky(ext_y, ext_y)
        gbx, gby = gtx[:, :m], gty[:, :m]
        # Coefficients after the plain step.
        wt = np.zeros((m + 1, m + 1), dtype=LD)
        wt[:m, :m] = (1 - lam * eta) * w
        wt[:m, m] = -eta * (w @ gtx[:m, m])
        wt[m, m] = eta
        # P = G^-1 G_^T. G_^T = [G k], so the first m columns of P are the identity: taken as such, because
        # solving for them would only add rounding errors to W at every sample.
        px = np.hstack([np.eye(m, dtype=LD), solve(low_x, gbx.T[:, m:])])
        py = np.hstack([np.eye(m, dtype=LD), solve(low_y, gby.T[:, m:])])
        z = py @ wt @ px.T
        d = -wt
        d[:m, :m] += z
        s = gty - gby @ py
        if case["criterion"] == "EXACT":
            ltx, lty = cholesky(gtx), cholesky(gty)
            test = hs_norm(d, lty, ltx)
            plain = np.trace(d.T @ gty @ d @ gtx)
            out.trace_gap = max(out.trace_gap, abs(plain - test * test) / (eps * eps))
        else:
            test = np.sqrt(max(np.trace(wt.T @ s @ wt @ gtx), LD(0)))
        admit = bool(test > eps)
        out.margin = min(out.margin, float(abs(test - eps) / eps))
        if admit:
            novelty_x = gtx[m, m] - gbx[m] @ px[:, m]
            novelty_y = gty[m, m] - gby[m] @ py[:, m]
            out.novelty = min(out.novelty, float(novelty_x / gtx[m, m]), float(novelty_y / gty[m, m]))
            dict_x, dict_y, w, gx, gy = ext_x, ext_y, wt, gtx, gty
            low_x, low_y = cholesky(gx), cholesky(gy)
            out.admitted.append(t)
        else:
            if t % 10 == 0:
                literal = solve(low_x, solve(low_y, gby.T @ wt @ gbx).T).T
                out.literal_gap = max(out.literal_gap, np.abs(literal - z).max() / np.abs(z).max())
            w = z
        out.trace.append((t, test, eps, admit, hs_norm(w, low_y, low_x)))
    out.w, out.dict_x, out.dict_y = w, dict_x, dict_y
    out.cond_x = float(np.linalg.cond(gx.astype(float)))
    out.cond_y = float(np.linalg.cond(gy.astype(float)))
    out.low_x = low_x
    return out


def eigenvalues(case, out):
    """Spectrum of A = W^T K_YX, largest modulus first, and its largest deviation from a second computation.

    It is taken from the similar matrix L_X^T A L_X^-T. The similarity is applied in long double; the result is
    far smaller in norm than A, so that rounding to float64 and the float64 eigenvalue routine disturb the
    eigenvalues less. The second computation is the float64 spectrum of A itself.
    """
    a = out.w.T @ case["kernels"][0](out.dict_y, out.dict_x)
    similar = lower_solve(out.low_x, (out.low_x.T @ a).T).T
    # Conjugates have equal modulus: the one with the positive imaginary part comes first.
    spectrum = sorted(np.linalg.eigvals(similar.astype(float)).astype(complex), key=lambda v: (-abs(v), -v.imag))
    direct = np.linalg.eigvals(a.astype(float))
    gap = max(np.abs(direct - v).min() for v in spectrum)
    return spectrum, gap


# ---------------------------------------------------------------------------------------------------------
# Streams.

def van_der_pol(seed, n, noise=0.25, dt=0.1, substeps=4):
    """Noisy van der Pol oscillator, one trajectory, Euler-Maruyama; returns (x, y) with y the next state."""
    rng = np.random.default_rng(seed)
    state = np.array([1.0, 0.5])
    h = dt / substeps
    path = [state.copy()]
    for _ in range(n):
        for _ in range(substeps):
            drift = np.array([state[1], (1.0 - state[0] * state[0]) * state[1] - state[0]])
            state = state + h * drift + noise * np.sqrt(h) * rng.standard_normal(2)
        path.append(state.copy())
    path = np.array(path)
    return path[:-1], path[1:]


def four_well(seed, trajectories, steps, box=1.5, beta=4.0, dt=0.1, substeps=20):
    """Langevin dynamics in V = (x1^2 - 1)^2 + (x2^2 - 1)^2, short trajectories from uniform starts in a box."""
    rng = np.random.default_rng(seed)
    h = dt / substeps
    xs, ys = [], []
    for _ in range(trajectories):
        state = rng.uniform(-box, box, 2)
        for _ in range(steps):
            before = state
            for _ in range(substeps):
                force = -4.0 * state * (state * state - 1.0)
                state = state + h * force + np.sqrt(2.0 * h / beta) * rng.standard_normal(2)
            xs.append(before)
            ys.append(state)
    return np.array(xs), np.array(ys)


def controlled(seed, n, dt=0.2, substeps=8):
    """Damped Duffing-like oscillator with a random input held for one step: z = (x, u), next state x+, noise 0.05."""
    rng = np.random.default_rng(seed)
    state = np.array([0.5, 0.0])
    h = dt / substeps
    zs, ys = [], []
    for _ in range(n):
        u = rng.uniform(-1.5, 1.5)
        zs.append(np.array([state[0], state[1], u]))
        for _ in range(substeps):
            force = -state[0] * state[0] * state[0] - 0.5 * state[1] + 1.5 * u
            state = state + h * np.array([state[1], force])
        state = state + 0.05 * rng.standard_normal(2)
        ys.append(state)
    return np.array(zs), np.array(ys)


def double_well(seed, n, scale=3.0, dt=0.1, substeps=10, beta=2.0):
    """One-dimensional Langevin dynamics in V = (x^2 - 1)^2 / 2, one trajectory, then scaled: wells at +-scale."""
    rng = np.random.default_rng(seed)
    state = np.array([-1.0])
    h = dt / substeps
    path = [state]
    for _ in range(n):
        for _ in range(substeps):
            force = -2.0 * state * (state * state - 1.0)
            state = state + h * force + np.sqrt(2.0 * h / beta) * rng.standard_normal(1)
        path.append(state)
    path = scale * np.array(path)
    return path[:-1], path[1:]


# ---------------------------------------------------------------------------------------------------------
# Cases.

def cases():
    g07 = Kernel((1.0, "gaussian", 0.7))
    two = Kernel((0.4, "gaussian", 0.4), (0.6, "gaussian", 0.7))
    m52 = Kernel((1.0, "matern52", 1.0))
    vdp = van_der_pol(20240104, 300)
    ctl = controlled(20240106, 300)
    return [
        dict(name="case-1", title="noisy van der Pol, one Gaussian kernel, exact residual",
             data=vdp, kernels=(g07, g07), step=ConstantStep(0.3), budget=ConstantBudget(0.08), lam=1e-2,
             criterion="EXACT"),
        dict(name="case-2", title="the data of case-1, the paper's residual",
             data=vdp, kernels=(g07, g07), step=ConstantStep(0.3), budget=ConstantBudget(0.08), lam=1e-2,
             criterion="PAPER"),
        dict(name="case-3", title="four wells, the paper's two-Gaussian kernel, step and budget",
             data=four_well(20240148, 20, 10), kernels=(two, two), step=ConstantStep(0.3),
             budget=ConstantBudget(0.0081), lam=1e-3, criterion="PAPER"),
        dict(name="case-4", title="decaying steps, budget proportional to the squared step",
             data=van_der_pol(20240106, 300), kernels=(g07, g07), step=DecayingStep(0.9, 20.0, 0.6),
             budget=ProportionalBudget(3.0), lam=1e-2, criterion="EXACT"),
        dict(name="case-5", title="different sides: input (x, u), output x+, different kernels",
             data=ctl, kernels=(Kernel((1.0, "gaussian", 0.8)), Kernel((1.0, "laplacian", 1.5))),
             step=ConstantStep(0.3), budget=ConstantBudget(0.13), lam=1e-2, criterion="EXACT"),
        dict(name="case-6", title="one-dimensional double well, Matern 5/2 kernel",
             data=double_well(20240108, 300), kernels=(m52, m52), step=ConstantStep(0.3),
             budget=ConstantBudget(0.03), lam=1e-2, criterion="EXACT"),
        dict(name="case-7", title="kernels whose diagonals are not 1 and differ between the sides, exact residual",
             data=ctl, kernels=(Kernel((1.5, "gaussian", 0.8), (0.7, "matern52", 1.2)),
                                Kernel((0.3, "gaussian", 0.5), (0.2, "laplacian", 1.5))),
             step=ConstantStep(0.25), budget=ConstantBudget(0.1), lam=2e-2, criterion="EXACT"),
        dict(name="case-8", title="the data and kernels of case-7, the paper's residual, decaying steps",
             data=ctl, kernels=(Kernel((1.5, "gaussian", 0.8), (0.7, "matern52", 1.2)),
                                Kernel((0.3, "gaussian", 0.5), (0.2, "laplacian", 1.5))),
             step=DecayingStep(2.0, 30.0, 0.5), budget=ProportionalBudget(2.5), lam=2e-2, criterion="PAPER"),
    ]


# ---------------------------------------------------------------------------------------------------------
# Files.

def number(value):
    """Shortest text that gives the same float64 back (at most 17 significant digits)."""
    return repr(float(value))


def write(folder, name, rows, header=None):
    with open(os.path.join(folder, name), "w", newline="\n", encoding="ascii") as file:
        if header is not None:
            file.write(",".join(header) + "\n")
        for row in rows:
            file.write(",".join(row) + "\n")


def query_points(case, number_of_case):
    """Ten points in the box spanned by the inputs, widened by a tenth."""
    rng = np.random.default_rng(777000 + number_of_case)
    xs = case["data"][0]
    low, high = xs.min(axis=0), xs.max(axis=0)
    wide = 0.1 * (high - low)
    return rng.uniform(low - wide, high + wide, (10, xs.shape[1]))


def equal_sides(case):
    kx, ky = case["kernels"]
    return kx is ky and case["data"][0].shape == case["data"][1].shape


def main():
    if np.finfo(LD).eps > 2e-19:
        sys.exit("this machine has no 80 bit long double; the reference would be no better than float64")
    started = time.time()
    print("%-7s %-6s %4s %3s %9s %9s %9s %9s %9s %9s %9s %s" % (
        "case", "test", "n", "m", "cond G_X", "cond G_Y", "margin", "novelty", "max|W|", "Z* gap", "tr. gap", "eig. gap"))
    for index, case in enumerate(cases(), start=1):
        out = run(case)
        kx, ky = case["kernels"]
        xs, ys = case["data"]
        folder = os.path.join(HERE, case["name"])
        os.makedirs(folder, exist_ok=True)
        x_names = ["x%d" % k for k in range(xs.shape[1])]
        y_names = ["y%d" % k for k in range(ys.shape[1])]
        write(folder, "samples.csv", [[number(v) for v in row] for row in np.hstack([xs, ys])], x_names + y_names)
        write(folder, "admitted.csv", [[str(t)] for t in out.admitted])
        write(folder, "W.csv", [[number(v) for v in row] for row in out.w])
        write(folder, "trace.csv", [[str(t), number(test), number(eps), str(int(admit)), number(norm)]
                                    for t, test, eps, admit, norm in out.trace],
              ["t", "test", "epsilon", "admitted", "hsNorm"])
        points = query_points(case, index)
        weights = (out.w @ kx(out.dict_x, points)).T
        write(folder, "query.csv", [[number(v) for v in p] + [number(v) for v in w] for p, w in zip(points, weights)],
              x_names + ["w%d" % i for i in range(len(out.w))])
        gap = None
        if equal_sides(case):
            spectrum, gap = eigenvalues(case, out)
            write(folder, "eigenvalues.csv", [[number(v.real), number(v.imag)] for v in spectrum], ["re", "im"])
        with open(os.path.join(folder, "config.properties"), "w", newline="\n", encoding="ascii") as file:
            file.write("# %s\n" % case["title"])
            file.write("inputKernel=%s\noutputKernel=%s\n" % (kx.text(), ky.text()))
            file.write("lambda=%r\nstepSize=%s\nbudget=%s\n" % (case["lam"], case["step"].text(), case["budget"].text()))
            file.write("criterion=%s\n" % case["criterion"])
            file.write("inputDimension=%d\noutputDimension=%d\n" % (xs.shape[1], ys.shape[1]))
        print("%-7s %-6s %4d %3d %9.1e %9.1e %9.1e %9.1e %9.1e %9.1e %9.1e %s" % (
            case["name"], case["criterion"], len(xs), len(out.w), out.cond_x, out.cond_y, out.margin, out.novelty,
            float(np.abs(out.w).max()), float(out.literal_gap), float(out.trace_gap),
            "-" if gap is None else "%.1e" % gap))
        if (out.margin < 1e-6 or out.novelty < 1e-5 or max(out.cond_x, out.cond_y) > 1e8
                or not 15 <= len(out.w) <= 70):
            sys.exit("%s breaks the promises of README.md: choose other data or another budget" % case["name"])
    print("margin: smallest |test - eps| / eps; novelty: smallest relative squared residual of an admitted feature;")
    print("gaps: Z* with all inverses applied as written (relative), EXACT test as a plain trace (in eps^2), spectrum of")
    print("the unscaled matrix in float64 (absolute). %.0f s" % (time.time() - started))


if __name__ == "__main__":
    main()
