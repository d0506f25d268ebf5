"""What every format yields, a `Table` of columns as text, and how that becomes a `Dataset`."""

from collections.abc import Iterable, Sequence
from typing import Protocol

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray, IntArray
from treelab.data.continuous import check_classes
from treelab.data.dataset import Dataset
from treelab.data.dirty import DirtyColumn, Found, Written, moments_among, settle
from treelab.data.doubts import distinct_names, warn_of_points
from treelab.data.labels import natural_order
from treelab.data.moments import first_problem, is_moment
from treelab.data.notation import Marks
from treelab.data.ordering import in_order
from treelab.data.readers.source import Source
from treelab.data.schema import Column, Schema
from treelab.errors import (
    FileFormatError,
    NoCasesError,
    ParameterError,
    UnknownNameError,
    clipped,
    shown,
)


@attrs.frozen
class Options:
    """What the user wants otherwise than the file says; see `treelab.data.readers.read`."""

    target: str | None = None
    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    weights: str | Sequence[float] | None = None
    drop: tuple[str, ...] = ()
    missing_marks: tuple[str, ...] | None = None
    decimal: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    target_is_class: bool = False
    table: str | None = None
    max_bytes: int | None = None

    def missing_or(self, usual: Iterable[str]) -> frozenset[str]:
        """Return the words that mean missing: the user's or the format's own."""
        return Marks.of(self.missing_marks, usual).certain

    def doubts(self, attribute: "Attribute") -> bool:
        """Tell whether a column may hold numbers that are not written as Python writes them."""
        return attribute.kind is None or (attribute.kind == "numeric" and self.decimal is not None)

    def doubtful_in(self, attribute: "Attribute") -> frozenset[str]:
        """Return the words that mean missing in a column if it is one of numbers."""
        return Marks.of(self.missing_marks).doubtful if attribute.kind is None else frozenset()

    def check(self, names: Sequence[str], target: str, weights: object) -> None:
        """Raise unless the names asked for are there and fit each other."""
        weigher = [weights] if isinstance(weights, str) else []
        wanted = [*self.nominal, *self.numeric, *([target] if target else []), *weigher]
        known = set(names)
        for name in [*wanted, *self.drop]:
            if name not in known:
                raise UnknownNameError("column", name, names)
        for name in set(wanted).intersection(self.drop):
            raise ParameterError(f"column {shown(name)} cannot be both dropped and used")
        if target in self.numeric:
            raise ParameterError(
                f"the target is always nominal, but numeric= names {shown(target)}"
            )
        for name in set(self.nominal).intersection(self.numeric):
            raise ParameterError(f"column {shown(name)} cannot be both nominal and numeric")
        if target in weigher:
            raise ParameterError(f"column {shown(target)} cannot be both target and weights")


class Fields(Found, Protocol):
    """The fields of one column of a file, as text; rows count from 0."""

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


class DirtyFields(DirtyColumn):
    """The fields of a column whose kind the file does not declare."""

    found: Fields

    def written(self, decimal: str, marks: frozenset[str]) -> Written:
        return self.found.written(decimal, marks)

    def text(self, row: int) -> str:
        return self.found.text(row)

    def place(self, row: int) -> tuple[int, int]:
        return self.found.place(row)


Columns = dict[str, tuple[Attribute, Fields]]


