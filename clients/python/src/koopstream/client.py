"""An estimator in scikit-learn's manner whose learning happens in a Koopstream server."""

import http.client
import json
import os
import time
import urllib.parse
import uuid
import warnings

import numpy as np

from .bands import Bands
from .errors import KoopstreamError, NotFittedError, ServerRefused, ServerUnreachable
from .model import Model, timescales

_SETTINGS = {
    "method": "method",
    "kernel": "kernel",
    "lambda_": "lambda",
    "epsilon": "epsilon",
    "eta": "eta",
    "decay": "decay",
    "criterion": "criterion",
    "forgetting": "forgetting",
    "max_dictionary": "maxDictionary",
    "block": "block",
    "average": "average",
    "names": "names",
    "dt": "dt",
    "delays": "delays",
    "stride": "stride",
    "warm_up": "warmUp",
    "holdout": "holdout",
    "drift": "drift",
    "scores": "scores",
    "alarm_rate": "alarmRate",
    "robust": "robust",
}


class Koopstream:
    """Learns the Koopman operator of a stream, one call of :meth:`partial_fit` after another.

    Parameters
    ----------
    url : address of the server as it prints it; a ``?token=...`` in it is used.
    model : name of the model on the server; created with the first samples, or gone on with when it exists.
    token : secret of the server; otherwise from the address or the environment variable ``KOOPSTREAM_TOKEN``.
    stream : name of this source of samples. Its samples are numbered, so that sending them again does no harm. A new name by default.
    batch_size : most samples in one request.
    timeout : seconds to wait for an answer, for a busy server, and for samples that were accepted to be learned.

    The others are the settings of ``koop learn`` and matter only when the model is created; without a kernel the server chooses
    settings from the first samples. Not for use by several threads at once: give each its own, with its own stream.

    Every answer is about a state of the model that contains everything this object has sent.
    """

    def __init__(
        self,
        url="http://127.0.0.1:8383",
        *,
        model="default",
        token=None,
        stream=None,
        batch_size=5000,
        timeout=30.0,
        method=None,
        kernel=None,
        lambda_=None,
        epsilon=None,
        eta=None,
        decay=None,
        criterion=None,
        forgetting=None,
        max_dictionary=None,
        block=None,
        average=None,
        names=None,
        dt=None,
        delays=None,
        stride=None,
        warm_up=None,
        holdout=None,
        drift=None,
        scores=None,
        alarm_rate=None,
        robust=None,
    ):
        self.url = url
        self.model = model
        self.token = token
        self.stream = stream
        self.batch_size = batch_size
        self.timeout = timeout
        self.method = method
        self.kernel = kernel
        self.lambda_ = lambda_
        self.epsilon = epsilon
        self.eta = eta
        self.decay = decay
        self.criterion = criterion
        self.forgetting = forgetting
        self.max_dictionary = max_dictionary
        self.block = block
        self.average = average
        self.names = names
        self.dt = dt
        self.delays = delays
        self.stride = stride
        self.warm_up = warm_up
        self.holdout = holdout
        self.drift = drift
        self.scores = scores
        self.alarm_rate = alarm_rate
        self.robust = robust
        self._connection = None
        self._forget()

    def _forget(self):
        self._stream = None
        self._next = 0
        self._acknowledged = 0

    # scikit-learn's habits ----------------------------------------------------------------------------------------------

    def get_params(self, deep=True):
        """The constructor's arguments."""
        names = ["url", "model", "token", "stream", "batch_size", "timeout", *_SETTINGS]
        return {name: getattr(self, name) for name in names}

    def set_params(self, **params):
        """Changes constructor arguments; settings of the learner count when a model is created."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"no parameter {name!r}; there are {', '.join(known)}")
            setattr(self, name, value)
        self.close()
        self._forget()
        return self

    def fit(self, X, Y=None):
        """Learns a new model from X (and Y). What a server holds is not replaced: :meth:`delete` it first, or give another name.

        :class:`koopstream.Koopman` is the estimator for cross-validation and grid search: it holds its model by itself.
        """
        X, Y = _samples(X, Y)
        try:
            self._create(new=True)
        except ServerRefused as refused:
            if refused.code != "MODEL_EXISTS":
                raise
            raise KoopstreamError(
                f"the server has a model {self.model!r}, which fit would replace: continue it with partial_fit,"
                " delete() it, or give another name"
            ) from refused
        self._forget()
        return self.partial_fit(X, Y)

    def delete(self):
        """Removes the model and everything it has learned from the server, for good."""
        self._call("DELETE", self._path(), accept=(204, 404))
        self._forget()

    def partial_fit(self, X, Y=None, *, new_trajectory=False, first=None):
        """Learns from more samples; returns when the server has stored them.

        With Y, row i of X is followed by row i of Y. Without, the rows of X are successive states of a trajectory, which goes on
        from the last call unless ``new_trajectory`` is true. ``first`` is the number of the first row in its stream, for a source
        that keeps its own count; rows the server has already are then skipped.
        """
        X, Y = _samples(X, Y)
        if self._stream is None or (self.stream is not None and self.stream != self._stream):
            self._stream = self.stream if self.stream is not None else "py-" + uuid.uuid4().hex[:12]
            self._next = 0
        if first is not None:
            self._next = int(first)
        for start in range(0, len(X), self.batch_size):
            rows = slice(start, start + self.batch_size)
            body = {"stream": self._stream, "first": self._next}
            if Y is None:
                body["states"] = X[rows].tolist()
                body["newTrajectory"] = bool(new_trajectory and start == 0)
            else:
                body["x"] = X[rows].tolist()
                body["y"] = Y[rows].tolist()
            answer = self._send(body)
            self._next += len(X[rows])
            self._acknowledged = max(self._acknowledged, answer["samples"])
        return self

    def predict(self, X, *, anyway=False):
        """E[x_next | x] per row of X, shape (n, d); NaN where the model hardly knows the state, unless ``anyway``."""
        query = "?anyway=true" if anyway else ""
        return np.array(self._ask("POST", "/predict" + query, {"points": _states(X).tolist()})["next"], dtype=float)

    def score(self, X, Y):
        """Coefficient of determination of the one-step prediction, averaged over the coordinates."""
        X, Y = _samples(X, Y)
        guess = self.predict(X, anyway=True)
        Y = Y[:, : guess.shape[1]]  # where there are delays a state begins with its newest observation
        missed = ((Y - guess) ** 2).sum(axis=0)
        spread = ((Y - Y.mean(axis=0)) ** 2).sum(axis=0)
        return float(np.mean(1.0 - missed / spread))

    @property
    def eigenvalues_(self):
        """The leading eigenvalues, largest modulus first; :meth:`spectrum` for more of them and how far to trust each."""
        return np.array([complex(value["re"], value["im"]) for value in self.spectrum()])

    @property
    def n_samples_seen_(self):
        """Pairs the model has learned."""
        return self.info()["samples"]

    @property
    def n_features_in_(self):
        """Coordinates of a state."""
        return self.info()["dimension"]

    @property
    def dictionary_size_(self):
        """Samples the model keeps."""
        return self.info()["dictionary"]

    @property
    def one_step_error_(self):
        """Running mean of the error of predictions made before their sample was learned, in the norm of the feature space."""
        return self.info()["oneStepError"]

    # What a Koopman operator is asked ----------------------------------------------------------------------------------

    def spectrum(self, k=6, dt=None):
        """The k leading eigenvalues as dictionaries: re, im, modulus, timescale, residual, whether to trust it and why not."""
        query = {"k": k} if dt is None else {"k": k, "dt": dt}
        return self._ask("GET", "/spectrum?" + urllib.parse.urlencode(query))["eigenvalues"]

    def timescales(self, dt=1.0, k=6):
        """Implied time scales of the k leading eigenvalues, in the unit of dt; infinite where one does not decay."""
        return timescales([complex(value["re"], value["im"]) for value in self.spectrum(k)], dt)

    def eigenfunctions(self, X, k=3):
        """Values of the k leading eigenfunctions at the rows of X, complex, shape (n, k); largest modulus over the dictionary is 1."""
        answer = self._ask("POST", "/eigenfunctions", {"points": _states(X).tolist(), "k": k})
        return np.array(answer["re"], dtype=float) + 1j * np.array(answer["im"], dtype=float)

    def forecast(self, x0=None, steps=None, quantiles=None, *, mode="auto", anyway=False, future=None):
        """The expected path after the state x0, or after the newest row the server has; shape (steps, d).

        With ``quantiles``, e.g. ``(0.1, 0.9)``, a pair of the mean and an array of shape (quantiles, steps, d), where ``bands[0.1]`` is the quantile 0.1; NaN where unknown.
        ``steps`` are 20, or as many as ``future`` has rows: coming values of the model's inputs, shape (steps, inputs); without it inputs are forecast with the rest.
        ``mode`` is path, operator or auto. A start that the model hardly knows is refused (``ServerRefused`` with the code UNKNOWN_STATE) unless
        ``anyway``; one that it knows by less than a half gives a warning.
        """
        levels = "none" if quantiles is None else ",".join(repr(float(level)) for level in quantiles)
        answer = self._forecast(x0, steps, future, quantiles=levels or "none", mode=mode, anyway="true" if anyway else "false")
        if answer["warning"]:
            warnings.warn(answer["warning"], UserWarning, stacklevel=2)
        mean = np.array(answer["mean"], dtype=float)
        if quantiles is None:
            return mean
        return mean, Bands(np.array(answer["quantiles"], dtype=float).reshape(-1, *mean.shape), quantiles)

    def made_of(self, x0=None, steps=None, *, future=None):
        """Of what :meth:`forecast` with the same arguments is made: for each member its share at every step; empty while no forecasts were judged."""
        answer = self._forecast(x0, steps, future, quantiles="none", anyway="true")
        return {member: np.array(shares, dtype=float) for member, shares in answer["madeOf"].items()}

    def _forecast(self, x0, steps, future, **query):
        body = {} if steps is None else {"steps": int(steps)}
        if future is not None:
            rows = _finite(future, "future")
            body["future"] = (rows.reshape(-1, 1) if rows.ndim == 1 else rows).tolist()
        if x0 is not None:
            body["from"] = np.ravel(_finite(x0, "x0")).tolist()
        return self._ask("POST", "/forecast?" + urllib.parse.urlencode(query), body)

    def row_scores(self, since=0):
        """How unusual the newest rows after row ``since`` were, of a model created with ``scores=True``: a dictionary of arrays.

        ``row`` (from 1, in the order in which the server accepted them), ``score`` (0 to 1), ``p``, ``known``, ``alarm`` of shape (n,), and
        ``value``, ``predicted``, ``low``, ``high`` of shape (n, d); NaN where unknown.
        """
        rows = self._ask("GET", f"/scores?since={int(since)}")["rows"]
        width = self.n_features_in_
        flat = {name: np.array([row[name] for row in rows], dtype=int) for name in ("row", "alarm")}
        flat.update({name: np.array([row[name] for row in rows], dtype=float) for name in ("score", "p", "known")})
        for name in ("value", "predicted", "low", "high"):
            flat[name] = np.array([row[name] or [None] * width for row in rows], dtype=float).reshape(-1, width)
        return flat

    def weights(self, x):
        """Weights a with E[g(x_next) | x] = sum_i a_i g(y_i), and the points y_i."""
        answer = self._ask("POST", "/weights", {"from": np.ravel(_finite(x, "x")).tolist()})
        return np.array(answer["weights"], dtype=float), np.array(answer["states"], dtype=float)

    def info(self):
        """The server's summary of the model."""
        return self._ask("GET", "")

    def download(self, path=None):
        """The model as it is now, usable without the server; also written to a file when a path is given."""
        self._wait_until_learned()
        data = self._call("GET", self._path("/model"))
        model = Model(data, f"{self.url} {self.model}")
        if path is not None:
            with open(path, "wb") as file:
                file.write(data)
        return model

    # Talking to the server ----------------------------------------------------------------------------------------------

    def close(self):
        """Closes the connection; the next call opens it again."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        self.close()

    def __repr__(self):
        return f"Koopstream({urllib.parse.urlsplit(self.url)._replace(query='').geturl()!r}, model={self.model!r})"

    def _path(self, rest=""):
        return "/models/" + urllib.parse.quote(self.model, safe="") + rest

    def _send(self, body):
        """One batch, until it is taken: numbers make it safe to send it again when the answer was lost."""
        deadline = time.monotonic() + self.timeout
        pause = 0.05
        while True:
            try:
                return self._json("POST", self._path("/samples"), body)
            except ServerRefused as refused:
                if refused.code == "UNKNOWN_MODEL":
                    self._create()
                    continue
                if refused.status not in (429, 503) or time.monotonic() + pause > deadline:
                    raise
                pause = max(pause, float(refused.detail.get("retryAfter", 0)))
            except ServerUnreachable:
                if time.monotonic() + pause > deadline:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, 2.0)

    def _create(self, new=False):
        settings = {word: getattr(self, name) for name, word in _SETTINGS.items() if getattr(self, name) is not None}
        try:
            self._json("POST", "/models", {"name": self.model, "settings": settings})
        except ServerRefused as refused:
            # Somebody else was faster: their model is as good.
            if new or refused.code != "MODEL_EXISTS":
                raise

    def _ask(self, method, rest, body=None):
        self._wait_until_learned()
        try:
            return self._json(method, self._path(rest), body)
        except ServerRefused as refused:
            if refused.code in ("UNKNOWN_MODEL", "NOT_READY"):
                raise NotFittedError(f"{refused}; call partial_fit first") from refused
            raise

    def _wait_until_learned(self):
        """Samples are safe when they are acknowledged, and learned a moment later."""
        deadline = time.monotonic() + self.timeout
        while self._acknowledged > 0:
            try:
                self._json("GET", self._path(f"?after={self._acknowledged}"))
                self._acknowledged = 0
            except ServerRefused as refused:
                if refused.code != "BUSY":
                    raise
                if time.monotonic() > deadline:
                    raise KoopstreamError(
                        f"not everything is learned after {self.timeout} s; it is safe, ask later ({refused})"
                    ) from refused

    def _json(self, method, path, body=None):
        return json.loads(self._call(method, path, body))

    def _call(self, method, path, body=None, accept=(200, 201)):
        address = urllib.parse.urlsplit(self.url)
        headers = {"Accept": "application/json"}
        token = self.token or urllib.parse.parse_qs(address.query).get("token", [None])[0] or os.environ.get("KOOPSTREAM_TOKEN")
        if token:
            headers["Authorization"] = "Bearer " + token
        data = None
        if isinstance(body, bytes):
            data, headers["Content-Type"] = body, "application/octet-stream"
        elif body is not None:
            data = json.dumps(body, allow_nan=False).encode()
            headers["Content-Type"] = "application/json"
        fresh = self._connection is None
        try:
            return self._exchange(address, method, path, data, headers, accept)
        except (ServerUnreachable, OSError, http.client.HTTPException) as trouble:
            self.close()
            if not fresh and method in ("GET", "DELETE"):
                # The server closes connections that were idle; asking again changes nothing.
                try:
                    return self._exchange(address, method, path, data, headers, accept)
                except (OSError, http.client.HTTPException) as again:
                    self.close()
                    trouble = again
            raise ServerUnreachable(f"{address.scheme}://{address.netloc}: no answer ({trouble}); is the server running?") from trouble

    def _exchange(self, address, method, path, data, headers, accept):
        if self._connection is None:
            kinds = {"http": http.client.HTTPConnection, "https": http.client.HTTPSConnection}
            if address.scheme not in kinds or not address.hostname:
                raise ValueError(f"url {self.url!r}: expected something like http://127.0.0.1:8383")
            self._connection = kinds[address.scheme](address.hostname, address.port, timeout=self.timeout)
        self._connection.request(method, address.path.rstrip("/") + path, body=data, headers=headers)
        response = self._connection.getresponse()
        content = response.read()
        if response.status in accept:
            return content
        try:
            detail = json.loads(content)["error"]
        except (ValueError, KeyError, TypeError):
            detail = {}
        if response.getheader("Retry-After"):
            detail.setdefault("retryAfter", response.getheader("Retry-After"))
        raise ServerRefused(response.status, detail.get("code", "HTTP"), detail.get("message", response.reason), detail)


def _finite(values, name):
    values = np.asarray(values, dtype=float)
    if not np.isfinite(values).all():
        raise ValueError(f"{name} contains NaN or infinity")
    return values


def _states(X, name="X"):
    X = _finite(X, name)
    if X.ndim != 2:
        raise ValueError(f"{name} has shape {X.shape}; expected two dimensions, one row per state (use reshape(-1, 1) for scalars)")
    return X


def _samples(X, Y):
    X = _states(X)
    if Y is None:
        return X, None
    Y = _states(Y, "Y")
    if X.shape != Y.shape:
        raise ValueError(f"X has shape {X.shape}, Y {Y.shape}; row i of Y is the state after row i of X")
    return X, Y
