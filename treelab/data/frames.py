"""Data frames in and out, through narwhals: one code for pandas, polars and pyarrow."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from treelab._typing import AnyArray
from treelab.data.schema import Column, Schema
from treelab.errors import DataError, MissingExtraError, UnknownNameError, check_choice

Parts = tuple[Schema, list[AnyArray], AnyArray | None, AnyArray | None]


def read_frame(
    frame: Any,
    target: str | None,
    weights: str | Sequence[float] | None,
    nominal: Sequence[str],
    numeric: Sequence[str],
) -> Parts:
    """Take a frame apart into schema, columns, class codes and weights."""
    table = eager(frame)
    names = table.columns
    asked = [*nominal, *numeric, *([] if target is None else [target])]
    for name in [*asked, *([weights] if isinstance(weights, str) else [])]:
        if name not in names:
            raise UnknownNameError("column", name, map(str, names))
    features = [name for name in names if name not in (target, weights)]
    columns, arrays = [], []
    for name in features:
        column, values = _read_series(table[name], name in nominal, name in numeric)
        columns.append(column)
        arrays.append(values)
    y, target_column = None, Column("", ())
    if target is not None:
        target_column, y = _read_nominal(table[target])
    schema = Schema(tuple(columns), target_column)
    return schema, arrays, y, _read_weights(table, weights)


def eager(frame: Any) -> Any:
    """Return the narwhals view of a frame, collecting a lazy one."""
    import narwhals as nw

    try:
        table = nw.from_native(frame)
    except TypeError:
        raise DataError(
            f"expected a data frame (pandas, polars, pyarrow, ...), got {type(frame).__name__}"
        ) from None
    return table.collect() if isinstance(table, nw.LazyFrame) else table


def write_frame(schema: Schema, arrays: Sequence[AnyArray], y: AnyArray, backend: str) -> Any:
    """Build a native frame: numbers as floats, nominal columns as categories."""
    import narwhals as nw

    check_choice("backend", backend, ("pandas", "polars", "pyarrow"))
    columns = dict(zip(schema.features, arrays, strict=True))
    if schema.target.name:
        columns[schema.target] = y
    try:
        table = nw.from_dict(
            {column.name: _values(column, array) for column, array in columns.items()},
            schema={c.name: nw.String() if c.is_nominal else nw.Float64() for c in columns},
            backend=backend,
        )
    except ModuleNotFoundError:
        raise MissingExtraError(f"to_frame({backend!r})", backend, "frames") from None
    nominal = [column.name for column in columns if column.is_nominal]
    return table.with_columns(nw.col(*nominal).cast(nw.Categorical())).to_native()


def _values(column: Column, array: AnyArray) -> list[Any]:
    if column.labels is None:
        return [None if np.isnan(value) else value for value in array.tolist()]
    labels = [*column.labels, None]
    return [labels[code] for code in array.tolist()]


def _read_series(series: Any, as_nominal: bool, as_numeric: bool) -> tuple[Column, AnyArray]:
    if as_numeric or (not as_nominal and series.dtype.is_numeric()):
        return Column(str(series.name)), _read_numeric(series)
    return _read_nominal(series)


def _read_numeric(series: Any) -> AnyArray:
    import narwhals as nw

    try:
        return np.asarray(series.cast(nw.Float64()).fill_null(float("nan")).to_numpy(), float)
    except Exception:  # each library raises its own kind of error for text that is no number
        raise DataError(f"column {series.name!r} holds values that are not numbers") from None


def _read_nominal(series: Any) -> tuple[Column, AnyArray]:
    import narwhals as nw

    name = str(series.name)
    kept = series.dtype in (nw.Categorical, nw.Enum)
    values = [None if _is_null(v) else _label(v) for v in series.to_list()]
    if kept:
        labels = tuple(_label(v) for v in series.cat.get_categories().to_list())
    else:
        labels = tuple(sorted({v for v in values if v is not None}, key=natural_order))
    codes = {label: code for code, label in enumerate(labels)}
    array = np.array([-1 if v is None else codes[v] for v in values], dtype=np.int32)
    return Column(name, labels), array


def _read_weights(table: Any, weights: str | Sequence[float] | None) -> AnyArray | None:
    if weights is None:
        return None
    values = table[weights].to_numpy() if isinstance(weights, str) else weights
    return np.asarray(values, dtype=float)


def _is_null(value: object) -> bool:
    return value is None or value != value  # NaN is the only value unequal to itself


def _label(value: object) -> str:
    """Write a value as a label: 1.0 and 1 are the same label."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value)


def natural_order(label: str) -> tuple[int, float, str]:
    """Sort labels that are numbers by value, before the other labels.

    >>> sorted(["10", "9", "b", "a"], key=natural_order)
    ['9', '10', 'a', 'b']
    """
    try:
        number = float(label)
    except ValueError:
        return (1, 0.0, label)
    return (0, number, label) if number == number else (1, 0.0, label)
