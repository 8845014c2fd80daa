"""Quantiles of forecasts as an array that knows their levels."""

from __future__ import annotations

from typing import Any, Optional, Sequence, Tuple

import numpy as np


class Bands(np.ndarray):
    """Quantiles of a forecast, shape (quantiles, steps, d): an array with names along its first axis.

    A float takes a band by its level and an int by its position: ``bands[0.1]`` is ``bands[0]`` of quantiles (0.1, 0.9). Both are plain arrays.

    Attributes
    ----------
    quantiles : the levels, one per band; None of what was computed from bands.

    Examples
    --------
    >>> bands = Bands([[[1.0], [2.0]], [[3.0], [4.0]]], (0.1, 0.9))
    >>> bands[0.9].ravel().tolist(), bands.quantiles
    ([3.0, 4.0], (0.1, 0.9))
    >>> (bands[0.9] - bands[0.1]).ravel().tolist()
    [2.0, 2.0]
    """

    quantiles: Optional[Tuple[float, ...]] = None

    def __new__(cls, values: Any, quantiles: Sequence[float]) -> "Bands":
        bands = np.asarray(values, dtype=float).view(cls)
        bands.quantiles = tuple(float(level) for level in quantiles)
        return bands

    def __getitem__(self, key: Any) -> Any:
        plain = np.asarray(self)
        if not isinstance(key, (float, np.floating)):
            return plain[key]
        for level, band in zip(self.quantiles or (), plain):
            if abs(level - key) < 1e-12:
                return band
        raise KeyError(f"no quantile {key}; there are {', '.join(map(str, self.quantiles or ())) or 'none'}")

    def __reduce__(self) -> Any:
        return Bands, (np.asarray(self), self.quantiles or ())
