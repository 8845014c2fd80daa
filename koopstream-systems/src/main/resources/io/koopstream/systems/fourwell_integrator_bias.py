"""How far the time discretisation moves the four-well eigenvalues, computed without sampling.

Run `python3 fourwell_integrator_bias.py` (numpy and scipy); it writes fourwell_integrator_bias.csv beside itself.

One inner step of a scheme x -> S(x, xi) with a standard normal xi has the Koopman operator
(P f)(x) = E f(S(x, xi)). Here f is a Chebyshev interpolant in one coordinate and the expectation a
Gauss-Hermite sum, both accurate to rounding, so the eigenvalues of P^n (n inner steps an interval) are those
of the simulated chain, and their distance from the true ones is the bias of the scheme.
"""

import csv
import sys
from pathlib import Path

import numpy as np
from numpy.polynomial import chebyshev
from numpy.polynomial.hermite_e import hermegauss

sys.dont_write_bytecode = True  # a cache folder here would end up in the jar
from fourwell_generator import BETA, LAG, sinc_rates  # noqa: E402

NODES = 160
HALF_WIDTH = 2.6  # the stationary density outside is below 1e-57
LEVELS = 5


def drift(x):
    return -4 * x * (x**2 - 1)


def drift_flow(x, time):
    """Exact solution of x' = -4 x (x^2 - 1)."""
    decay = np.exp(-8 * time)
    return x / np.sqrt(decay + (1 - decay) * x**2)


def euler_maruyama(x, noise, h):
    return x + h * drift(x) + noise


def stochastic_heun(x, noise, h):
    return x + h / 2 * (drift(x) + drift(euler_maruyama(x, noise, h))) + noise


def strang_splitting(x, noise, h):
    return drift_flow(drift_flow(x, h / 2) + noise, h / 2)


def eigenvalues(scheme, inner_steps):
    h = LAG / inner_steps
    nodes = np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
    normals, weights = hermegauss(40)
    reached = scheme(HALF_WIDTH * nodes[:, None], np.sqrt(2 * h / BETA) * normals[None, :], h)
    basis = chebyshev.chebvander(np.clip(reached / HALF_WIDTH, -1, 1), NODES - 1)
    expected_basis = np.einsum("ijk,j->ik", basis, weights / weights.sum())
    step = expected_basis @ np.linalg.inv(chebyshev.chebvander(nodes, NODES - 1))
    values = np.linalg.eigvals(np.linalg.matrix_power(step, inner_steps))
    return np.sort(values[np.argsort(-abs(values))[:LEVELS]].real)[::-1]


def main():
    exact = np.exp(-LAG * sinc_rates(180, 2.9)[:LEVELS])
    target = Path(__file__).resolve().with_name("fourwell_integrator_bias.csv")
    with target.open("w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["scheme", "inner_steps"] + [f"bias_level_{k}" for k in range(1, LEVELS)])
        for inner_steps in (10, 20, 50):
            for scheme in (euler_maruyama, stochastic_heun, strang_splitting):
                bias = eigenvalues(scheme, inner_steps) - exact
                rows.writerow([scheme.__name__, inner_steps] + [f"{b:.2e}" for b in bias[1:]])
    print(target.read_text(), end="")


if __name__ == "__main__":
    main()
