"""`Interval`: how many cases, and of which classes, fall into an interval of a feature."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from treelab._markup import Table, notebook_html
from treelab._text import aligned, count, percent, weight_text
from treelab._typing import FloatArray, IndexArray
from treelab.data.dataset import Dataset

MISSING = "missing"
"""The word for cases that are in no interval."""


@attrs.frozen
class Interval:
    """An interval of a feature in words, its cases (their weight) and their class shares."""

    feature: str
    label: str
    cases: float
    shares: Mapping[str, float]


@attrs.frozen
class Intervals(Sequence[Interval]):
    """The intervals of all cut features, in order; prints as a table."""

    rows: tuple[Interval, ...]

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: Any) -> Any:
        return self.rows[place]

    def _table(self) -> Table:
        classes = list(self.rows[0].shares) if self.rows else []
        cells = []
        for row in self.rows:
            shares = [percent(share) if row.cases else "" for share in row.shares.values()]
            cells.append([row.feature, row.label, weight_text(row.cases), *shares])
        right = [False, False, True, *[True] * len(classes)]
        return ["feature", "interval", "cases", *classes], cells, right

    def __str__(self) -> str:
        heads, rows, right = self._table()
        return aligned([heads, *rows], right)

    def __repr__(self) -> str:
        features = dict.fromkeys(row.feature for row in self.rows)
        return (
            f"<{count(len(self), 'interval').capitalize()} of {', '.join(features) or 'nothing'}>"
        )

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return notebook_html("", self._table())


def intervals_of(
    feature: str, labels: Sequence[str], codes: IndexArray, data: Dataset
) -> list[Interval]:
    """Count the cases of each interval; those without a value last, if there are any."""
    number = np.where(codes < 0, len(labels), codes)
    classes = np.where(data.y < 0, len(data.classes), data.y)
    cells = np.zeros((len(labels) + 1, len(data.classes) + 1))
    np.add.at(cells, (number, classes), data.weights)
    rows = [
        Interval(feature, label, float(row.sum()), _shares(row, data.classes))
        for label, row in zip([*labels, MISSING], cells, strict=True)
    ]
    return rows if rows[-1].cases else rows[:-1]


def _shares(row: FloatArray, classes: Sequence[str]) -> dict[str, float]:
    """Return the share of each class among the cases whose class is known."""
    total = row[:-1].sum()
    return {
        label: float(count / total) if total > 0 else 0.0
        for label, count in zip(classes, row[:-1], strict=True)
    }
