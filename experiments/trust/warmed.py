"""A process that has imported what tests need, and forks for every run of pytest.

Most of the time a mutant takes is the start of Python, numba and scikit-learn: here that is paid
once. The child alone imports what a mutant may change; it inherits kernels, which none changes.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

LIBRARIES = ("attrs", "hypothesis", "joblib", "narwhals", "numba", "numpy", "pandas", "pytest",
             "rich", "scipy.optimize", "scipy.special", "scipy.stats", "sklearn.ensemble",
             "sklearn.tree", "typer")  # fmt: skip
"""What most tests import; none of them starts a thread, which a fork would lose."""

NOTHING_TESTED = (3, 4, 5)
"""How pytest ends after a fault of its own or a wrong call, or if there was no test."""


class NothingTestedError(RuntimeError):
    """No test was run: there is none of such a name, or it cannot be imported."""


class Warmed:
    """Runs pytest in a folder, in forks of a process that is ready."""

    def __init__(self, folder: Path, seconds: int) -> None:
        settings = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)}
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(seconds)], cwd=folder, env=settings, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def passes(self, words: list[str]) -> bool:
        """Tell whether tests pass; those that never end do not."""
        print(json.dumps(words), file=self._process.stdin, flush=True)
        code = int(self._process.stdout.readline())
        if code in NOTHING_TESTED:
            raise NothingTestedError(f"pytest ended with {code}: {' '.join(words)[:300]}")
        return code == 0


def serve(seconds: int) -> None:
    """Answer each line, the arguments of pytest, with how it ended."""
    for name in LIBRARIES:
        import_module(name)
    kernels = import_module("treelab.kernels")
    for module in iter_modules(kernels.__path__, "treelab.kernels."):
        import_module(module.name)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            run(json.loads(line), seconds)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def run(words: list[str], seconds: int) -> None:
    """Run pytest and end, at the latest after so many seconds of a processor, or four times."""
    os.setpgid(0, 0)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    signal.alarm(4 * seconds)
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(silence, stream)
    import pytest

    quiet = ["-q", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    try:
        os._exit(int(pytest.main([*quiet, *words])))
    except BaseException:
        os._exit(3)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