@attrs.frozen
class Table:
    """The columns of a file, not yet read, and what the file says about target and weights."""

    source: Source
    attributes: Sequence[Attribute]
    fields: Sequence[Fields]
    cases: int
    target: str
    weights: str | FloatArray | None = None
    delimiter: str | None = None

    def dataset(self, options: Options) -> Dataset:
        """Read every column as the user or the file says, or as its fields suggest."""
        named = self._with_distinct_names()
        target = named._target(options)
        weights = named._weights(options)
        named._check(options, target, weights)
        columns = named._columns(options, target)
        classes, y = Column("", ()), None
        if target:
            classes, y = self._classes(*columns.pop(target), options)
        if isinstance(weights, str):
            weights = self._numeric(*columns.pop(weights))
        read = [self._feature(_as_asked(a, options), fields) for a, fields in columns.values()]
        _warn_of_doubts([column for column, _ in read], columns)
        schema = Schema(tuple(column for column, _ in read), classes)
        case_weights = None if weights is None else np.asarray(weights, dtype=float)
        arrays = [values for _, values in read]
        for values in arrays:
            values.flags.writeable = False  # a data set copies only what others might write to
        return Dataset.of(schema, arrays, y, case_weights, self.source.stem, self.cases)

    @property
    def names(self) -> list[str]:
        return [attribute.name for attribute in self.attributes]

    def _check(self, options: Options, target: str, weights: object) -> None:
        options.check(self.names, target, weights)
        if not self.cases:
            raise NoCasesError(f"{self.source.name} holds no cases")

    def _with_distinct_names(self) -> "Table":
        if not self.names:
            raise FileFormatError(f"{self.source.name} has no column that is not to be skipped")
        if "" in self.names:
            place = self.names.index("") + 1
            raise FileFormatError(f"{self.source.name}: column {place} has no name")
        names = distinct_names(self.names)
        pairs = zip(self.attributes, names, strict=True)
        attributes = [attrs.evolve(attribute, name=name) for attribute, name in pairs]
        # The last column is the target also where another has its name.
        target = names[-1] if self.names[-1] == self.target else self.target
        return attrs.evolve(self, attributes=attributes, target=target)

    def _target(self, options: Options) -> str:
        """Return the target: the user's, the file's or, where that is dropped, the last column."""
        if options.target is not None or self.target not in options.drop:
            return self.target if options.target is None else options.target
        return next((name for name in reversed(self.names) if name not in options.drop), "")

    def _weights(self, options: Options) -> str | Sequence[float] | FloatArray | None:
        if options.weights is not None:
            return options.weights
        is_dropped = isinstance(self.weights, str) and self.weights in options.drop
        return None if is_dropped else self.weights

    def _columns(self, options: Options, target: str) -> Columns:
        """Return what is to be read; undeclared columns of numbers have one notation."""
        kept = {
            attribute.name: (attribute, fields)
            for attribute, fields in zip(self.attributes, self.fields, strict=True)
            if attribute.name not in options.drop
        }
        dirty = {
            name: DirtyFields(fields, options.doubtful_in(attribute))
            for name, (attribute, fields) in kept.items()
            if name not in (target, *options.nominal) and options.doubts(attribute)
        }
        settle(list(dirty.values()), options.decimal, self.delimiter == ",")
        for name, fields in dirty.items():
            if options.decimal is None and fields.decimal == "," and fields.has_points:
                warn_of_points(name)
            kept[name] = kept[name][0], fields
        return kept

    def _feature(self, attribute: Attribute, fields: Fields) -> tuple[Column, AnyArray]:
        if attribute.kind == "nominal":
            return self._nominal(attribute, fields)
        if attribute.kind == "ordered":
            return in_order(*self._nominal(attribute, fields))
        values, bad = fields.numbers()
        if bad >= 0 and (found := self._moments(attribute, fields)):
            return found
        if bad >= 0 and attribute.kind is None:
            return self._nominal(attribute, fields)
        return Column(attribute.name), self._checked(values, bad, attribute, fields)

    def _moments(self, attribute: Attribute, fields: Fields) -> tuple[Column, AnyArray] | None:
        """Read dates or times; None where not all are, unless the column is said to be numeric."""
        labels, codes = fields.codes()
        marks = fields.doubtful if isinstance(fields, DirtyFields) else frozenset()
        if found := moments_among(labels, codes, marks):
            return Column(attribute.name, scale=found[0]), found[1]
        dates = [label for label in labels if label.strip() not in marks]
        if attribute.kind is None or not dates or not is_moment(dates[0].strip()):
            return None
        place, problem = first_problem(dates)
        what = f"{problem}, but column {shown(attribute.name)} holds dates or times"
        raise self._broken(fields, int((codes == labels.index(dates[place])).argmax()), what)

    def _numeric(self, attribute: Attribute, fields: Fields) -> FloatArray:
        return self._checked(*fields.numbers(), attribute, fields)

    def _checked(
        self, values: FloatArray, bad: int, attribute: Attribute, fields: Fields
    ) -> FloatArray:
        name = shown(attribute.name)
        if bad >= 0:
            field = shown(fields.text(bad))
            what = f"{field} is not a number, but column {name} is numeric{_hint(field)}"
            raise self._broken(fields, bad, what)
        infinite = np.isinf(values)
        if infinite.any():
            row = int(infinite.argmax())
            what = f"column {name} holds an infinite number, {shown(fields.text(row))}"
            raise self._broken(fields, row, what)
        return values

    def _classes(
        self, attribute: Attribute, fields: Fields, options: Options
    ) -> tuple[Column, IntArray]:
        classes, y = self._nominal(attribute, fields)
        if not (options.target_is_class or attribute.labels):
            check_classes(classes, y)
        return classes, y

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


def _as_asked(attribute: Attribute, options: Options) -> Attribute:
    if attribute.name in options.numeric:
        return Attribute(attribute.name, "numeric")
    if attribute.name in options.nominal:
        return attrs.evolve(attribute, kind="nominal")
    return attribute


def _listed(labels: Sequence[str]) -> str:
    return ", ".join(map(clipped, labels[:12])) + (", ..." if len(labels) > 12 else "")


def _hint(field: str) -> str:
    """Return which options settle what a field means."""
    comma = "; decimal= (--decimal) says what a comma means" if "," in field else ""
    return f" (missing_marks= or --missing-marks names what means missing{comma})"


def _warn_of_doubts(read: Sequence[Column], columns: Columns) -> None:
    """Warn of columns of labels that may be meant as numbers."""
    for column in read:
        fields = columns[column.name][1]
        if column.is_nominal and isinstance(fields, DirtyFields) and (doubt := fields.doubt()):
            doubt.warn(column.name)
