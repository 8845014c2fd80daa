"""Leading Koopman eigenvalues of two Langevin systems as the Euler-Maruyama scheme simulates them.

Run `python3 euler_transfer.py` (numpy only); it writes prinz_eigenvalues.csv and quadwell_eigenvalues.csv beside itself.

The data sets of kooplearn and deeptime are defined by their integrator: the state after a lag is that of n Euler-Maruyama
steps, not that of the differential equation. One step from x has the normal density with mean x - h V'(x) and deviation s,
so the Koopman operator of one step is an integral operator with a kernel in closed form. Nystroem's method on an
equidistant grid converges faster than any power of the spacing (Trefethen, Weideman, The exponentially convergent
trapezoidal rule, SIAM Review 56, 2014), and the eigenvalues at the lag are the n-th powers of those of one step.

The potential of the quadruple well separates, and so does its scheme: the eigenvalues in the plane are the products of
two eigenvalues on the line.

Two checks share no step with that. A twice finer grid on a longer interval has to give the same; and the generator of the
differential equation, discretised by finite volumes, has to give the same up to the error of the scheme, which falls in
proportion to h: half the step has to halve the difference.
"""

import csv
import itertools
from pathlib import Path

import numpy as np


def prinz_potential(x):
    return 4 * (
        x**8 + 0.8 * np.exp(-80 * x**2) + 0.2 * np.exp(-80 * (x - 0.5) ** 2) + 0.5 * np.exp(-40 * (x + 0.5) ** 2)
    )


def prinz_slope(x):
    return (
        32 * x**7
        - 512 * x * np.exp(-80 * x**2)
        - 128 * (x - 0.5) * np.exp(-80 * (x - 0.5) ** 2)
        - 160 * (x + 0.5) * np.exp(-40 * (x + 0.5) ** 2)
    )


def double_well(x):
    return (x**2 - 1) ** 2


def double_well_slope(x):
    return 4 * x * (x**2 - 1)


def scheme_eigenvalues(slope, temperature, step, steps, half_width, spacings_per_deviation=3):
    """Eigenvalues, largest first, of `steps` Euler-Maruyama steps with noise sqrt(2 temperature step)."""
    deviation = np.sqrt(2 * temperature * step)
    points = int(np.ceil(2 * half_width * spacings_per_deviation / deviation)) + 1
    x, spacing = np.linspace(-half_width, half_width, points, retstep=True)
    gap = (x[None, :] - (x - step * slope(x))[:, None]) / deviation
    one_step = np.exp(-(gap**2) / 2) * spacing / (deviation * np.sqrt(2 * np.pi))
    values = np.linalg.eigvals(one_step)
    values = values[np.argsort(-abs(values))]
    leading = values[:COMPUTED]
    assert np.max(np.abs(leading.imag)) < 1e-9, "a leading eigenvalue is complex"
    return leading.real**steps


def equation_eigenvalues(potential, temperature, lag, half_width, cells):
    """The same for the differential equation itself: a conservative, reversible three-point scheme for its generator."""
    width = 2 * half_width / cells
    centres = -half_width + width * (np.arange(cells) + 0.5)
    # exp(-V) may underflow in the tails; only ratios between neighbours enter.
    face = potential(centres[:-1] + width / 2)
    rate_up = temperature / width**2 * np.exp((potential(centres[:-1]) - face) / temperature)
    rate_down = temperature / width**2 * np.exp((potential(centres[1:]) - face) / temperature)
    symmetric = np.diag(np.append(rate_up, 0) + np.insert(rate_down, 0, 0))
    off_diagonal = -np.sqrt(rate_up * rate_down)
    symmetric += np.diag(off_diagonal, 1) + np.diag(off_diagonal, -1)
    return np.exp(-lag * np.linalg.eigvalsh(symmetric)[:COMPUTED])


COMPUTED = 12


def line(name, potential, slope, temperature, step, steps, half_width):
    values = scheme_eigenvalues(slope, temperature, step, steps, half_width)
    finer = scheme_eigenvalues(slope, temperature, step, steps, 1.1 * half_width, 6)
    drift = np.max(np.abs(values - finer))
    assert drift < 1e-9, f"{name}: grid not converged, eigenvalues move by {drift:.1e}"
    assert abs(values[0] - 1) < 1e-9, f"{name}: constants are not invariant"
    exact = [equation_eigenvalues(potential, temperature, step * steps, half_width, cells) for cells in (600, 1200)]
    exact = (4 * exact[1] - exact[0]) / 3
    bias = np.max(np.abs(values - exact)[:5])
    half = scheme_eigenvalues(slope, temperature, step / 2, 2 * steps, half_width)
    ratio = np.max(np.abs(half - exact)[:5]) / bias
    assert 0.4 < ratio < 0.6, f"{name}: half the step leaves {ratio:.2f} of the bias"
    print(f"{name}: moves by {drift:.1e} on refinement; the scheme is off the equation by {bias:.1e}, {ratio:.2f} of it at half the step")
    values[0] = 1.0
    return values


def write(target, rows):
    with Path(__file__).resolve().with_name(target).open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["re", "im"])
        for value in rows:
            table.writerow([f"{value:.10f}", "0"])
    print(f"wrote {target}: {len(rows)} eigenvalues")


def main():
    write("prinz_eigenvalues.csv", line("prinz", prinz_potential, prinz_slope, 2.0, 1e-4, 100, 1.6)[:10])
    well = line("quadwell", double_well, double_well_slope, 0.25, 1e-3, 1000, 2.3)
    plane = sorted((a * b for a, b in itertools.product(well, repeat=2)), reverse=True)
    write("quadwell_eigenvalues.csv", plane[:9])


if __name__ == "__main__":
    main()
