"""The current folder may be a stranger's: nothing in it is run, and no settings are read there.

`python -m` looks for modules there first, and so do the workers of joblib and Dask, which are begun
by it. numba reads `.numba_config.yaml` there, which can name a folder of machine code to load, and
matplotlib `matplotlibrc`, before that of the user.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

SAFE = "PYTHONSAFEPATH"
"""Where it is set, Python does not look for modules in the current folder or beside a script."""

SETTINGS = {".numba_config.yaml": "numba", "matplotlibrc": "matplotlib"}
"""Files that packages read in the current folder as they are imported."""

HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))  # noqa: PTH100, PTH120


def leave_as_program() -> None:
    """Leave the current folder alone: in this process, which is a program, and in its children."""
    os.environ[SAFE] = "1"
    leave_settings()


def leave_when_started() -> None:
    """Do the same as early as can be, if `python -m treelab` or a worker of it imports treelab."""
    if sys.argv[:1] == ["-m"]:  # Python is still looking for what it is to run
        with suppress(OSError):  # the folder is gone
            if sys.path[:1] == [os.getcwd()] != [HOME]:  # noqa: PTH109
                del sys.path[0]
        leave_as_program()
    elif sys.flags.safe_path:
        leave_settings()


def leave_settings() -> None:
    """Keep packages from reading settings in the current folder."""
    found = [package for name, package in SETTINGS.items() if os.path.exists(name)]  # noqa: PTH110
    if not found:
        return
    here = os.getcwd()  # noqa: PTH109
    os.chdir(HOME)
    try:
        for package in found:
            with suppress(ImportError):  # an extra that is not installed
                __import__(package)
    finally:
        os.chdir(here)
    config = sys.modules.get("numba.core.config")
    if config is not None:  # it is asked for again whenever something is compiled
        config._config_fname = ""  # type: ignore[attr-defined]


@contextmanager
def left_by_children() -> Iterator[None]:
    """Let processes that begin here leave the current folder alone."""
    before = os.environ.get(SAFE)
    os.environ[SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE]
        else:
            os.environ[SAFE] = before
