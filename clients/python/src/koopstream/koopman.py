"""The Koopman operator of a system as a scikit-learn estimator, without a server."""

from __future__ import annotations

import csv
import html
import inspect
import json
import os
import re
import shutil
import tempfile
import warnings
from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from .bands import Bands
from .errors import NotFittedError
from .java import worker
from .model import Model

#: Constructor arguments that are options of ``koop learn``.
_CYCLES = {"hour": 86_400.0, "weekday": 7 * 86_400.0, "season": 365.2425 * 86_400.0}

_OPTIONS = {
    "method": "--method",
    "kernel": "--kernel",
    "lambda_": "--lambda",
    "epsilon": "--epsilon",
    "eta": "--eta",
    "decay": "--decay",
    "budget": "--budget",
    "criterion": "--criterion",
    "delta": "--delta",
    "average": "--average",
    "max_dictionary": "--max-dictionary",
    "forgetting": "--forgetting",
    "holdout": "--holdout",
    "stride": "--stride",
    "dt": "--dt",
    "warm_up": "--warm-up",
    "fill": "--fill",
    "max_gap": "--max-gap",
}
#: Seconds of a month in a model's interval.
_MONTH = 2_629_746.0

#: Rows from which settings are chosen unless ``warm_up`` says otherwise.
_WARM_UP = 2000


