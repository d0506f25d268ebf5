"""Where the data of a session come from, and the Python lines that read them again."""

import warnings
from collections.abc import Mapping
from threading import Lock
from typing import Any, Protocol

import attrs
import numpy as np

from treelab._typing import IndexArray
from treelab.data.dataset import Dataset
from treelab.data.readers import read
from treelab.data.schema import Column
from treelab.errors import (
    DataError,
    DataWarning,
    ParameterError,
    UnknownNameError,
    check_choice,
    check_number,
    check_share,
    shown,
)
from treelab.reduce import stratified

READING = ("decimal", "delimiter", "encoding", "header", "missing_marks", "target_is_class")
KINDS = ("nominal", "numeric")

_reading = Lock()
"""Warnings are caught for all threads at once: one reads at a time."""


@attrs.frozen
class Hold:
    """How many cases are held out, and by which draw."""

    share: float
    seed: int = 0

    @classmethod
    def of(cls, given: Any) -> "Hold | None":
        """Read what the page says."""
        if given is None:
            return None
        check_entries("hold", given, ("share", "seed"))
        hold = cls(given.get("share", 0), given.get("seed", 0))
        check_share("the share that is held out", hold.share, 0.9)
        if hold.share == 0:
            return None
        check_number("seed", hold.seed, 0, whole=True)
        return hold


@attrs.frozen
class Asked:
    """What is asked of data besides their source; None, or nothing, where nothing is."""

    target: str | None = None
    drop: tuple[str, ...] = ()
    kinds: tuple[tuple[str, str], ...] = ()
    weights: str | None = None
    hold: Hold | None = None
    reading: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Asked":
        """Read what the page says."""
        kinds, reading = given.get("kinds") or {}, given.get("reading") or {}
        check_entries("reading", reading, READING)
        if not isinstance(kinds, Mapping):
            raise ParameterError(f"kinds are given by column, got {shown(kinds)}")
        for kind in kinds.values():
            check_choice("kind", kind, KINDS)
        for name in ("target", "weights"):
            if not isinstance(given.get(name), str | None):
                raise ParameterError(f"{name} is the name of a column, got {shown(given[name])}")
        return cls(
            given.get("target"), names_in("drop", given.get("drop") or ()),
            tuple(sorted(kinds.items())), given.get("weights"), Hold.of(given.get("hold")),
            tuple((name, reading[name]) for name in READING if reading.get(name) is not None),
        )  # fmt: skip

    def of_kind(self, kind: str) -> list[str]:
        """Return the columns that are to be of a kind."""
        return [name for name, wanted in self.kinds if wanted == kind]

    @property
    def options(self) -> dict[str, Any]:
        """What is asked, as keywords of `treelab.read`."""
        said: dict[str, Any] = {kind: self.of_kind(kind) for kind in KINDS}
        said |= {"weights": self.weights, "drop": list(self.drop), **dict(self.reading)}
        return {name: value for name, value in said.items() if value not in (None, [])}

    @property
    def plain(self) -> dict[str, Any]:
        """What the page is told of it."""
        return {
            "target": self.target, "drop": list(self.drop), "kinds": [list(k) for k in self.kinds],
            "weights": self.weights, "hold": self.hold and attrs.asdict(self.hold),
            "reading": dict(self.reading),
        }  # fmt: skip


class Source(Protocol):
    """Data, to be read as asked; `plain` is what the page calls it."""

    @property
    def plain(self) -> dict[str, Any]: ...

    def read(self, asked: Asked) -> Dataset:
        """Return the data."""

    def lines(self, asked: Asked) -> list[str]:
        """Return the lines of Python that make the same `data`."""


@attrs.frozen
class File:
    """A file; `said` is how the Python lines name it, `options` what was said at the start."""

    path: str
    said: str
    plain: dict[str, Any]
    target: str | None = None
    options: Mapping[str, Any] = attrs.field(factory=dict)

    def _call(self, asked: Asked) -> tuple[str | None, dict[str, Any]]:
        given = {**self.options, **asked.options}
        for kind in KINDS:  # what was said at the start holds unless it is changed
            first = [n for n in self.options.get(kind, ()) if n not in dict(asked.kinds)]
            if kind in given:
                given[kind] = [*first, *asked.of_kind(kind)]
        return self.target if asked.target is None else asked.target, given

    def read(self, asked: Asked) -> Dataset:
        target, options = self._call(asked)
        return read(self.path, target, **options)

    def lines(self, asked: Asked) -> list[str]:
        target, options = self._call(asked)
        return [f"data = tl.read({call_text(self.said, target=target, **options)})"]


