"""Model files read with numpy alone give the numbers that the Java library gives.

The folder named by KOOPSTREAM_FIXTURES holds model files and, for each, ``NAME.json`` with answers of the Java library; the test
``PythonClientTest`` of the server's module makes it and runs this file.
"""

import json
import os
import pathlib
import tempfile
import unittest

import numpy as np

from koopstream import KoopstreamError, ModelFormatError, load_model
from koopstream.kernels import parse
from koopstream.model import timescales
from koopstream.ridge import HeldOut, LambdaChoice, RidgeFamily, _spectrum

FIXTURES = os.environ.get("KOOPSTREAM_FIXTURES")


@unittest.skipUnless(FIXTURES, "KOOPSTREAM_FIXTURES is not set: mvn verify sets it")
class ModelFile(unittest.TestCase):
    def models(self):
        found = sorted(pathlib.Path(FIXTURES).glob("*.safetensors"))
        self.assertGreaterEqual(len(found), 5, "fixtures are missing")
        for path in found:
            with self.subTest(path.name):
                yield load_model(path), json.loads(path.with_suffix(".json").read_text())

    def test_counts_and_names(self):
        for model, expected in self.models():
            self.assertEqual(model.n_samples_seen_, expected["samples"])
            self.assertEqual(model.n_features_in_, len(expected["points"][0]))
            self.assertEqual(list(model.feature_names_in_), expected["names"])
            self.assertEqual(model.n_pending, 0)

    def test_eigenvalues(self):
        for model, expected in self.models():
            values = np.array([complex(*pair) for pair in expected["eigenvalues"]])
            np.testing.assert_allclose(model.eigenvalues_[: len(values)], values, rtol=0, atol=1e-8)
            self.assertEqual(len(model.timescales()), len(model.eigenvalues_))

    def test_timescales_of_what_does_not_decay_are_infinite(self):
        np.testing.assert_array_equal(timescales([1.0, 1.1, -1.0, 0.0], 2.0), [np.inf, np.inf, np.inf, 0.0])
        np.testing.assert_allclose(timescales([0.5], 2.0), [2.0 / np.log(2.0)])

    def test_eigenfunctions_up_to_their_sign(self):
        for model, expected in self.models():
            values = np.array(expected["eigenfunctions_re"]) + 1j * np.array(expected["eigenfunctions_im"])
            np.testing.assert_allclose(
                model.eigenfunctions(expected["points"], values.shape[1]), values, rtol=0, atol=1e-6
            )

    def test_predictions_weights_and_forecast(self):
        for model, expected in self.models():
            np.testing.assert_allclose(model.predict(expected["points"]), expected["next"], rtol=0, atol=1e-7)
            self.assertEqual(model.weights(expected["points"]).shape, (len(expected["points"]), len(model.x_next)))
            mean, std = model.forecast(expected["points"][0], len(expected["mean"]), return_std=True)
            np.testing.assert_allclose(mean, expected["mean"], rtol=0, atol=1e-6)
            np.testing.assert_allclose(std, expected["std"], rtol=0, atol=1e-5)

    def test_coefficients_predict_too(self):
        for model, expected in self.models():
            points = np.array(expected["points"])
            rows = model._kernel_x(model.x, points)
            np.testing.assert_allclose((model.W @ rows).T @ model.x_next, expected["next"], rtol=0, atol=1e-4)

    def test_the_ridge_that_held_out_pairs_choose(self):
        found = 0
        for model, expected in self.models():
            if "lambda" in expected:
                found += 1
                self.assertTrue(model.lambda_choice.is_chosen)
                np.testing.assert_allclose(model.lambda_choice.spectrum, expected["lambda"]["spectrum"], rtol=1e-9)
                np.testing.assert_allclose(model.lambda_choice.forecast, expected["lambda"]["forecast"], rtol=1e-9)
        self.assertEqual(found, 2)

    def test_any_other_ridge(self):
        for model, expected in self.models():
            if "ridge" in expected:
                other = model.at(lambda_=expected["ridge"])
                np.testing.assert_allclose(other.predict(expected["points"]), expected["ridge_next"], rtol=0, atol=1e-7)
                with self.assertRaises(ValueError):
                    model.at(lambda_=0.0)
            elif model.metadata["method"] != "least-squares":
                with self.assertRaises(KoopstreamError):
                    model.at(lambda_=1e-3)

    def test_bad_questions_are_refused(self):
        for model, expected in self.models():
            dimension = model.n_features_in_
            for bad in ([1.0] * dimension, [[1.0] * (dimension + 1)], [[float("nan")] * dimension]):
                with self.assertRaises(ValueError):
                    model.predict(bad)

    def test_every_damage_is_noticed(self):
        path = next(pathlib.Path(FIXTURES).glob("*.safetensors"))
        whole = path.read_bytes()
        damaged = [b"", whole[:7], whole[: len(whole) // 2], whole + b"\0", b"PK\x03\x04" + whole]
        for position in range(8, len(whole), max(1, len(whole) // 200)):
            damaged.append(whole[:position] + bytes([whole[position] ^ 0x10]) + whole[position + 1 :])
        with tempfile.TemporaryDirectory() as folder:
            for number, data in enumerate(damaged):
                file = pathlib.Path(folder, f"{number}.safetensors")
                file.write_bytes(data)
                with self.assertRaises(ModelFormatError, msg=f"damage {number}"):
                    load_model(file)


class Recorded(unittest.TestCase):
    """Files of every format version, from the tests of the Java library."""

    folder = pathlib.Path(__file__).parents[3] / "koopstream-io" / "src" / "test" / "resources" / "golden"

    def load(self, name):
        return load_model(self.folder / f"{name}.safetensors")

    def test_algorithm_1_reads_the_same_from_both_versions(self):
        for suffix in ("", "-averaged"):
            old, new = self.load("model-v1" + suffix), self.load("model-v2" + suffix)
            np.testing.assert_array_equal(old.eigenvalues_, new.eigenvalues_)
            self.assertIsNone(new.lambda_choice)

    def test_least_squares_of_version_1_must_be_learned_again(self):
        with self.assertRaisesRegex(ModelFormatError, "learn it again"):
            self.load("model-v1-least-squares")

    def test_one_space_has_one_dictionary(self):
        model = self.load("model-v2-least-squares")
        self.assertIs(model.x_next, model.x)
        beta = model._coordinates(model.x)
        np.testing.assert_allclose(beta, model._factor_x, rtol=0, atol=1e-10)
        self.assertFalse(model.lambda_choice.is_chosen)
        self.assertAlmostEqual(model.lambda_choice.spectrum, 1e-5 * model._ridges().scale)


class Ridges(unittest.TestCase):
    """The family of all ridges against the formulas written out."""

    def setUp(self):
        random = np.random.default_rng(3)
        self.n = 400
        self.beta = random.normal(size=(self.n, 6)) * [1, 0.8, 0.5, 0.3, 0.1, 0.01]
        self.alpha = self.beta @ random.normal(size=(6, 6)) * 0.4 + 0.05 * random.normal(size=(self.n, 6))
        self.increment = random.normal(size=(self.n, 3))
        self.s = self.beta.T @ self.beta
        self.t = self.alpha.T @ self.beta
        self.family = RidgeFamily(self.s, self.t, self.increment.T @ self.beta, self.n)

    def test_operator_and_increments(self):
        inverse = np.linalg.inv(self.s / self.n + 1e-2 * np.eye(6))
        np.testing.assert_allclose(self.family.operator(1e-2), self.t / self.n @ inverse, atol=1e-12)
        np.testing.assert_allclose(
            self.family.increments(1e-2), self.increment.T @ self.beta / self.n @ inverse, atol=1e-12
        )
        self.assertAlmostEqual(self.family.scale, np.trace(self.s) / self.n)

    def risk(self, operator, lambda_):
        return ((self.alpha - self.beta @ operator.T) ** 2).sum() / self.n + lambda_ * (operator**2).sum()

    def test_a_limited_rank(self):
        full = self.family.operator(1e-2)
        values, vectors = np.linalg.eigh(self.s / self.n)
        for rank in range(1, 7):
            leading = vectors[:, ::-1][:, :rank]
            by_input = self.family.operator(1e-2, rank, "input")
            np.testing.assert_allclose(by_input, full @ leading @ leading.T, atol=1e-12)
            # The best of its rank (Eckart-Young): the singular values that are left out are the risk that is added.
            root = vectors * np.sqrt(values + 1e-2) @ vectors.T
            lost = np.linalg.svd(full @ root, compute_uv=False)[rank:]
            reduced = self.family.operator(1e-2, rank)
            self.assertEqual(np.linalg.matrix_rank(reduced, tol=1e-9), rank)
            self.assertAlmostEqual(self.risk(reduced, 1e-2), self.risk(full, 1e-2) + (lost**2).sum())
            self.assertLessEqual(self.risk(reduced, 1e-2), self.risk(by_input, 1e-2) + 1e-12)
        for bad in (0, 7):
            with self.assertRaises(ValueError):
                self.family.operator(1e-2, bad)

    def held(self, pairs, runs):
        x = self.beta[:pairs, :3]
        return HeldOut(x, x + self.increment[:pairs], runs, self.beta[:pairs], self.alpha[:pairs], np.zeros(pairs), True)

    def test_errors_of_held_out_pairs(self):
        runs = np.repeat([4, 2], [12, 18])
        held = self.held(30, runs)
        operator = self.family.operator(1e-3)
        errors = ((self.alpha[:30] - self.beta[:30] @ operator.T) ** 2).sum(axis=1)
        np.testing.assert_allclose(held.risk(operator), [errors[:12].mean(), errors[12:].mean()])
        self.assertEqual(len(held.long_risk(operator)), 0, "no pair begins where the one before it ended")
        self.assertAlmostEqual(held.increment_error(np.zeros((4, 6))), 1.0)

    def test_long_stretches_stay_within_their_run(self):
        path = np.arange(61.0)[:, None]
        runs = np.repeat([0, 1, 2], [15, 20, 25])
        coordinates = np.full((60, 1), 0.5)
        held = HeldOut(path[:-1], path[1:], runs, coordinates, coordinates, np.full(60, 0.25), True)
        np.testing.assert_allclose(held.long_risk(np.array([[1.0]])), [0.25, 0.25])
        self.assertEqual(held._ends.tolist(), [*range(30, 35), *range(50, 60)])
        self.assertTrue((held.long_risk(np.array([[1e200]])) > 1e300).all())

    def test_too_few_pairs_choose_nothing(self):
        choice = LambdaChoice(self.family, self.held(19, np.zeros(19, int)))
        self.assertFalse(choice.is_chosen)
        self.assertAlmostEqual(choice.spectrum, 1e-5 * self.family.scale)
        self.assertTrue(LambdaChoice(self.family, self.held(20, np.zeros(20, int))).is_chosen)

    def test_the_smallest_ridge_within_one_standard_error(self):
        grid = 10.0 ** -np.arange(10)
        flat = np.tile([1.0, 1.2], (10, 1))
        flat[:3] += 1
        self.assertEqual(_spectrum(grid, flat, 0), 7, "none below 1e-7")
        self.assertEqual(_spectrum(grid, flat, 9), 9, "unless forecasts want it")
        rising = flat + np.maximum(0, np.arange(10) - 4)[:, None] * [1.0, 1.01]
        self.assertEqual(_spectrum(grid, rising, 9), 4)
        noisy = flat.copy()
        noisy[5] += [0.3, -0.2]
        noisy[6:] += 1
        self.assertEqual(_spectrum(grid, noisy, 0), 5)


class KernelText(unittest.TestCase):
    x = np.array([[0.0, 1.0], [2.0, -1.0]])

    def value(self, text):
        return parse(text)(self.x[:1], self.x[1:])[0, 0]

    def test_formulas(self):
        d = 8.0
        self.assertAlmostEqual(self.value("gaussian(2)"), np.exp(-d / 8))
        self.assertAlmostEqual(self.value("gaussian(gamma=0.25)"), np.exp(-d / 4))
        self.assertAlmostEqual(self.value("laplacian(sigma=2)"), np.exp(-np.sqrt(d) / 2))
        s = np.sqrt(3 * d) / 2
        self.assertAlmostEqual(self.value("matern32(2)"), (1 + s) * np.exp(-s))
        s = np.sqrt(5 * d) / 2
        self.assertAlmostEqual(self.value("matern52(2)"), (1 + s + s * s / 3) * np.exp(-s))
        self.assertAlmostEqual(self.value("rational-quadratic(sigma=2,alpha=3)"), (1 + d / 24) ** -3)
        self.assertAlmostEqual(self.value("inverse-multiquadric(2)"), 1 / np.sqrt(1 + d / 4))
        self.assertAlmostEqual(self.value("polynomial(degree=3,offset=2,radius=9)"), (-1 + 2) ** 3)
        self.assertAlmostEqual(self.value("linear(radius=9)"), -1)

    def test_sums_products_scales_and_parts(self):
        self.assertAlmostEqual(
            self.value("0.4*gaussian(1)+0.6*gaussian(2)"), 0.4 * np.exp(-4.0) + 0.6 * np.exp(-1.0)
        )
        self.assertAlmostEqual(self.value("gaussian(1)*(gaussian(2)+gaussian(2))"), 2 * np.exp(-5.0))
        self.assertAlmostEqual(self.value("scaled(gaussian(1),2,1)"), np.exp(-0.5 * (1 + 4)))
        self.assertAlmostEqual(self.value("concat(1:gaussian(1),1:gaussian(2))"), np.exp(-2.0) * np.exp(-0.5))

    def test_scales_in_an_array(self):
        arrays = {"input_scales_1": np.array([2.0, 1.0]), "x": self.x}
        text = "0.5*scaled(gaussian(1), @input_scales_1)"
        value = parse(text, arrays)(self.x[:1], self.x[1:])[0, 0]
        self.assertEqual(value, self.value("0.5*scaled(gaussian(1),2,1)"))
        for text in ("scaled(gaussian(1), @input_scales_2)", "scaled(gaussian(1), @x)", "scaled(gaussian(1), @)"):
            with self.assertRaises(ModelFormatError, msg=text):
                parse(text, arrays)
        with self.assertRaises(ModelFormatError):
            parse("scaled(gaussian(1), @input_scales_1)")

    def test_what_is_no_kernel_is_refused(self):
        for text in ("", "gauss(1)", "gaussian()", "gaussian(1", "gaussian(1)+", "3", "gaussian(sigma=1,tau=2)", "os.system(1)"):
            with self.assertRaises(ModelFormatError, msg=text):
                parse(text)


if __name__ == "__main__":
    unittest.main()
