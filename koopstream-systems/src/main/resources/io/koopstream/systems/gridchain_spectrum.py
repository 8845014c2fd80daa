"""All Koopman eigenvalues of the chain on a grid, gridchain-v1.

Run `python3 gridchain_spectrum.py` (numpy only); it writes gridchain_eigenvalues.csv beside itself.

P_ij = w_j K_ij / z_i with K symmetric, so P is similar to the symmetric matrix K_ij sqrt(w_i w_j / (z_i z_j)).
"""

import csv
from pathlib import Path

import numpy as np

COEFFICIENT, DEVIATION = 0.3, 0.6


def main():
    x = np.arange(-20, 21) / 20
    w = np.exp(-(x**2) / (2 * DEVIATION**2))
    k = np.exp(COEFFICIENT * np.outer(x, x) / DEVIATION**2)
    z = k @ w
    values = np.linalg.eigvalsh(k * np.sqrt(np.outer(w, w) / np.outer(z, z)))
    values = sorted(values, key=abs, reverse=True)
    assert abs(values[0] - 1) < 1e-14
    with open(Path(__file__).with_name("gridchain_eigenvalues.csv"), "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("re", "im"))
        writer.writerows([(f"{round(1.0 if i == 0 else float(v), 13) + 0.0:.13f}", 0) for i, v in enumerate(values)])


if __name__ == "__main__":
    main()
