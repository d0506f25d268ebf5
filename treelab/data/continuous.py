"""A target of many different numbers, which is to be estimated and not to be classified.

Few numbers are classes, be they digits 0 to 9 or letters 1 to 26. Where there are more, how many
cases share one tells a code from a measurement: a class has some, a price hardly any.
"""

import numpy as np

from treelab._typing import AnyArray
from treelab.data.notation import DECIMALS, is_written_number, value_of
from treelab.data.schema import Column
from treelab.errors import DataError, shown

FEW = 20
"""So many numbers are classes, whatever they look like."""

FRACTIONS, WHOLE, CODES = 0.02, 0.5, 0.1
"""The share of the cases that the different numbers of a target may make up: with fractions, which
class codes seldom have; whole ones; and whole ones where there are more than `MANY`."""

MANY = 100


def numbers_of(labels: AnyArray | tuple[str, ...]) -> AnyArray | None:
    """Return labels as numbers in some notation; None unless all are finite ones.

    >>> numbers_of(("1.5", "20")), numbers_of(("1.234,5", "20")), numbers_of(("1,5", "2.5"))
    (array([ 1.5, 20. ]), array([1234.5,   20. ]), None)
    """
    if not all(map(is_written_number, labels)):
        return None
    for decimal in (None, *DECIMALS):
        values = np.array([value_of(label, decimal) for label in labels], dtype=float)
        if np.isfinite(values).all():
            return values
    return None


def is_continuous(values: AnyArray, cases: int) -> bool:
    """Tell whether so many different numbers among so many cases are no classes.

    >>> is_continuous(np.arange(26), 200), is_continuous(np.arange(3000) * 100, 20_000)
    (False, True)
    """
    n = len(values)
    if n <= FEW:
        return False
    if (values % 1).any():
        return n > FRACTIONS * cases
    return n > WHOLE * cases or (n > MANY and n > CODES * cases)


def check_classes(target: Column, codes: AnyArray) -> None:
    """Raise if the labels of a target are many numbers, as of a column that is to be estimated."""
    check_class_sizes(target, np.bincount(codes[codes >= 0]))


def check_class_sizes(target: Column, found: AnyArray) -> None:
    """Raise if a target is to be estimated; `found` are the numbers of cases of its labels."""
    used = np.flatnonzero(found)
    if len(used) <= FEW:
        return
    values = numbers_of(tuple((target.labels or ())[code] for code in used))
    if values is not None and is_continuous(values, int(found.sum())):
        raise DataError(
            f"the target {shown(target.name)} holds {len(used):,} different numbers: treelab "
            "classifies; cut it into classes first, or pass target_is_class=True "
            "(--target-is-class)"
        )
