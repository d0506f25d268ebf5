"""What columns of data frames say of themselves: dates, durations, ordered categories."""

from typing import Any

import numpy as np

from treelab._typing import FloatArray
from treelab.data.moments import MICRO, Moments, from_micros


def moments_of(series: Any) -> tuple[Moments | None, FloatArray]:
    """Return the scale and the numbers of dates, date-times and durations.

    Durations are plain numbers, of seconds. What is less than a microsecond is cut off.
    """
    import narwhals as nw

    dtype = series.dtype
    if dtype == nw.Duration:
        micros, known = _whole(series.dt.total_microseconds())
        return None, np.where(known, micros / MICRO, np.nan)
    micros, known = _whole(series.dt.timestamp("us"))
    scale, numbers = from_micros(micros, getattr(dtype, "time_zone", None) is not None)
    return scale, np.where(known, numbers, np.nan)


def _whole(series: Any) -> tuple[Any, Any]:
    """Return whole numbers, 0 where there is none, and where there is one."""
    return series.fill_null(0).to_numpy().astype(np.int64), ~series.is_null().to_numpy()


def is_ordered(series: Any) -> bool:
    """Tell whether a column holds categories that are said to have an order.

    pandas and Arrow say so. A polars `Enum` does not: it is the type of any labels that are known
    beforehand, the only one that keeps those not used, and so what nominal columns are written as.
    polars itself makes an ordered type of it when it converts one to Arrow.
    """
    import narwhals as nw

    if series.dtype not in (nw.Categorical, nw.Enum):
        return False
    native = series.to_native()
    if series.implementation.is_pandas_like() and hasattr(native, "cat"):
        return bool(native.cat.ordered)
    return series.implementation.is_pyarrow() and bool(native.type.ordered)
