"""Leading Koopman eigenvalues of the four-well Langevin system, computed without simulating it.

Run `python3 fourwell_generator.py` (numpy and scipy); it writes fourwell_eigenvalues.csv beside itself.

The potential separates, V(x) = v(x1) + v(x2) with v(x) = (x^2 - 1)^2, so the eigenvalues of the 2-D
generator are the sums of two eigenvalues of the 1-D generator  L f = f'' / beta - v' f'.
Multiplying by exp(-beta v / 2) turns -L into the symmetric Schroedinger operator (Risken, The
Fokker-Planck Equation, 2nd ed., section 5.4)

    H = -(1/beta) d^2/dx^2 + (beta/4) v'^2 - v''/2 ,

whose eigenfunctions decay faster than any exponential. Sinc collocation on an equidistant grid therefore
converges exponentially (Stenger, Numerical Methods Based on Sinc and Analytic Functions, 1993). A
finite-volume discretisation of L itself, extrapolated, has to agree: it shares no step with the first.
"""

import csv
import itertools
from pathlib import Path

import numpy as np
from scipy.linalg import eigh_tridiagonal

BETA = 4.0
LAG = 0.1
LEVELS = 24  # 1-D levels; far above what the table needs
TABLE_SIZE = 41  # ends with a whole degenerate pair


def potential(x):
    return (x**2 - 1) ** 2


def sinc_rates(points, half_width):
    """Relaxation rates (eigenvalues of -L) by sinc collocation of H on `points` equidistant nodes."""
    spacing = 2 * half_width / (points - 1)
    x = np.linspace(-half_width, half_width, points)
    gap = np.subtract.outer(np.arange(points), np.arange(points))
    off_diagonal = 2 * (-1.0) ** gap / np.where(gap == 0, 1, gap) ** 2
    minus_second_derivative = np.where(gap == 0, np.pi**2 / 3, off_diagonal) / spacing**2
    slope = 4 * x * (x**2 - 1)
    curvature = 12 * x**2 - 4
    hamiltonian = minus_second_derivative / BETA + np.diag(BETA / 4 * slope**2 - curvature / 2)
    return np.linalg.eigvalsh(hamiltonian)[:LEVELS]


def finite_volume_rates(cells, count, half_width=2.4):
    """Rates by a conservative, reversible three-point scheme on L; second order in the cell width."""
    width = 2 * half_width / cells
    centres = -half_width + width * (np.arange(cells) + 0.5)
    faces = centres[:-1] + width / 2
    conductance = np.exp(-BETA * potential(faces)) / (BETA * width**2)
    weight = np.exp(-BETA * potential(centres))
    diagonal = (np.append(conductance, 0) + np.insert(conductance, 0, 0)) / weight
    off_diagonal = -conductance / np.sqrt(weight[:-1] * weight[1:])
    return eigh_tridiagonal(diagonal, off_diagonal, select="i", select_range=(0, count - 1))[0]


def extrapolated_finite_volume_rates(count):
    """Richardson extrapolation removes the h^2 and h^4 terms."""
    coarse, middle, fine = (finite_volume_rates(cells, count) for cells in (600, 1200, 2400))
    first, second = (4 * middle - coarse) / 3, (4 * fine - middle) / 3
    return (16 * second - first) / 15


def main():
    rates = sinc_rates(180, 2.9)
    refined = sinc_rates(240, 3.1)
    drift = np.max(np.abs(rates - refined))
    assert drift < 1e-10, f"sinc grid not converged: rates move by {drift:.1e}"
    checked = 6
    disagreement = np.max(np.abs(rates[:checked] - extrapolated_finite_volume_rates(checked)))
    assert disagreement < 1e-9, f"finite volumes disagree by {disagreement:.1e}"
    assert abs(rates[0]) < 1e-10, f"constants are invariant, but their rate is {rates[0]:.1e}"
    rates[0] = 0.0

    levels = sorted(itertools.product(range(LEVELS), repeat=2), key=lambda ij: (rates[ij[0]] + rates[ij[1]], ij))
    table = levels[:TABLE_SIZE]
    assert sum(rates[list(table[-1])]) < rates[-1], "a missing 1-D level could belong in the table"

    target = Path(__file__).resolve().with_name("fourwell_eigenvalues.csv")
    with target.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["re", "im", "rate", "level_x1", "level_x2"])
        for i, j in table:
            rate = float(rates[i] + rates[j])
            rows.writerow([f"{np.exp(-LAG * rate):.13f}", "0", f"{rate:.11f}", i, j])
    print(f"rates move by {drift:.1e} on refinement; finite volumes differ by {disagreement:.1e}")
    print(f"wrote {target.name}: {TABLE_SIZE} eigenvalues at lag {LAG}")


if __name__ == "__main__":
    main()
