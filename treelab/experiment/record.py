"""What a piece of work gave: figures, or the error that ended it."""

import platform
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from time import perf_counter
from typing import Any, ClassVar, Protocol

import attrs
from attrs.converters import optional

from treelab import __version__


def _text(error: str) -> str:
    """Return what can be written: an error may tell the name of a file, which may be any bytes."""
    return error.encode("utf-8", "backslashreplace").decode()


@attrs.frozen
class Record:
    """The figures of a piece of work by name; `spent` are the seconds of all of it."""

    values: dict[str, float] = attrs.field(factory=dict)
    error: str | None = attrs.field(default=None, converter=optional(_text))
    spent: float = 0.0
    environment: str = ""


class Work(Protocol):
    """A piece of work: what a runner carries out and a store keeps. `str` names it to people."""

    table: ClassVar[str]

    @property
    def key(self) -> str:
        """The name of the result: made of everything the result depends on."""
        ...

    @property
    def columns(self) -> dict[str, Any]:
        """What a store keeps of the work itself, by column."""
        ...

    def carry_out(self) -> Record:
        """Do it; an error ends this work, not the study."""
        ...


def recorded(work: Callable[[], dict[str, float]]) -> Record:
    """Return the record of a piece of work."""
    start = perf_counter()
    values: dict[str, float] = {}
    problem = None
    try:
        values = work()
    except Exception as error:  # whatever a metric or an estimator of others may raise
        problem = f"{type(error).__name__}: {' '.join(str(error).split())}"
    return Record(values, problem, perf_counter() - start, environment())


@cache
def environment() -> str:
    """Return the versions that a result was made with."""
    packages = ("numpy", "numba", "scipy", "scikit-learn")
    versions = [f"{package} {version(package)}" for package in packages]
    python = f"Python {platform.python_version()}"
    return ", ".join([f"treelab {__version__}", python, *versions])
