"""Less trodden roads with the largest numbers, prices and ratios: a result or one sentence.

The suite makes errors of warnings, so that an overflow anywhere fails.
"""

from contextlib import suppress

import numpy as np
import pandas as pd
import pytest

import treelab as tl
from treelab import reduce
from treelab.errors import DataError, TreelabError

LARGEST = float(np.finfo(np.float64).max)
LEAST = 5e-324
WIDE = [LARGEST, -LARGEST, 0.0, 1.0]


def data_of(values, weights=None):
    """Return cases of one number, of two classes in turn."""
    classes = ("pq" * len(values))[: len(values)]
    frame = pd.DataFrame({"a": values, "b": np.arange(len(values)), "y": [*classes]})
    data = tl.Dataset.from_frame(frame, "y")
    return data if weights is None else data.reweighted(weights)


def given_back():
    frame = pd.DataFrame({"a": WIDE * 6, "b": [1.0, 2.0, 3.0, 4.0] * 6})
    kept = tl.MetricSelector(k=1).fit(frame, [*"pqpq"] * 6)
    return kept.inverse_transform(kept.transform(frame))


CALLS = {
    "components": lambda: tl.ComponentReducer().fit(
        np.array([[LARGEST, 1], [LARGEST, 2], [-LARGEST, 3], [-LARGEST, 4.0]] * 3), [*"pqpq"] * 3
    ),
    "inverse of a selector": given_back,
    "regions": lambda: tl.regions(tl.grow(data_of([LARGEST] * 4)), data_of([LARGEST] * 4)),
    "steps, constant": lambda: tl.steps_of("bins", data_of([LARGEST] * 3), "a"),
    "steps, squares": lambda: tl.steps_of("bins", data_of([1e200, -1e200, 3.0]), "a"),
    "steps, no weight": lambda: tl.steps_of("bins", data_of([1.0, 2.0], [0, 0]), "a"),
    "merging, no weight": lambda: tl.steps_of("chimerge", data_of([np.nan, 2.0], [1, 0]), "a"),
    "cut of 400 digits": lambda: tl.discretizer("cuts", cuts=10**400),
    "m of 400 digits": lambda: tl.rank(data_of(WIDE), tl.metric("weight-of-evidence", m=10**400)),
    "reduction without weight": lambda: reduce.features(
        data_of([1.0, 2.0, np.nan], [0, 0, 1]), "entropy"
    ),
    "heavy groups": lambda: reduce.mean_variance_test(
        [-1.0, 1.0, 2.0], [1.0, 2.0], [1e308] * 3, [1e308] * 2
    ),
    "infinite group": lambda: reduce.mean_variance_test([np.inf, 1.0, 2.0], [1.0, 2.0]),
    "infinite correlation": lambda: reduce.pearson([np.inf, 1.0, 2.0], [1.0, 2.0, 3.0]),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_result_or_one_sentence(name):
    with suppress(TreelabError):
        CALLS[name]()


@pytest.mark.parametrize("metric", ["contextual-merit", "contextual-merit-1"])
def test_a_ramp_of_more_than_all_numbers_leaves_their_distances_apart(metric):
    """Distances are shares of the ramp, so that a wider one only makes all of them smaller."""
    cases = data_of([*WIDE, -1.0, 1e200, -1e200])
    found = tl.rank(cases, tl.metric(metric, ramp=1e308))

    assert np.isfinite(found.scores[0])


@pytest.mark.parametrize("cost", [LEAST, LARGEST])
def test_a_feature_may_cost_next_to_nothing_or_all_there_is(cost):
    cases = data_of([0.0, 1.0, 2.0, 3.0] * 10)
    tree = tl.grow(cases, "gain", constraints=tl.Constraints(cost={"a": cost}), pruner=None)

    assert tree.root.feature == ("a" if cost == LEAST else "b")


@pytest.mark.parametrize("ratio", [1e10, 1e200, np.inf])
def test_costs_beside_which_a_class_would_vanish_are_refused(ratio):
    costs = {"good": {"bad": min(ratio, 1e308)}, "bad": {"good": 1e308 / ratio or LEAST}}
    with pytest.raises(DataError, match="may cost at most 1e"):
        tl.grow(tl.load("labor"), costs=costs)
