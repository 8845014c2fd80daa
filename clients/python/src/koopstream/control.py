"""From any environment to a controller: record what it does under some actions, learn where actions lead, plan, act.

An environment is anything with Gymnasium's ``reset`` and ``step``; neither Gymnasium nor Gym is needed. Learning and deciding run in the private Java
process of :class:`koopstream.Koopman`, or on a server (:func:`served`).

>>> import numpy as np
>>> class Cart:
...     '''A cart on a track that is pushed: position and velocity, 0.1 s a step.'''
...     class action_space:
...         low, high, shape = np.array([-1.0]), np.array([1.0]), (1,)
...     def reset(self, seed=None):
...         self.state, self.left = np.random.default_rng(seed).uniform(-1, 1, 2), 40
...         return self.state, {}
...     def step(self, action):
...         x, v = self.state
...         self.state, self.left = np.array([x + 0.1 * v, v + 0.1 * action[0]]), self.left - 1
...         return self.state, -x * x, False, self.left == 0, {}
>>> transitions = record(Cart(), 600, seed=1, names=["x", "v"], actions=["push"])
>>> transitions
Transitions(600 of (x, v | push) in 15 episodes)
>>> policy = learn(transitions, goal=[0, 0], weights=[1, 0.2], discount=0.95)
>>> bool(policy.act([1.0, 1.0])[0] < -0.5)
True
>>> policy.act([[1.0, 1.0], [-1.0, -1.0]]).shape
(2, 1)
>>> bool(evaluate(Cart(), policy, episodes=5, seed=1).mean() > -12)
True

Model-predictive control over 15 steps, with a bound on the speed and a goal that each decision may replace:

>>> tracking = learn(transitions, goal=[0, 0], weights=[1, 0], mpc=15, state_bounds={"v": (-0.5, 0.5)})
>>> bool(tracking.act([0.0, 0.0], reference=[0.5, 0.0])[0] > 0.5)
True
"""

from __future__ import annotations

import csv
import inspect
import json
import os
import shutil
import tempfile
import urllib.parse
import weakref
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np

from .client import Koopstream
from .errors import ModelFormatError
from .java import worker

__all__ = ["Decision", "Policy", "Transitions", "evaluate", "learn", "record", "served"]

#: Arguments of :func:`learn` that are options of ``koop control learn``.
_OPTIONS = {
    "cost": "--cost",
    "goal": "--goal",
    "weights": "--weights",
    "action_weights": "--action-weights",
    "terminal": "--terminal",
    "terminal_cost": "--terminal-cost",
    "discount": "--discount",
    "grid": "--grid",
    "prediction": "--prediction",
    "state_kernel": "--state-kernel",
    "action_kernel": "--action-kernel",
    "next_kernel": "--next-kernel",
    "lambda_": "--lambda",
    "epsilon": "--epsilon",
    "max_dictionary": "--max-dictionary",
    "max_sweeps": "--max-sweeps",
    "tolerance": "--tolerance",
    "mpc": "--mpc",
    "hold": "--hold",
    "final_weight": "--final-weight",
    "state_bounds": "--state-bounds",
}
_ENDING = ".safetensors"


class _Actions:
    """The action space of an environment: a box (``low``, ``high``) or some numbered actions (``n``, and ``start`` if not from 0)."""

    def __init__(self, space: Any):
        self.space = space
        self.discrete = hasattr(space, "n") and not hasattr(space, "low")
        if self.discrete:
            self.low = np.array([float(getattr(space, "start", 0))])
            self.high = self.low + int(space.n) - 1
            if int(space.n) < 2:
                raise ValueError(f"action_space.n = {space.n}: there is nothing to choose")
        elif hasattr(space, "low") and hasattr(space, "high"):
            shape = getattr(space, "shape", None) or np.shape(space.low)
            self.low = np.broadcast_to(np.asarray(space.low, dtype=float), shape).ravel()
            self.high = np.broadcast_to(np.asarray(space.high, dtype=float), shape).ravel()
        else:
            raise ValueError(f"action_space {space!r}: expected low and high (a box), or n (numbered actions)")

    def random(self, rng: np.random.Generator) -> np.ndarray:
        if not np.isfinite(self.high - self.low).all():
            raise ValueError("action_space has no finite bounds, so no uniform action can be drawn: pass policy=")
        return rng.integers(self.low.astype(int), self.high.astype(int), endpoint=True).astype(float) if self.discrete else rng.uniform(self.low, self.high)

    def numbers(self, action: Any) -> np.ndarray:
        """An action as numbers, within the bounds."""
        numbers = np.asarray(action, dtype=float).ravel()
        if numbers.shape != self.low.shape:
            raise ValueError(f"an action has {numbers.size} numbers, the action space {self.low.size}")
        if not np.isfinite(numbers).all():
            raise ValueError("an action contains NaN or infinity")
        numbers = np.clip(numbers, self.low, self.high)
        # As exact as the environment will see it.
        return np.rint(numbers) if self.discrete else numbers.astype(getattr(self.space, "dtype", None) or float).astype(float)

    def given(self, numbers: np.ndarray) -> Any:
        """Numbers as the environment takes them."""
        if self.discrete:
            return int(numbers[0])
        return np.asarray(numbers, dtype=getattr(self.space, "dtype", None) or float).reshape(getattr(self.space, "shape", None) or (-1,))


