"""Samples of cases (kantardzic2011 3.8, SPEC 4.9).

Rows are drawn, whatever their weight, which they keep. What is drawn depends on the seed and on
what is in the rows, not on their order, but for `systematic` and `windows`, which go by it.
"""

from fractions import Fraction
from math import inf

import attrs
import numpy as np

from treelab._random import stream
from treelab._typing import IndexArray
from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset, is_missing
from treelab.data.order import content_order
from treelab.errors import DataError, ParameterError, UnknownNameError, check_number

LONGEST_STEP = 2**62
"""Numbers drawn at random are no longer."""


@attrs.frozen(eq=False)
class Sample:
    """Some cases: the rows they were, and the data set they are."""

    rows: IndexArray
    data: Dataset

    def __len__(self) -> int:
        return len(self.rows)


def taken(data: Dataset, rows: IndexArray) -> Sample:
    """Return the sample of some rows."""
    return Sample(np.asarray(rows, np.int64), data.take(rows))


def systematic(data: Dataset, step: int, seed: int = 0) -> Sample:
    """Take every `step`-th case, from a random start below `step`.

    >>> import treelab as tl
    >>> len(systematic(tl.load("iris"), 10))
    15
    """
    check_dataset(data)
    check_number("step", step, 1, LONGEST_STEP, whole=True)
    return _spaced(data, Fraction(step), seed)


def systematic_of_size(data: Dataset, size: float, seed: int = 0) -> Sample:
    """Take so many cases, or such a share, at distances that are equal but for rounding.

    >>> import treelab as tl
    >>> len(systematic_of_size(tl.load("iris"), 100))
    100
    """
    return _spaced(data, Fraction(len(data), number_of_cases(size, len(data))), seed)


def random_sample(data: Dataset, size: float, *, replace: bool = False, seed: int = 0) -> Sample:
    """Draw cases at random, in the order of the data.

    Parameters
    ----------
    data
        Where to draw from.
    size
        A number of cases, or a share below 1 of them.
    replace
        Whether a case may be drawn more than once.
    seed
        For the draw.
    """
    check_dataset(data)
    n = number_of_cases(size, len(data), replace)
    drawn = _stream(seed, "random", replace).choice(len(data), n, replace=replace)
    return taken(data, np.sort(content_order(data)[drawn]))


def stratified(data: Dataset, size: float, *, by: str | None = None, seed: int = 0) -> Sample:
    """Draw from each class, or each value of a nominal feature, in proportion to its cases.

    Parameters
    ----------
    data
        Where to draw from.
    size
        A number of cases, or a share below 1 of them. Whole numbers are allotted by largest
        remainders, at least one to each value that occurs; missing is a value.
    by
        The nominal feature whose values are the strata; None for the classes.
    seed
        For the draw.
    """
    codes, _ = strata(data, by)
    shuffled = content_order(data)[_stream(seed, "stratified").permutation(len(data))]
    present, counts = np.unique(codes, return_counts=True)
    shares = allotment(counts, number_of_cases(size, len(data)))
    rows = [
        shuffled[codes[shuffled] == code][:share]
        for code, share in zip(present, shares, strict=True)
    ]
    return taken(data, np.sort(np.concatenate([np.empty(0, np.int64), *rows])))


def capped(data: Dataset, most: int, seed: int = 0) -> Dataset:
    """Return a random part of the cases, stratified by class; all if they are not too many.

    >>> import treelab as tl
    >>> len(capped(tl.load("iris"), 100)), len(capped(tl.load("iris"), 200))
    (100, 150)
    """
    if len(data) <= most:
        return data
    n_strata = len(np.unique(data.y))
    return stratified(data, max(most, n_strata), seed=seed).data


def allotment(counts: IndexArray, size: int) -> IndexArray:
    """Allot places in proportion to counts, by largest remainders, at least one each.

    >>> allotment(np.array([90, 9, 1]), 10).tolist()
    [8, 1, 1]
    """
    if size < len(counts):
        raise ParameterError(
            f"size must be at least the number of strata, {len(counts)}, got {size}"
        )
    quota = size * counts / counts.sum()
    # The shift keeps a quota that is whole but for rounding whole.
    places = np.maximum(np.floor(quota + 1e-9).astype(np.int64), 1)
    while places.sum() < size:
        places[np.argmax((quota - places).round(9))] += 1
    while places.sum() > size:
        places[np.argmax(np.where(places > 1, places - quota, -inf).round(9))] -= 1
    return np.asarray(places)


