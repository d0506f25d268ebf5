"""Data frames, read through narwhals: one code for pandas, polars and pyarrow."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from itertools import compress
from numbers import Real
from typing import Any

import attrs
import numpy as np

from treelab._typing import AnyArray
from treelab.data.continuous import check_classes
from treelab.data.dirty import settle
from treelab.data.distinct import distinct_values
from treelab.data.doubts import distinct_names
from treelab.data.frame_scales import is_ordered, moments_of
from treelab.data.instants import values_of
from treelab.data.labels import coded, is_null, labelled
from treelab.data.notation import Marks
from treelab.data.ordering import in_order
from treelab.data.schema import Column, Schema
from treelab.data.texts import TextColumn
from treelab.errors import DataError, ParameterError, UnknownNameError, shown, words

WHOLE = 2**53
"""Below it a float holds every whole number."""

Feature = tuple[Column, AnyArray]
Parts = tuple[Schema, list[AnyArray], AnyArray, AnyArray | None]


def read_frame(
    frame: Any,
    target: str | None,
    weights: str | Sequence[float] | None,
    nominal: Sequence[str],
    numeric: Sequence[str],
    needed: Collection[str] | None = None,
    marks: Marks | None = None,
    decimal: str | None = None,
    target_is_class: bool = False,
) -> Parts:
    """Take a frame apart into schema, columns, class codes and weights; only what is needed."""
    table = eager(frame)
    series = by_name(table)
    if needed is not None:
        series = {name: series[name] for name in needed}
    return read_columns(
        series, len(table), target, weights, nominal, numeric, marks, decimal, target_is_class
    )


def read_columns(
    series: Mapping[str, Any],
    cases: int,
    target: str | None,
    weights: str | Sequence[float] | None,
    nominal: Sequence[str],
    numeric: Sequence[str],
    marks: Marks | None = None,
    decimal: str | None = None,
    target_is_class: bool = False,
) -> Parts:
    """Read columns, each by the name it is to have; each is asked for once, and not kept."""
    target = None if target is None else str(target)
    nominal, numeric = words("nominal", nominal), words("numeric", numeric)
    weight_name = weights if isinstance(weights, str) else None
    _check_names(series, target, weight_name, nominal, numeric)
    reading = Reading([*nominal, target], numeric, weight_name, marks or Marks(), is_kept=True)
    read = reading.features(series, decimal)
    target_column, y = Column("", ()), np.full(cases, -1)
    if target is not None:
        target_column, y = read.pop(target)
        if not (target_is_class or target in reading.categorical):
            check_classes(target_column, y)
    given: Any = read.pop(weight_name)[1] if weight_name is not None else weights
    case_weights = None if given is None else np.asarray(given)
    schema = Schema(tuple(column for column, _ in read.values()), target_column)
    return schema, [values for _, values in read.values()], y, case_weights


def read_features(
    series: Mapping[str, Any], nominal: Collection[str], numeric: Collection[str], marks: Marks
) -> dict[str, Feature]:
    """Read columns that are features, each by the name it is to have; numbers are not copied."""
    return Reading(nominal, numeric, None, marks, is_kept=False).features(series, None)


@attrs.define
class Reading:
    """What the columns of a frame are to be read as.

    Parameters
    ----------
    nominal, numeric, weights
        The names of columns of labels, of numbers, and the one of case weights.
    marks
        What means missing in columns of text.
    is_kept
        Whether values are copied: what nobody else can write to a data set may have as it is.
    categorical
        The names of the columns that were found to be of a type with categories.
    """

    nominal: Collection[str | None]
    numeric: Collection[str]
    weights: str | None
    marks: Marks
    is_kept: bool
    categorical: set[str] = attrs.field(factory=set, init=False)

    def features(self, series: Mapping[str, Any], decimal: str | None) -> dict[str, Feature]:
        """Read columns; those of text, whose kind is not known, settle one notation together."""
        found = {name: self._found(name, series[name]) for name in series}
        texts = {name: text for name, text in found.items() if isinstance(text, TextColumn)}
        settle([text for name, text in texts.items() if name not in self.nominal], decimal)
        return {
            name: self._read_text(name, column) if isinstance(column, TextColumn) else column
            for name, column in found.items()
        }

    def _found(self, name: str, series: Any) -> Feature | TextColumn:
        if _is_categorical(series):
            self.categorical.add(name)
        if is_text(series):
            with suppress(TypeError):  # lists or records, which reading the column will tell
                return TextColumn.of(*_coded(series), self.marks)
        if name == self.weights:
            return self._kept(Column(name), _read_numeric(series, name))
        return self._kept(*_read_series(series, name, name in self.nominal, name in self.numeric))

    def _read_text(self, name: str, text: TextColumn) -> Feature:
        is_weight = name == self.weights
        column, values = text.read(name, name in self.nominal, is_weight or name in self.numeric)
        if is_weight and column.scale is not None:
            raise DataError(f"column {shown(name)} holds dates or times, which are no weights")
        return self._kept(column, values)

    def _kept(self, column: Column, values: AnyArray) -> Feature:
        if self.is_kept:
            values = np.array(values)
            values.flags.writeable = False
        return column, values


def eager(frame: Any) -> Any:
    """Return the narwhals view of a frame, collecting a lazy one."""
    import narwhals as nw
    from narwhals.exceptions import DuplicateError

    try:
        table = nw.from_native(frame)
        table = table.collect() if isinstance(table, nw.LazyFrame) else table
        table.columns  # noqa: B018  pandas frames are checked for equal names only here
    except TypeError:
        raise DataError(
            f"expected a data frame (pandas, polars, pyarrow, ...), got {type(frame).__name__}"
        ) from None
    except DuplicateError:
        return eager(_renamed(frame))
    return table


def _renamed(frame: Any) -> Any:
    """Return a frame of pandas or pyarrow with names that differ."""
    if hasattr(frame, "rename_columns"):
        return frame.rename_columns(distinct_names(list(map(str, frame.column_names))))
    return frame.set_axis(distinct_names(list(map(str, frame.columns))), axis=1)


def by_name(table: Any) -> dict[str, Any]:
    """Return the columns of the narwhals view of a frame, each by the name it prints."""
    names = distinct_names(list(map(str, table.columns)))
    return {name: table.get_column(own) for name, own in zip(names, table.columns, strict=True)}


def _check_names(
    known: Mapping[str, Any],
    target: str | None,
    weights: str | None,
    nominal: Sequence[str],
    numeric: Sequence[str],
) -> None:
    for name in (target, weights, *nominal, *numeric):
        if name is not None and name not in known:
            raise UnknownNameError("column", name, known)
    if target is not None and target == weights:
        raise ParameterError(f"column {shown(target)} cannot be both target and weights")
    for name in numeric:
        if name == target or name in nominal:
            raise ParameterError(f"column {shown(name)} cannot be both nominal and numeric")


def is_text(series: Any) -> bool:
    """Tell whether a column is one of text by its type, or of what has no type and is no number.

    Times of day are written as text, too: narwhals makes no numbers of them.
    """
    import narwhals as nw

    types = (nw.String, nw.Object, nw.Unknown, nw.Time)
    return series.dtype in types and not _is_numeric(series)


def _read_series(
    series: Any, name: str, as_nominal: bool, as_numeric: bool
) -> tuple[Column, AnyArray]:
    if as_nominal:
        return _read_nominal(series, name)
    if series.dtype.is_temporal():
        scale, numbers = moments_of(series)
        return Column(name, scale=scale), numbers
    if as_numeric or _is_numeric(series):
        return Column(name), _read_numeric(series, name)
    if is_ordered(series):
        return in_order(*_read_nominal(series, name))
    return _read_nominal(series, name)


def _is_numeric(series: Any) -> bool:
    """Tell numbers by the column's type or, where it has none, by its values."""
    import narwhals as nw

    dtype = series.dtype
    if dtype not in (nw.Object, nw.Unknown):
        return bool(dtype.is_numeric())
    return all(
        isinstance(value, Real | Decimal) and not isinstance(value, bool)
        for value in series.to_list()
        if not is_null(value)
    )


