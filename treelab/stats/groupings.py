"""Ways to send the values of a nominal feature to two branches.

A *grouping* scheme looks at the tables (feature, value, class) of features on which equally
many values occur. It offers `n` candidates a feature: `part` gives their tables, and
`branches(f, p)` tells to which branch candidate p of feature f sends each value.
"""

from typing import Literal, Protocol

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray

SplitKind = Literal["binary", "subset"]

EXHAUSTIVE_VALUES = 7
"""Up to so many values all two-group partitions are tried (63 of them)."""


class Groupings(Protocol):
    """A scheme of groupings; see the module's text."""

    @property
    def n(self) -> int: ...

    @property
    def log2_ways(self) -> float | None:
        """The bits that name one of all ways to group; None: the candidates are all there are."""
        ...

    def part(self, tables: FloatArray) -> FloatArray: ...

    def branches(self, feature: int, candidate: int) -> IndexArray: ...


def groupings(tables: FloatArray, kind: SplitKind) -> Groupings:
    """Return the groupings of a kind for tables (feature, value, class)."""
    width = tables.shape[1]
    if kind == "binary":
        return OneAgainstRest(width)
    if width <= EXHAUSTIVE_VALUES:
        return AllSubsets(width)
    return Prefixes(np.stack([_order(table) for table in tables]))


@attrs.frozen
class OneAgainstRest:
    """Binary: one value on the left, all others on the right."""

    width: int
    log2_ways = None

    @property
    def n(self) -> int:
        # With two values, the second against the rest is the first against the rest.
        return 1 if self.width == 2 else self.width

    def part(self, tables: FloatArray) -> FloatArray:
        return _against_rest(tables[:, : self.n], tables)

    def branches(self, feature: int, candidate: int) -> IndexArray:  # noqa: ARG002 (one for all)
        return np.asarray(np.arange(self.width) != candidate, np.int64)


@attrs.frozen
class AllSubsets:
    """Subset, few values: every partition in two groups; the first value is always left."""

    width: int
    log2_ways = None

    @property
    def n(self) -> int:
        return int(2 ** (self.width - 1) - 1)

    def part(self, tables: FloatArray) -> FloatArray:
        is_left = self._right(np.arange(self.n)) == 0
        return _against_rest(np.matmul(is_left.astype(float), tables), tables)

    def branches(self, feature: int, candidate: int) -> IndexArray:  # noqa: ARG002 (one for all)
        return np.asarray(self._right(np.array([candidate]))[0])

    def _right(self, candidates: IndexArray) -> IndexArray:
        bits = np.arange(self.width - 1, -1, -1)
        return np.asarray(((candidates[:, None] + 1) >> bits) & 1)


@attrs.frozen(eq=False)
class Prefixes:
    """Subset, many values: the first 1, 2, ... values of an order against the rest."""

    order: IndexArray

    @property
    def n(self) -> int:
        return int(self.order.shape[1]) - 1

    @property
    def log2_ways(self) -> float:
        # The order is that of the classes at the node, so the best prefix is the best of all
        # 2^(values - 1) - 1 groupings, or close to it: that is what was chosen among.
        return float(self.n)

    def part(self, tables: FloatArray) -> FloatArray:
        ordered = np.take_along_axis(tables, self.order[:, :, None], axis=1)
        return _against_rest(np.cumsum(ordered, axis=1)[:, :-1], tables)

    def branches(self, feature: int, candidate: int) -> IndexArray:
        rank = np.argsort(self.order[feature])
        return np.asarray(rank > candidate, np.int64)


def _against_rest(left: FloatArray, tables: FloatArray) -> FloatArray:
    rest = np.maximum(tables.sum(axis=1, keepdims=True) - left, 0.0)
    return np.stack([left, rest], axis=2).reshape(-1, 2, tables.shape[2])


def _order(table: FloatArray) -> IndexArray:
    """Order the values of one feature, by its own table only."""
    occurring = np.flatnonzero(table.sum(axis=0) > 0)
    return _greedy_order(table) if len(occurring) > 2 else _share_order(table, occurring[0])


def _share_order(table: FloatArray, of_class: int) -> IndexArray:
    """Order the values by the share of a class (Breiman: optimal for two classes)."""
    share = table[:, of_class] / table.sum(axis=1)
    return np.argsort(-share, kind="stable")


def _greedy_order(table: FloatArray) -> IndexArray:
    """Order the values by moving one after another to the left group.

    Each step moves the value that leaves the least weighted Gini impurity in the two groups,
    whatever the metric: the metric then chooses among the groups met on the way.
    """
    left, right = np.zeros(table.shape[1]), table.sum(axis=0)
    waiting, order = np.arange(len(table)), []
    while len(waiting):
        after = left + table[waiting], right - table[waiting]
        best = int(np.argmax(np.round(_purity(after[0]) + _purity(after[1]), 12)))
        order.append(waiting[best])
        left, right = after[0][best], after[1][best]
        waiting = np.delete(waiting, best)
    return np.array(order)


def _purity(counts: FloatArray) -> FloatArray:
    """Return the sum of squares over the sum of each row: large where one class prevails."""
    weight = counts.sum(axis=1)
    squares = (counts**2).sum(axis=1)
    return np.asarray(np.divide(squares, weight, out=np.zeros_like(weight), where=weight > 1e-12))
