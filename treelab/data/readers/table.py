"""What every format yields, a `Table` of columns as text, and how that becomes a `Dataset`."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray, IntArray
from treelab.data.continuous import check_classes
from treelab.data.dataset import Dataset
from treelab.data.frames import natural_order
from treelab.data.moments import first_problem, is_moment, recognised
from treelab.data.ordering import in_order
from treelab.data.readers.source import Source, stem
from treelab.data.schema import Column, Schema
from treelab.errors import FileFormatError, ParameterError, UnknownNameError, clipped, shown


@attrs.frozen
class Options:
    """What the user wants otherwise than the file says; see `treelab.data.readers.read`."""

    target: str | None = None
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    missing: frozenset[str] | None = None
    weights: str | Sequence[float] | None = None
    header: bool | None = None
    target_is_class: bool = False

    def missing_or(self, usual: Iterable[str]) -> frozenset[str]:
        """Return the words that mean missing: the user's or the format's own."""
        return frozenset(usual) if self.missing is None else self.missing

    def check(self, names: Sequence[str], target: str, weights: object) -> None:
        """Raise unless the names asked for are there and fit each other."""
        weigher = [weights] if isinstance(weights, str) else []
        for name in [*self.nominal, *self.numeric, *([target] if target else []), *weigher]:
            if name not in names:
                raise UnknownNameError("column", name, names)
        if target in self.numeric:
            raise ParameterError(
                f"the target is always nominal, but numeric= names {shown(target)}"
            )
        for name in set(self.nominal).intersection(self.numeric):
            raise ParameterError(f"column {shown(name)} cannot be both nominal and numeric")
        if target in weigher:
            raise ParameterError(f"column {shown(target)} cannot be both target and weights")


class Fields(Protocol):
    """The fields of one column of a file, as text; rows count from 0."""

    def numbers(self) -> tuple[FloatArray, int]:
        """Return the numbers (NaN is missing) and the first row without one, or -1."""

    def codes(self) -> tuple[list[str], IntArray]:
        """Return the labels in any order, and the code of each field (-1 is missing)."""

    def text(self, row: int) -> str:
        """Return a field as it is read."""

    def place(self, row: int) -> tuple[int, int]:
        """Return line and column of a field."""


@attrs.frozen
class Attribute:
    """What a file declares about a column: its kind if any, its labels if any.

    Kinds are 'numeric', 'nominal' and 'ordered'.
    """

    name: str
    kind: str | None = None
    labels: tuple[str, ...] | None = None


@attrs.frozen
class Table:
    """The columns of a file, not yet read, and what the file says about target and weights."""

    source: Source
    attributes: Sequence[Attribute]
    fields: Sequence[Fields]
    cases: int
    target: str
    weights: str | FloatArray | None = None

    def dataset(self, options: Options) -> Dataset:
        """Read every column as the user or the file says, or as its fields suggest."""
        target = self.target if options.target is None else options.target
        weights = self.weights if options.weights is None else options.weights
        self._check(options, target, weights)
        columns = dict(zip(self.names, zip(self.attributes, self.fields, strict=True), strict=True))
        classes, y = Column("", ()), None
        if target:
            declared, fields = columns.pop(target)
            classes, y = self._nominal(declared, fields)
            if not (options.target_is_class or declared.labels):
                check_classes(classes, y)
        if isinstance(weights, str):
            weights = self._numeric(*columns.pop(weights))
        read = [self._feature(_as_asked(a, options), fields) for a, fields in columns.values()]
        schema = Schema(tuple(column for column, _ in read), classes)
        case_weights = None if weights is None else np.asarray(weights, dtype=float)
        arrays = [values for _, values in read]
        for values in arrays:
            values.flags.writeable = False  # a data set copies only what others might write to
        return Dataset.of(schema, arrays, y, case_weights, stem(self.source.path), self.cases)

    @property
    def names(self) -> list[str]:
        return [attribute.name for attribute in self.attributes]

    def _check(self, options: Options, target: str, weights: object) -> None:
        self._check_names()
        options.check(self.names, target, weights)
        if not self.cases:
            raise FileFormatError(f"{self.source.name} holds no cases")

    def _check_names(self) -> None:
        if "" in self.names:
            place = self.names.index("") + 1
            raise FileFormatError(f"{self.source.name}: column {place} has no name")
        check_distinct(self.source.name, self.names)

    def _feature(self, attribute: Attribute, fields: Fields) -> tuple[Column, AnyArray]:
        if attribute.kind == "nominal":
            return self._nominal(attribute, fields)
        if attribute.kind == "ordered":
            return in_order(*self._nominal(attribute, fields))
        values, bad = fields.numbers()
        if bad >= 0 and is_moment(fields.text(bad).strip()):
            found = self._moments(attribute, fields)
            if found is not None:
                return found
        if bad >= 0 and attribute.kind is None:
            return self._nominal(attribute, fields)
        return Column(attribute.name), self._checked(values, bad, attribute, fields)

    def _moments(self, attribute: Attribute, fields: Fields) -> tuple[Column, AnyArray] | None:
        """Read dates or times; None where not all are, unless the column is said to be numeric."""
        labels, codes = fields.codes()
        found = recognised(labels)
        if found is not None:
            scale, numbers = found
            return Column(attribute.name, scale=scale), np.append(numbers, np.nan)[codes]
        if attribute.kind is None or not is_moment(labels[0].strip()):
            return None
        code, problem = first_problem(labels)
        what = f"{problem}, but column {shown(attribute.name)} holds dates or times"
        raise self._broken(fields, int((codes == code).argmax()), what)

    def _numeric(self, attribute: Attribute, fields: Fields) -> FloatArray:
        return self._checked(*fields.numbers(), attribute, fields)

    def _checked(
        self, values: FloatArray, bad: int, attribute: Attribute, fields: Fields
    ) -> FloatArray:
        name = shown(attribute.name)
        if bad >= 0:
            what = f"{shown(fields.text(bad))} is not a number, but column {name} is numeric"
            raise self._broken(fields, bad, what)
        infinite = np.isinf(values)
        if infinite.any():
            row = int(infinite.argmax())
            what = f"column {name} holds an infinite number, {shown(fields.text(row))}"
            raise self._broken(fields, row, what)
        return values

    def _nominal(self, attribute: Attribute, fields: Fields) -> tuple[Column, IntArray]:
        found, codes = fields.codes()
        labels = attribute.labels or tuple(sorted(found, key=natural_order))
        ranks = {label: rank for rank, label in enumerate(labels)}
        for code, label in enumerate(found):
            if label not in ranks:
                row = int((codes == code).argmax())
                what = (
                    f"{shown(label)} is not a label of {shown(attribute.name)} ({_listed(labels)})"
                )
                raise self._broken(fields, row, what)
        recode = np.array([*(ranks[label] for label in found), -1], dtype=np.int32)
        return Column(attribute.name, labels), recode[codes]

    def _broken(self, fields: Fields, row: int, what: str) -> FileFormatError:
        line, column = fields.place(row)
        return self.source.broken(line, what, column)


def check_distinct(file: str, names: Sequence[str]) -> None:
    """Raise if two columns of a file have one name."""
    seen: dict[str, int] = {}
    for place, name in enumerate(names, 1):
        first = seen.setdefault(name, place)
        if first != place:
            what = f"columns {first} and {place} are both called {shown(name)}"
            raise FileFormatError(f"{file}: {what}")


def number(text: str) -> float:
    """Return `float(text)`, but take neither 1_000 nor digits of other scripts for a number.

    >>> number("1e3")
    1000.0
    """
    if "_" in text or not text.isascii():
        raise ValueError(f"{shown(text)} is not a number")
    return float(text)


def is_number(text: str) -> bool:
    """Tell whether a text is a number."""
    try:
        number(text)
    except ValueError:
        return False
    return True


def _as_asked(attribute: Attribute, options: Options) -> Attribute:
    if attribute.name in options.numeric:
        return Attribute(attribute.name, "numeric")
    if attribute.name in options.nominal:
        return attrs.evolve(attribute, kind="nominal")
    return attribute


def _listed(labels: Sequence[str]) -> str:
    return ", ".join(map(clipped, labels[:12])) + (", ..." if len(labels) > 12 else "")