class Transitions:
    """What an environment did: episodes of states with the action taken in each, as ``koop control record`` writes them.

    Attributes: ``states`` of shape (n, d), ``actions`` (n, p), ``successors`` (n, d), ``rewards`` and ``episodes`` (n,); ``names`` and ``action_names``;
    ``low`` and ``high``, the bounds of the actions, and ``discrete``, whether they are numbered.
    """

    def __init__(
        self,
        states: Any,
        actions: Any,
        successors: Any,
        *,
        rewards: Any = None,
        episodes: Any = None,
        names: Optional[Sequence[str]] = None,
        action_names: Optional[Sequence[str]] = None,
        low: Any = None,
        high: Any = None,
        discrete: bool = False,
    ):
        self.states, self.successors = _matrix(states, "states"), _matrix(successors, "successors")
        self.actions = _matrix(actions, "actions")
        if self.states.shape != self.successors.shape or len(self.states) != len(self.actions):
            raise ValueError(f"states {self.states.shape}, actions {self.actions.shape} and successors {self.successors.shape}: a row each, states alike")
        n, d = self.states.shape
        self.rewards = np.full(n, np.nan) if rewards is None else np.asarray(rewards, dtype=float)
        self.episodes = np.arange(n) if episodes is None else np.asarray(episodes)
        self.names = [f"x{i + 1}" for i in range(d)] if names is None else list(names)
        self.action_names = [f"u{i + 1}" for i in range(self.actions.shape[1])] if action_names is None else list(action_names)
        if len(self.names) != d or len(self.action_names) != self.actions.shape[1]:
            raise ValueError(f"{len(self.names)} names and {len(self.action_names)} names of actions for {d} coordinates and {self.actions.shape[1]} actions")
        self.low = self.actions.min(axis=0) if low is None else np.asarray(low, dtype=float)
        self.high = self.actions.max(axis=0) if high is None else np.asarray(high, dtype=float)
        self.discrete = discrete

    def __len__(self) -> int:
        return len(self.states)

    def __add__(self, other: "Transitions") -> "Transitions":
        """Both, e.g. random ones and those of a first controller."""
        if (self.names, self.action_names) != (other.names, other.action_names):
            raise ValueError(f"{self!r} and {other!r} are of different systems")
        after = self.episodes.max() + 1 if len(self) else 0
        joined = {name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in ("states", "actions", "successors", "rewards")}
        return Transitions(
            **joined,
            episodes=np.concatenate([self.episodes, other.episodes + after]),
            names=self.names,
            action_names=self.action_names,
            low=np.minimum(self.low, other.low),
            high=np.maximum(self.high, other.high),
            discrete=self.discrete,
        )

    def __repr__(self) -> str:
        return f"Transitions({len(self)} of ({', '.join(self.names)} | {', '.join(self.action_names)}) in {len(np.unique(self.episodes))} episodes)"

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the file that ``koop control learn --actions ...`` reads, .csv: a row per transition and one for the last state of every episode."""
        with open(path, "w", encoding="utf-8", newline="") as file:
            write = csv.writer(file, lineterminator="\n").writerow
            write(["trajectory", "step", *self.names, *self.action_names])
            pieces = np.flatnonzero(np.r_[True, self._breaks()])
            for episode, (start, end) in enumerate(zip(pieces, np.r_[pieces[1:], len(self)])):
                for step, i in enumerate(range(start, end)):
                    write([episode, step, *map(repr, self.states[i].tolist()), *map(repr, self.actions[i].tolist())])
                write([episode, end - start, *map(repr, self.successors[end - 1].tolist()), *[0.0] * len(self.action_names)])

    def _breaks(self) -> np.ndarray:
        """Where a transition does not continue the one before it."""
        return (self.episodes[1:] != self.episodes[:-1]) | (self.states[1:] != self.successors[:-1]).any(axis=1)


def record(
    env: Any,
    steps: int,
    policy: Any = None,
    *,
    seed: Optional[int] = None,
    hold: int = 1,
    names: Optional[Sequence[str]] = None,
    actions: Optional[Sequence[str]] = None,
    path: Union[str, "os.PathLike[str]", None] = None,
) -> Transitions:
    """Lets an environment run for ``steps`` steps and returns what it did; with ``path`` also as a file.

    ``env`` has ``reset`` and ``step`` as Gymnasium's environments have (or Gym's older ones, with a 4-tuple), and an ``action_space`` with ``low`` and
    ``high``, or with ``n`` for numbered actions. ``policy`` is a function from an observation to an action, or has a method ``act``; without one actions are
    drawn uniformly and held for ``hold`` steps: slow systems need that. ``names`` and ``actions`` name the coordinates for formulas of costs.
    A ``seed`` determines everything, if the environment keeps to it.
    """
    if int(steps) < 1 or int(hold) < 1:
        raise ValueError(f"steps = {steps}, hold = {hold}: both must be at least 1")
    space = _Actions(env.action_space)
    rng = np.random.default_rng(seed)
    chosen = _held(space, rng, int(hold)) if policy is None else _function(policy)
    rows: List[Tuple[np.ndarray, np.ndarray, np.ndarray, float, int]] = []
    episode = 0
    while len(rows) < int(steps):
        for step in _episode(env, space, chosen, rng if seed is not None else None):
            rows.append((*step, episode))
            if len(rows) == int(steps):
                break
        episode += 1
    states, taken, successors, rewards, episodes = zip(*rows)
    found = Transitions(
        np.array(states),
        np.array(taken),
        np.array(successors),
        rewards=rewards,
        episodes=episodes,
        names=names,
        action_names=actions,
        low=space.low,
        high=space.high,
        discrete=space.discrete,
    )
    if path is not None:
        found.save(path)
    return found


def evaluate(env: Any, policy: Any, episodes: int = 10, *, seed: Optional[int] = None) -> np.ndarray:
    """The sum of rewards of each episode under a policy; one with a memory (``restart``) begins each without it."""
    space, chosen, rng = _Actions(env.action_space), _function(policy), np.random.default_rng(seed)
    return np.array([sum(reward for _, _, _, reward in _episode(env, space, chosen, rng if seed is not None else None)) for _ in range(int(episodes))])


def _episode(
    env: Any, space: _Actions, chosen: Callable[[np.ndarray], Any], rng: Optional[np.random.Generator]
) -> Iterator[Tuple[np.ndarray, np.ndarray, np.ndarray, float]]:
    """State, action, next state and reward, step by step, until the episode is over."""
    observation = _reset(env, rng)
    getattr(getattr(chosen, "__self__", None), "restart", lambda: None)()
    over = False
    while not over:
        action = space.numbers(chosen(observation))
        result = env.step(space.given(action))
        if len(result) not in (4, 5):
            raise ValueError(f"env.step returned {len(result)} values; expected (observation, reward, terminated, truncated, info) or (observation, reward, done, info)")
        following = _observation(result[0])
        yield observation, action, following, float(result[1])
        observation, over = following, any(map(bool, result[2:-1]))


def _reset(env: Any, rng: Optional[np.random.Generator]) -> np.ndarray:
    if rng is None:
        found = env.reset()
    else:
        seed = int(rng.integers(2**31))
        known = inspect.signature(env.reset).parameters
        if "seed" in known or any(parameter.kind is parameter.VAR_KEYWORD for parameter in known.values()):
            found = env.reset(seed=seed)
        else:
            if hasattr(env, "seed"):
                env.seed(seed)
            found = env.reset()
    # Gymnasium returns the observation and a dictionary, Gym of old the observation alone.
    return _observation(found[0] if isinstance(found, tuple) and len(found) == 2 and isinstance(found[1], dict) else found)


def _observation(value: Any) -> np.ndarray:
    try:
        numbers = np.array(value, dtype=float).ravel()
    except (TypeError, ValueError) as error:
        raise ValueError(f"an observation is {type(value).__name__}; expected an array of numbers (flatten dictionaries and tuples in a wrapper)") from error
    if not np.isfinite(numbers).all():
        raise ValueError("an observation contains NaN or infinity")
    return numbers


def _held(space: _Actions, rng: np.random.Generator, hold: int) -> Callable[[np.ndarray], np.ndarray]:
    def draw() -> Iterator[np.ndarray]:
        while True:
            action = space.random(rng)
            for _ in range(hold):
                yield action

    actions = draw()
    return lambda observation: next(actions)


def _function(policy: Any) -> Callable[[np.ndarray], Any]:
    return policy.act if hasattr(policy, "act") else policy


def _matrix(values: Any, name: str) -> np.ndarray:
    found = np.asarray(values, dtype=float)
    if found.ndim != 2 or not len(found) or not np.isfinite(found).all():
        raise ValueError(f"{name} has shape {found.shape}; expected rows of finite numbers")
    return found


def learn(
    transitions: Any, *, actions: Optional[Sequence[str]] = None, bounds: Optional[Sequence[Tuple[float, float]]] = None, **options: Any
) -> "Policy":
    """Learns where actions lead and plans for a cost.

    ``transitions`` is what :func:`record` returns, or a file that ``koop control learn`` reads, for which ``actions`` names the columns that are actions.
    What is to be minimised is either ``cost``, a formula over the names, or ``goal``, a state, with ``weights`` and ``action_weights``. Other options are those
    of ``koop control learn``, with underscores: ``terminal``, ``terminal_cost``, ``discount``, ``grid``, ``prediction``, ``state_kernel``,
    ``action_kernel``, ``next_kernel``, ``lambda_``, ``epsilon``, ``max_dictionary``, ``max_sweeps``, ``tolerance``. ``bounds`` are those of the action space
    unless given.

    With ``mpc``, a number of steps, and a ``goal`` it is model-predictive control instead of a plan for all states: ``state_bounds`` such as
    ``{"speed": (-1.5, 1.5)}`` (None for no bound), ``hold`` and ``final_weight`` belong to it.
    """
    discrete = False
    with tempfile.TemporaryDirectory(prefix="koopstream-") as folder:
        if isinstance(transitions, Transitions):
            data = os.path.join(folder, "transitions.csv")
            transitions.save(data)
            actions, discrete = transitions.action_names, transitions.discrete
            bounds = list(zip(transitions.low, transitions.high)) if bounds is None else bounds
            if discrete:
                options.setdefault("grid", int(transitions.high[0] - transitions.low[0]) + 1)
        else:
            data = os.fspath(transitions)
            if not actions:
                raise ValueError("actions=[...] is missing: the columns of the file that are actions")
        command: List[object] = ["control", "learn", data, "--actions", ",".join(actions or [])]
        command += ["-o", os.path.join(folder, "policy" + _ENDING), "--json"]
        if bounds is not None and np.isfinite(np.ravel(list(bounds))).all():
            command += ["--bounds", ",".join(f"{float(low)!r}:{float(high)!r}" for low, high in bounds)]
        for name, value in options.items():
            if name not in _OPTIONS:
                raise ValueError(f"no option {name!r}; there are {', '.join(_OPTIONS)}")
            if name == "state_bounds" and isinstance(value, dict):
                value = ",".join(f"{key}={_end(low)}:{_end(high)}" for key, (low, high) in value.items())
            if value is not None:
                command += [_OPTIONS[name], ",".join(repr(float(v)) for v in np.ravel(value)) if name.endswith(("goal", "weights")) else value]
        summary = json.loads(worker().run(*command)[0])
        with open(os.path.join(folder, "policy" + _ENDING), "rb") as file:
            policy = Policy(file.read(), "what was learned", discrete=discrete)
    policy.summary = {key: value for key, value in summary.items() if key != "policy"}
    return policy


def _end(bound: Optional[float]) -> str:
    return "" if bound is None or np.isinf(bound) else repr(float(bound))


class Decision(NamedTuple):
    """What to do: ``action``, ``value`` (the discounted cost expected from there on) and ``known`` (0 to 1: how well state and action are known).

    Policies of ``mpc`` also have ``plan``, the actions planned for the next steps, of shape (steps, p).
    """

    action: np.ndarray
    value: Any
    known: Any
    plan: Optional[np.ndarray] = None


class _Deciding:
    """What policies here and on servers have in common."""

    state_names: List[str]
    action_names: List[str]
    discrete: bool = False
    tracks: bool = False
    _plan: Optional[np.ndarray] = None

    def act(self, observation: Any, *, reference: Any = None, anyway: bool = False) -> Any:
        """The action in a state, or in each row of many; a whole number where actions are numbered.

        A state of which less than a tenth is known raises ValueError unless ``anyway``: an action there would rest on nothing. A policy of ``mpc`` continues
        from the plan of its last ``act`` with a single state until :meth:`restart`; ``reference`` as in :meth:`decide`.
        """
        single = np.ndim(observation) < 2
        decision = self.decide(observation, reference=reference, plan=self._plan if single else None, anyway=anyway)
        if np.isnan(decision.action).any():
            least = float(np.min(decision.known))
            raise ValueError(f"only {least:.2g} of the state is known, too little to choose an action; learn from data closer to it, or pass anyway=True")
        self._plan = decision.plan if single else self._plan
        if not self.discrete:
            return decision.action
        numbers = np.rint(decision.action[..., 0]).astype(int)
        return int(numbers) if numbers.ndim == 0 else numbers

    def restart(self) -> None:
        """Forgets the plan of ``mpc``: a new episode begins."""
        self._plan = None

    def decide(self, observation: Any, *, reference: Any = None, plan: Any = None, anyway: bool = False) -> Decision:
        """Action, value and known-ness in a state, or in each row of many; NaN where less than a tenth is known, unless ``anyway``.

        For policies of ``mpc``: ``reference`` is the state wanted in place of the goal, or rows of states wanted after 1, 2, ... steps (the last one from then
        on); ``plan`` is that of the decision one step before, for a single state. Without a plan one is searched for, which takes longer.
        """
        states = np.asarray(observation, dtype=float)
        rows = states.reshape(1, -1) if states.ndim < 2 else states
        if rows.ndim != 2 or rows.shape[1] != len(self.state_names):
            raise ValueError(f"a state has {rows.shape[-1]} coordinates, this policy's have {len(self.state_names)}: {', '.join(self.state_names)}")
        if not np.isfinite(rows).all():
            raise ValueError("a state contains NaN or infinity")
        if not self.tracks and (reference is not None or plan is not None):
            raise ValueError("this policy was planned for its cost and takes no reference and no plan; learn one with mpc=")
        if plan is not None and len(rows) > 1:
            raise ValueError("a plan belongs to a single state")
        wanted = None if reference is None else _matrix(np.atleast_2d(np.asarray(reference, dtype=float)), "reference")
        found = self._decide(rows, anyway, wanted, None if plan is None else _matrix(plan, "plan"))
        if states.ndim == 2:
            return found
        return Decision(found.action[0], float(found.value[0]), float(found.known[0]), found.plan)

    def _decide(self, rows: np.ndarray, anyway: bool, reference: Optional[np.ndarray], plan: Optional[np.ndarray]) -> Decision:
        raise NotImplementedError


class Policy(_Deciding):
    """A learned controller, as ``koop control learn`` writes it.

    Attributes: ``state_names``, ``action_names``, ``low`` and ``high`` of the actions, ``cost``, ``n_samples_seen_``, ``tracks`` (whether it is one of ``mpc``);
    after :func:`learn` also ``summary``.
    Set ``discrete`` where numbers of actions are meant, or let :func:`record` and :func:`evaluate` do it.
    """

    def __init__(self, data: bytes, name: str = "policy", *, discrete: bool = False):
        try:
            header = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])["__metadata__"]
        except (ValueError, KeyError, TypeError) as error:
            raise ModelFormatError(f"{name}: not a policy file") from error
        if header.get("format") != "koopstream-policy":
            raise ModelFormatError(f"{name}: not a policy, but {header.get('format')!r}; learn one with koop control learn")
        self._data = data
        self.state_names = header["state_names"].split(",")
        self.action_names = header["action_names"].split(",")
        self.low = np.array(header["action_low"].split(","), dtype=float)
        self.high = np.array(header["action_high"].split(","), dtype=float)
        self.cost = header["cost"]
        self.n_samples_seen_ = int(header["samples"])
        self.tracks = header["prediction"] == "tracking"
        self.discrete = discrete
        self.summary: Dict[str, Any] = {}
        self._file: Optional[str] = None

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"], *, discrete: bool = False) -> "Policy":
        """Reads a policy file."""
        with open(path, "rb") as file:
            return cls(file.read(), os.fspath(path), discrete=discrete)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the policy file, for ``koop control`` and ``koop serve --policy``."""
        with open(path, "wb") as file:
            file.write(self._data)

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_file": None}

    def __repr__(self) -> str:
        return f"Policy({', '.join(self.state_names)} -> {', '.join(self.action_names)}, {self.n_samples_seen_} transitions)"

    def _path(self) -> str:
        """The file that Java reads; the same for all questions, so that it reads it once."""
        if self._file is None or not os.path.exists(self._file):
            folder = tempfile.mkdtemp(prefix="koopstream-")
            self._file = os.path.join(folder, "policy" + _ENDING)
            self.save(self._file)
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return self._file

    def _decide(self, rows: np.ndarray, anyway: bool, reference: Optional[np.ndarray], plan: Optional[np.ndarray]) -> Decision:
        command: List[object] = ["control", "decide", self._path(), *(["--anyway"] if anyway else [])]
        for name, numbers in (("--reference", reference), ("--plan", plan)):
            if numbers is not None:
                command.append(f"{name}=" + ";".join(",".join(map(repr, row)) for row in numbers.tolist()))
        planned = None
        if len(rows) == 1:
            text = ",".join(map(repr, rows[0].tolist()))
            found = json.loads(worker().run(*command, f"--at={text}", "--json")[0])
            action = found["action"] or [np.nan] * len(self.action_names)
            table = np.array([[*action, found["value"], found["known"]]], dtype=float)
            planned = np.array(found["plan"]) if "plan" in found else None
        else:
            with tempfile.TemporaryDirectory(prefix="koopstream-") as folder:
                states = os.path.join(folder, "states.csv")
                with open(states, "w", encoding="utf-8") as file:
                    file.write(",".join(self.state_names) + "\n")
                    file.writelines(",".join(map(repr, row)) + "\n" for row in rows.tolist())
                answer = os.path.join(folder, "decisions.csv")
                worker().run(*command, "--states", states, "-o", answer)
                table = np.loadtxt(answer, delimiter=",", skiprows=1, ndmin=2)
        return Decision(table[:, :-2], table[:, -2], table[:, -1], planned)


