"""Environments to controllers, here and on a server; mvn verify runs this file with the jars it has built."""

import doctest
import os
import pickle
import subprocess
import tempfile
import unittest

import numpy as np

import koopstream.control
from koopstream import ModelFormatError, ServerRefused
from koopstream.control import Policy, Transitions, evaluate, learn, record, served
from koopstream.java import jars, java

NAMES = ["cos_theta", "sin_theta", "theta_dot"]
COST = "atan2(sin_theta,cos_theta)^2 + 0.1*theta_dot^2 + 0.001*torque^2"


class Box:
    def __init__(self, low, high):
        self.low, self.high = np.array([low], dtype=np.float32), np.array([high], dtype=np.float32)
        self.shape, self.dtype = (1,), np.float32


class Discrete:
    def __init__(self, n):
        self.n = n


class Pendulum:
    """Gymnasium's Pendulum-v1 in its own words: reset(seed) gives (observation, info), step five values."""

    action_space = Box(-2, 2)

    def reset(self, *, seed=None, options=None):
        self.theta, self.speed = np.random.default_rng(seed).uniform([-np.pi, -1], [np.pi, 1])
        self.left = 200
        return self.seen(), {}

    def seen(self):
        return np.array([np.cos(self.theta), np.sin(self.theta), self.speed], dtype=np.float32)

    def step(self, action):
        assert action.shape == (1,) and action.dtype == np.float32
        return self.push(float(action[0]))

    def push(self, torque):
        angle = (self.theta + np.pi) % (2 * np.pi) - np.pi
        reward = -(angle**2 + 0.1 * self.speed**2 + 0.001 * torque**2)
        self.speed = np.clip(self.speed + (15 * np.sin(self.theta) + 3 * torque) * 0.05, -8, 8)
        self.theta += self.speed * 0.05
        self.left -= 1
        return self.seen(), reward, False, self.left == 0, {}


class OldPendulum(Pendulum):
    """The same as Gym had it: reset gives the observation, seed is a method, step four values; three numbered torques."""

    action_space = Discrete(3)

    def seed(self, seed):
        self.seeded = seed

    def reset(self):
        return super().reset(seed=getattr(self, "seeded", None))[0]

    def step(self, action):
        assert isinstance(action, int)
        observation, reward, _, over, info = self.push(2.0 * (action - 1))
        return observation, reward, over, info


