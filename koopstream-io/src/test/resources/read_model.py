"""Reads a Koopstream model with numpy alone and checks it; prints "ok" when all is well.

Usage: read_model.py MODEL [W]   where W is a file of the n*m float64 coefficients to compare with, row by row.
Only Gaussian kernels written as gaussian(sigma=...) are recomputed here.
"""
import hashlib, json, re, sys
import numpy as np


def read(path):
    raw = open(path, "rb").read()
    length = int.from_bytes(raw[:8], "little")
    header = json.loads(raw[8 : 8 + length])
    metadata = header.pop("__metadata__")
    digits = metadata["checksum"].encode()
    assert hashlib.sha256(raw.replace(digits, b"0" * 64, 1)).hexdigest().encode() == digits, "checksum"
    kinds = {"F64": "<f8", "I64": "<i8"}
    tensors = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        values = np.frombuffer(raw[8 + length + begin : 8 + length + end], kinds[entry["dtype"]])
        tensors[name] = values.reshape(entry["shape"])
    return metadata, tensors


def gram(kernel, x):
    sigma = float(re.fullmatch(r"gaussian\(sigma=(.*)\)", kernel).group(1))
    squared = ((x[:, None, :] - x[None, :, :]) ** 2).sum(axis=2)
    return np.exp(-squared / (2 * sigma**2))


metadata, t = read(sys.argv[1])
assert (metadata["format"], metadata["version"], metadata["method"]) == ("koopstream-model", "2", "sogd")
for points, kernel in (("x", "input_kernel"), ("x_next", "output_kernel")):
    factor, numbers = "L_" + points, t[points + "_sample"]
    assert np.allclose(t[factor] @ t[factor].T, gram(metadata[kernel], t[points]), rtol=0, atol=1e-12), factor
    assert np.array_equal(t[factor], np.tril(t[factor])), factor
    assert np.all(np.diff(numbers) > 0) and 0 < numbers[0] and numbers[-1] <= int(metadata["samples"]), points
# U = sum_ij W_ij phi(x_next_i) (x) phi(x_j) with W = L_x_next^-T M L_x^-1
w = np.linalg.solve(t["L_x_next"].T, t["M"]) @ np.linalg.inv(t["L_x"])
if len(sys.argv) > 2:
    expected = np.fromfile(sys.argv[2], "<f8").reshape(w.shape)
    assert np.allclose(w, expected, rtol=0, atol=1e-6 * np.abs(expected).max()), "W"
print("ok", *w.shape)
