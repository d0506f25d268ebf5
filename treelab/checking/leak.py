"""How well a column predicts the class by itself, each case being left out in turn.

An identifier predicts nothing that way: no other case has its value.
"""

import attrs
import numpy as np

from treelab._typing import AnyArray, IndexArray, IntArray
from treelab.checking.facts import Facts
from treelab.data.dataset import is_missing

LEAST = 10
"""So many cases at least are not of the most frequent class; fewer are told apart by chance."""

WRONG, LEFT = 0.01, 0.05
"""A leak errs in at most this share of the cases, and of the errors that the majority makes."""

CASES_A_NUMBER = 20
"""Numbers that so many cases share, on average, predict as labels do; others by their order."""

SAMPLE, POOR = 1000, 0.5
"""So many cases of the most frequent class, and of the others, tell soon that a number is no leak:
it errs in more than half as many of them as the majority, and a leak in `LEFT` only."""


@attrs.frozen(eq=False)
class Classes:
    """The classes of all cases, and a sample of cases in which no class dwarfs the others."""

    y: IntArray
    n: int
    sample: IndexArray

    @classmethod
    def of(cls, y: IntArray, n_classes: int) -> "Classes":
        """Draw the sample: evenly over the cases, so that there is no chance in it."""
        counts = np.bincount(y[y >= 0], minlength=1)
        is_most = y == counts.argmax()
        parts = np.flatnonzero(is_most), np.flatnonzero(~is_most & (y >= 0))
        rows = [part[:: max(len(part) // SAMPLE, 1)] for part in parts]
        return cls(y, n_classes, np.sort(np.concatenate(rows)))


def predicted_share(facts: Facts, classes: Classes) -> float | None:
    """Return the share of cases a column alone predicts, if it is suspiciously near to all."""
    values, y = _known(facts.values, classes.y)
    wrong = _majority_errors(y)
    if wrong < LEAST or 2 * len(y) < facts.cases or len(facts.distinct) < 2:
        return None
    errors = _errors(facts, values, y, classes)
    allowed = min(WRONG * len(y), LEFT * wrong)
    return 1 - errors / len(y) if errors is not None and errors <= allowed else None


def _known(values: AnyArray, y: IntArray) -> tuple[AnyArray, IntArray]:
    is_known = ~is_missing(values) & (y >= 0)
    return (values, y) if is_known.all() else (values[is_known], y[is_known])


def _majority_errors(y: IntArray) -> int:
    return len(y) - int(np.bincount(y, minlength=1).max())


def _errors(facts: Facts, values: AnyArray, y: IntArray, classes: Classes) -> int | None:
    """Count the errors; None where a sample shows that there are many."""
    if facts.column.is_nominal:
        return errors_by_label(values, y, facts.column.n_labels, classes.n)
    n_numbers = len(facts.distinct)
    if n_numbers * CASES_A_NUMBER <= len(y):
        codes = np.searchsorted(facts.distinct, values)
        return errors_by_label(codes, y, n_numbers, classes.n)
    some, theirs = _known(facts.values[classes.sample], classes.y[classes.sample])
    if errors_by_order(some, theirs, classes.n) > max(POOR * _majority_errors(theirs), LEAST):
        return None
    return errors_by_order(values, y, classes.n)


def errors_by_label(codes: AnyArray, y: IntArray, n_labels: int, n_classes: int) -> int:
    """Count cases that are not of the most frequent class of the others with their label."""
    label, _, n = _pairs(codes, y, n_labels, n_classes)
    size, most = np.zeros((2, n_labels), np.int64)
    np.add.at(size, label, n)
    np.maximum.at(most, label, n)
    # Without the case its class loses a tie: of two that are equally frequent, none is right.
    n_most = np.bincount(label[n == most[label]], minlength=n_labels)
    right = np.where((n_most == 1) & (size > 1), most, 0)
    return int(size.sum() - right.sum())


def errors_by_order(numbers: AnyArray, y: IntArray, n_classes: int) -> int:
    """Count cases not of the class of the others with their number or, if none has, of the next.

    The next one is that of the number before. Borders between classes, one for each class but
    one, are no errors.
    """
    order = np.argsort(numbers, kind="stable")
    is_new = np.diff(numbers[order], prepend=np.nan) != 0
    block, n_blocks = np.cumsum(is_new) - 1, int(is_new.sum())
    label, kind, n = _pairs(block, y[order], n_blocks, n_classes)
    size, most, leading = np.zeros((3, n_blocks), np.int64)
    np.add.at(size, label, n)
    np.maximum.at(most, label, n)
    is_most = n == most[label]
    leading[label[is_most]] = kind[is_most]
    changes = (np.diff(leading, prepend=leading[:1]) != 0) & (size == 1)
    n_borders = len(np.unique(kind)) - 1
    return int((size - most).sum() + max(changes.sum() - n_borders, 0))


def _pairs(
    codes: AnyArray, y: IntArray, n_labels: int, n_classes: int
) -> tuple[IndexArray, IndexArray, IndexArray]:
    """Return the pairs of label and class that occur, and how often each does."""
    pairs = codes.astype(np.int64) * n_classes + y
    if n_labels * n_classes <= 8 * len(pairs):  # a table with room for all is soon counted
        table = np.bincount(pairs, minlength=n_labels * n_classes)
        found = np.flatnonzero(table)
        n = table[found]
    else:
        found, n = np.unique(pairs, return_counts=True)
    return found // n_classes, found % n_classes, n
