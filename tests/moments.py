"""Data of every scale, with missing values: dates, times of day, moments, ordered labels."""

import numpy as np

from treelab.data.dataset import Dataset
from treelab.data.moments import DATE, DATETIME, DATETIME_UTC, TIME
from treelab.data.scales import Ordered
from treelab.data.schema import Column, Schema

SIZE = Ordered(("small", "medium", "large", "it's huge"))
COLUMNS = (
    Column("day", scale=DATE),
    Column("at", scale=DATETIME),
    Column("sent", scale=DATETIME_UTC),
    Column("clock", scale=TIME),
    Column("size", scale=SIZE),
    Column("flag", ("False", "True")),
    Column("x"),
)


def scaled_data(seed=0, cases=240, features=None, holes=0.1):
    """Return cases whose class depends on features of every scale, in turn, and on chance.

    Moments are to the millisecond, which every program that reads a tree keeps.
    """
    rng = np.random.default_rng(seed)
    values = {
        "day": rng.integers(19_000, 19_060, cases),
        "at": rng.integers(1_700_000_000_000, 1_700_000_900_000, cases) / 1000,
        "sent": rng.integers(1_700_000_000, 1_700_400_000, cases),
        "clock": rng.integers(0, 86_400_000, cases) / 1000,
        "size": rng.integers(0, 4, cases),
        "flag": rng.integers(0, 2, cases),
        "x": rng.integers(0, 9, cases),
    }
    ranks = {name: np.argsort(np.argsort(column)) for name, column in values.items()}
    which = rng.integers(0, 3, cases)
    names = list(values if features is None else features)
    above = sum(ranks[name] * (1 + place % 3) for place, name in enumerate(names))
    y = np.where(
        rng.random(cases) < 0.15, which, np.digitize(above, np.quantile(above, [0.3, 0.7]))
    )
    columns = [c for c in COLUMNS if c.name in names]
    arrays = []
    for column in columns:
        hole = rng.random(cases) < holes
        nothing = -1 if column.is_nominal else np.nan
        arrays.append(np.where(hole, nothing, values[column.name]))
    target = Column("class", ("no", "yes", "maybe"))
    return Dataset.of(Schema(tuple(columns), target), arrays, y, name="scaled")
