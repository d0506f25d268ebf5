"""Modules that have moved: an import of the old name gives the module of the new one, and warns.

So old scripts run, and old pickles, which name the modules of their classes, can be read.
"""

import sys
import warnings
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

_ROOMS = {
    "candidates": "admission blocks choice cuts grouped splits tables",
    "formulas": (
        "composed expectation fixed_point impurity margin_formula named per_table permutation "
        "sums uninformed"
    ),
    "pairs": "distances gaps pair_profile pairing rounding schemes spread",
    "stores": (
        "at_hand bootstrap buffers cases context engine finishing gathering in_memory node nodes "
        "one_node part partition partitioned sorted_nodes"
    ),
}

MOVED = {
    "treelab.estimators": "treelab.sklearn",
    "treelab.transformers": "treelab.sklearn.transformers",
    "treelab.selectors": "treelab.sklearn.selectors",
    "treelab.figures": "treelab.plots",
} | {
    f"treelab.stats.{name}": f"treelab.stats.{room}.{name}"
    for room, names in _ROOMS.items()
    for name in names.split()
}
"""Old names of modules and packages, and where their content is now."""


def new_name(name: str) -> str | None:
    """Return where a module is now; None if it has not moved.

    >>> new_name("treelab.figures.cuts"), new_name("treelab.plots.cuts")
    ('treelab.plots.cuts', None)
    """
    parts = name.split(".")
    for n in range(len(parts), 1, -1):
        package = ".".join(parts[:n])
        if package in MOVED:
            return ".".join([MOVED[package], *parts[n:]])
    return None


class _Redirected(Loader):
    """Puts the module of the new name in the place of the old one: there is no second copy."""

    def __init__(self, new: str) -> None:
        self.new = new

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python to make an empty module, which `exec_module` replaces."""

    def exec_module(self, module: ModuleType) -> None:
        old = module.__name__
        if old in MOVED:  # what is in a package that has moved comes after the package's warning
            words = f"{old} has moved: import {self.new} instead"
            warnings.warn(words, FutureWarning, stacklevel=2)
        sys.modules[old] = import_module(self.new)


class MovedFinder(MetaPathFinder):
    """Finds modules by the names they had."""

    def find_spec(self, fullname: str, *_: object) -> ModuleSpec | None:
        new = new_name(fullname) if fullname.startswith("treelab.") else None
        return None if new is None else ModuleSpec(fullname, _Redirected(new))


def redirect_moved() -> None:
    """Let old names be imported.

    The finder comes first: Python's own would find a file in a package that goes by two names, and
    load it a second time.
    """
    if not any(isinstance(finder, MovedFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, MovedFinder())
