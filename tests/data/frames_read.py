"""Frames of every library as their tests share them."""

import re

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from treelab.data.dataset import Dataset
from treelab.errors import (
    DataError,
)

FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


def read(values, **options):
    """Read one column that a library made."""
    frame = values.to_frame("x") if hasattr(values, "to_frame") else pa.table({"x": values})
    return Dataset.from_frame(frame, **options)


def refused(message, error=DataError):
    return pytest.raises(error, match=f"^{re.escape(message)}$")
