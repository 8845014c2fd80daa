"""The O(m^2) one-sample SOGD step in numpy, as the rival of the benchmarks.

The same arithmetic as io.koopstream.learner.sogd.SogdStep, with a dictionary of m kept pairs that does not grow: two Gaussian rows, two
triangular solves, one matrix-vector product, one rank-one update. Twice: as one writes it (scipy.linalg.solve_triangular, numpy.outer), and tuned
(dtrtrs and dger by name, in place). One thread.

Run:  OPENBLAS_NUM_THREADS=1 python3 sogd_numpy.py 150 2
Prints one line of JSON: m, d, microseconds per sample of both (fastest of many short batches, processor time of the thread).
"""

import json
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from scipy.linalg import cholesky, solve_triangular
from scipy.linalg.blas import dger
from scipy.linalg.lapack import dtrtrs

ETA, RIDGE = 0.3, 1e-3


def gaussian(points, x, rate):
    differences = points - x
    return np.exp(-rate * np.einsum("ij,ij->i", differences, differences))


def plain_step(state, x, y, rate):
    """As one writes it with scipy's and numpy's own functions, without calling LAPACK and BLAS by name."""
    points_x, points_y, factor_x, factor_y, operator = state
    beta = solve_triangular(factor_x, gaussian(points_x, x, rate), lower=True)
    alpha = solve_triangular(factor_y, gaussian(points_y, y, rate), lower=True)
    b2 = 1.0 - beta @ beta
    a2 = 1.0 - alpha @ alpha
    error = alpha - operator @ beta
    residual = ETA * ETA * ((error @ error) * b2 + a2)
    operator *= 1 - RIDGE * ETA
    operator += ETA * np.outer(error, beta)
    return residual


def step(state, x, y, rate):
    points_x, points_y, factor_x, factor_y, operator = state
    beta, _ = dtrtrs(factor_x, gaussian(points_x, x, rate), lower=1)
    alpha, _ = dtrtrs(factor_y, gaussian(points_y, y, rate), lower=1)
    b2 = 1.0 - beta @ beta
    a2 = 1.0 - alpha @ alpha
    error = alpha - operator @ beta
    residual = ETA * ETA * ((error @ error) * b2 + a2)
    operator *= 1 - RIDGE * ETA
    dger(ETA, error, beta, a=operator, overwrite_a=1)
    return residual


def main(m, d):
    random = np.random.default_rng(1)
    # Spread so that the Gram matrix is well conditioned at every size: the arithmetic does not depend on the values.
    points_x = random.uniform(-1, 1, (m, d)) * m ** (1 / d)
    points_y = random.uniform(-1, 1, (m, d)) * m ** (1 / d)
    rate = 2.0

    def factor(points):
        squares = ((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2) if m <= 1500 else None
        if squares is None:
            gram = np.empty((m, m))
            for i in range(m):
                gram[i] = gaussian(points, points[i], rate)
        else:
            gram = np.exp(-rate * squares)
        return np.asfortranarray(cholesky(gram + 1e-3 * np.eye(m), lower=True))

    state = [points_x, points_y, factor(points_x), factor(points_y), np.zeros((m, m), order="F")]
    samples = random.uniform(-1, 1, (256, 2, d)) * m ** (1 / d)
    batch = max(2, int(2e-3 / (2e-9 * m * m + 2e-5)))
    result = {"m": m, "d": d}
    for name, one in (("plain", plain_step), ("tuned", step)):
        best, begin, i = float("inf"), time.perf_counter(), 0
        while time.perf_counter() - begin < 6:
            start = time.thread_time()
            for _ in range(batch):
                one(state, samples[i % 256, 0], samples[i % 256, 1], rate)
                i += 1
            best = min(best, (time.thread_time() - start) / batch)
        result[name + "_microseconds"] = best * 1e6
    print(json.dumps(result))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
