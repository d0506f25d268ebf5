"""Everyday trees: the default on each bundled set, one thread, against scikit-learn's plain fit.

Small mixed data with missing values are what studies consist of. scikit-learn gets nominal features
as numbers and missing values as NaN; its trees are of another kind and are not pruned, so only
times are compared: of the median set, the slowest one, and the sum.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from bench import Rows, alternating, main, row
from sklearn.model_selection import cross_val_score
from sklearn.tree import DecisionTreeClassifier

import treelab as tl

WAYS = {
    "default": {},
    "not pruned": {"pruner": "none"},
    "missing=branch": {"missing": "branch"},
    **{metric: {"metric": metric} for metric in
       ("gini", "gain", "chi2", "hellinger", "mdl", "normalized-entropy")},
}  # fmt: skip
MEDIAN, WORST, SUM = 1 / 2, 1 / 6, 1 / 3
"""The ratios that are wanted: twice scikit-learn's time, six times, three times."""


def codes(data: tl.Dataset) -> np.ndarray:
    """Return the cases as numbers, labels by their codes."""
    columns = zip(data.schema.features, data.columns, strict=True)
    return np.column_stack([np.where(v < 0, np.nan, v) if c.is_nominal else v for c, v in columns])


def plain_fit(data: tl.Dataset) -> Callable[[], Any]:
    x = codes(data)
    return lambda: DecisionTreeClassifier(random_state=0).fit(x, data.y)


def seconds(data: tl.Dataset, settings: dict[str, str], runs: int) -> list[float]:
    """Return the time that a tree takes, and scikit-learn's."""
    both = alternating([lambda: tl.grow(data, **settings), plain_fit(data)], runs)
    return [best for best, _ in both]


def rows(quick: bool) -> Rows:
    tl.set_threads(1)
    sets = [tl.load(name) for name in (("iris", "labor") if quick else tl.dataset_names())]
    for way, settings in WAYS.items():
        times = np.array([seconds(data, settings, 1 if quick else 5) for data in sets])
        slower = times[:, 0] / times[:, 1]
        middle, slowest = np.argsort(slower)[len(sets) // 2], np.argmax(slower)
        yield told(way, f"median of {len(sets)} sets", times[middle], MEDIAN)
        if way == "default":
            yield told(way, f"slowest, {sets[slowest].name}", times[slowest], WORST)
            yield told(way, f"sum of {len(sets)} sets", times.sum(axis=0), SUM)
    yield ten_folds(sets, 1 if quick else 3)


def ten_folds(sets: list[tl.Dataset], runs: int) -> dict[str, Any]:
    """Return the row of ten folds of the default tree, on the median set."""
    tree, learner = DecisionTreeClassifier(random_state=0), tl.Learner()

    def both(data: tl.Dataset) -> list[float]:
        x = codes(data)
        ours = partial(tl.cross_validate, data, learner, folds=10)
        found = alternating([ours, partial(cross_val_score, tree, x, data.y, cv=10)], runs)
        return [best for best, _ in found]

    times = np.array([both(data) for data in sets])
    middle = np.argsort(times[:, 0] / times[:, 1])[len(sets) // 2]
    return told("ten folds", f"median of {len(sets)} sets", times[middle], SUM)


def told(way: str, case: str, times: np.ndarray, wanted: float) -> dict[str, Any]:
    """Return the row of one comparison."""
    return row(f"everyday tree, {way}", case, times[0], "scikit-learn", times[1], wanted)


if __name__ == "__main__":
    main(rows)
