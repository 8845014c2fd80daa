"""The estimator as scikit-learn, pandas and people use it; mvn verify runs this file with Debian's packages."""

import contextlib
import doctest
import io
import os
import pickle
import signal
import subprocess
import sys
import time
import unittest
import warnings

import numpy as np
import pandas
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, TimeSeriesSplit, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

import koopstream.bands
import koopstream.koopman
from koopstream import Koopman, NotFittedError, load_model, pairs


def spiral(n, seed=1, noise=0.1):
    random = np.random.default_rng(seed)
    turn = 0.95 * np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
    X = np.ones((n, 2))
    for t in range(1, n):
        X[t] = turn @ X[t - 1] + noise * random.standard_normal(2)
    return X


class Estimator(unittest.TestCase):
    def test_row_scores_alarm_at_a_spike(self):
        rng = np.random.default_rng(5)
        X = np.sin(0.3 * np.arange(6000))[:, None] + 0.05 * rng.normal(size=(6000, 1))
        koopman = Koopman(kernel="gaussian(0.5)", delays=1).fit(X[:3000])
        seen = X[3000:].copy()
        seen[2500] = 9
        found = koopman.row_scores(seen)
        self.assertEqual(found["predicted"].shape, seen.shape)
        self.assertEqual(found["alarm"][2500], 1)
        self.assertGreater(found["score"][2500], 0.3)
        self.assertTrue((np.abs(found["predicted"][100:2500] - seen[100:2500]) < 1).all())

    def test_scikit_learn_accepts_it(self):
        # No check is left out.
        checks = list(check_estimator(Koopman(), generate_only=True))
        self.assertGreater(len(checks), 30)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for estimator, check in checks:
                with self.subTest(getattr(check, "func", check).__name__):
                    check(estimator)

    def test_the_examples_in_the_documentation(self):
        self.assertEqual(doctest.testmod(koopstream.koopman).failed, 0)

    def test_many_small_calls_give_the_model_of_one_large_one(self):
        X = spiral(4500)
        whole = Koopman().fit(X)
        parts = Koopman()
        for start in (0, 1, 700, 2500, 2501, 4400):
            stop = {0: 1, 1: 700, 700: 2500, 2500: 2501, 2501: 4400, 4400: 4500}[start]
            parts.partial_fit(X[start:stop])
            if start == 700:
                parts.predict(X[:3])
        np.testing.assert_array_equal(whole.eigenvalues_, parts.eigenvalues_)
        np.testing.assert_array_equal(whole.predict(X[:5]), parts.predict(X[:5]))
        self.assertEqual(whole.n_samples_seen_, parts.n_samples_seen_)

    def test_the_method_of_the_paper(self):
        X = spiral(400)
        options = dict(method="sogd", kernel="gaussian(0.7)", eta=0.3, lambda_=1e-3, decay=(0.6, 50), criterion="paper", max_dictionary="none")
        koopman = Koopman(budget="proportional(0.3)", **options).fit(X)
        settings = koopman.model_.metadata
        self.assertEqual(settings["budget"], "proportional(0.3)")
        self.assertEqual(settings["criterion"], "PAPER")
        self.assertTrue(settings["step_size"].startswith("decay("), settings["step_size"])
        self.assertNotIn("max_dictionary", settings)
        larger = Koopman(budget="proportional(1.5)", **options).fit(X)
        self.assertLess(len(larger.dictionary_), len(koopman.dictionary_))
        with self.assertRaisesRegex(ValueError, "expected constant"):
            Koopman(budget="linear(1)", **options).fit(X)

    def test_trajectories_are_not_joined(self):
        X = spiral(300)
        one = Koopman(holdout=0, kernel="gaussian(1)").fit([X[:100], X[200:]])
        self.assertEqual(one.n_samples_seen_, 99 + 99)
        grouped = Koopman(holdout=0, kernel="gaussian(1)").fit(np.vstack([X[:100], X[200:]]), groups=[0] * 100 + [1] * 100)
        np.testing.assert_array_equal(one.predict(X[:5]), grouped.predict(X[:5]))
        rows, groups = pairs(X[:-1], X[1:])
        self.assertEqual(Koopman(holdout=0, kernel="gaussian(1)").fit(rows, groups=groups).n_samples_seen_, 299)
        more = Koopman(holdout=0, kernel="gaussian(1)").partial_fit(X[:100]).partial_fit(X[200:], new_trajectory=True)
        self.assertEqual(more.n_samples_seen_, 198)

    def test_a_fitted_estimator_travels(self):
        X = spiral(2500)
        first = Koopman().fit(X)
        second = pickle.loads(pickle.dumps(first))
        np.testing.assert_array_equal(first.predict(X), second.predict(X))
        np.testing.assert_array_equal(first.forecast(X, 5), second.forecast(X, 5))
        more = spiral(500, seed=2)
        np.testing.assert_array_equal(first.partial_fit(more).eigenvalues_, second.partial_fit(more).eigenvalues_)
        fresh = clone(first)
        with self.assertRaises(NotFittedError):
            fresh.predict(X)

    def test_searches_and_pipelines(self):
        X = spiral(1200)
        scores = cross_val_score(Koopman(), X, cv=TimeSeriesSplit(3))
        self.assertTrue((scores > 0.7).all(), scores)
        search = GridSearchCV(Koopman(), {"kernel": ["gaussian(0.05)", "gaussian(2)"]}, cv=TimeSeriesSplit(2), n_jobs=2).fit(X)
        self.assertEqual(search.best_params_["kernel"], "gaussian(2)")
        # A scaler sees states and what follows them alike, since both are rows of X.
        scaled = make_pipeline(StandardScaler(), Koopman()).fit(1000 + 50 * X)
        self.assertGreater(scaled.score(1000 + 50 * X), 0.8)
        with self.assertRaisesRegex(ValueError, "pairs"):
            Koopman().fit(X[:-1], X[1:])

    def test_frames_of_months_and_working_days(self):
        for freq, count in ((pandas.offsets.MonthBegin(), 240), (pandas.offsets.MonthEnd(), 240), (pandas.offsets.BusinessDay(), 400)):
            days = pandas.date_range("2001-01-31", periods=count, freq=freq)
            frame = pandas.DataFrame({"sales": np.sin(np.arange(count) * 2 * np.pi / 12)}, index=days)
            ahead = Koopman(kernel="gaussian(2)", delays=3, max_gap="weekends" if isinstance(freq, pandas.offsets.BusinessDay) else None).fit(frame).forecast(frame, 30)
            self.assertEqual(list(ahead.index), list(pandas.date_range(days[-1], periods=31, freq=freq)[1:]))

    def test_bands_have_named_quantiles(self):
        learned = Koopman(kernel="gaussian(1.5)").fit(spiral(2000))
        mean, bands = learned.forecast(spiral(2000), 10, (0.1, 0.5, 0.9))
        self.assertEqual((bands.shape, bands.quantiles), ((3, 10, 2), (0.1, 0.5, 0.9)))
        np.testing.assert_array_equal(bands[0.9], bands[2])
        self.assertIs(type(bands[0.9]), np.ndarray)
        self.assertTrue((bands[0.1] < bands[0.9]).all())
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(bands))[0.5], bands[0.5])
        with self.assertRaisesRegex(KeyError, "no quantile 0.25; there are 0.1, 0.5, 0.9"):
            bands[0.25]
        self.assertEqual(doctest.testmod(koopstream.bands).failed, 0)

    def test_inputs(self):
        random = np.random.default_rng(7)
        frame = pandas.DataFrame({"load": np.zeros(1500), "heat": random.standard_normal(1500)})
        load = np.zeros(1500)
        for t in range(1, 1500):
            load[t] = 0.7 * load[t - 1] + 0.8 * frame["heat"][t] + 0.05 * random.standard_normal()
        frame["load"] = load
        learned = Koopman(kernel="gaussian(4)", inputs=["heat"]).fit(frame[:1480])
        given = learned.forecast(future=frame[["heat"]][1480:])
        self.assertEqual((list(given.columns), list(given.index)), (["load"], list(range(1480, 1500))))
        self.assertLess(np.abs(given["load"] - frame["load"][1480:]).max(), 0.4)
        shares = learned.made_of(future=frame[["heat"]][1480:])
        self.assertGreater(shares["regression"][0], 0.5)
        np.testing.assert_allclose(sum(shares.values()), np.ones(20))
        mean, bands = learned.forecast(steps=20, quantiles=(0.1, 0.9))
        known = learned.forecast(future=frame["heat"][1480:].to_numpy(), quantiles=(0.1, 0.9))[1]
        self.assertTrue(((known[0.9] - known[0.1]) < 0.6 * (bands[0.9] - bands[0.1])).all().all())
        with self.assertRaisesRegex(ValueError, "future has columns load; the inputs are heat"):
            learned.forecast(future=frame[["load"]])
        with self.assertRaisesRegex(ValueError, "30 steps"):
            learned.forecast(steps=30, future=frame[["heat"]][1480:])
        with self.assertRaisesRegex(ValueError, "no inputs"):
            Koopman().fit(frame).forecast(future=frame[["heat"]])
        with self.assertRaisesRegex(ValueError, "must be the last columns"):
            Koopman(inputs=["load"]).fit(frame)

    def test_frames_without_dates(self):
        frame = pandas.DataFrame(spiral(2000), columns=["a", "b"])
        learned = Koopman(kernel="gaussian(1.5)").fit(frame)
        for mean, bands in (learned.forecast(frame, 5, (0.1, 0.9)), learned.forecast(steps=5, quantiles=(0.1, 0.9))):
            self.assertEqual((list(mean.columns), list(mean.index)), (["a", "b"], [2000, 2001, 2002, 2003, 2004]))
            self.assertTrue((bands[0.1] < bands[0.9]).all().all())
            self.assertTrue(bands.index.equals(mean.index))
        start = learned.forecast(frame[:100], 5)
        self.assertEqual(start.index[0], 100)

    def test_frames_with_dates(self):
        hours = pandas.date_range("2024-03-01", periods=2400, freq="h", tz="Europe/Berlin")
        clock = np.arange(2400) * 2 * np.pi / 24
        frame = pandas.DataFrame({"load": np.sin(clock), "heat": np.cos(clock)}, index=hours)
        frame += 0.05 * np.random.default_rng(1).standard_normal(frame.shape)
        learned = Koopman().fit(frame)
        self.assertEqual(list(learned.feature_names_in_), ["load", "heat"])
        mean, bands = learned.forecast(frame, 24, quantiles=(0.1, 0.5, 0.9))
        self.assertEqual(mean.index[0], hours[-1] + pandas.Timedelta("1h"))
        self.assertEqual((list(mean.columns), list(bands[0.5].columns)), (["load", "heat"], ["load", "heat"]))
        self.assertEqual(bands.columns.names, ["quantile", "column"])
        truth = np.sin((2400 + np.arange(24)) * 2 * np.pi / 24)
        self.assertLess(np.abs(mean["load"] - truth).max(), 0.3)
        self.assertTrue((bands[0.1] <= bands[0.9]).all().all())
        self.assertTrue(bands.index.equals(mean.index))
        np.testing.assert_allclose(learned.forecast(steps=24), mean)
        predicted = learned.predict(frame[:10])
        self.assertTrue(predicted.index.equals(frame.index[:10]))
        self.assertEqual(learned.transform(frame).shape, (2400, 3))
        # A hole in the data is a gap, as rows that are missing and values that are.
        holes = frame.drop(frame.index[1000:1100])
        holes.iloc[500] = np.nan
        self.assertEqual(Koopman(holdout=0).fit(holes).n_samples_seen_, 2400 - 100 - 2 - 2)
        with self.assertRaisesRegex(ValueError, "feature names"):
            learned.predict(frame[["heat", "load"]])

    def test_frames_that_follow_the_time_of_year(self):
        weeks = pandas.date_range("1990-01-01", periods=420, freq="7D")
        phase = 2 * np.pi * 7 * np.arange(420) / 365.2425
        frame = pandas.DataFrame({"level": 300 + 0.03 * np.arange(420) + 3 * np.cos(phase)}, index=weeks)
        frame += 0.2 * np.random.default_rng(1).standard_normal(frame.shape)
        learned = Koopman().fit(frame[:394])
        self.assertEqual(learned.model_.metadata["calendar"], "season")
        self.assertLess(np.abs(learned.forecast(steps=26)["level"] - frame["level"][394:]).mean(), 1)
        self.assertLess(np.abs(learned.predict(frame).shift(1)["level"] - frame["level"]).mean(), 0.5)
        self.assertTrue(np.isfinite(learned.transform(frame)[-5:]).all().all())
        self.assertGreater(learned.score(frame), 0.9)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with self.assertRaisesRegex(ValueError, "DatetimeIndex"):
                learned.predict(frame.to_numpy())

    def test_delays_of_what_is_observed_in_part(self):
        x = spiral(3000)[:, :1]
        plain, delayed = Koopman().fit(x), Koopman(delays=2).fit(x)
        self.assertGreater(delayed.score(x), plain.score(x) + 0.02)
        predicted = delayed.predict(x)
        self.assertTrue(np.isnan(predicted[:2]).all() and np.isfinite(predicted[2:]).all())
        self.assertEqual(delayed.forecast(x, 7).shape, (7, 1))

    def test_what_it_finds(self):
        random = np.random.default_rng(1)
        x = np.ones(20000)
        for t in range(1, len(x)):
            x[t] = x[t - 1] + 0.1 * (x[t - 1] - x[t - 1] ** 3) + 0.18 * random.standard_normal()
        wells = Koopman().fit(x[:, None])
        found = wells.sets(k=2)
        self.assertEqual(sorted(round(float(fact["centre"][0])) for fact in found), [-1, 1])
        self.assertAlmostEqual(sum(fact["population"] for fact in found), 1, places=6)
        self.assertTrue(all(fact["meanExitTime"] > 10 for fact in found))
        labels = wells.assign(np.array([[-1.0], [1.0], [40.0]]), k=2)
        self.assertEqual((labels[0] != labels[1], labels[2]), (True, -1))
        known = wells.score_samples(np.array([[0.9], [40.0]]))
        self.assertGreater(known[0], 0.99)
        self.assertLess(known[1], 0.01)
        with self.assertRaisesRegex(ValueError, "know"):
            wells.forecast([40.0], 5)
        self.assertIn("eigenvalues", wells._repr_html_())
        self.assertEqual(repr(Koopman(kernel="gaussian(1)")), "Koopman(kernel='gaussian(1)')")

    def test_pictures(self):
        import matplotlib

        matplotlib.use("Agg")
        X = spiral(800)
        learned = Koopman(kernel="gaussian(1)").fit(X)
        for ax in (learned.plot_spectrum(), learned.plot_forecast(X, 10)):
            picture = io.BytesIO()
            ax.figure.savefig(picture)
            self.assertGreater(len(picture.getvalue()), 5000)

    def test_a_file_for_the_others(self):
        X = spiral(800)
        learned = Koopman(kernel="gaussian(1)").fit(X)
        path = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"koopman-{os.getpid()}.safetensors")
        self.addCleanup(lambda: contextlib.suppress(OSError) and os.path.exists(path) and os.remove(path))
        learned.save(path)
        np.testing.assert_array_equal(load_model(path).eigenvalues_, learned.eigenvalues_)

    def test_what_is_wrong_is_said(self):
        X = spiral(100)
        for wrong, words in (
            (Koopman(kernel="gauss(1)"), "gaussian"),
            (Koopman(delays=-1), "delays"),
            (Koopman(holdout=2), "holdout"),
        ):
            with self.assertRaisesRegex(ValueError, words):
                wrong.fit(X)

    def test_java_ends_with_python_even_when_it_is_killed(self):
        script = (
            "import numpy as np, time\nfrom koopstream import Koopman\nfrom koopstream.java import worker\n"
            "Koopman(kernel='gaussian(1)').fit(np.random.default_rng(1).normal(size=(50, 1)))\n"
            "print(worker()._process.pid, flush=True)\n"
        )
        for ending in ("", "time.sleep(60)\n"):
            with subprocess.Popen([sys.executable, "-c", script + ending], stdout=subprocess.PIPE, text=True) as python:
                java = int(python.stdout.readline())
                if ending:
                    python.send_signal(signal.SIGKILL)
                python.wait(30)
            for _ in range(100):
                try:
                    os.kill(java, 0)
                except ProcessLookupError:
                    break
                time.sleep(0.1)
            else:
                self.fail(f"Java, process {java}, outlived Python")


if __name__ == "__main__":
    unittest.main()
