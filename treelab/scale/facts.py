"""`Facts`: what one pass over the partitions finds out about columns, classes and weights."""

from collections import Counter
from math import fsum

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.dataset import Dataset, is_missing
from treelab.data.labels import in_natural_order
from treelab.data.readers.table import Options
from treelab.data.scales import Scale
from treelab.data.schema import Column, Schema
from treelab.data.weights import is_integral, on_grid, summable
from treelab.errors import MismatchError, shown
from treelab.scale import summaries
from treelab.scale.pieces import Piece, read_piece
from treelab.scale.summaries import Summary, summary_of


@attrs.frozen
class Seen:
    """A column as some partitions have it: nothing is known of one whose values are all missing.

    It is `mixed` where some have numbers and others labels: then all are to be read as labels.
    """

    column: Column
    is_known: bool
    mixed: bool = False

    def merged(self, other: "Seen") -> "Seen":
        """Return the column as all of the partitions of two have it."""
        if not (self.is_known and other.is_known):
            return self if self.is_known or not other.is_known else other
        if self.column.is_nominal and other.column.is_nominal:
            labels = _merged(self.column.labels or (), other.column.labels or ())
            return Seen(Column(self.column.name, labels), True, self.mixed or other.mixed)
        if self.column.is_nominal != other.column.is_nominal:
            nominal = self if self.column.is_nominal else other
            return attrs.evolve(nominal, mixed=True)
        _check_same_scale(self.column, other.column)
        return self


def _check_same_scale(one: Column, other: Column) -> None:
    if one.scale != other.scale:
        kinds = _kind(one.scale), _kind(other.scale)
        raise MismatchError(
            f"column {shown(one.name)} holds {kinds[0]} in one partition and {kinds[1]} in another"
        )


def _kind(scale: Scale | None) -> str:
    return "numbers" if scale is None else f"values of kind {scale.name!r}"


def _merged(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Return the labels of both, in natural order; an order of their own is kept."""
    if one == other:
        return one
    both = tuple(dict.fromkeys((*one, *other)))
    if all(list(labels) == in_natural_order(labels) for labels in (one, other)):
        return tuple(in_natural_order(both))
    return both


@attrs.frozen(eq=False)
class Facts:
    """What partitions have in common.

    Parameters
    ----------
    where
        The name of a partition, for sentences.
    columns, target
        The columns and the target.
    sizes
        The number of cases of each class label.
    n_cases
        The number of cases, of known class or not.
    n_known
        The number of those of known class and weight above 0.
    weights
        Numbers whose sum is, exactly, the weight of all cases to learn from.
    integral
        Whether all weights are whole.
    numbers
        The summary of each numeric column, by name.
    lacking
        The names of features of which values are missing.
    """

    where: str
    columns: tuple[Seen, ...]
    target: Seen
    sizes: Counter[str]
    n_cases: int
    n_known: int
    weights: tuple[float, ...]
    integral: bool
    numbers: dict[str, Summary]
    lacking: frozenset[str]

    @property
    def total(self) -> float:
        """The weight of all cases to learn from."""
        return fsum(self.weights)

    @property
    def schema(self) -> Schema:
        """The columns and the target."""
        return Schema(tuple(seen.column for seen in self.columns), self.target.column)

    @property
    def mixed(self) -> tuple[str, ...]:
        """The columns that have numbers in some partitions and labels in others."""
        return tuple(seen.column.name for seen in self.columns if seen.mixed)


def facts_of(piece: Piece, options: Options, unit: float, cap: int) -> Facts | None:
    """Return the facts of a partition; weights are rounded to multiples of a unit, if any is given.

    None stands for a partition without cases whose columns are not even known.
    """
    data = read_piece(piece, options)
    if data is None:
        return None
    usable = np.where(data.y >= 0, data.weights, 0.0)
    integral = is_integral(usable)
    weights = on_grid(usable, unit) if unit else summable(usable)
    pairs = [*zip(data.schema.features, data.columns, strict=True)]
    numbers = {c.name: summary_of(x, weights, cap) for c, x in pairs if not c.is_nominal}
    seen = tuple(Seen(c, not bool(is_missing(x).all())) for c, x in pairs)
    target = Seen(data.schema.target, bool((data.y >= 0).any()))
    counts = _sizes(data), len(data), int((usable > 0).sum())
    facts = seen, target, *counts, exact_sum(usable), integral
    return Facts(piece.name, *facts, numbers, frozenset(data.missing()))


def _sizes(data: Dataset) -> Counter[str]:
    found = np.bincount(data.y + 1, minlength=len(data.classes) + 1)[1:]
    return Counter(dict(zip(data.classes, found.tolist(), strict=True)))


def exact_sum(weights: FloatArray) -> tuple[float, ...]:
    """Return few numbers that have exactly the sum of many.

    >>> exact_sum(np.array([1e16, 1.0, 1.0, 1.0]))
    (1.0000000000000004e+16, -1.0)
    """
    if is_integral(weights) and (total := float(weights.sum())) < 2.0**53:
        return (total,)
    found: list[float] = []
    left = weights.tolist()
    while (rest := fsum(left)) != 0.0:
        found.append(rest)
        left.append(-rest)
    return tuple(found) or (0.0,)


def added_facts(one: Facts | None, other: Facts | None, cap: int) -> Facts | None:
    """Return the facts of two groups of partitions."""
    if one is None or other is None:
        return one or other
    _check_same_columns(one, other)
    columns = tuple(a.merged(b) for a, b in zip(one.columns, other.columns, strict=True))
    both = one.numbers.keys() & other.numbers.keys()
    numbers = one.numbers | other.numbers
    numbers |= {n: summaries.added(one.numbers[n], other.numbers[n], cap) for n in both}
    return Facts(
        one.where, columns, one.target.merged(other.target), one.sizes + other.sizes,
        one.n_cases + other.n_cases, one.n_known + other.n_known, (*one.weights, *other.weights),
        one.integral and other.integral, numbers, one.lacking | other.lacking,
    )  # fmt: skip


def _check_same_columns(one: Facts, other: Facts) -> None:
    names = [[s.column.name for s in (*each.columns, each.target)] for each in (one, other)]
    for name in names[0]:
        if name not in names[1]:
            raise MismatchError(
                f"{other.where} has no column {shown(name)}, which {one.where} has: all partitions "
                "need the same columns"
            )
    for name in names[1]:
        if name not in names[0]:
            raise MismatchError(
                f"{one.where} has no column {shown(name)}, which {other.where} has: all partitions "
                "need the same columns"
            )
    if names[0] != names[1]:
        raise MismatchError(f"{other.where} has its columns in another order than {one.where}")
