"""What a column holds: its distinct values and how often each occurs."""

import attrs
import numpy as np

from treelab._typing import AnyArray, IndexArray
from treelab.data.dataset import is_missing
from treelab.data.schema import Column
from treelab.errors import clipped

SHOWN = 3
"""So many labels are examples enough."""


@attrs.frozen(eq=False)
class Facts:
    """A column with its distinct values (numbers, or codes of labels) and their counts."""

    column: Column
    values: AnyArray
    distinct: AnyArray
    counts: IndexArray

    @property
    def cases(self) -> int:
        """The number of cases."""
        return len(self.values)

    @property
    def known(self) -> int:
        """The number of values that are not missing."""
        return int(self.counts.sum())

    @property
    def labels(self) -> list[str]:
        """The labels that occur, in their order."""
        return [(self.column.labels or ())[code] for code in self.distinct]

    @property
    def share_of_most(self) -> float:
        """The share of the most frequent value among those that are known."""
        return float(self.counts.max() / self.known) if self.known else 0.0

    def value_text(self, place: int) -> str:
        """Write the distinct value at a place."""
        if self.column.is_nominal:
            return clipped((self.column.labels or ())[self.distinct[place]])
        value = float(self.distinct[place])
        return f"{value:.6g}" if self.column.scale is None else self.column.scale.write(value)

    def example(self) -> str:
        """Write the range of numbers, or the labels that are most frequent."""
        if not len(self.distinct):
            return ""
        if not self.column.is_nominal:
            first, last = self.value_text(0), self.value_text(-1)
            return first if first == last else f"{first} to {last}"
        most = np.argsort(-self.counts, kind="stable")[:SHOWN]
        more = ", ..." if len(self.distinct) > SHOWN else ""
        return ", ".join(map(self.value_text, most)) + more


def facts_of(column: Column, values: AnyArray) -> Facts:
    """Return what a column holds."""
    known = values[~is_missing(values)]
    if not column.is_nominal:
        return Facts(column, values, *np.unique(known, return_counts=True))
    counts = np.bincount(known, minlength=column.n_labels)
    used = np.flatnonzero(counts)
    return Facts(column, values, used, counts[used])