@attrs.frozen
class InMemory:
    """Data that are at hand: bundled, made to order, or given to `treelab.lab`."""

    plain: dict[str, Any]
    line: str
    data: Dataset

    def read(self, asked: Asked) -> Dataset:
        data = self.data
        if asked.weights is not None or asked.reading:
            raise ParameterError("weights and reading options are for files")
        if not self._is_retyped(asked):
            return without(data, asked.drop)
        weights: Any = data.weights
        frame = data.to_frame().drop(columns=list(asked.drop))
        return Dataset.from_frame(frame, name=data.name, weights=weights, **self._new(asked))

    def _is_retyped(self, asked: Asked) -> bool:
        for name in (*asked.drop, *dict(asked.kinds)):
            if name != self.data.target:
                self.data.schema.index(name)
        kinds = [(name, kind) for name, kind in asked.kinds if self._kind(name) != kind]
        return asked.target not in (None, self.data.target) or bool(kinds)

    def _kind(self, name: str) -> str:
        column = self.data.schema.target
        return (column if name == column.name else self._column(name)).kind

    def _column(self, name: str) -> Column:
        return self.data.schema.features[self.data.schema.index(name)]

    def _new(self, asked: Asked) -> dict[str, Any]:
        target = self.data.target if asked.target is None else asked.target
        kinds = {k: [n for n in asked.of_kind(k) if n != target] for k in KINDS}
        return {"target": target, **{kind: names for kind, names in kinds.items() if names}}

    def lines(self, asked: Asked) -> list[str]:
        lines = [f"data = {self.line}"]
        if self._is_retyped(asked):
            dropped = f".drop(columns={list(asked.drop)!r})" if asked.drop else ""
            new = call_text(name=self.data.name, **self._new(asked))
            lines.append(f"frame = data.to_frame(){dropped}")
            lines.append(f"data = tl.Dataset.from_frame(frame, {new}, weights=data.weights)")
        elif asked.drop:
            kept = [name for name in self.data.features if name not in asked.drop]
            lines.append(f"data = data.select({kept!r})")
        return lines


@attrs.frozen(eq=False)
class Opened:
    """The data of a session: those to learn from, with their rows, and those held out."""

    source: Source
    asked: Asked
    data: Dataset
    training: Dataset
    rows: IndexArray
    held_out: Dataset | None
    warnings: tuple[str, ...]

    def lines(self) -> list[str]:
        """Return the lines of Python that make `data`, and `held_out` if cases are held out."""
        lines, hold = self.source.lines(self.asked), self.asked.hold
        if hold is None:
            return lines
        return [
            *lines,
            f"drawn = tl.reduce.stratified(data, {hold.share!r}, seed={hold.seed!r})",
            "seen = sorted({*range(len(data))} - {*drawn.rows.tolist()})",
            "data, held_out = data.take(seen), drawn.data",
        ]


def opened(source: Source, asked: Asked) -> Opened:
    """Read data, and hold cases out before anybody has looked at them."""
    with _reading, warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always", DataWarning)
        data = source.read(asked)
    if not data.target:
        raise DataError("choose the column to predict: the data have no target")
    rows, held_out = np.arange(len(data)), None
    if asked.hold is not None:
        drawn = stratified(data, asked.hold.share, seed=asked.hold.seed)
        rows, held_out = np.setdiff1d(rows, drawn.rows), drawn.data
    sentences = dict.fromkeys(str(w.message) for w in heard if issubclass(w.category, DataWarning))
    training = data if held_out is None else data.take(rows)
    return Opened(source, asked, data, training, rows, held_out, tuple(sentences))


def without(data: Dataset, names: tuple[str, ...]) -> Dataset:
    """Return data without some features."""
    if data.target in names:
        raise ParameterError(f"{data.target!r} is the target: it cannot be dropped")
    for name in names:
        data.schema.index(name)
    return data.select([name for name in data.features if name not in names]) if names else data


def call_text(*given: Any, **named: Any) -> str:
    """Write the arguments of a call; what is None, or nothing, is left out.

    >>> call_text("a.csv", target="class", drop=[])
    "'a.csv', target='class'"
    """
    words = [repr(value) for value in given]
    said = {name: value for name, value in named.items() if value not in (None, [], ())}
    return ", ".join([*words, *(f"{name}={value!r}" for name, value in said.items())])


def names_in(what: str, given: Any) -> tuple[str, ...]:
    """Return a list of names, or say that it is none."""
    if isinstance(given, str) or not isinstance(given, list | tuple):
        raise ParameterError(f"{what} must be a list of names, got {shown(given)}")
    for name in given:
        if not isinstance(name, str):
            raise ParameterError(f"{what} must be a list of names, got {shown(name)} in it")
    return tuple(given)


def check_entries(what: str, given: Any, known: tuple[str, ...]) -> None:
    """Raise unless a value is an object with no other entries than those known."""
    if not isinstance(given, Mapping):
        raise ParameterError(f"{what} must be an object, got {shown(given)}")
    for name in given:
        if name not in known:
            raise UnknownNameError("entry", name, known, of=what)
