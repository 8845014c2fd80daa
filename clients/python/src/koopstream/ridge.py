"""Least squares for every ridge at once, and which ridge serves which question: the same rules as in the Java library."""

import numpy as np

#: The ridge, in units of the scale, where too few pairs are held out to choose one.
DEFAULT_LAMBDA = 1e-5
#: Fewer held-out pairs choose nothing.
MIN_PAIRS = 20

_DECADES = 16
_LONG_LAG = 16
_MAX_LONG_STARTS = 200
_FLAT = 1e-7
_MAX_RISE = 1.1
_MAX_ERRORS = 2.0
_NEGLIGIBLE = 1e-3


class RidgeFamily:
    """M_lambda = (T/n) Q diag(1/(mu + lambda)) Q^T with S/n = Q diag(mu) Q^T, found once.

    ``s`` is (m, m), ``t`` (n, m), ``v`` (d + 1, m) with the constant as its last row.
    """

    def __init__(self, s, t, v, weight):
        n = weight if weight > 0 else 1.0
        values, vectors = np.linalg.eigh(s / n)
        self.mu = np.maximum(0.0, values[::-1])
        self.q = vectors[:, ::-1]
        self._cross = t @ self.q / n
        self._increments = v @ self.q / n

    @property
    def scale(self):
        """The mean of k(x, x) as far as the kept points see it: the unit in which ridges are compared."""
        total = self.mu.sum()
        return float(total) if total > 0 else 1.0

    def operator(self, lambda_, rank=None, by="prediction"):
        """M_lambda; of a rank, along the directions that predict most, or (``by="input"``) along which the inputs vary most."""
        size = len(self.mu)
        if rank is not None and not 1 <= rank <= size:
            raise ValueError(f"rank = {rank}: must be from 1 to {size}, the kept points")
        if by not in ("prediction", "input"):
            raise ValueError(f"by = {by!r}: must be 'prediction' or 'input'")
        if rank is None or by == "input":
            return (self._cross[:, :rank] / (self.mu[:rank] + lambda_)) @ self.q[:, :rank].T
        # Reduced-rank regression: leading eigenvectors of A^T A with A = (T/n)(S/n + lambda)^(-1/2).
        root = 1 / np.sqrt(self.mu + lambda_)
        a = self._cross * root
        u = np.linalg.eigh(a.T @ a)[1][:, ::-1][:, :rank]
        return (a @ u) @ (self.q @ (root[:, None] * u)).T

    def increments(self, lambda_):
        """The regression of x_next - x (and of one) on the coordinates of x, (d + 1, m)."""
        return (self._increments / (self.mu + lambda_)) @ self.q.T


