"""The batch rival of `koop learn`: kernel EDMD on Nystroem centres in numpy, from a file of trajectories to eigenvalues.

    koop simulate fourwell --trajectories 16000 --steps 100 --seed 1 -o wells.npy
    time python3 nystroem_numpy.py wells.npy 150
    time koop learn wells.npy -o wells.safetensors --kernel '0.4*gaussian(0.4)+0.6*gaussian(0.7)' --epsilon 0.45

Centres are a uniform sample of the states, the kernel is 0.4*gaussian(0.4)+0.6*gaussian(0.7), lambda 1e-6; all states are lifted once, in chunks
of whole trajectories. Prints the seconds from reading the file to the eigenvalues and the pairs per second; OPENBLAS_NUM_THREADS sets the threads.
"""

import sys
import time

import numpy as np


def kernel(squared):
    return 0.4 * np.exp(squared * (-0.5 / 0.4**2)) + 0.6 * np.exp(squared * (-0.5 / 0.7**2))


def main(file, centres, chunk=200):
    start = time.perf_counter()
    paths = np.load(file, mmap_mode="r")
    count, length, d = paths.shape
    rng = np.random.default_rng(0)
    chosen = np.stack([paths[i, j] for i, j in zip(rng.integers(count, size=centres), rng.integers(length, size=centres))])
    norms = (chosen**2).sum(1)

    def gram(x):
        return kernel(np.maximum((x**2).sum(1)[:, None] + norms[None, :] - 2 * x @ chosen.T, 0))

    values, vectors = np.linalg.eigh(gram(chosen))
    keep = values > 1e-10 * values[-1]
    whiten = vectors[:, keep] / np.sqrt(values[keep])
    m = whiten.shape[1]
    s = np.zeros((m, m))
    t = np.zeros((m, m))
    pairs = 0
    for first in range(0, count, chunk):
        part = np.asarray(paths[first : first + chunk])
        lifted = (gram(part.reshape(-1, d)) @ whiten).reshape(len(part), length, m)
        x = lifted[:, :-1].reshape(-1, m)
        y = lifted[:, 1:].reshape(-1, m)
        s += x.T @ x
        t += y.T @ x
        pairs += len(x)
    operator = np.linalg.solve(s / pairs + 1e-6 * np.eye(m), (t / pairs).T).T
    eigenvalues = np.linalg.eigvals(operator)
    leading = eigenvalues[np.argsort(-abs(eigenvalues))][:4]
    seconds = time.perf_counter() - start
    print("eigenvalues", np.round(leading.real, 4), "of", m, "functions")
    print(f"{pairs} pairs in {seconds:.2f} s, {pairs / seconds:.0f} per second")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