class Koopman:
    """Learns the Koopman operator of a system from its states and answers from it.

    Rows of ``X`` are successive states (a trajectory). A list of arrays is a list of trajectories; ``groups`` tells the trajectories of one array
    apart; :func:`koopstream.pairs` makes both from states and the states that follow them. Frames keep their column names, and with a
    ``DatetimeIndex`` rows that are too far apart are not taken for neighbours. NaN is a value that is not known: a gap.

    Learning runs in a private Java process (Java 17 or newer), which is started when it is first needed and ends with Python. What was learned is
    held by this object alone: it can be copied, pickled and sent to other processes, and ``fit`` replaces nothing but itself.

    Parameters
    ----------
    n_components : how many columns :meth:`transform` has.
    delays : earlier rows that belong to a state, for partially observed systems; ``"auto"`` lets the first rows choose.
    inputs : names of columns that drive the others, e.g. ``["temperature"]``, the last ones of ``X``: they are not forecast, and :meth:`forecast` takes their
        coming values as ``future``. Without names their numbers from 1.
    method, kernel, lambda_, epsilon, max_dictionary, forgetting, holdout, stride, dt, warm_up, fill, max_gap :
        options of ``koop learn`` of the same name. None: chosen from the data, or the usual value. ``max_dictionary="none"`` sets no limit.
    eta, decay, budget, criterion, delta, average :
        those of the paper's method, ``method="sogd"``, e.g. ``decay=(0.75, 200)``, ``budget="proportional(0.3)"``, ``criterion="paper"``.

    Attributes
    ----------
    eigenvalues_ : eigenvalues of the operator, largest modulus first.
    n_features_in_, feature_names_in_ : columns of ``X``; names only where ``X`` has them.
    n_samples_seen_ : pairs of states that were learned.
    dictionary_ : the states that were kept.
    model_ : the :class:`koopstream.Model` that answers.

    Examples
    --------
    >>> import numpy as np
    >>> from koopstream import Koopman
    >>> random = np.random.default_rng(1)
    >>> turn = 0.98 * np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
    >>> X = np.ones((3000, 2))
    >>> for t in range(1, 3000):
    ...     X[t] = turn @ X[t - 1] + 0.1 * random.standard_normal(2)
    >>> koopman = Koopman(kernel="gaussian(1.5)").fit(X)
    >>> np.round(np.abs(koopman.eigenvalues_[:3]), 1)
    array([1., 1., 1.])
    >>> koopman.predict(X[:4]).shape
    (4, 2)
    >>> mean, bands = koopman.forecast(X, steps=10, quantiles=(0.1, 0.9))
    >>> mean.shape, bands.shape
    ((10, 2), (2, 10, 2))
    >>> bool((bands[0.1] < bands[0.9]).all())
    True
    """

    def __init__(
        self,
        *,
        n_components: int = 3,
        delays: Union[int, str] = 0,
        inputs: Optional[Sequence[Union[str, int]]] = None,
        method: Optional[str] = None,
        kernel: Optional[str] = None,
        lambda_: Optional[float] = None,
        epsilon: Optional[float] = None,
        eta: Optional[float] = None,
        decay: Union[str, Sequence[float], None] = None,
        budget: Optional[str] = None,
        criterion: Optional[str] = None,
        delta: Optional[str] = None,
        average: Optional[float] = None,
        max_dictionary: Union[int, str, None] = None,
        forgetting: Optional[float] = None,
        holdout: Optional[float] = None,
        stride: Optional[int] = None,
        dt: Union[float, str, None] = None,
        warm_up: Optional[int] = None,
        fill: Optional[str] = None,
        max_gap: Union[float, str, None] = None,
    ):
        self.n_components = n_components
        self.delays = delays
        self.inputs = inputs
        self.method = method
        self.kernel = kernel
        self.lambda_ = lambda_
        self.epsilon = epsilon
        self.eta = eta
        self.decay = decay
        self.budget = budget
        self.criterion = criterion
        self.delta = delta
        self.average = average
        self.max_dictionary = max_dictionary
        self.forgetting = forgetting
        self.holdout = holdout
        self.stride = stride
        self.dt = dt
        self.warm_up = warm_up
        self.fill = fill
        self.max_gap = max_gap

    # scikit-learn's habits ----------------------------------------------------------------------------------------------

    @classmethod
    def _names(cls) -> List[str]:
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> Dict[str, Any]:
        """The constructor's arguments."""
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> "Koopman":
        """Changes constructor arguments; they count at the next :meth:`fit`."""
        known = self._names()
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"no parameter {name!r}; there are {', '.join(known)}")
            setattr(self, name, value)
        return self

    def _more_tags(self) -> Dict[str, Any]:
        return {"allow_nan": True, "requires_y": False}

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(allow_nan=True),
        )

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")

    def fit(self, X: Any, y: Any = None, *, groups: Any = None) -> "Koopman":
        """Learns from ``X``, forgetting what was learned before. ``y`` is ignored, as scikit-learn's tools pass it; rows of ``X`` with equal ``groups`` are a trajectory."""
        rows = self._taken(X, y, groups, first=True)
        if sum(len(piece) for piece, _ in rows.pieces) < 2:
            raise ValueError("X has 1 sample (n_samples = 1); a system is learned from at least 2 successive states")
        self._begin(rows)
        self._add(rows, True)
        self._settle()
        return self

    def partial_fit(self, X: Any, y: Any = None, *, groups: Any = None, new_trajectory: bool = False) -> "Koopman":
        """Learns from more rows, which follow those of the last call unless ``new_trajectory`` is true.

        Rows are collected and learned when something is asked, or when they are many, so a call with one row costs next to nothing. The result is
        that of one call with all of them, bit for bit.
        """
        first = not hasattr(self, "n_features_in_")
        rows = self._taken(X, y, groups, first=first)
        if first:
            self._begin(rows)
        self._add(rows, new_trajectory or first)
        if self._waiting >= (self.warm_up or _WARM_UP):
            self._settle()
        return self

    def fit_transform(self, X: Any, y: Any = None, **fit_params: Any) -> Any:
        """``fit(X).transform(X)``."""
        return self.fit(X, y, **fit_params).transform(X)

    def predict(self, X: Any) -> Any:
        """E[next state | state] per row; of the same kind as ``X``. NaN where the rows before it, which delays need, are missing."""
        return self._each_row(X, self._forecaster().predict, lambda rows: rows.columns(self.n_features_in_))

    def transform(self, X: Any) -> Any:
        """The leading eigenfunctions but the constant one, real and imaginary parts as columns: slow coordinates of the system."""
        return self._each_row(X, self._components, lambda rows: list(self.get_feature_names_out()))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the columns of :meth:`transform`."""
        self._fitted()
        return np.array([f"koopman{i}" for i in range(len(self._columns()))], dtype=object)

    def score(self, X: Any, y: Any = None) -> float:
        """How much of the next state's variance is predicted one step ahead (R², mean over the coordinates); 1 is best, 0 is the mean's."""
        rows = self._rows(X)
        predicted, came = [], []
        for piece, times in rows.pieces:
            predicted.append(self._in_states(self._prepared(piece, times), self._forecaster().predict, self.n_features_in_)[:-1])
            came.append(piece[1:])
        guess, truth = np.concatenate(predicted), np.concatenate(came)
        known = np.isfinite(guess).all(axis=1) & np.isfinite(truth).all(axis=1)
        if not known.any():
            raise ValueError("X has no two successive states")
        guess, truth = guess[known], truth[known]
        spread = ((truth - truth.mean(axis=0)) ** 2).sum(axis=0)
        missed = ((truth - guess) ** 2).sum(axis=0)
        return float(np.mean(np.where(spread > 0, 1 - missed / np.where(spread > 0, spread, 1), missed == 0)))

    def score_samples(self, X: Any) -> np.ndarray:
        """How well the model knows each state: 1 where it has learned, towards 0 where it has never been.

        Each row by itself, as scikit-learn asks of this method; :meth:`row_scores` tells how unusual a row is after those before it.
        """
        return np.concatenate([self._in_states(self._prepared(*piece), lambda z: self.model_.coverage(z)[:, None], 1)[:, 0] for piece in self._rows(X).pieces])

    # What a Koopman operator is asked -----------------------------------------------------------------------------------

    @property
    def model_(self) -> Model:
        self._fitted()
        return self._model

    @property
    def eigenvalues_(self) -> np.ndarray:
        return self.model_.eigenvalues_

    @property
    def n_samples_seen_(self) -> int:
        return self.model_.n_samples_seen_

    @property
    def dictionary_(self) -> np.ndarray:
        return self.model_.x

    def timescales(self, dt: float = 1.0) -> np.ndarray:
        """Implied time scales of the eigenvalues, in the unit of ``dt``, the time of a step."""
        return self.model_.timescales(dt)

    def eigenfunctions(self, X: Any, k: int = 3) -> np.ndarray:
        """Values of the k leading eigenfunctions at the rows of ``X``: complex, shape (n, k)."""
        return np.concatenate([self._in_states(self._prepared(*piece), lambda z: self.model_.eigenfunctions(z, k), k, complex) for piece in self._rows(X).pieces])

    def forecast(
        self, X: Any = None, steps: Optional[int] = None, quantiles: Optional[Sequence[float]] = None, *, anyway: bool = False, future: Any = None
    ) -> Any:
        """The expected next ``steps`` rows after the last row of ``X``, or after the last learned row; shape (steps, d).

        ``steps`` are 20, or as many as ``future`` has rows after the start: the coming values of the inputs, an array of shape (steps, inputs) or a frame, dated or
        in the order of the steps. Without it inputs are forecast with the rest. Answers have the columns that are no inputs.

        With ``quantiles`` also the bands: a pair of the mean and an array of shape (quantiles, steps, d), where ``bands[0.1]`` is the quantile 0.1. A list of trajectories gives a list. A
        frame gives frames that continue its dates or row numbers, and bands in one frame, in which ``bands[0.1]`` has the columns of the mean. A start that the model hardly knows is refused unless ``anyway``.
        """
        with _Folder() as folder:
            command, rows = self._forecast(folder, X, steps, future)
            command += ["--quantiles", ",".join(f"{q:g}" for q in quantiles) if quantiles else "none", "-o", folder.path("forecast.npy")]
            worker().run(*command, *(["--anyway"] if anyway else []))
            found = np.load(folder.path("forecast.npy"))
        if rows is None:
            starts = [(found[:, i], self._end) for i in range(found.shape[1])]
        else:
            starts = [(found[:, i], piece) for i, piece in enumerate(rows.ends())]
        answers = [self._as_given(values, end, quantiles) for values, end in starts]
        return answers if len(answers) > 1 or (rows is not None and rows.is_list) else answers[0]

    def made_of(self, X: Any = None, steps: Optional[int] = None, *, future: Any = None) -> Dict[str, np.ndarray]:
        """Of what :meth:`forecast` with the same arguments is made: for each member, such as ``"regression"`` or ``"Koopman path"``, its share at every step.

        Shares are means over the columns and follow from how good earlier forecasts were; empty while none were judged. One start only.
        """
        with _Folder() as folder:
            command, _ = self._forecast(folder, X, steps, future)
            answer = json.loads(worker().run(*command, "--quantiles", "none", "--anyway", "--json")[0])
        if "madeOf" not in answer:
            raise ValueError("X has several trajectories; ask for one")
        return {member: np.array(shares) for member, shares in answer["madeOf"].items()}

    def _forecast(self, folder: "_Folder", X: Any, steps: Optional[int], future: Any) -> Tuple[List[object], Optional["_Rows"]]:
        """A command that forecasts, and the rows that it starts from; None where it starts after the last learned row."""
        self._fitted()
        command: List[object] = ["forecast", folder.file("model.safetensors", self._file)]
        command += [] if steps is None else ["--steps", int(steps)]
        if future is not None:
            command += ["--future", folder.table("future.csv", self._future(future), _safe(self._driving()))]
        if X is None:
            return command, None
        rows = self._rows(np.reshape(X, (1, -1)) if np.ndim(X) == 1 else X)
        return [*command, "--data", folder.table("start.csv", rows, self._header()), "--last"], rows

    def row_scores(self, X: Any) -> Dict[str, np.ndarray]:
        """How unusual each row of ``X`` is given the rows before it, as ``koop score`` computes it; the model is not changed.

        ``score`` (0 to 1, a tenth per factor of ten by which such a row is rare), ``p``, ``known`` and ``alarm`` of shape (n,), and
        ``predicted``, ``low`` and ``high`` of shape (n, d), trajectory after trajectory; NaN where unknown.
        """
        self._fitted()
        with _Folder() as folder:
            command: List[object] = ["score", folder.file("model.safetensors", self._file)]
            worker().run(*command, folder.table("rows.csv", self._rows(X), self._header()), "-o", folder.path("scores.csv"))
            with open(folder.path("scores.csv"), encoding="utf-8", newline="") as file:
                lines = list(csv.reader(file))[1:]
        cells = np.array([[float(cell) if cell else np.nan for cell in line[2:]] for line in lines])
        answer = {name: cells[:, i] for i, name in enumerate(("score", "p", "known"))}
        answer["alarm"] = cells[:, 3].astype(int)
        answer.update({name: cells[:, 4 + i :: 4] for i, name in ((1, "predicted"), (2, "low"), (3, "high"))})
        return answer

    def sets(self, k: Optional[int] = None, dt: Union[float, str, None] = None) -> List[Dict[str, Any]]:
        """Metastable sets, which the process rarely leaves: centre, population and mean exit time of each.

        Without ``k`` as many as the largest gap of the spectrum shows; a ValueError where nothing is metastable.
        """
        self._fitted()
        with _Folder() as folder:
            command: List[object] = ["sets", folder.file("model.safetensors", self._file), "--json"]
            command += [] if k is None else ["-k", int(k)]
            command += [] if dt is None else ["--dt", dt]
            try:
                answer = json.loads(worker().run(*command)[0])
            except ValueError as refused:
                raise ValueError(str(refused).replace("-k 2", "k=2")) from None
        return [
            {"set": i, **fact, "centre": np.array(fact["centre"]), "states": states}
            for i, (fact, states) in enumerate(zip(answer["sets"], answer["sizes"]))
        ]

    def assign(self, X: Any, k: Optional[int] = None) -> np.ndarray:
        """The set of each row, numbered as by :meth:`sets`; -1 where nothing was learned."""
        self._fitted()
        with _Folder() as folder:
            command: List[object] = ["sets", folder.file("model.safetensors", self._file), "-o", folder.path("sets.npy")]
            command += ["--at", folder.table("at.csv", self._rows(X), self._header())]
            worker().run(*command, *([] if k is None else ["-k", int(k)]))
            return np.load(folder.path("sets.npy")) - 1

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the model file, for ``koop``, :func:`koopstream.load_model` and others."""
        self._fitted()
        with open(path, "wb") as file:
            file.write(self._file)

    # Pictures -----------------------------------------------------------------------------------------------------------

    def plot_spectrum(self, k: int = 12, ax: Any = None) -> Any:
        """The leading eigenvalues and the unit circle; needs matplotlib."""
        ax = _axes(ax)
        angle = np.linspace(0, 2 * np.pi, 200)
        ax.plot(np.cos(angle), np.sin(angle), color="0.7", lw=1)
        ax.plot(self.eigenvalues_[:k].real, self.eigenvalues_[:k].imag, "o")
        ax.set(xlabel="real part", ylabel="imaginary part", title="Koopman eigenvalues", aspect="equal")
        return ax

    def plot_forecast(self, X: Any = None, steps: int = 20, column: int = 0, ax: Any = None) -> Any:
        """The forecast of one column with its 80 % band, after the last rows of ``X``; needs matplotlib."""
        ax = _axes(ax)
        mean, bands = self.forecast(X, steps, (0.1, 0.9))
        low, high = (np.asarray(bands[level])[:, column] for level in (0.1, 0.9))
        ahead = mean.index if hasattr(mean, "index") else np.arange(1, steps + 1)
        ax.fill_between(ahead, low, high, alpha=0.3, label="80 % band")
        ax.plot(ahead, np.asarray(mean)[:, column], label="expected")
        if X is not None and np.ndim(X) == 2:
            past = X.iloc[-4 * steps :, column] if hasattr(X, "iloc") else np.asarray(X)[-4 * steps :, column]
            ax.plot(past.index if hasattr(past, "index") else np.arange(1 - len(past), 1), np.asarray(past), color="0.4", label="observed")
        ax.legend()
        ax.set(title="Forecast", xlabel="" if hasattr(mean, "index") else "steps ahead", ylabel=self._labels()[column])
        return ax

    # How it looks -------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        usual = {name: p.default for name, p in inspect.signature(type(self).__init__).parameters.items() if name != "self"}
        said = [f"{name}={value!r}" for name, value in self.get_params().items() if not _same(value, usual[name])]
        return f"{type(self).__name__}({', '.join(said)})"

    def _repr_html_(self) -> str:
        facts = [("estimator", repr(self))]
        if hasattr(self, "n_features_in_"):
            values = self.eigenvalues_[:5]
            facts += [
                ("learned from", f"{self.n_samples_seen_:,} pairs of {self.n_features_in_} columns; {len(self.dictionary_)} states are kept"),
                ("kernel", self.model_.kernel),
                ("eigenvalues", ", ".join(f"{v.real:.4f}" if abs(v.imag) < 1e-12 else f"{v.real:.4f}{v.imag:+.4f}i" for v in values) + ", …"),
            ]
        cells = "".join(f"<tr><th style='text-align:left'>{name}</th><td style='text-align:left'>{html.escape(text)}</td></tr>" for name, text in facts)
        return f"<table>{cells}</table>"

    def __getstate__(self) -> Dict[str, Any]:
        state = self.__dict__.copy()
        state.pop("_model", None)
        state.pop("_predictor", None)
        return state

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self.__dict__.get("_file") is not None:
            self._open()

    # What is inside -----------------------------------------------------------------------------------------------------

    def _taken(self, X: Any, y: Any, groups: Any, first: bool) -> "_Rows":
        if y is not None and np.asarray(y).ndim == 2 and np.asarray(y).shape == np.shape(np.asarray(X)):
            raise ValueError("y is not learned from; for pairs of states write: rows, groups = koopstream.pairs(X, Y), then fit(rows, groups=groups)")
        rows = _Rows(X, groups)
        if not first:
            self._check(rows)
        return rows

    def _begin(self, rows: "_Rows") -> None:
        for name in ("_model", "_predictor", "feature_names_in_"):
            self.__dict__.pop(name, None)
        self.n_features_in_ = rows.width
        if rows.names is not None:
            self.feature_names_in_ = np.array(rows.names, dtype=object)
        self._file: Optional[bytes] = None
        self._pieces: List[Tuple[np.ndarray, Any, int]] = []
        self._waiting = 0
        self._trajectory = 0
        self._end: Any = None
        self._frozen = False

    def _add(self, rows: "_Rows", new: bool) -> None:
        for i, (piece, times) in enumerate(rows.pieces):
            if new or i > 0 or rows.is_list:
                self._trajectory += 1
            self._pieces.append((piece, times, self._trajectory))
            self._waiting += len(piece)
        self._end = rows.ends()[-1]

    def _settle(self) -> None:
        """Learns the rows that wait. Until there are enough to choose settings from, all are kept and learned together again."""
        if self._waiting == 0:
            return
        with _Folder() as folder:
            table = folder.pieces("rows.csv", self._pieces, self._header())
            command: List[object] = ["learn", table, "-o", folder.path("learned.safetensors"), "--json", "--no-watch-drift", "--project", "none"]
            if self._frozen:
                command += ["--resume", folder.file("model.safetensors", self._file)]
            else:
                for name, option in _OPTIONS.items():
                    value = getattr(self, name)
                    if value is not None:
                        command += [option, ",".join(map(str, value)) if isinstance(value, (list, tuple)) else value]
                if self.inputs:
                    command += ["--inputs", self._said_inputs()]
                if self.delays != "auto":
                    command += ["--delays", self.delays]
            worker().run(*command)
            with open(folder.path("learned.safetensors"), "rb") as file:
                self._file = file.read()
        self._waiting = 0
        if self._frozen or sum(len(piece) for piece, _, _ in self._pieces) >= (self.warm_up or _WARM_UP):
            self._frozen = True
            self._pieces = []
        self._open()

    def _open(self) -> None:
        assert self._file is not None
        self._model = Model(self._file, "the model")
        self._predictor = self._model
        choice = self._model.lambda_choice
        if choice is not None and self._model.metadata["lambda"] == "chosen":
            self._predictor = self._model.at(lambda_=min(choice.forecast, choice.spectrum))

    def _fitted(self) -> None:
        if not hasattr(self, "n_features_in_"):
            raise NotFittedError(f"This {type(self).__name__} instance is not fitted yet. Call 'fit' or 'partial_fit' first.")
        self._settle()

    def _forecaster(self) -> Model:
        self._fitted()
        return self._predictor

    def _driving(self) -> List[str]:
        """The columns that drive the others."""
        return self._labels()[self.n_features_in_ - len(self.inputs or ()) :]

    def _future(self, future: Any) -> "_Rows":
        names = self._driving()
        if not names:
            raise ValueError("future is given, and the model has no inputs: name them with Koopman(inputs=[...])")
        rows = _Rows(np.reshape(future, (-1, 1)) if np.ndim(future) == 1 and not hasattr(future, "index") else future, None)
        if rows.width != len(names) or (rows.names is not None and hasattr(self, "feature_names_in_") and rows.names != names):
            raise ValueError(f"future has columns {', '.join(rows.names or map(str, range(1, rows.width + 1)))}; the inputs are {', '.join(names)}")
        return rows

    def _said_inputs(self) -> str:
        names = self._labels()
        said = [names[one - 1] if isinstance(one, int) and 1 <= one <= len(names) else str(one) for one in self.inputs or ()]
        if sorted(said) != sorted(names[len(names) - len(said) :]) or len(said) >= len(names):
            raise ValueError(f"inputs = {self.inputs}: must be the last columns of X, behind those that are forecast; X has {', '.join(names)}")
        return ",".join(_safe(names[len(names) - len(said) :]))

    def _header(self) -> List[str]:
        return _safe(self._labels())

    def _labels(self) -> List[str]:
        names = getattr(self, "feature_names_in_", None)
        return [f"x{i + 1}" for i in range(self.n_features_in_)] if names is None else list(names)

    def _rows(self, X: Any) -> "_Rows":
        self._fitted()
        rows = _Rows(X, None)
        self._check(rows)
        return rows

    def _check(self, rows: "_Rows") -> None:
        known = getattr(self, "feature_names_in_", None)
        if known is not None and rows.names is not None and list(known) != rows.names:
            raise ValueError(_names_differ(list(known), rows.names))
        if (known is None) != (rows.names is None):
            has = "X has feature names, but {} was fitted without feature names"
            lacks = "X does not have valid feature names, but {} was fitted with feature names"
            warnings.warn((has if known is None else lacks).format(type(self).__name__), UserWarning, stacklevel=4)
        if rows.width != self.n_features_in_:
            raise ValueError(f"X has {rows.width} features, but {type(self).__name__} is expecting {self.n_features_in_} features as input")

    def _each_row(self, X: Any, of_states: Any, names: Any) -> Any:
        rows = self._rows(X)
        columns = names(rows)
        parts = [self._in_states(self._prepared(*piece), of_states, len(columns)) for piece in rows.pieces]
        return rows.like(parts, columns)

    def _prepared(self, piece: np.ndarray, times: Any) -> np.ndarray:
        """Rows as they were learned: followed by cosine and sine of the cycles that the model has learned."""
        cycles = [word for word in self._model.metadata.get("calendar", "").split(",") if word]
        if not cycles:
            return piece
        if times is None:
            raise ValueError(f"the model has learned the time ({', '.join(cycles)}): give a frame with a DatetimeIndex")
        seconds = np.asarray(times, dtype="datetime64[ns]").astype(np.int64) / 1e9
        phases = [2 * np.pi * ((seconds / _CYCLES[word]) % 1.0) for word in cycles]
        return np.column_stack([piece, *(f(phase) for phase in phases for f in (np.cos, np.sin))])

    def _in_states(self, piece: np.ndarray, of_states: Any, width: int, kind: Any = float) -> np.ndarray:
        """Applies a function of states to rows; a state is a row and, with delays, rows before it, newest first."""
        delays, stride = int(self._model.metadata.get("delays", 0)), int(self._model.metadata.get("stride", 1))
        reach = delays * stride
        result = np.full((len(piece), width), np.nan, kind)
        if len(piece) > reach:
            states = np.hstack([piece[reach - j * stride : len(piece) - j * stride] for j in range(delays + 1)])
            known = np.isfinite(states).all(axis=1)
            if known.any():
                values = of_states(states[known])[:, :width]
                result[reach + np.flatnonzero(known), : values.shape[1]] = values
        return result

    def _columns(self) -> List[Tuple[int, bool]]:
        """Which eigenfunctions :meth:`transform` shows: index, and whether its imaginary part."""
        values = self.model_.eigenvalues_
        columns: List[Tuple[int, bool]] = []
        for i in range(1, len(values)):
            if values[i].imag > 1e-12:
                columns += [(i, False), (i, True)]
            elif values[i].imag > -1e-12:
                columns.append((i, False))
        return columns[: self.n_components] or [(0, False)]

    def _components(self, states: np.ndarray) -> np.ndarray:
        columns = self._columns()
        values = self.model_.eigenfunctions(states, max(i for i, _ in columns) + 1)
        return np.column_stack([values[:, i].imag if imaginary else values[:, i].real for i, imaginary in columns])

    def _step(self, pandas: Any, last: Any) -> Any:
        """The time of a step on the calendar: whole months are months however many days they have, and working days leave weekends out."""
        seconds = float(self._model.metadata.get("interval", "nan"))
        if self._model.metadata.get("max_gap") == "weekends":
            return pandas.offsets.BusinessDay()
        months = seconds / _MONTH
        if not (months >= 1 and months == int(months)):
            return pandas.Timedelta(seconds=seconds)
        return pandas.offsets.MonthEnd(int(months)) if last.is_month_end else pandas.DateOffset(months=int(months))

    def _as_given(self, values: np.ndarray, end: Any, quantiles: Optional[Sequence[float]]) -> Any:
        mean, bands = values[0], Bands(values[1:], quantiles or ())
        times, numbered = end or (None, None)
        if times is not None or numbered is not None:
            import pandas

            if times is not None:
                step = self._step(pandas, times[-1])
                index = pandas.DatetimeIndex([times[-1] + step * (s + 1) for s in range(len(mean))])
            else:
                index = pandas.RangeIndex(numbered + 1, numbered + 1 + len(mean))
            columns = self._labels()[: mean.shape[1]]
            mean = pandas.DataFrame(mean, index=index, columns=columns)
            if quantiles:
                frames = {float(level): pandas.DataFrame(band, index=index, columns=columns) for level, band in zip(quantiles, bands)}
                bands = pandas.concat(frames, axis=1, names=["quantile", "column"])
        return mean if not quantiles else (mean, bands)


