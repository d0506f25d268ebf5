"""Where the data of a study come from, and what they are: found by every worker for itself."""

import warnings
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any

import attrs
import numpy as np

from treelab._files import is_file
from treelab._typing import IndexArray
from treelab.data.bundled import find, load
from treelab.data.dataset import Dataset
from treelab.data.folds import folds_by_content
from treelab.data.readers import parted, read
from treelab.errors import DataError, DataWarning, ParameterError
from treelab.reduce import stratified


@attrs.frozen
class Bundled:
    """A data set that comes with treelab, or a part of it, by any of its names.

    `cases`: no more than so many of its cases, drawn at random in each class; None: all.
    """

    label: str
    cases: int | None = None

    def read(self) -> Dataset:
        data = load(self.label)
        if self.cases is None or self.cases >= len(data):
            return data
        return stratified(data, self.cases, seed=0).data

    def __str__(self) -> str:
        return self.label if self.cases is None else f"{self.label} (at most {self.cases} cases)"


def _absolute(path: str) -> str:
    """Return where a file is for workers that were started in another folder, too."""
    with suppress(OSError):  # the folder at hand is gone: reading will tell
        path = str(Path(path).absolute())
    return str(path)


def frozen(options: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    """Return keywords in a form that can be looked up."""
    return tuple(
        (name, tuple(map(str, value)) if isinstance(value, list | tuple) else value)
        for name, value in options.items()
    )


@attrs.frozen
class DataFile:
    """A file that `treelab.read` can read, and its further keywords."""

    path: str = attrs.field(converter=_absolute)
    target: str | None = None
    label: str = attrs.field()
    options: tuple[tuple[str, Any], ...] = ()

    @label.default
    def _file_name(self) -> str:
        path, table = parted(self.path)
        return path.stem if table is None else table

    def read(self) -> Dataset:
        return read(self.path, self.target, **dict(self.options))

    def __str__(self) -> str:
        return self.label


@attrs.frozen(eq=False)
class InMemory:
    """A data set that only this process has; it travels to the workers with every trial."""

    data: Dataset
    label: str = attrs.field()

    @label.default
    def _name(self) -> str:
        return self.data.name

    def read(self) -> Dataset:
        return self.data

    def __str__(self) -> str:
        return self.label


Source = Bundled | DataFile | InMemory


def source(given: str | PathLike[str] | Source | Dataset) -> Source:
    """Return the source of data given as a file, a bundled name, a data set or a source."""
    if isinstance(given, Dataset):
        return InMemory(given)
    if isinstance(given, Source):
        return given
    if isinstance(given, str | PathLike):
        name = str(given)
        return DataFile(name) if is_file(parted(name)[0]) else Bundled(_known(name))
    what = type(given).__name__
    raise ParameterError(f"data must be bundled names, files or Dataset objects, got {what}")


def _known(name: str) -> str:
    find(name)
    return name


def usable(where: Source) -> Dataset:
    """Return the cases of known class and weight above 0."""
    data = where.read()
    if not data.target:
        raise DataError(f"the data {where.label!r} have no target to predict")
    return data.usable()


def checksum(data: Dataset) -> str:
    """Return what changes when a value, a label, a name or a weight changes."""
    digest = sha256(repr(data.schema).encode())
    for array in (*data.columns, data.y, data.weights):
        # Every NaN is the same missing value, whatever its bits.
        digest.update(np.where(array != array, np.nan, array).tobytes())
    return digest.hexdigest()


@lru_cache(maxsize=4)
def loaded(where: Source, expected: str) -> Dataset:
    """Return the cases, which must be those the study began with."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # it was told when the study began
        data = usable(where)
    if checksum(data) != expected:
        raise DataError(f"the data {where.label!r} changed while the study was running")
    return data


@lru_cache(maxsize=16)
def folds_of(where: Source, expected: str, folds: int, seed: int, repetition: int) -> IndexArray:
    """Return the fold of each case: the same for all learners, whatever the order of the cases."""
    return folds_by_content(loaded(where, expected), folds, seed, repetition)
