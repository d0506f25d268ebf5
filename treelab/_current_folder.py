"""The current folder may be a stranger's: nothing in it is run, and no settings are read there.

`python -m` looks for modules there first, and so do the workers of joblib and Dask, which are begun
by it. numba reads `.numba_config.yaml` there, which can name a folder of machine code to load, and
matplotlib `matplotlibrc`, before that of the user.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

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
    if found:
        _import_elsewhere(found)
    config = sys.modules.get(_Unread.name)
    if config is not None:
        _leave_file(config)
    elif not any(isinstance(finder, _Unread) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Unread())


def _import_elsewhere(packages: list[str]) -> None:
    """Import packages while the current folder is one without their settings."""
    here = os.getcwd()  # noqa: PTH109
    os.chdir(HOME)
    try:
        for package in packages:
            with suppress(ImportError):  # an extra that is not installed
                __import__(package)
    finally:
        os.chdir(here)


class _Unread:
    """A finder that sees to it that numba reads no settings when it is loaded, some time later."""

    name = "numba.core.config"

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> Any:
        """Return where numba's settings are loaded from, and None for any other module."""
        if name != self.name:
            return None
        from importlib.util import find_spec  # not earlier: it might be found in the folder

        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            load = spec.loader.exec_module

            def loaded(module: Any) -> None:
                load(module)
                _leave_file(module)

            spec.loader.exec_module = loaded  # type: ignore[method-assign]
        return spec


def _leave_file(config: Any) -> None:
    """Let numba forget the file in the folder, which it reads again whenever it compiles."""
    config._config_fname = ""
    config.reload_config()


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