class _Rows:
    """Input as trajectories: arrays with their times, and what the answer should look like."""

    def __init__(self, X: Any, groups: Any):
        if _is_sparse(X):
            raise TypeError("sparse matrices are not supported; use X.toarray()")
        self.is_list = isinstance(X, (list, tuple)) and len(X) > 0 and all(np.ndim(part) == 2 for part in X)
        parts = list(X) if self.is_list else [X]
        self.frames = [part if hasattr(part, "iloc") and hasattr(part, "columns") else None for part in parts]
        self.names = _names(self.frames[0])
        self.pieces = [(_array(part), _times(part)) for part in parts]
        self._numbers = [None if frame is None else _row_numbers(frame) for frame in self.frames]
        self.width = self.pieces[0][0].shape[1]
        if any(piece.shape[1] != self.width for piece, _ in self.pieces):
            raise ValueError("the trajectories have different numbers of columns")
        if groups is not None:
            if self.is_list or len(groups) != len(self.pieces[0][0]):
                raise ValueError(f"groups: expected one per row of a single array, found {len(groups)}")
            piece, times = self.pieces[0]
            groups = np.asarray(groups)
            order = sorted(set(groups.tolist()), key=groups.tolist().index)
            chosen = [np.flatnonzero(groups == group) for group in order]
            self.pieces = [(piece[rows], None if times is None else times[rows]) for rows in chosen]
            self._numbers = [None if self._numbers[0] is None else self._numbers[0][rows] for rows in chosen]
            self.is_list = True

    def columns(self, width: int) -> List[str]:
        return [f"x{i + 1}" for i in range(width)] if self.names is None else self.names

    def ends(self) -> List[Any]:
        """Times of each trajectory, and the number of its last row where it came in a frame."""
        return [(times, None if numbers is None else int(numbers[-1])) for (_, times), numbers in zip(self.pieces, self._numbers)]

    def like(self, parts: List[np.ndarray], columns: List[str]) -> Any:
        answers: List[Any] = list(parts)
        for i, frame in enumerate(self.frames):
            if frame is not None:
                import pandas

                answers[i] = pandas.DataFrame(parts[i], index=frame.index, columns=columns)
        return answers if self.is_list else answers[0]


