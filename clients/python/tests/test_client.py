"""The client against a real server, whose address is in KOOPSTREAM_URL (with its token); mvn verify starts one and runs this file."""

import os
import pathlib
import tempfile
import unittest
import uuid

import numpy as np

from koopstream import Koopstream, KoopstreamError, NotFittedError, ServerRefused, ServerUnreachable, load_model

URL = os.environ.get("KOOPSTREAM_URL")


def rotation(n, seed=1, angle=0.3, noise=0.02):
    """A noisy damped rotation and what follows each of its states."""
    random = np.random.default_rng(seed)
    turn = 0.95 * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    X = random.uniform(-1, 1, (n, 2))
    return X, X @ turn.T + noise * random.standard_normal((n, 2)), turn


@unittest.skipUnless(URL, "KOOPSTREAM_URL is not set: mvn verify sets it")
class Client(unittest.TestCase):
    def setUp(self):
        self.name = "py-" + uuid.uuid4().hex[:10]

    def client(self, **settings):
        client = Koopstream(URL, model=self.name, **settings)
        self.addCleanup(client.close)
        return client

    def test_learns_and_answers_about_all_that_was_sent(self):
        X, Y, turn = rotation(3000)
        client = self.client(kernel="gaussian(sigma=1)", **{"lambda_": 1e-5})
        self.assertIs(client.partial_fit(X[:1000], Y[:1000]), client)
        client.partial_fit(X[1000:], Y[1000:])
        # The server keeps some pairs aside to judge the model with.
        self.assertEqual(client.n_samples_seen_ + client.info()["heldOut"], 3000)
        self.assertEqual(client.n_features_in_, 2)
        self.assertGreater(client.dictionary_size_, 5)
        self.assertGreater(client.score(X, Y), 0.98)
        np.testing.assert_allclose(client.predict(X[:5]), X[:5] @ turn.T, atol=0.1)
        moduli = np.abs(client.eigenvalues_)
        self.assertTrue((np.diff(moduli) <= 1e-9).all())
        self.assertAlmostEqual(moduli[0], 1.0, delta=0.02)
        self.assertAlmostEqual(moduli[1], 0.95, delta=0.03)
        self.assertEqual(client.eigenfunctions(X[:7], k=3).shape, (7, 3))
        mean, bands = client.forecast(X[0], 4, (0.1, 0.5, 0.9))
        self.assertEqual((mean.shape, bands.shape), ((4, 2), (3, 4, 2)))
        self.assertTrue((bands[0.1] < bands[0.5]).all() and (bands[0.5] < bands[0.9]).all())
        np.testing.assert_array_equal(client.forecast(X[0], 4), mean)
        self.assertFalse(np.array_equal(client.forecast(X[0], 4, mode="operator"), client.forecast(X[0], 4, mode="path")))
        self.assertEqual(client.forecast(steps=3).shape, (3, 2))
        weights, points = client.weights(X[0])
        np.testing.assert_allclose(weights @ points, client.predict(X[:1])[0], atol=0.02)
        self.assertLess(client.one_step_error_, 0.6)
        self.assertEqual(len(client.timescales(dt=0.1)), len(moduli))

    def test_what_is_hardly_known_is_not_told_as_if_it_were(self):
        X, Y, _ = rotation(500)
        client = self.client(kernel="gaussian(sigma=0.5)")
        client.partial_fit(X, Y)
        far = X[0] + 50
        with self.assertRaises(ServerRefused) as refused:
            client.forecast(far, 3)
        self.assertEqual(refused.exception.code, "UNKNOWN_STATE")
        self.assertTrue(np.isnan(client.predict([far])).all())
        self.assertTrue(np.isfinite(client.predict([far], anyway=True)).all())
        with self.assertWarns(UserWarning):
            self.assertEqual(client.forecast(far, 3, anyway=True).shape, (3, 2))

    def test_rows_are_scored_where_that_is_asked_for(self):
        rng = np.random.default_rng(3)
        X = np.sin(0.3 * np.arange(2000))[:, None] + 0.05 * rng.normal(size=(2000, 1))
        X[1990] = 9
        client = self.client(kernel="gaussian(sigma=0.5)", scores=True, alarm_rate=1e-3)
        client.partial_fit(X)
        found = client.row_scores(since=1900)
        self.assertEqual(found["row"].tolist(), list(range(1901, 2001)))
        self.assertEqual(found["alarm"][90], 1)
        self.assertGreater(found["value"][90, 0], found["high"][90, 0])
        self.assertGreater(found["score"][90], np.nanmedian(found["score"]))
        with self.assertRaises(ServerRefused):
            Koopstream(URL, model=self.name + "-plain", kernel="gaussian(sigma=0.5)").partial_fit(X[:50]).row_scores()

    def test_settings_are_chosen_when_none_are_given(self):
        X, Y, _ = rotation(1500)
        client = self.client(warm_up=500)
        client.partial_fit(X[:100], Y[:100])
        with self.assertRaises(NotFittedError):
            client.predict(X[:1])
        client.partial_fit(X[100:], Y[100:])
        self.assertGreater(client.score(X, Y), 0.9)
        self.assertTrue(any(setting["name"] == "kernel" for setting in client.info()["settings"]))

    def test_a_trajectory_makes_pairs_across_calls_but_not_across_trajectories(self):
        states = np.cumsum(np.ones((100, 1)), axis=0) * 0.01
        client = self.client(kernel="gaussian(sigma=1)", holdout=0)
        client.partial_fit(states[:40]).partial_fit(states[40:])
        self.assertEqual(client.n_samples_seen_, 99)
        client.partial_fit(states[:10], new_trajectory=True)
        self.assertEqual(client.n_samples_seen_, 99 + 9)

    def test_sending_again_does_no_harm(self):
        X, Y, _ = rotation(200)
        client = self.client(kernel="gaussian(sigma=1)", stream="plant", holdout=0)
        client.partial_fit(X, Y)
        before = client.predict(X[:3])
        client.partial_fit(X[100:], Y[100:], first=100)
        other = self.client(stream="plant")
        other.partial_fit(X, Y, first=0)
        self.assertEqual(client.n_samples_seen_, 200)
        np.testing.assert_array_equal(client.predict(X[:3]), before)
        with self.assertRaises(ServerRefused) as gap:
            client.partial_fit(X[:1], Y[:1], first=500)
        self.assertEqual(gap.exception.code, "GAP")
        with self.assertRaises(ServerRefused) as conflict:
            client.partial_fit(X[:1] + 1, Y[:1], first=150)
        self.assertEqual(conflict.exception.code, "CONFLICT")

    def test_the_downloaded_model_gives_the_servers_answers(self):
        X, Y, _ = rotation(1000)
        client = self.client(kernel="gaussian(sigma=0.8)", names=["angle", "speed"])
        client.partial_fit(X, Y)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.safetensors")
            client.download(path)
            model = load_model(path)
        self.assertEqual(model.feature_names_in_, ["angle", "speed"])
        self.assertEqual(model.n_samples_seen_, client.n_samples_seen_)
        np.testing.assert_allclose(model.eigenvalues_[:3], client.eigenvalues_[:3], atol=1e-8)
        # Two estimates of one path: the reader takes powers of the operator, the server adds increments.
        model = model.at(lambda_=min(model.lambda_choice.forecast, model.lambda_choice.spectrum))
        np.testing.assert_allclose(model.predict(X[:20]), client.predict(X[:20]), atol=0.02)
        np.testing.assert_allclose(model.forecast(X[0], 5), client.forecast(X[0], 5, mode="path"), atol=0.02)

    def test_fit_never_deletes_what_a_server_holds(self):
        X, Y, _ = rotation(300)
        client = self.client(kernel="gaussian(sigma=1)", holdout=0)
        client.partial_fit(X, Y)
        with self.assertRaisesRegex(KoopstreamError, "delete"):
            client.fit(X[:100], Y[:100])
        with self.assertRaisesRegex(KoopstreamError, "delete"):
            self.client().fit(X[:100], Y[:100])
        self.assertEqual(client.n_samples_seen_, 300)
        client.delete()
        self.assertEqual(client.fit(X[:100], Y[:100]).n_samples_seen_, 100)

    def test_scikit_learns_habits(self):
        client = self.client(kernel="gaussian(sigma=1)")
        params = client.get_params()
        self.assertEqual(params["kernel"], "gaussian(sigma=1)")
        twin = Koopstream(**params)
        self.assertEqual(twin.get_params(), params)
        self.assertEqual(client.set_params(kernel="laplacian(sigma=1)").kernel, "laplacian(sigma=1)")
        with self.assertRaises(ValueError):
            client.set_params(colour="red")
        self.assertNotIn("token", repr(client))

    def test_what_is_wrong_is_said(self):
        X, Y, _ = rotation(10)
        client = self.client(kernel="gaussian(sigma=1)")
        with self.assertRaises(NotFittedError):
            client.predict(X)
        for bad in (X[:, 0], np.full((3, 2), np.nan)):
            with self.assertRaises(ValueError):
                client.partial_fit(bad)
        with self.assertRaises(ValueError):
            client.partial_fit(X, Y[:5])
        client.partial_fit(X, Y)
        with self.assertRaises(ServerRefused) as width:
            client.partial_fit(np.ones((2, 3)), np.ones((2, 3)))
        self.assertEqual(width.exception.status, 422)
        with self.assertRaises(ServerRefused) as setting:
            Koopstream(URL, model=self.name + "-b", kernel="gauss(1)").partial_fit(X, Y)
        self.assertIn("gaussian", str(setting.exception))
        with self.assertRaises(ServerRefused) as stranger:
            Koopstream(URL.split("?")[0], model=self.name, token="wrong").info()
        self.assertEqual(stranger.exception.status, 401)
        with self.assertRaises(ServerUnreachable):
            Koopstream("http://127.0.0.1:9", timeout=0.2).partial_fit(X, Y)


if __name__ == "__main__":
    unittest.main()
