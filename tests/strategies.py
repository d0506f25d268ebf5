"""Small awkward data sets: seeded ones by `random_dataset`, Hypothesis' own by `datasets`."""

import os

import numba
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema

THOROUGH = int(os.environ.get("TREELAB_EXAMPLES", "0"))
"""So many examples of each property at least, and other ones every time."""


def steady(max_examples=100):
    """No deadline: the first example may wait for the compiler. The same examples every time.

    Where nothing is compiled a tenth of them must do.
    """
    few = max_examples // 10 if numba.config.DISABLE_JIT else max_examples
    most = max(few, THOROUGH, 1)
    return settings(max_examples=most, deadline=None, derandomize=not THOROUGH)


NUMBERS = (-2.5, -1.0, 0.0, 0.1, 0.3, 1.0, 7.0, 100.0)
WEIGHTS = {
    "one": (1.0,),
    "whole": (1.0, 2.0, 3.0),
    "fraction": (0.1, 0.3, 0.5, 1.0, 1.5),
    "some-zero": (0.0, 0.5, 1.0, 2.0),
}


def letters(n):
    return tuple("abcdefghijklmnopqrst"[:n])


def dataset(columns, y, n_classes=None, weights=None, labels=None, name="made"):
    """Return a data set: lists of floats are numeric, lists of whole numbers nominal codes.

    `labels[f]` is the number of labels of nominal feature f, where the codes do not tell.
    """
    features = []
    for f, values in enumerate(map(np.asarray, columns)):
        if values.dtype.kind == "f":
            features.append(Column(f"x{f}"))
        else:
            n_labels = (labels or {}).get(f, int(values.max(initial=0)) + 1)
            features.append(Column(f"x{f}", letters(n_labels)))
    n_classes = int(np.max(y, initial=0)) + 1 if n_classes is None else n_classes
    classes = tuple(f"c{c}" for c in range(n_classes))
    schema = Schema(tuple(features), Column("class", classes))
    return Dataset.of(schema, columns, y, weights, name, len(y))


def random_dataset(
    seed,
    cases=20,
    numeric=2,
    nominal=2,
    labels=4,
    classes=3,
    missing=0.15,
    weights="one",
    ties=True,
):
    """Return seeded data; feature 0 has something to do with the class, so trees have a shape."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, classes, cases)
    columns = []
    for f in range(numeric):
        values = rng.choice(NUMBERS, cases) if ties else rng.normal(size=cases)
        values = values + y if f == 0 else values
        values[rng.random(cases) < missing] = np.nan
        columns.append(values)
    for f in range(nominal):
        values = rng.integers(0, labels, cases)
        values = np.where(rng.random(cases) < 0.4, y % labels, values) if f == 0 else values
        values[rng.random(cases) < missing] = -1
        columns.append(values)
    many = dict.fromkeys(range(numeric, numeric + nominal), labels)
    return dataset(columns, y, classes, rng.choice(WEIGHTS[weights], cases), many)


@st.composite
def datasets(draw, min_cases=1, max_cases=12, max_features=3, usable=True):
    """Draw mixed data: missing values, ties, constant columns, absent labels and classes.

    `usable`: the first case has a class and a weight, so that a tree can be grown.
    """
    n = draw(st.integers(min_cases, max_cases))
    columns, labels = [], {}
    for f in range(draw(st.integers(1, max_features))):
        if draw(st.booleans()):
            pool = draw(st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=5))
            columns.append(np.array(_column(draw, n, [*pool, np.nan]), dtype=float))
        else:
            labels[f] = draw(st.integers(1, 5))
            columns.append(np.array(_column(draw, n, range(-1, labels[f])), dtype=int))
    classes = draw(st.integers(1, 3))
    y = _column(draw, n, range(-1, classes))
    weights = _column(draw, n, WEIGHTS[draw(st.sampled_from(sorted(WEIGHTS)))])
    if usable:
        y[0], weights[0] = max(y[0], 0), max(weights[0], 1.0)
    return dataset(columns, y, classes, weights, labels)


def _column(draw, n, pool):
    return draw(st.lists(st.sampled_from(list(pool)), min_size=n, max_size=n))