class _Folder:
    """A folder for the files of one command, gone with it."""

    def __enter__(self) -> "_Folder":
        self._folder = tempfile.mkdtemp(prefix="koopstream-")
        return self

    def __exit__(self, *ignored: object) -> None:
        shutil.rmtree(self._folder, ignore_errors=True)

    def path(self, name: str) -> str:
        return os.path.join(self._folder, name)

    def file(self, name: str, contents: Optional[bytes]) -> str:
        assert contents is not None
        with open(self.path(name), "wb") as file:
            file.write(contents)
        return self.path(name)

    def table(self, name: str, rows: _Rows, header: List[str]) -> str:
        return self.pieces(name, [(piece, times, i + 1) for i, (piece, times) in enumerate(rows.pieces)], header)

    def pieces(self, name: str, pieces: Any, header: List[str]) -> str:
        dated = any(times is not None for _, times, _ in pieces)
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(",".join((["time"] if dated else []) + ["trajectory", *header]) + "\n")
            for piece, times, trajectory in pieces:
                rows = [",".join(map(repr, row)) for row in piece.tolist()]
                if dated:
                    stamps = times.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
                    file.writelines(f"{stamp},{trajectory},{row}\n" for stamp, row in zip(stamps, rows))
                else:
                    file.writelines(f"{trajectory},{row}\n" for row in rows)
        return self.path(name)


