"""Means, deviations and autocorrelations of the Lorenz-63 system from a very long run, with standard errors.

Run `python3 lorenz_correlations.py` (numpy only, about two minutes); it writes lorenz_moments.csv and
lorenz_correlations.csv beside itself.

Independent paths are integrated together by the classical Runge-Kutta scheme with the step of the simulated system.
Every path gives one estimate, so that the scatter over the paths is an honest standard error, whatever the correlations
along them. The step does not matter on this scale: half the step has to agree within the standard errors.
"""

import csv
from pathlib import Path

import numpy as np

SIGMA, RHO, BETA = 10.0, 28.0, 8.0 / 3.0
LAG = 0.1
LARGEST_LAG = 20  # in units of LAG
PATHS = 4000
TRANSIENT = 20.0
DURATION = 250.0


def drift(s):
    x, y, z = s
    return np.stack((SIGMA * (y - x), x * (RHO - z) - y, x * y - BETA * z))


def runge_kutta(s, h):
    a = drift(s)
    b = drift(s + h / 2 * a)
    c = drift(s + h / 2 * b)
    d = drift(s + h * c)
    return s + h / 6 * (a + 2 * b + 2 * c + d)


def long_run(inner_steps, seed, duration=DURATION):
    """States at multiples of LAG, [time][coordinate][path]."""
    rng = np.random.default_rng(seed)
    s = rng.uniform((-10, -10, 15), (10, 10, 35), (PATHS, 3)).T
    h = LAG / inner_steps
    for _ in range(round(TRANSIENT / h)):
        s = runge_kutta(s, h)
    states = np.empty((round(duration / LAG), 3, PATHS), dtype=np.float64)
    for t in range(len(states)):
        states[t] = s
        for _ in range(inner_steps):
            s = runge_kutta(s, h)
    return states


def moments(states):
    """Mean and standard deviation of x, y, z; standard errors from the scatter of paths (delta method)."""
    mean = states.mean(axis=(0, 2))
    squares = ((states - mean[None, :, None]) ** 2).mean(axis=0)
    deviation = np.sqrt(squares.mean(axis=1))
    return (
        mean,
        states.mean(axis=0).std(axis=1, ddof=1) / np.sqrt(PATHS),
        deviation,
        squares.std(axis=1, ddof=1) / np.sqrt(PATHS) / (2 * deviation),
    )


def correlations(states):
    """Autocorrelation of each coordinate at lags 0..LARGEST_LAG and its standard error (delta method for the ratio)."""
    centred = states - states.mean(axis=(0, 2))[None, :, None]
    used = len(states) - LARGEST_LAG
    squares = (centred[:used] ** 2).mean(axis=0)
    values, errors = [], []
    for lag in range(LARGEST_LAG + 1):
        products = (centred[:used] * centred[lag : lag + used]).mean(axis=0)
        ratio = products.mean(axis=1) / squares.mean(axis=1)
        values.append(ratio)
        scatter = (products - ratio[:, None] * squares).std(axis=1, ddof=1) / squares.mean(axis=1)
        errors.append(scatter / np.sqrt(PATHS))
    return np.array(values), np.array(errors)


def main():
    states = long_run(20, 1)
    mean, mean_error, deviation, deviation_error = moments(states)
    values, errors = correlations(states)
    halved, halved_errors = correlations(long_run(40, 2, duration=60.0))
    gap = np.max((np.abs(values - halved) / np.sqrt(errors**2 + halved_errors**2 + 1e-30))[1:])
    assert gap < 4, f"half the step gives other correlations: {gap:.1f} standard errors"

    folder = Path(__file__).resolve().parent
    with (folder / "lorenz_moments.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["mean", "deviation", "mean_error", "deviation_error", "coordinate"])
        for c, name in enumerate("xyz"):
            rows.writerow(
                [f"{mean[c]:.5f}", f"{deviation[c]:.5f}", f"{mean_error[c]:.1e}", f"{deviation_error[c]:.1e}", name]
            )
    with (folder / "lorenz_correlations.csv").open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["z", "error_z", "x", "error_x", "lag"])
        for lag in range(LARGEST_LAG + 1):
            rows.writerow(
                [
                    f"{values[lag, 2]:.6f}",
                    f"{errors[lag, 2]:.1e}",
                    f"{values[lag, 0]:.6f}",
                    f"{errors[lag, 0]:.1e}",
                    f"{lag * LAG:.1f}",
                ]
            )
    print(f"largest gap to the run with half the step: {gap:.1f} standard errors")
    print((folder / "lorenz_moments.csv").read_text(), (folder / "lorenz_correlations.csv").read_text(), sep="")


if __name__ == "__main__":
    main()
