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

from koopstream import ModelFormatError, load_model
from koopstream.kernels import parse

FIXTURES = os.environ.get("KOOPSTREAM_FIXTURES")


@unittest.skipUnless(FIXTURES, "KOOPSTREAM_FIXTURES is not set: mvn verify sets it")
class ModelFile(unittest.TestCase):
    def models(self):
        found = sorted(pathlib.Path(FIXTURES).glob("*.safetensors"))
        self.assertGreaterEqual(len(found), 3, "fixtures are missing")
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

    def test_what_is_no_kernel_is_refused(self):
        for text in ("", "gauss(1)", "gaussian()", "gaussian(1", "gaussian(1)+", "3", "gaussian(sigma=1,tau=2)", "os.system(1)"):
            with self.assertRaises(ModelFormatError, msg=text):
                parse(text)


if __name__ == "__main__":
    unittest.main()