def inverse(
    data: Dataset,
    label: str,
    k: int,
    *,
    by: str | None = None,
    replace: bool = False,
    seed: int = 0,
) -> Sample:
    """Draw cases until `k` of them have a rare class or value, in the order they are drawn.

    Parameters
    ----------
    data
        Where to draw from.
    label
        The class, or the value of the feature `by`.
    k
        How many cases with the label it takes.
    by
        A nominal feature; None for the class.
    replace
        Whether a case may be drawn more than once.
    seed
        For the draw.
    """
    check_number("k", k, 1, whole=True)
    codes, labels = strata(data, by)
    if label not in labels:
        raise UnknownNameError("label", label, labels)
    rare = codes == labels.index(label)
    if not rare.any() or (not replace and rare.sum() < k):
        raise DataError(f"only {rare.sum()} cases have the label {label!r}, but k is {k}")
    rows, chance = content_order(data), _stream(seed, "inverse", replace)
    drawn = np.empty(0, np.int64)
    while rare[drawn].sum() < k:
        more = chance.choice(len(rows), len(rows), replace=replace)
        drawn = np.concatenate([drawn, rows[more]])
    last = np.flatnonzero(np.cumsum(rare[drawn]) == k)[0]
    return taken(data, drawn[: last + 1])


def expected_draws(cases: int, rare: int, k: int, *, replace: bool = False) -> float:
    """Return how many draws `inverse` takes on average: k (N + 1) / (K + 1) without replacement.

    >>> expected_draws(20, 5, 2)
    7.0
    """
    for name, value in (("cases", cases), ("rare", rare), ("k", k)):
        check_number(name, value, -inf, whole=True)
    if not 1 <= rare <= cases or k < 1 or (not replace and k > rare):
        raise ParameterError(f"there are no {k} of {rare} rare cases among {cases}")
    try:
        return k * cases / rare if replace else k * (cases + 1) / (rare + 1)
    except OverflowError:
        return inf


def windows(data: Dataset, size: int, step: int | None = None) -> list[Sample]:
    """Return the windows of `size` neighbouring cases of data in the order of time.

    Parameters
    ----------
    data
        Cases, the oldest first.
    size
        The cases of a window; cases that do not fill one are left out.
    step
        From the start of a window to that of the next; None: a window's size, no overlap.
    """
    check_dataset(data)
    check_number("size", size, 1, whole=True)
    step = size if step is None else step
    check_number("step", step, 1, whole=True)
    if size > len(data):
        raise ParameterError(f"a window of {size} cases is larger than the data, {len(data)} cases")
    starts = range(0, len(data) - size + 1, step)
    return [taken(data, np.arange(start, start + size)) for start in starts]


def strata(data: Dataset, by: str | None) -> tuple[IndexArray, tuple[str, ...]]:
    """Return the code of each case and the labels: those of the class, or of a feature."""
    check_dataset(data)
    if by is None:
        if not data.target:
            raise DataError("the data have no target; name a nominal feature with by=")
        return data.y.astype(np.int64), data.classes
    column = data.schema.features[data.schema.index(by)]
    if not column.has_labels:
        raise DataError(f"column {by!r} is numeric; strata need a nominal one")
    values = data[by]
    return np.where(is_missing(values), -1, values).astype(np.int64), column.words


def number_of_cases(size: float, cases: int, replace: bool = False) -> int:
    """Return the number of cases a size stands for."""
    check_number("size", size, 0)
    if not cases:
        raise DataError("there are no cases to draw from")
    n = int(cases * size + 0.5) if 0 < size < 1 else int(size)
    if (size >= 1 and n != size) or n < 1:
        raise ParameterError(
            f"size must be a whole number of cases, or a share below 1 of some, got {size!r}"
        )
    if n > cases and not replace:
        raise ParameterError(f"size must be at most the number of cases, {cases}, got {size!r}")
    return n


def _spaced(data: Dataset, step: Fraction, seed: int) -> Sample:
    """Take the cases that steps of some length fall upon, each being as likely as any other."""
    length, unit = step.numerator, step.denominator
    start = _stream(seed, "systematic").integers(length)
    return taken(data, np.arange(start, len(data) * unit, length) // unit)


def _stream(seed: int, *key: object) -> np.random.Generator:
    check_number("seed", seed, -inf, whole=True)
    return stream(seed, "sample", *key)
