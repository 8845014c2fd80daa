"""Mean passage times between the wells of the four-well Langevin system, from its generator alone.

Run `python3 fourwell_passage_times.py` (numpy and scipy); it writes fourwell_passage_times.csv beside itself.

The mean time u(x) until a target set A is reached solves the boundary value problem

    L u = -1 outside A,   u = 0 in A,      L f = (f_11 + f_22) / beta - V_1 f_1 - V_2 f_2

(Pavliotis, Stochastic Processes and Applications, 2014, section 7.2). It is solved here in two dimensions by a
conservative, reversible five-point scheme; nothing is simulated and no eigenvalue is used. A well is reached
when the process comes within RADIUS of its minimum, and u is averaged over the stationary law within RADIUS of
the start's minimum.

    exit        from (-1,-1) to any other well
    neighbour   from (-1,-1) to the well at (1,-1)
    diagonal    from (-1,-1) to the well at (1,1)
    slow_rate   the slowest relaxation rate of one coordinate, for comparison: a chain on four wells that hops to
                each neighbour at half this rate has exit time 1/rate, neighbour 3/rate, diagonal 4/rate
"""

import csv
from pathlib import Path

import numpy as np
from scipy.linalg import eigh_tridiagonal
from scipy.sparse import coo_matrix
from scipy.sparse.linalg import spsolve

BETA = 4.0
HALF_WIDTH = 2.2
RADIUS = 0.3


def potential(x):
    return (x**2 - 1) ** 2


def one_dimension(cells):
    """Cell centres, stationary weights and the three-point generator as (below, above) rates."""
    width = 2 * HALF_WIDTH / cells
    centres = -HALF_WIDTH + width * (np.arange(cells) + 0.5)
    faces = centres[:-1] + width / 2
    weight = np.exp(-BETA * potential(centres))
    conductance = np.exp(-BETA * potential(faces)) / (BETA * width**2)
    above = np.append(conductance, 0) / weight
    below = np.insert(conductance, 0, 0) / weight
    return centres, weight, below, above


def passage_times(cells):
    centres, weight, below, above = one_dimension(cells)
    x1, x2 = np.meshgrid(centres, centres, indexing="ij")
    index = np.arange(cells * cells).reshape(cells, cells)
    rows, columns, values = [], [], []
    diagonal = np.zeros((cells, cells))
    for axis in (0, 1):
        lower, upper = (index[:-1, :], index[1:, :]) if axis == 0 else (index[:, :-1], index[:, 1:])
        up = np.broadcast_to(above[:-1, None] if axis == 0 else above[None, :-1], lower.shape)
        down = np.broadcast_to(below[1:, None] if axis == 0 else below[None, 1:], lower.shape)
        rows += [lower.ravel(), upper.ravel()]
        columns += [upper.ravel(), lower.ravel()]
        values += [up.ravel(), down.ravel()]
        diagonal -= (above + below)[:, None] if axis == 0 else (above + below)[None, :]
    rows.append(index.ravel())
    columns.append(index.ravel())
    values.append(diagonal.ravel())
    shape = (cells * cells, cells * cells)
    generator = coo_matrix((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape).tocsr()

    def near(a, b):
        return ((x1 - a) ** 2 + (x2 - b) ** 2 <= RADIUS**2).ravel()

    start = near(-1, -1)
    law = np.outer(weight, weight).ravel()[start]
    targets = {
        "exit": near(1, -1) | near(-1, 1) | near(1, 1),
        "neighbour": near(1, -1),
        "diagonal": near(1, 1),
    }
    times = {}
    for name, target in targets.items():
        outside = np.flatnonzero(~target)
        solution = np.zeros(cells * cells)
        solution[outside] = spsolve(generator[outside][:, outside].tocsc(), -np.ones(outside.size))
        times[name] = float(np.average(solution[start], weights=law))
    return times


def slow_rate(cells):
    _, weight, below, above = one_dimension(cells)
    conductance = above[:-1] * weight[:-1]
    off_diagonal = -conductance / np.sqrt(weight[:-1] * weight[1:])
    return float(eigh_tridiagonal(above + below, off_diagonal, select="i", select_range=(1, 1))[0][0])


def main():
    coarse, fine = passage_times(176), passage_times(352)
    rate = slow_rate(4000)
    target = Path(__file__).resolve().with_name("fourwell_passage_times.csv")
    with target.open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["quantity", "value"])
        for name in fine:
            drift = abs(fine[name] - coarse[name]) / fine[name]
            assert drift < 0.01, f"{name} not converged: moves by {drift:.1%} on refinement"
            table.writerow([name, f"{fine[name]:.2f}"])
            print(f"{name}: {fine[name]:.3f} (moves by {drift:.2%}), rate x time {rate * fine[name]:.3f}")
        table.writerow(["slow_rate", f"{rate:.6f}"])
    print(f"slow rate {rate:.6f}; wrote {target.name}")


if __name__ == "__main__":
    main()
