"""What another program answers, and the cases it is asked about."""

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray
from treelab.data.schema import Column
from treelab.errors import TreelabError
from treelab.writers.cases import UNSEEN

Case = dict[str, Any]
Cases = Sequence[Case]


class NoEngineError(TreelabError):
    """What runs a format is not on this machine."""


@attrs.frozen(eq=False)
class Answers:
    """The class of each case and, where the format gives them, the probabilities (case, class).

    `engine` names the program that answered.
    """

    engine: str
    labels: list[str]
    shares: FloatArray | None = None


def numbers(column: Column, cases: Cases) -> FloatArray:
    """Return a numeric column of cases; missing is NaN."""
    values = (case[column.name] for case in cases)
    return np.array([np.nan if value is None else value for value in values], dtype=float)


def texts(column: Column, cases: Cases, missing: Any) -> AnyArray:
    """Return a column of labels; every unseen label is one that the column does not have."""
    unseen = unseen_label(column)
    found = np.empty(len(cases), dtype=object)
    for place, case in enumerate(cases):
        value = case[column.name]
        found[place] = missing if value is None else unseen if value == UNSEEN else value
    return found


def unseen_label(column: Column) -> str:
    """Return a label that a column does not have, without a NUL, which few programs can read."""
    label = "unseen"
    while label in column.words:
        label += "_"
    return label
