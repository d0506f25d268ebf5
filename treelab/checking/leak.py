"""How well a column predicts the class by itself, each case being left out in turn.

An identifier predicts nothing that way: no other case has its value.
"""

import numpy as np

from treelab._typing import AnyArray, IndexArray
from treelab.checking.facts import Facts
from treelab.data.dataset import is_missing

LEAST = 10
"""So many cases at least are not of the most frequent class; fewer are told apart by chance."""

WRONG, LEFT = 0.01, 0.05
"""A leak errs in at most this share of the cases, and of the errors that the majority makes."""

SAMPLE, POOR = 2000, 0.2
"""So many cases tell that a number is no leak: it errs in a fifth of them, in spite of `WRONG`."""


def leaks(facts: Facts, y: IndexArray, n_classes: int) -> float | None:
    """Return the share of cases a column alone predicts, if it is suspiciously near to all."""
    is_known = ~is_missing(facts.values) & (y >= 0)
    values, classes = facts.values[is_known], y[is_known]
    n = len(classes)
    majority_errors = n - int(np.bincount(classes, minlength=1).max())
    if majority_errors < LEAST or n < facts.cases / 2 or len(facts.distinct) < 2:
        return None
    if facts.column.is_nominal:
        errors = _errors_by_label(values, classes, facts.column.n_labels, n_classes)
    elif _is_poor(values, classes, n_classes):
        return None
    else:
        errors = _errors_by_order(values, classes, n_classes)
    allowed = min(WRONG * n, LEFT * majority_errors)
    return 1 - errors / n if errors <= allowed else None


def _is_poor(numbers: AnyArray, classes: IndexArray, n_classes: int) -> bool:
    """Tell by a part of many cases that a number does not predict the class."""
    step = len(classes) // SAMPLE
    if step < 2:
        return False
    some, theirs = numbers[::step], classes[::step]
    return _errors_by_order(some, theirs, n_classes) > POOR * len(theirs)


def _errors_by_label(codes: AnyArray, y: IndexArray, n_labels: int, n_classes: int) -> int:
    """Count cases that are not of the most frequent class of the others with their label."""
    pairs, n = np.unique(codes.astype(np.int64) * n_classes + y, return_counts=True)
    size, most = np.zeros((2, n_labels), np.int64)
    np.add.at(size, pairs // n_classes, n)
    np.maximum.at(most, pairs // n_classes, n)
    is_most = n == most[pairs // n_classes]
    # Without the case a class loses a tie: of two that are equally frequent, none is right.
    n_most = np.bincount(pairs[is_most] // n_classes, minlength=n_labels)
    right = np.where((n_most == 1) & (size > 1), most, 0)
    return int(size.sum() - right.sum())


def _errors_by_order(numbers: AnyArray, y: IndexArray, n_classes: int) -> int:
    """Count cases not of the class of the others with their number or, if none has, of the next.

    The next one is that of the number before. Borders between classes, one for each class but
    one, are no errors.
    """
    order = np.lexsort((y, numbers))
    numbers, y = numbers[order], y[order]
    starts = np.flatnonzero(np.diff(numbers, prepend=np.nan) != 0)
    sizes = np.diff(starts, append=len(y))
    block = np.repeat(np.arange(len(starts)), sizes)
    pairs, n = np.unique(block * n_classes + y, return_counts=True)
    most = np.zeros(len(starts), np.int64)
    np.maximum.at(most, pairs // n_classes, n)
    leading = np.zeros(len(starts), np.int64)
    is_most = n == most[pairs // n_classes]
    leading[pairs[is_most] // n_classes] = pairs[is_most] % n_classes
    changes = (np.diff(leading, prepend=leading[0]) != 0) & (sizes == 1)
    n_borders = len(np.unique(y)) - 1
    return int((sizes - most).sum() + max(changes.sum() - n_borders, 0))
