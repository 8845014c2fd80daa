"""All non-zero Koopman eigenvalues of the logistic map with trigonometric noise.

Run `python3 logistic_transfer.py` (numpy only); it writes logistic_eigenvalues.csv beside itself.

With N = 2n the transition density is a trigonometric polynomial in y - F(x), F(x) = 4 x (1 - x):

    p(y | x) = sum_{m=-n..n} b_m exp(2 pi i m (y - F(x))),   b_m = binomial(2n, n+m) / binomial(2n, n),

so the Koopman operator has rank 2n + 1. F(x) = F(1 - x) makes K f symmetric about 1/2 for every f;
an eigenfunction with a non-zero eigenvalue is symmetric, sees only the cosine part of p, and lies in the
span of cos(2 pi m F(x)), m = 0..n. Hence at most n + 1 eigenvalues are not zero, and they are those of

    A_lm = (2 - [m = 0]) b_m  integral_0^1 cos(2 pi l y) cos(2 pi m F(y)) dy .

The integrands are entire functions, so Gauss-Legendre quadrature is exact to rounding.
"""

import csv
from math import comb
from pathlib import Path

import numpy as np

HALF_ORDER = 10  # n, that is N = 20


def nodes_on_unit_interval(count):
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return (nodes + 1) / 2, weights / 2


def logistic(x):
    return 4 * x * (1 - x)


def by_modulus(values):
    """Largest modulus first; of a conjugate pair the one with positive imaginary part first."""
    return np.array(sorted(values, key=lambda v: (-round(abs(v), 12), -v.imag)))


def cosine_eigenvalues(quadrature_points):
    y, weights = nodes_on_unit_interval(quadrature_points)
    m = np.arange(HALF_ORDER + 1)
    b = np.array([comb(2 * HALF_ORDER, HALF_ORDER + k) / comb(2 * HALF_ORDER, HALF_ORDER) for k in m])
    left = np.cos(2 * np.pi * np.outer(m, y)) * weights
    right = np.cos(2 * np.pi * np.outer(logistic(y), m))
    return by_modulus(np.linalg.eigvals(left @ right * np.where(m == 0, 1, 2) * b))


def nystroem_eigenvalues(points):
    """Independent route: the transition density itself at quadrature nodes (Nystroem's method)."""
    y, weights = nodes_on_unit_interval(points)
    normaliser = comb(2 * HALF_ORDER, HALF_ORDER) / 4**HALF_ORDER
    density = np.cos(np.pi * np.subtract.outer(logistic(y), y)) ** (2 * HALF_ORDER) / normaliser
    return by_modulus(np.linalg.eigvals(density * weights))


def main():
    values = cosine_eigenvalues(160)
    drift = np.max(np.abs(values - cosine_eigenvalues(240)))
    assert drift < 1e-12, f"quadrature not converged: eigenvalues move by {drift:.1e}"
    # The Nystroem matrix is 400 x 400 of rank 21: rounding blurs its tiny eigenvalues, so compare the leading ones.
    disagreement = np.max(np.abs(values[:6] - nystroem_eigenvalues(400)[:6]))
    assert disagreement < 1e-10, f"Nystroem's method disagrees by {disagreement:.1e}"
    assert abs(values[0] - 1) < 1e-13
    values[0] = 1.0  # constants are invariant

    target = Path(__file__).resolve().with_name("logistic_eigenvalues.csv")
    with target.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["re", "im"])
        for value in values:
            rows.writerow([f"{value.real:.13f}", f"{value.imag:.13f}" if value.imag else "0"])
    print(f"eigenvalues move by {drift:.1e} on refinement; Nystroem's method differs by {disagreement:.1e}")
    print(f"wrote {target.name}: {len(values)} eigenvalues, all others are zero")


if __name__ == "__main__":
    main()
