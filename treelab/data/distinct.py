"""The different values of a column of text or categories, found by the library that holds it.

A frame keeps such columns as codes already, or makes codes of them several times faster than values
can be handed over to Python one by one.
"""

from typing import Any

import numpy as np

from treelab._typing import AnyArray

Distinct = tuple[list[Any], AnyArray]
"""Values, some of which may not occur, and the place of each case's value; -1 for null."""


def distinct_values(series: Any) -> Distinct | None:
    """Return the different values of a column of text or categories; None for any other column."""
    import narwhals as nw

    if series.dtype not in (nw.String, nw.Categorical, nw.Enum):
        return None
    if series.implementation.is_pandas_like():
        native = series.to_native()
        # Objects may be text that is written otherwise than it reads, as that of an enum is.
        return None if native.dtype == object else _of_pandas(native)
    if series.implementation.is_polars():
        return _of_polars(series.to_native())
    return _of_pyarrow(series.to_native()) if series.implementation.is_pyarrow() else None


def _of_pandas(native: Any) -> Distinct:
    if hasattr(native, "cat"):
        return list(native.cat.categories), native.cat.codes.to_numpy()
    codes, values = native.factorize()
    return list(values), codes


def _of_pyarrow(native: Any) -> Distinct:
    encoded = native.dictionary_encode().unify_dictionaries()
    values = encoded.chunk(0).dictionary.to_pylist() if encoded.num_chunks else []
    codes = [np.asarray(chunk.indices.cast("int32").fill_null(-1)) for chunk in encoded.chunks]
    return values, np.concatenate([np.empty(0, np.int32), *codes])


def _of_polars(native: Any) -> Distinct:
    """Return the values by the numbers that polars has for them, which other frames may share."""
    import polars as pl

    numbers = native.cast(pl.Categorical).to_physical() if native.dtype == pl.String else None
    numbers = (native.to_physical() if numbers is None else numbers).cast(pl.Int64)
    codes = numbers.fill_null(-1).to_numpy()
    first = np.full(codes.max(initial=-1) + 2, -1)  # the last entry is that of null
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    first[-1] = -1
    used = np.flatnonzero(first >= 0)
    place = np.full(len(first), -1)
    place[used] = np.arange(len(used))
    return native.gather(first[used]).to_list(), place[codes]
