"""Part cases at random with about the same class shares in every part."""

from math import inf

import numpy as np

from treelab._random import stream
from treelab._typing import IndexArray, IntArray
from treelab.data.dataset import Dataset
from treelab.data.order import content_order
from treelab.errors import ParameterError, check_number


def stratified_folds(y: IntArray, folds: int, seed: int, *key: object) -> IndexArray:
    """Return the number of the fold of each case.

    The cases are shuffled, put in the order of their classes and dealt out in turn, so that
    fold sizes, and the sizes of a class in the folds, differ by at most one.

    Examples
    --------
    >>> y = np.array([0, 0, 0, 0, 1, 1])
    >>> fold = stratified_folds(y, 2, seed=0)
    >>> [sorted(y[fold == f].tolist()) for f in range(2)]
    [[0, 0, 1], [0, 0, 1]]
    """
    check_folds(folds, len(y))
    shuffled = stream(seed, "folds", *key).permutation(len(y))
    order = shuffled[np.argsort(y[shuffled], kind="stable")]
    fold = np.empty(len(y), np.int64)
    fold[order] = np.arange(len(y)) % folds
    return fold


def check_folds(folds: int, cases: int) -> None:
    """Raise unless so many cases can be parted in so many folds."""
    check_number("folds", folds, -inf, whole=True)
    if not 2 <= folds <= cases:
        raise ParameterError(f"folds must be from 2 to the number of cases, {cases}, got {folds}")


def folds_by_content(data: Dataset, folds: int, seed: int, *key: object) -> IndexArray:
    """Return stratified folds that do not depend on the order of the cases."""
    order = content_order(data)
    fold = np.empty(len(data), np.int64)
    fold[order] = stratified_folds(data.y[order], folds, seed, *key)
    return fold
