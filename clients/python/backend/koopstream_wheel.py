"""Builds the wheel: the package with the jars of the koop command inside. Standard library alone, so that it works without an index.

pip calls build_wheel (``pip install ./clients/python``); Maven runs this file: ``python3 koopstream_wheel.py FOLDER``.
Two builds of the same sources and jars give the same bytes.
"""

import base64
import glob
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import zipfile

_HERE = pathlib.Path(__file__).resolve().parent.parent
_BUILT = _HERE.parent.parent / "koopstream-cli" / "target"


def _version():
    return re.search(r'__version__ = "([^"]+)"', (_HERE / "src" / "koopstream" / "__init__.py").read_text("utf-8")).group(1)


def _jars():
    told = os.environ.get("KOOPSTREAM_JARS")
    if told:
        return sorted(glob.glob(os.path.join(told, "*.jar")))

    def find():
        # That of an older version may lie beside the newest.
        newest = sorted(glob.glob(str(_BUILT / "koopstream-cli-[0-9]*[0-9T].jar")), key=os.path.getmtime)[-1:]
        return newest + sorted(glob.glob(str(_BUILT / "lib" / "*.jar")))

    if not find():
        # The script builds the command when it has not been built.
        subprocess.run([str(_HERE.parent.parent / "koop"), "--version"], check=True, stdout=subprocess.DEVNULL)
    return find()


def _metadata():
    readme = (_HERE / "README.md").read_text("utf-8")
    return (
        f"Metadata-Version: 2.1\nName: koopstream\nVersion: {_version()}\n"
        "Summary: Learns the Koopman operator of a system from a stream: forecasts, metastable sets, eigenfunctions\n"
        "License: Apache-2.0\nRequires-Python: >=3.9\nRequires-Dist: numpy>=1.21\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def _write(wheel_directory, files):
    """A wheel of these names and contents, in this order."""
    stem = f"koopstream-{_version()}"
    about = f"{stem}.dist-info"
    files = [*files, (f"{about}/METADATA", _metadata().encode())]
    files.append((f"{about}/WHEEL", b"Wheel-Version: 1.0\nGenerator: koopstream\nRoot-Is-Purelib: true\nTag: py3-none-any\n"))
    name = f"{stem}-py3-none-any.whl"
    pathlib.Path(wheel_directory).mkdir(parents=True, exist_ok=True)
    records = []
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, contents in files:
            digest = base64.urlsafe_b64encode(hashlib.sha256(contents).digest()).rstrip(b"=").decode()
            records.append(f"{path},sha256={digest},{len(contents)}\n")
            wheel.writestr(_entry(path), contents)
        records.append(f"{about}/RECORD,,\n")
        wheel.writestr(_entry(f"{about}/RECORD"), "".join(records))
    return name


def _entry(path):
    entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
    # Jars are compressed already.
    entry.compress_type = zipfile.ZIP_STORED if path.endswith(".jar") else zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    jars = _jars()
    if not jars:
        raise SystemExit("no jars to put into the wheel: run ./koop --version in the checkout, or set KOOPSTREAM_JARS")
    sources = sorted((_HERE / "src").rglob("*.py")) + sorted((_HERE / "src").rglob("py.typed"))
    files = [(path.relative_to(_HERE / "src").as_posix(), path.read_bytes()) for path in sources]
    files += [(f"koopstream/jars/{os.path.basename(jar)}", pathlib.Path(jar).read_bytes()) for jar in jars]
    return _write(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """An installation that uses the sources and the jars where they are."""
    return _write(wheel_directory, [("koopstream.pth", f"{_HERE / 'src'}\n".encode())])


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("there is no source distribution: a wheel carries jars that Maven builds")


if __name__ == "__main__":
    print(build_wheel(sys.argv[1] if len(sys.argv) > 1 else "."))