def holds_numbers(series: Any, name: str) -> bool:
    """Tell whether a column is one of numbers, and none so long that floats may mix them up."""
    return _is_numeric(series) and not (np.abs(_read_numeric(series, name)) >= WHOLE).any()


def _read_numeric(series: Any, name: str) -> AnyArray:
    import narwhals as nw

    dtype = series.dtype
    problem = DataError(f"column {shown(name)} holds values that are not numbers")
    if dtype.is_temporal() or dtype.is_nested():
        raise problem
    try:
        is_plain = dtype.is_numeric() and dtype not in (nw.Int128, nw.UInt128)  # numpy has none
        if is_plain and (plain := series.to_numpy()).dtype.kind in "fiu":
            return np.asarray(plain, float)  # most columns; NaN is null there
        if dtype in (nw.Object, nw.Unknown):
            values = [np.nan if is_null(v) else float(v) for v in series.to_list()]
            return np.array(values, dtype=float)
        if dtype in (nw.Categorical, nw.Enum):
            series = series.cast(nw.String())
        return np.asarray(series.cast(nw.Float64()).fill_null(np.nan).to_numpy(), float)
    except Exception:  # each library raises its own kind of error for text that is no number
        raise problem from None


def _read_nominal(series: Any, name: str) -> tuple[Column, AnyArray]:
    try:
        labels, codes = _coded(series, _categories(series))
    except TypeError:
        what = "holds lists or records, which make no labels"
        raise DataError(f"column {shown(name)} {what}") from None
    return Column(name, labels), codes


def _coded(series: Any, kept: Sequence[object] | None = None) -> tuple[tuple[str, ...], AnyArray]:
    """Return the labels of a column and each case's code, a look-up for each different value."""
    found = distinct_values(series)
    if found is None:
        return coded(values_of(series), kept)
    values, places = found
    # What has a place may not occur: a category that is left over, say.
    is_used = np.zeros(len(values) + 1, bool)
    is_used[places] = True
    labels, codes = labelled(compress(values, is_used), kept)
    recoded = [-1 if is_null(value) else codes.get(value, -1) for value in values]
    return labels, np.array([*recoded, -1], np.int32)[places]


def _is_categorical(series: Any) -> bool:
    import narwhals as nw

    return series.dtype in (nw.Categorical, nw.Enum)


def _categories(series: Any) -> Sequence[object] | None:
    """Return the categories of a column in their own order, if it has its own.

    A polars `Categorical` has none: it shares its categories with every other frame.
    """
    if not _is_categorical(series):
        return None
    native = series.to_native()
    if series.implementation.is_pandas_like() and hasattr(native, "cat"):
        return list(native.cat.categories)
    if series.implementation.is_pyarrow():
        chunks = native.unify_dictionaries().chunks[:1]
        return [value for chunk in chunks for value in chunk.dictionary.to_pylist()]
    return getattr(series.dtype, "categories", None)
