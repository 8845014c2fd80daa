#!/usr/bin/env python3
"""Reference data for least squares on one dictionary of states.

An oracle like sogd_reference.py, from which it takes kernels and 80 bit linear algebra: the definitions as they stand, in raw
kernel vectors k(z) = (kappa(d_1, z), ..., kappa(d_m, z)), without orthonormal coordinates and without updates. With the Gram matrix G
of the dictionary, weights w_i (forgetting) of the n pairs and N = sum w_i:

    kept:      z with kappa(z,z) - k(z)^T G^-1 k(z) > eps^2 kappa(z,z), of every pair first x, then y
    S = sum w k(x) k(x)^T / N      T = sum w k(y) k(x)^T / N      V = sum w (y - x) k(x)^T / N
    operator:  A = T (S + lambda G)^-1, which takes k(x) to the expected k(y); its eigenvalues are those of the learned operator
    increment: f(x) = x + V (S + lambda G)^-1 k(x)
    rank r:    A_r = T Q Q^T with the r leading solutions q of T^T G^-1 T q = s (S + lambda G) q, q^T (S + lambda G) q = 1

All pairs are counted with the final dictionary, as the learner does with its first 4096.
Usage: python3 least_squares_reference.py        (writes least-squares-1/, ... beside this file; some seconds)
"""

import os

import numpy as np

from sogd_reference import HERE, LD, Kernel, cholesky, lower_solve, number, solve, write


def van_der_pol(rng):
    """Successive pairs of one noisy path."""
    state = np.array([1.0, 0.0])
    path = [state]
    for _ in range(500):
        for _ in range(10):
            x, v = state
            state = state + 0.03 * np.array([v, (1 - x * x) * v - x]) + 0.02 * rng.standard_normal(2)
        path.append(state)
    return np.array(path[:-1]), np.array(path[1:])


def logistic(rng):
    """Pairs that have nothing to do with each other."""
    x = rng.random(400)
    return x[:, None], (3.6 * x * (1 - x) + 0.02 * rng.standard_normal(400))[:, None]


def double_well(rng):
    """Ten paths, one after the other."""
    x, y = [], []
    for _ in range(10):
        z = rng.standard_normal()
        for _ in range(60):
            x.append(z)
            for _ in range(10):
                z = z + 0.02 * (4 * z - 4 * z ** 3) + 0.14 * rng.standard_normal()
            y.append(z)
    return np.array(x)[:, None], np.array(y)[:, None]


CASES = [
    ("noisy van der Pol", van_der_pol, Kernel((1.0, "gaussian", 0.9)), 0.25, 1e-4, 1.0, 5),
    ("noisy logistic map, pairs apart", logistic, Kernel((1.0, "matern52", 0.15)), 0.1, 1e-5, 1.0, 3),
    ("double well in paths, forgetting", double_well, Kernel((0.4, "gaussian", 0.2), (0.6, "gaussian", 0.6)), 0.1, 1e-6, 0.995, 2),
]


def inverse(symmetric):
    return solve(cholesky(symmetric), np.eye(len(symmetric), dtype=LD))


def run(number_of_case, case):
    text, make, kernel, epsilon, lam, forgetting, rank = case
    x, y = make(np.random.default_rng(40 + number_of_case))
    n, d = x.shape
    kept, margin = [], np.inf
    for i in range(n):
        for z in (x[i], y[i]):
            missed = norm = kernel(z, z)[0, 0]
            if kept:
                row = kernel(kept, z)[:, 0]
                missed = norm - row @ solve(cholesky(kernel(kept, kept)), row)
            margin = min(margin, abs(missed / (LD(epsilon) ** 2 * norm) - 1))
            if missed > LD(epsilon) ** 2 * norm:
                kept.append(z)
    kept = np.array(kept)
    gram = kernel(kept, kept)
    condition = np.linalg.cond(gram.astype(float))
    assert margin > 1e-6 and 10 <= len(kept) <= 70 and condition < 1e8, (margin, len(kept), condition)
    weights = LD(forgetting) ** np.arange(n - 1, -1, -1)
    total = weights.sum()
    kx, ky = kernel(kept, x), kernel(kept, y)
    s = (kx * weights) @ kx.T / total
    t = (ky * weights) @ kx.T / total
    v = ((y - x).T.astype(LD) * weights) @ kx.T / total
    ridge = s + LD(lam) * gram
    operator = t @ inverse(ridge)
    increments = v @ inverse(ridge)
    # T^T G^-1 T q = s R q with R = L L^T becomes the symmetric problem of L^-1 T^T G^-1 T L^-T.
    low = cholesky(ridge)
    c = lower_solve(low, t.T)
    symmetric = c @ inverse(gram) @ c.T
    values, vectors = np.linalg.eigh(symmetric.astype(float))
    q = lower_solve_transposed(low, vectors[:, ::-1][:, :rank].astype(LD))
    reduced = t @ q @ q.T
    folder = os.path.join(HERE, "least-squares-%d" % number_of_case)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "config.properties"), "w", newline="\n", encoding="ascii") as file:
        file.write("# %s\nkernel=%s\nlambda=%r\nepsilon=%r\nforgetting=%r\nrank=%d\n" % (text, kernel.text(), lam, epsilon, forgetting, rank))
    names = ["x%d" % c for c in range(d)]
    write(folder, "samples.csv", [[number(a) for a in row] for row in np.hstack([x, y])], names + ["y%d" % c for c in range(d)])
    write(folder, "kept.csv", [[number(a) for a in row] for row in kept], names)
    for name, matrix, count in (("eigenvalues", operator, 8), ("reduced", reduced, rank)):
        found = sorted(np.linalg.eigvals(matrix.astype(float)), key=lambda z: (-round(abs(z), 12), -z.imag))
        write(folder, name + ".csv", [[number(z.real), number(z.imag)] for z in found[:count]], ["re", "im"])
    points = x[:: n // 10][:10] + 0.05
    after = points + (increments @ kernel(kept, points)).T
    write(folder, "query.csv", [[number(a) for a in row] for row in np.hstack([points, after])], names + ["f%d" % c for c in range(d)])
    print("case %d: %d pairs, %d kept, condition %.1e, nearest to the threshold %.1e" % (number_of_case, n, len(kept), condition, margin))


def lower_solve_transposed(low, rhs):
    """L^-T rhs."""
    out = np.array(rhs, dtype=LD)
    for i in range(low.shape[0] - 1, -1, -1):
        out[i] = (out[i] - low[i + 1:, i] @ out[i + 1:]) / low[i, i]
    return out


if __name__ == "__main__":
    for index, one in enumerate(CASES, 1):
        run(index, one)
