"""The Java behind :class:`koopstream.Koopman`: one private process per Python process, started when first needed, ended with it.

It runs ``koop`` commands on files and keeps nothing between them: no port, no data folder, nothing that outlives Python.
"""

from __future__ import annotations

import atexit
import glob
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
from typing import IO, List, Optional, Tuple

from .errors import JavaMissing, KoopstreamError

_HERE = pathlib.Path(__file__).resolve().parent


def jars() -> List[str]:
    """What to run: what ``KOOPSTREAM_JARS`` names (a folder with jars, or a class path), the jars of this package, or of the checkout it lies in."""
    told = os.environ.get("KOOPSTREAM_JARS")
    if told and not os.path.isdir(told):
        return told.split(os.pathsep)
    if told:
        found = sorted(glob.glob(os.path.join(told, "*.jar")))
        if not found:
            raise JavaMissing(f"KOOPSTREAM_JARS = {told}: there are no jars in that folder")
        return found
    found = sorted(glob.glob(str(_HERE / "jars" / "*.jar")))
    if not found and len(_HERE.parents) > 3:
        built = _HERE.parents[3] / "koopstream-cli" / "target"
        newest = sorted(glob.glob(str(built / "koopstream-cli-[0-9]*[0-9T].jar")), key=os.path.getmtime)[-1:]
        found = newest + sorted(glob.glob(str(built / "lib" / "*.jar")))
    if not found:
        raise JavaMissing(
            "this installation carries no koopstream jars; install the wheel, or run './koop --version' once in the"
            " checkout, or name a folder with the jars in KOOPSTREAM_JARS"
        )
    return found


def java() -> str:
    """The Java to run: that of ``JAVA_HOME``, else the one on the path."""
    home = os.environ.get("JAVA_HOME")
    if home:
        for name in ("java", "java.exe"):
            if os.path.isfile(os.path.join(home, "bin", name)):
                return os.path.join(home, "bin", name)
    found = shutil.which("java")
    if not found:
        raise JavaMissing("Koopman needs Java 17 or newer and found none; install one (Debian: apt-get install default-jre-headless), or set JAVA_HOME")
    return found


class Worker:
    """A Java process that runs one koop command after another. Any thread may call it; they wait for each other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: Optional["subprocess.Popen[bytes]"] = None
        self._messages: Optional[IO[bytes]] = None

    def run(self, *arguments: object) -> Tuple[str, str]:
        """Runs ``koop`` with these arguments; returns what it printed and its messages. Raises ValueError for what koop refuses."""
        words = [str(argument) for argument in arguments]
        if any(c in word for word in words for c in "\t\n\r"):
            raise ValueError("tabs and line breaks cannot be part of an argument")
        with self._lock:
            answer = json.loads(self._exchange("\t".join(words)))
        if answer["code"] != 0:
            lines = [line for line in answer["err"].splitlines() if line.startswith("koop: ")]
            message = lines[-1][len("koop: ") :] if lines else answer["err"].strip()
            raise (ValueError if answer["code"] in (2, 3) else KoopstreamError)(message)
        return answer["out"], answer["err"]

    def _exchange(self, line: str) -> bytes:
        fresh = self._process is None or self._process.poll() is not None
        if fresh:
            self._start(["--add-modules", "jdk.incubator.vector"])
        answer = self._tell(line)
        if not answer and fresh:
            # A Java without that module does not start with it; results have the same bits without.
            self._start([])
            answer = self._tell(line)
        if not answer:
            said = self._said()
            self.close()
            raise JavaMissing(f"Java ended without an answer ({java()}); it said: {said or 'nothing'}")
        return answer

    def _tell(self, line: str) -> bytes:
        assert self._process is not None and self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
            return self._process.stdout.readline()
        except OSError:
            return b""

    def _start(self, modules: List[str]) -> None:
        self.close()
        self._messages = tempfile.TemporaryFile()
        command = [java(), "-XX:+UseSerialGC", "-Xshare:auto", *modules, *os.environ.get("KOOP_JAVA_OPTIONS", "").split()]
        command += ["-cp", os.pathsep.join(jars()), "io.koopstream.cli.Worker"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._messages, start_new_session=True
        )

    def _said(self) -> str:
        if self._messages is None:
            return ""
        self._messages.seek(0)
        return self._messages.read().decode(errors="replace").strip()[-500:]

    def close(self) -> None:
        """Ends the process; the next command starts another."""
        process, self._process = self._process, None
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                try:
                    pipe.close()  # type: ignore[union-attr]
                except OSError:
                    pass
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._messages is not None:
            self._messages.close()
            self._messages = None


_worker: Optional[Worker] = None
_owner: Optional[int] = None


def worker() -> Worker:
    """The worker of this process. A forked child gets its own."""
    global _worker, _owner
    if _worker is None or _owner != os.getpid():
        _worker, _owner = Worker(), os.getpid()
        atexit.register(_worker.close)
    return _worker
