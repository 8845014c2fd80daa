"""Leading Koopman eigenvalues of the noisy van der Pol oscillator, computed without simulating it.

Run `python3 vanderpol_generator.py` (numpy and scipy, about two minutes); it writes vanderpol_eigenvalues.csv beside
itself and prints how well the routes agree.

The generator  L f = v f_x + (mu (1 - x^2) v - x) f_v + (s^2/2) f_vv  is discretised on the cells of a rectangle with
reflecting walls: exponentially fitted in v, where there is diffusion (Scharfetter and Gummel, IEEE Trans. Electron
Devices 16, 1969), centred in x. The error is of second order in the cell width, so eigenvalues on three grids
extrapolate (Richardson); what the last extrapolation changes is the stated uncertainty.

The second route shares no step with the first, and is that of the simulation: one inner step of the integrator (half
the noise, the drift by Runge-Kutta, half the noise) acts on tensor Chebyshev interpolants, the noise through
Gauss-Hermite sums. The eigenvalues of its n-th power are those of the simulated chain, n inner steps an interval. They
have to agree with the first route; their change from n = 10 to n = 20 bounds the integrator's bias.
"""

import csv
from pathlib import Path

import numpy as np
from numpy.polynomial import chebyshev
from numpy.polynomial.hermite_e import hermegauss
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import eigs

MU = 1.0
NOISE = 0.5
LAG = 0.25
TABLE_SIZE = 7  # the constant and three multiples of the frequency
WALLS = (3.2, 4.6)  # half widths in x and v


def bernoulli(u):
    """u / (e^u - 1), smooth at zero."""
    small = np.abs(u) < 1e-8
    safe = np.where(small, 1.0, u)
    return np.where(small, 1 - u / 2, safe / np.expm1(safe))


def grid_generator(cells, walls):
    """The generator on cells x cells unknowns, sparse."""
    hx, hv = 2 * walls[0] / cells, 2 * walls[1] / cells
    x = -walls[0] + hx * (np.arange(cells) + 0.5)
    v = -walls[1] + hv * (np.arange(cells) + 0.5)
    number = np.arange(cells * cells).reshape(cells, cells)
    rows, columns, values = [], [], []

    def face(first, second, rate_forth, rate_back):
        """Adds rate_forth (f_second - f_first) to first, and rate_back (f_first - f_second) to second."""
        for a, b, rate in ((first, second, rate_forth), (second, first, rate_back)):
            rows.extend((a.ravel(), a.ravel()))
            columns.extend((b.ravel(), a.ravel()))
            values.extend((rate.ravel(), -rate.ravel()))

    half_speed = np.broadcast_to(v / (2 * hx), (cells - 1, cells))
    face(number[:-1], number[1:], half_speed, -half_speed)
    diffusion = NOISE**2 / 2
    peclet = (MU * (1 - x[:, None] ** 2) * (v[:-1] + hv / 2)[None, :] - x[:, None]) * hv / diffusion
    scale = diffusion / hv**2
    face(number[:, :-1], number[:, 1:], scale * bernoulli(-peclet), scale * bernoulli(peclet))
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return coo_matrix(entries, shape=(number.size, number.size)).tocsc()


def grid_eigenvalues(cells):
    """The leading ones; 26 rates nearest to zero hold them, because faster ones belong to smaller moduli."""
    rates = eigs(grid_generator(cells, WALLS), k=26, sigma=0.05, which="LM", return_eigenvectors=False)
    return by_modulus(np.exp(LAG * rates))[:TABLE_SIZE]


def by_modulus(values):
    """Largest modulus first; of a conjugate pair the one with positive imaginary part first."""
    return np.array(sorted(values, key=lambda z: (-round(abs(z), 7), -z.imag)))


def extrapolated():
    """Removes the terms of second and fourth order; with it the change that the last step made."""
    coarse, middle, fine = (grid_eigenvalues(cells) for cells in (200, 300, 450))
    ratio = 1.5**2
    first, second = (ratio * middle - coarse) / (ratio - 1), (ratio * fine - middle) / (ratio - 1)
    third = (ratio**2 * second - first) / (ratio**2 - 1)
    return third, np.abs(third - second)


def drift(x, v):
    return v, MU * (1 - x**2) * v - x


def runge_kutta(x, v, h):
    x1, v1 = drift(x, v)
    x2, v2 = drift(x + h / 2 * x1, v + h / 2 * v1)
    x3, v3 = drift(x + h / 2 * x2, v + h / 2 * v2)
    x4, v4 = drift(x + h * x3, v + h * v3)
    return x + h / 6 * (x1 + 2 * x2 + 2 * x3 + x4), v + h / 6 * (v1 + 2 * v2 + 2 * v3 + v4)


def chain_eigenvalues(inner_steps, nodes=48, walls=WALLS):
    """Eigenvalues of the simulated chain at lag LAG."""
    h = LAG / inner_steps
    t = np.cos(np.pi * (np.arange(nodes) + 0.5) / nodes)
    to_coefficients = np.linalg.inv(chebyshev.chebvander(t, nodes - 1))
    normals, weights = hermegauss(16)
    reached = np.clip(t[:, None] + NOISE * np.sqrt(h / 2) / walls[1] * normals[None, :], -1, 1)
    basis = chebyshev.chebvander(reached, nodes - 1)
    smoothing = np.einsum("ijk,j->ik", basis, weights / weights.sum()) @ to_coefficients
    half_noise = np.kron(np.eye(nodes), smoothing)
    x, v = (a.ravel() for a in np.meshgrid(walls[0] * t, walls[1] * t, indexing="ij"))
    x, v = runge_kutta(x, v, h)
    left = chebyshev.chebvander(np.clip(x / walls[0], -1, 1), nodes - 1) @ to_coefficients
    right = chebyshev.chebvander(np.clip(v / walls[1], -1, 1), nodes - 1) @ to_coefficients
    moved = np.einsum("ij,ik->ijk", left, right).reshape(nodes * nodes, nodes * nodes)
    interval = np.linalg.matrix_power(half_noise @ moved @ half_noise, inner_steps)
    return by_modulus(eigs(interval, k=TABLE_SIZE + 10, which="LM", return_eigenvectors=False))[:TABLE_SIZE]


def main():
    values, uncertainty = extrapolated()
    assert abs(values[0] - 1) < 1e-9, f"constants are invariant, but their eigenvalue is {values[0]}"
    values[0] = 1.0
    coarse, fine = chain_eigenvalues(10), chain_eigenvalues(20)
    disagreement = np.max(np.abs(fine - values))
    assert disagreement < 3e-5, f"the simulated chain disagrees by {disagreement:.1e}"
    walls_moved = np.max(np.abs(fine - chain_eigenvalues(20, walls=(3.6, 5.0))))
    assert walls_moved < 3e-5, f"walls farther out move an eigenvalue by {walls_moved:.1e}"

    target = Path(__file__).resolve().with_name("vanderpol_eigenvalues.csv")
    with target.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["re", "im", "uncertainty"])
        for value, error in zip(values, uncertainty):
            imaginary = f"{value.imag:.8f}" if abs(value.imag) > 1e-9 else "0"
            rows.writerow([f"{value.real:.8f}", imaginary, f"{error:.1e}"])
    print(target.read_text(), end="")
    print(f"walls farther out move eigenvalues by at most {walls_moved:.1e}")
    print(f"the simulated chain differs by at most {disagreement:.1e}")
    print(f"from 10 to 20 inner steps it moves by at most {np.max(np.abs(fine - coarse)):.1e}")


if __name__ == "__main__":
    main()