class Control(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.transitions = record(Pendulum(), 3000, seed=1, names=NAMES, actions=["torque"])
        cls.policy = learn(cls.transitions, cost=COST)

    def test_the_examples_in_the_documentation(self):
        self.assertEqual(doctest.testmod(koopstream.control).failed, 0)

    def test_a_recorded_environment_is_swung_up(self):
        self.assertEqual(len(self.transitions), 3000)
        self.assertEqual(len(np.unique(self.transitions.episodes)), 15)
        np.testing.assert_array_equal(self.transitions.states[1], self.transitions.successors[0])
        self.assertTrue((np.abs(self.transitions.actions) <= 2).all())
        self.assertEqual(self.policy.summary["transitions"], 3000)
        scores = evaluate(Pendulum(), self.policy, episodes=3, seed=7)
        # Doing nothing scores about -1200; a pendulum that swings up about -150, and never below -500.
        self.assertGreater(scores.mean(), -250)
        self.assertGreater(scores.min(), -500)

    def test_a_seed_determines_what_is_recorded(self):
        again = record(Pendulum(), 300, seed=1, names=NAMES, actions=["torque"])
        np.testing.assert_array_equal(again.states, self.transitions.states[:300])
        other = record(Pendulum(), 300, seed=2)
        self.assertFalse(np.array_equal(other.states, again.states))
        self.assertEqual(other.names, ["x1", "x2", "x3"])
        held = record(Pendulum(), 40, seed=1, hold=20)
        self.assertEqual(len(np.unique(held.actions)), 2)

    def test_files_are_those_of_the_command(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "swings.csv")
            self.transitions.save(file)
            with open(file, encoding="utf-8") as lines:
                self.assertEqual(lines.readline(), "trajectory,step,cos_theta,sin_theta,theta_dot,torque\n")
            policy = learn(file, actions=["torque"], bounds=[(-2, 2)], cost=COST)
            self.assertEqual(policy._data, self.policy._data)
            with self.assertRaisesRegex(ValueError, "actions="):
                learn(file, cost=COST)
            policy.save(os.path.join(folder, "swing.safetensors"))
            loaded = Policy.load(os.path.join(folder, "swing.safetensors"))
            self.assertEqual((loaded.state_names, loaded.action_names, loaded.n_samples_seen_), (NAMES, ["torque"], 3000))
            np.testing.assert_array_equal(loaded.act([-1, 0, 0]), self.policy.act([-1, 0, 0]))
            with self.assertRaises(ModelFormatError):
                Policy.load(file)

    def test_one_by_one_and_many_are_the_same(self):
        states = self.transitions.states[:40]
        many = self.policy.decide(states)
        self.assertEqual((many.action.shape, many.value.shape, many.known.shape), ((40, 1), (40,), (40,)))
        for i in (0, 17, 39):
            one = self.policy.decide(states[i])
            np.testing.assert_array_equal(one.action, many.action[i])
            self.assertEqual((one.value, one.known), (many.value[i], many.known[i]))
        self.assertTrue((many.known > 0.9).all())
        copy = pickle.loads(pickle.dumps(self.policy))
        np.testing.assert_array_equal(copy.act(states), many.action)

    def test_what_is_not_known_is_said(self):
        far = [1, 0, 300]
        self.assertTrue(np.isnan(self.policy.decide(far).action).all())
        self.assertTrue(np.isnan(self.policy.decide([far, [1, 0, 0]]).action[0]).all())
        self.assertFalse(np.isnan(self.policy.decide([far, [1, 0, 0]]).action[1]).any())
        with self.assertRaisesRegex(ValueError, "known.*anyway=True"):
            self.policy.act(far)
        self.assertEqual(self.policy.act(far, anyway=True).shape, (1,))
        with self.assertRaisesRegex(ValueError, "2 coordinates.*cos_theta"):
            self.policy.act([1, 0])
        with self.assertRaisesRegex(ValueError, "NaN"):
            self.policy.act([1, 0, np.nan])

    def test_numbered_actions_and_the_four_values_of_old(self):
        found = record(OldPendulum(), 3000, seed=3, names=NAMES, actions=["torque"])
        self.assertEqual(set(found.actions[:, 0]), {0.0, 1.0, 2.0})
        policy = learn(found, cost=COST.replace("torque", "(torque-1)"), prediction="mean-state")
        self.assertIsInstance(policy.act([-1, 0, 0]), int)
        self.assertGreater(evaluate(OldPendulum(), policy, episodes=3, seed=7).mean(), -350)

    def test_more_data_from_a_first_controller(self):
        more = record(Pendulum(), 200, self.policy, seed=5, names=NAMES, actions=["torque"])
        both = self.transitions + more
        self.assertEqual((len(both), len(np.unique(both.episodes))), (3200, 16))
        with self.assertRaisesRegex(ValueError, "different systems"):
            self.transitions + record(Pendulum(), 5, seed=1)

    def test_wrong_environments_and_settings_are_told(self):
        class Dictionary(Pendulum):
            def seen(self):
                return {"angle": self.theta}

        class Unbounded(Pendulum):
            action_space = Box(-np.inf, np.inf)

        class Strange(Pendulum):
            action_space = object()

        for environment, words in ((Dictionary, "dict"), (Unbounded, "bounds"), (Strange, "low and high")):
            with self.assertRaisesRegex(ValueError, words):
                record(environment(), 5, seed=1)
        with self.assertRaisesRegex(ValueError, "unknown"):
            learn(self.transitions, cost="unknown + 1")
        with self.assertRaisesRegex(ValueError, "no option 'speed'"):
            learn(self.transitions, cost=COST, speed=1)
        with self.assertRaisesRegex(ValueError, "a row each"):
            Transitions([[0.0]], [[1.0], [2.0]], [[0.0]])

    def test_a_horizon_follows_the_reference_of_each_decision(self):
        tracking = learn(self.transitions, goal=[-1, 0, 0], weights=[0, 0, 1], mpc=8, max_dictionary=150, state_bounds={"theta_dot": (-8, None)})
        self.assertTrue(tracking.tracks)
        first = tracking.decide([-1, 0, 0], reference=[-1, 0, 2])
        self.assertGreater(first.action[0], 1)
        self.assertLess(tracking.act([-1, 0, 0], reference=[-1, 0, -2])[0], -1)
        tracking.restart()
        self.assertEqual(first.plan.shape, (8, 1))
        np.testing.assert_array_equal(tracking.act([-1, 0, 0], reference=[-1, 0, 2]), first.action)
        # The second action goes on from the first one's plan.
        then = tracking.act([-1, -0.01, 0.3], reference=[-1, 0, 2])
        np.testing.assert_array_equal(then, tracking.decide([-1, -0.01, 0.3], reference=[-1, 0, 2], plan=first.plan).action)
        moving = tracking.decide([-1, 0, 0], reference=[[-1, 0, 0.5], [-1, 0, 1], [-1, 0, 1.5]])
        self.assertEqual(moving.action.shape, (1,))
        with self.assertRaisesRegex(ValueError, "mpc="):
            self.policy.act([-1, 0, 0], reference=[1, 0, 0])
        with self.assertRaisesRegex(ValueError, "8 rows"):
            tracking.decide([-1, 0, 0], plan=[[0.0]])

    def test_a_served_policy_decides_as_it_does_here(self):
        with tempfile.TemporaryDirectory() as folder:
            here = os.path.join(folder, "swing.safetensors")
            self.policy.save(here)
            command = [java(), "-XX:+UseSerialGC", "-cp", os.pathsep.join(jars()), "io.koopstream.cli.Koop", "serve", "--port", "0"]
            server = subprocess.Popen(
                [*command, "--data", os.path.join(folder, "data"), "--policy", here], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
            )
            try:
                url = server.stdout.readline().split()[1]
                # It is printed to a terminal only.
                with open(os.path.join(folder, "data", "koopstream.token"), encoding="ascii") as token:
                    url += "?token=" + token.read().strip()
                states = self.transitions.states[:50]
                there = served(url, "swing")
                np.testing.assert_array_equal(there.act(states), self.policy.act(states))
                self.assertEqual(there.decide(states[3]), there.decide(states[3]))
                self.assertTrue(np.isnan(there.decide([1, 0, 300]).action).all())
                again = served(url, "second", self.policy)
                np.testing.assert_array_equal(again.act(states[0]), self.policy.act(states[0]))
                tracking = learn(self.transitions, goal=[-1, 0, 0], weights=[0, 0, 1], mpc=5, max_dictionary=100)
                far = served(url, "track", tracking)
                for state in ([-1, 0, 0], [-1, -0.01, 0.3]):
                    np.testing.assert_array_equal(far.act(state, reference=[-1, 0, 2]), tracking.act(state, reference=[-1, 0, 2]))
                with self.assertRaises(ServerRefused) as refused:
                    served(url, "nobody")
                self.assertEqual(refused.exception.code, "UNKNOWN_POLICY")
            finally:
                server.terminate()
                server.wait(30)
                server.stdout.close()


if __name__ == "__main__":
    unittest.main()