def pairs(X: Any, Y: Any) -> Tuple[np.ndarray, np.ndarray]:
    """Rows and groups to learn from states ``X`` and the states ``Y`` that follow them: ``fit(rows, groups=groups)``.

    >>> rows, groups = pairs([[0.0], [5.0]], [[1.0], [6.0]])
    >>> rows[:, 0], groups
    (array([0., 1., 5., 6.]), array([0, 0, 1, 1]))
    """
    X, Y = _array(X), _array(Y)
    if X.shape != Y.shape:
        raise ValueError(f"X has shape {X.shape}, Y {Y.shape}; row i of Y is the state after row i of X")
    return np.stack([X, Y], axis=1).reshape(-1, X.shape[1]), np.repeat(np.arange(len(X)), 2)


def _is_sparse(X: Any) -> bool:
    return hasattr(X, "toarray") and hasattr(X, "nnz")


def _array(X: Any) -> np.ndarray:
    raw = np.asarray(X)
    if np.iscomplexobj(raw):
        raise ValueError("Complex data not supported: give real and imaginary parts as columns")
    values = np.asarray(raw, dtype=float)
    if values.ndim != 2:
        raise ValueError(
            f"Expected 2D array, got array of shape {values.shape}: one row per state. Reshape your data using"
            " array.reshape(-1, 1) if it has a single feature"
        )
    if values.shape[0] == 0:
        raise ValueError(f"Found array with 0 sample(s) (shape={values.shape}) while a minimum of 1 is required.")
    if values.shape[1] == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={values.shape}) while a minimum of 1 is required.")
    if np.isinf(values).any():
        raise ValueError("Input X contains infinity")
    return values


