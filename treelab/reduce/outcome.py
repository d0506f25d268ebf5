"""A numeric outcome in place of a class: its intervals as classes (kantardzic2011 3.2.1).

"For the purposes of feature selection, a regression problem can be considered as a
pseudo-classification problem."
"""

import numpy as np

from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.discretize.unsupervised import EqualFrequency
from treelab.errors import DataError, check_number
from treelab.reduce.judged import keeping

CLASSES = 3
"""Low, middle and high: the book gives no number."""


def pseudo_classes(data: Dataset, outcome: str, classes: int = CLASSES) -> Dataset:
    """Return the cases with intervals of a numeric feature as their classes.

    The feature is then no longer one; a case whose outcome is missing has no class.

    Parameters
    ----------
    data
        The cases; a class they have is forgotten.
    outcome
        The numeric feature.
    classes
        How many intervals, of about equally many cases; copies of a number stay together.

    Examples
    --------
    >>> import treelab as tl
    >>> pseudo_classes(tl.load("iris"), "petal width", 2).classes
    ('< 1.35', '>= 1.35')
    """
    check_numeric(data, outcome)
    check_number("classes", classes, 2, whole=True)
    alone = data.select([outcome])
    coding = EqualFrequency(classes).fit(alone)
    column = coding.apply(alone).schema.features[0]
    if len(column.labels or ()) < 2:
        raise DataError(f"the outcome {outcome!r} cannot be cut: it has fewer than two numbers")
    values = data[outcome]
    codes = np.where(np.isnan(values), -1, coding.codes(outcome, values))
    others = data.select(keeping(data, [outcome]))
    schema = Schema(others.schema.features, Column(outcome, column.labels))
    return Dataset.of(
        schema, others.columns, codes.astype(np.int64), data.weights, data.name, len(data)
    )


def check_numeric(data: Dataset, outcome: str) -> None:
    """Raise unless an outcome is a numeric feature of the data."""
    check_dataset(data)
    if data.schema.features[data.schema.index(outcome)].is_nominal:
        raise DataError(f"the outcome {outcome!r} is nominal: it is a class, not a number")
