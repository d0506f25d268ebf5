"""Dates and times whose nanoseconds Python's own types do not hold, as labels that do."""

from datetime import datetime, time, timedelta
from typing import Any

UNIT = 1000
"""So many nanoseconds make a microsecond, the least that Python's own types tell apart."""


def values_of(series: Any) -> list[Any]:
    """Return the values of a column; where some would lose nanoseconds, each as its label."""
    values: list[Any] = series.to_list()
    numbers = _nanoseconds(series)
    if not any(number is not None and number % UNIT for number in numbers):
        return values
    pairs = zip(values, numbers, strict=True)
    return [None if number is None else _label(value, number) for value, number in pairs]


def _nanoseconds(series: Any) -> list[int | None]:
    """Return what a column counts if it counts nanoseconds and gives out Python's own types.

    pandas has types of its own, which keep them, and pyarrow uses those where there is one.
    """
    import narwhals as nw

    dtype = series.dtype
    if dtype != nw.Time and getattr(dtype, "time_unit", None) != "ns":
        return []
    native = series.to_native()
    if series.implementation.is_polars():
        return list(native.to_physical().to_list())
    if series.implementation.is_pyarrow() and str(native.type) == "time64[ns]":
        return list(native.cast("int64").to_pylist())
    return []


def _label(value: datetime | time | timedelta, number: int) -> str:
    """Write a value as ever, and three digits more if there is less than a microsecond in it."""
    if isinstance(value, timedelta):
        value = timedelta(microseconds=number // UNIT)  # polars rounds one below 0 up
    if not number % UNIT:
        return str(value)
    rest = f"{number % UNIT:03}"
    if isinstance(value, timedelta):
        return f"{value}{'' if value.microseconds else '.000000'}{rest}"
    plain = value.replace(tzinfo=None).isoformat(timespec="microseconds").replace("T", " ")
    return f"{plain}{rest}{str(value)[len(str(value.replace(tzinfo=None))) :]}"