class HeldOut:
    """Held-out pairs, in the coordinates of the dictionary (one row per pair); ``missed`` is what it misses of each output, squared."""

    def __init__(self, x, x_next, runs, seen, seen_next, missed, one_space):
        self.x, self.x_next = x, x_next
        self._from, self._to, self._missed = seen, seen_next, missed
        new_run = np.r_[True, runs[1:] != runs[:-1]] if len(runs) else np.zeros(0, bool)
        self._run = np.cumsum(new_run) - 1
        self._ends = self._long_ends(new_run) if one_space else np.zeros(0, int)

    def __len__(self):
        return len(self.x)

    def _long_ends(self, new_run):
        """Pairs that end a stretch of consecutive pairs as long as the lag, evenly spread."""
        ends, first = [], 0
        for i in range(len(self.x)):
            if new_run[i] or not np.array_equal(self.x[i], self.x_next[i - 1]):
                first = i
            if i - first + 1 >= _LONG_LAG:
                ends.append(i)
        wanted = min(_MAX_LONG_STARTS, len(ends))
        return np.array([ends[k * len(ends) // wanted] for k in range(wanted)], dtype=int)

    def increment_error(self, readout):
        """Root mean square of the one-step error over that of persistence, averaged over the coordinates that move."""
        d = self.x_next.shape[1]
        shared = min(d, self.x.shape[1])
        increment = self.x_next.copy()
        increment[:, :shared] -= self.x[:, :shared]
        error = ((increment - self._from @ readout[:d].T) ** 2).sum(axis=0)
        still = (increment**2).sum(axis=0)
        moves = still > 0
        return float(np.sqrt((error[moves] / still[moves]).mean())) if moves.any() else 0.0

    def risk(self, operator):
        """The mean over each run of |phi(x_next) - U phi(x)|^2."""
        return self._run_means(np.arange(len(self.x)), self._from @ operator.T)

    def long_risk(self, operator):
        """The same at the longer lag, for the runs that are long enough."""
        if len(self._ends) == 0:
            return np.zeros(0)
        with np.errstate(over="ignore", invalid="ignore"):
            power = np.linalg.matrix_power(operator, _LONG_LAG)
            return self._run_means(self._ends, self._from[self._ends - _LONG_LAG + 1] @ power.T)

    def _run_means(self, pairs, images):
        errors = self._missed[pairs] + ((self._to[pairs] - images) ** 2).sum(axis=1)
        # An operator that grows leaves the range of numbers: as bad as can be.
        errors = np.where(np.isfinite(errors), errors, np.finfo(float).max / len(self.x))
        runs = self._run[pairs]
        return np.array([errors[runs == r].mean() for r in np.unique(runs)])


class LambdaChoice:
    """Which ridge serves forecasts and which spectra, chosen on held-out pairs.

    The grid runs in decades from 1 to 1e-16 of the scale, until nothing changes any more. ``forecast`` has the least error of the
    increment; ``spectrum`` is the smallest ridge within one standard error of the least risk at lag 16 (lag 1 where no run is long
    enough), but none below 1e-7 of the scale unless that is the best, or serves forecasts best.
    """

    def __init__(self, family, held):
        scale = family.scale
        self.is_chosen = len(held) >= MIN_PAIRS and len(family.mu) > 0
        if not self.is_chosen:
            self.grid = np.array([DEFAULT_LAMBDA * scale])
            self.forecast = self.spectrum = float(self.grid[0])
            return
        grid, errors, risks, long_risks = [], [], [], []
        for decade in range(_DECADES + 1):
            grid.append(scale * 10.0**-decade)
            operator = family.operator(grid[-1])
            errors.append(held.increment_error(family.increments(grid[-1])))
            risks.append(held.risk(operator))
            long_risks.append(held.long_risk(operator))
            if decade > 0 and all(_is_flat(kind) for kind in (errors, risks, long_risks)):
                break
        self.grid = np.array(grid)
        forecast = int(np.argmax(np.array(errors) <= (1 + _NEGLIGIBLE) * min(errors)))
        judged = np.array(long_risks if len(long_risks[0]) else risks)
        spectrum = _spectrum(self.grid / scale, judged, forecast)
        self.forecast, self.spectrum = float(grid[forecast]), float(grid[spectrum])


def _is_flat(kind):
    if np.size(kind[-1]) == 0:
        return True
    before, now = np.mean(kind[-2]), np.mean(kind[-1])
    return abs(now - before) <= 1e-6 * before


def _spectrum(relative, risks, forecast):
    """Index of the ridge for spectra; one row of risks a ridge, one column a run."""
    means = risks.mean(axis=1)
    best = int(means.argmin())
    n = risks.shape[1]
    difference = risks - risks[best]
    error = difference.std(axis=1, ddof=1) / np.sqrt(n) if n > 1 else np.zeros(len(risks))
    fine = means - means[best] <= _MAX_ERRORS * error
    chosen = int(np.argmax(means <= (1 + _NEGLIGIBLE) * means[best]))
    while chosen + 1 < len(relative) and fine[chosen + 1] and relative[chosen + 1] >= 0.5 * _FLAT:
        chosen += 1
    if forecast > chosen and means[forecast] <= _MAX_RISE * means[chosen]:
        chosen = forecast
    return chosen
