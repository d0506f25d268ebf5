"""Data sets as frames of pandas, polars and pyarrow."""

from collections.abc import Callable, Mapping, Sequence
from datetime import time
from typing import Any, Literal

import numpy as np

from treelab._typing import AnyArray, FloatArray
from treelab.data.moments import MICRO
from treelab.data.schema import Column, Schema
from treelab.errors import MissingExtraError, check_choice


def write_frame(schema: Schema, arrays: Sequence[AnyArray], y: AnyArray, backend: str) -> Any:
    """Build a native frame: numbers as floats, nominal columns as categories, dates as dates."""
    columns = dict(zip(schema.features, arrays, strict=True))
    if schema.target.name:
        columns[schema.target] = y
    return _write(columns, backend)


def frame_of(columns: Mapping[str, AnyArray], backend: str) -> Any:
    """Build a native frame of plain columns by name."""
    return _write({Column(name): values for name, values in columns.items()}, backend)


def _write(columns: Mapping[Column, AnyArray], backend: str) -> Any:
    check_choice("backend", backend, _WRITERS)
    try:
        return _WRITERS[backend](columns)
    except ModuleNotFoundError:
        raise MissingExtraError(f"to_frame({backend!r})", backend, "frames") from None


def _codes(column: Column, values: AnyArray) -> AnyArray:
    """Return the codes of labels, ordered or not; -1 is missing."""
    return values if column.is_nominal else np.where(np.isnan(values), -1, values).astype(np.int32)


def _instants(column: Column, values: FloatArray) -> AnyArray | None:
    """Return dates as days, date-times as microseconds; None for any other column."""
    name = column.scale.name if column.scale else ""
    if name == "date":
        return _dated(values, "D")
    return _dated(values * MICRO, "us") if name.startswith("datetime") else None


def _dated(values: FloatArray, unit: Literal["D", "us"]) -> AnyArray:
    known = ~np.isnan(values)
    whole = np.rint(np.where(known, values, 0)).astype(np.int64)
    return np.where(known, whole.astype(f"datetime64[{unit}]"), np.datetime64("NaT", unit))


def _times(values: FloatArray) -> list[time | None]:
    assert not np.isinf(values).any()
    return [None if np.isnan(value) else _time(round(value * MICRO)) for value in values.tolist()]


def _time(micros: int) -> time:
    seconds, rest = divmod(micros, MICRO)
    return time(seconds // 3600, seconds // 60 % 60, seconds % 60, rest)


def _is_utc(column: Column) -> bool:
    return column.scale is not None and column.scale.name == "datetime-utc"


def _is_time(column: Column) -> bool:
    return column.scale is not None and column.scale.name == "time"


def _write_pandas(columns: Mapping[Column, AnyArray]) -> Any:
    import pandas as pd

    def series(column: Column, values: AnyArray) -> Any:
        if column.has_labels:
            # An explicit type of str, so that a column without labels is still one of text.
            categories = pd.Index(column.words, dtype="str")
            codes = _codes(column, values)
            ordered = not column.is_nominal
            return pd.Categorical.from_codes(codes, categories=categories, ordered=ordered)
        if _is_time(column):
            return pd.Series(_times(values), dtype=object)
        instants = _instants(column, values)
        if instants is None:
            return values
        made = pd.Series(instants.astype("datetime64[us]"))  # pandas knows no days
        return made.dt.tz_localize("UTC") if _is_utc(column) else made

    return pd.DataFrame({c.name: series(c, values) for c, values in columns.items()})


def _write_polars(columns: Mapping[Column, AnyArray]) -> Any:
    import polars as pl

    def series(column: Column, values: AnyArray) -> Any:
        if column.has_labels:
            labels = pl.Series(column.name, [*column.words, None], dtype=pl.Enum(column.words))
            return labels.gather(_codes(column, values))
        if _is_time(column):
            return pl.Series(column.name, _times(values), dtype=pl.Time)
        instants = _instants(column, values)
        if instants is None:
            return pl.Series(column.name, values, nan_to_null=True)
        made = pl.Series(column.name, instants)
        return made.dt.replace_time_zone("UTC") if _is_utc(column) else made

    return pl.DataFrame([series(c, values) for c, values in columns.items()])


def _write_pyarrow(columns: Mapping[Column, AnyArray]) -> Any:
    import pyarrow as pa

    def array(column: Column, values: AnyArray) -> Any:
        if column.has_labels:
            given = _codes(column, values)
            codes, labels = pa.array(given, mask=given < 0), pa.array(column.words, pa.string())
            ordered = not column.is_nominal
            return pa.DictionaryArray.from_arrays(codes, labels, ordered=ordered)
        if _is_time(column):
            return pa.array(_times(values), pa.time64("us"))
        instants = _instants(column, values)
        if instants is None:
            return pa.array(values, from_pandas=True)
        made = pa.array(instants)
        return made.cast(pa.timestamp("us", "UTC")) if _is_utc(column) else made

    return pa.table({c.name: array(c, values) for c, values in columns.items()})


_WRITERS: Mapping[str, Callable[[Mapping[Column, AnyArray]], Any]] = {
    "pandas": _write_pandas,
    "polars": _write_polars,
    "pyarrow": _write_pyarrow,
}
