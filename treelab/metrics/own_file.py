"""Metrics of one's own in a Python file: 'mine.py:tsallis'.

The file is run, so only a person may name one: on the command line, or in a study file whose code
has been allowed; `treelab.metric`, and so a model file, never does. The module gets a name and a
version that are made of what the file holds: a study knows the metric again, and what has changed
is another metric. Other processes are sent the module itself, for they cannot find it by its name.
"""

import importlib.util
import re
import sys
from hashlib import sha256
from inspect import signature
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, cast

from treelab.errors import ParameterError, suggestion
from treelab.metrics.adapters import from_counts
from treelab.protocols import SplitMetric

OF_FILE = re.compile(r"(?P<path>.+\.py):(?P<name>\w+)")


def names_a_file(spec: object) -> bool:
    """Tell whether a text names a metric in a file.

    >>> names_a_file("./mine.py:tsallis"), names_a_file("relieff:k=5")
    (True, False)
    """
    return isinstance(spec, str) and OF_FILE.fullmatch(spec) is not None


def metric_of_file(spec: str, folder: Path | None = None) -> SplitMetric:
    """Run a Python file and return a metric of it.

    A function is a formula of tables (see `from_counts`) unless its parameter is called `node`;
    anything else that can be called is a metric as it is.

    Parameters
    ----------
    spec
        'FILE.py:NAME'.
    folder
        Where the file is looked for; None: here.
    """
    found = OF_FILE.fullmatch(spec)
    if found is None:
        raise ParameterError(f"a metric in a file is written FILE.py:NAME, got {spec!r}")
    path = (folder or Path()) / found["path"]
    module = _module(path)
    thing = getattr(module, found["name"], None)
    if not callable(thing):
        known = [name for name, value in vars(module).items() if _is_own(value, module)]
        raise ParameterError(
            f"{path} has no metric {found['name']!r}: {suggestion(found['name'], known)}"
        )
    return _as_metric(thing, spec)


def _is_own(value: object, module: ModuleType) -> bool:
    return callable(value) and getattr(value, "__module__", module.__name__) == module.__name__


def _as_metric(thing: Any, spec: str) -> SplitMetric:
    if isinstance(thing, type):
        raise ParameterError(f"{spec} is a class; give what it makes a name, and name that")
    if not isinstance(thing, FunctionType):
        return cast(SplitMetric, thing)
    takes_node = next(iter(signature(thing).parameters), "") == "node"
    return thing if takes_node else from_counts(thing)


def _module(path: Path) -> ModuleType:
    """Run a file, once for each content it has."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ParameterError(f"cannot read {path}: {error.strerror}") from None
    digest = sha256(content).hexdigest()
    name = f"{path.stem}_{digest[:16]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_loader(name, loader=None, origin=str(path))
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    module.__file__, module.__version__ = str(path), digest  # type: ignore[attr-defined]
    sys.modules[name] = module
    try:
        exec(compile(content, str(path), "exec"), vars(module))  # noqa: S102  (a person named it)
    except Exception as error:
        del sys.modules[name]
        raise ParameterError(f"{path} cannot be run: {type(error).__name__}: {error}") from error
    _send_whole(module)
    return module


def _send_whole(module: ModuleType) -> None:
    """Let joblib and Dask send what the module holds, where they are there."""
    for name in ("joblib.externals.cloudpickle", "cloudpickle"):
        try:
            pickle = importlib.import_module(name)
        except ModuleNotFoundError:
            continue
        pickle.register_pickle_by_value(module)