class _Served(_Deciding):
    def __init__(self, server: Koopstream, name: str, discrete: bool):
        self._server = server
        self._address = "/policies/" + urllib.parse.quote(name, safe="")
        facts = server._json("GET", self._address)
        self.state_names, self.action_names = facts["states"], facts["actions"]
        self.low, self.high = np.array(facts["low"]), np.array(facts["high"])
        self.cost, self.n_samples_seen_, self.discrete = facts["cost"], facts["transitions"], discrete
        self.tracks = facts["tracks"]

    def _decide(self, rows: np.ndarray, anyway: bool, reference: Optional[np.ndarray], plan: Optional[np.ndarray]) -> Decision:
        query = "?anyway=true" if anyway else ""
        question: Dict[str, Any] = {"points": rows.tolist()}
        if reference is not None:
            question["reference"] = reference.tolist()
        if plan is not None:
            question["plans"] = [plan.tolist()]
        answer = self._server._json("POST", self._address + "/decide" + query, question)
        planned = np.array(answer["plans"][0]) if self.tracks and len(rows) == 1 else None
        return Decision(*(np.array(answer[key], dtype=float) for key in ("actions", "values", "known")), planned)


def served(url: str, name: str, policy: Optional[Policy] = None, *, token: Optional[str] = None, discrete: bool = False) -> Any:
    """A policy on a server (``koop serve``), with the ``act`` and ``decide`` of :class:`Policy`; with ``policy`` it is put there first."""
    server = Koopstream(url, model="none", token=token)
    if policy is not None:
        server._call("PUT", "/policies/" + urllib.parse.quote(name, safe=""), policy._data)
        discrete = discrete or policy.discrete
    return _Served(server, name, discrete)