def _times(X: Any) -> Any:
    index = getattr(X, "index", None)
    if type(index).__name__ == "PeriodIndex":
        index = index.to_timestamp()
    if type(index).__name__ != "DatetimeIndex":
        return None
    return index.tz_convert("UTC") if index.tz is not None else index


def _row_numbers(frame: Any) -> np.ndarray:
    """The index of a frame where it holds whole numbers, otherwise 0, 1, ..."""
    index = np.asarray(frame.index)
    return index if index.dtype.kind in "iu" else np.arange(len(index))


def _names(frame: Any) -> Optional[List[str]]:
    if frame is None:
        return None
    names = list(frame.columns)
    if all(isinstance(name, str) for name in names):
        return names
    if any(isinstance(name, str) for name in names):
        raise TypeError("Feature names are only supported if all input features have string names")
    return None


def _names_differ(known: List[str], found: List[str]) -> str:
    message = "The feature names should match those that were passed during fit.\n"
    for title, extra in (("Feature names unseen at fit time", set(found) - set(known)), ("Feature names seen at fit time, yet now missing", set(known) - set(found))):
        if extra:
            message += title + ":\n" + "".join(f"- {name}\n" for name in sorted(extra))
    return message if set(known) != set(found) else message + "Feature names must be in the same order as they were in fit.\n"


def _safe(names: List[str]) -> List[str]:
    """Names as koop takes them for columns of numbers; others become x1, x2, ..."""
    fine = re.compile(r"(?!(time|trajectory|step|date|timestamp)$)[^\W\d_]\w*(?<!_next)", re.IGNORECASE)
    if len(set(names)) == len(names) and all(fine.fullmatch(name) for name in names):
        return names
    return [f"x{i + 1}" for i in range(len(names))]


def _same(a: Any, b: Any) -> bool:
    return a is b or (type(a) is type(b) and bool(a == b))


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots()[1]
