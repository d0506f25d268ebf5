"""C4.5's choice: gain ratio among candidates of at least average gain."""

import naive
import naive_candidates
import naive_formulas
import naive_grow
import numpy as np
import pytest
from strategies import dataset, random_dataset

import treelab as tl
from treelab.metrics.registry import metric_info

# Equation 24 warns of identifiers.
pytestmark = pytest.mark.filterwarnings("ignore:by expectation 'eq24':treelab.errors.DataWarning")


def seen_by(metric, data, **settings):
    """Return the scores of the root's candidates, and the candidates."""
    seen = []

    def spy(node):
        seen.append(metric(node))
        return seen[-1]

    settings = {"splits": "multiway", "missing": "fractional", **settings}
    tl.grow(data, spy, max_depth=1, min_branch=1, pruner="none", **settings)
    task = naive.problem(data)
    # Numbers come first in these data, and so do their cuts.
    found = naive_candidates.candidates(task, task.cases, settings["splits"], settings["missing"])
    return seen[0], found, task


def ratios(found, task, price):
    """Return the gain ratio of the best candidate of each feature; None for the others."""
    gains = [naive_formulas.gain(c.table) * c.known for c in found]
    result = []
    for place, candidate in enumerate(found):
        rivals = [gains[i] for i, c in enumerate(found) if c.feature == candidate.feature]
        is_best = gains[place] == max(rivals)
        paid = np.log2(len(rivals)) / sum(case.weight for case in task.cases) if price else 0.0
        cost = naive_grow._split_information(candidate)
        result.append((gains[place] - paid) / cost if is_best and gains[place] > paid else np.nan)
    return result


@pytest.mark.parametrize("price", [True, False])
def test_without_the_gate_every_feature_is_judged_by_its_best_candidate(price):
    data = random_dataset(0, cases=40, numeric=3, nominal=2, ties=False)
    metric = tl.metric("gain-ratio-c45", gate=False, price=price)
    scores, found, task = seen_by(metric, data)
    expected = ratios(found, task, price)

    assert np.isfinite(expected).sum() > 2
    np.testing.assert_allclose(scores, expected, rtol=1e-9)


def test_the_gate_leaves_out_what_is_below_the_average_gain():
    """A rare value has the better gain ratio, but less gain than the average."""
    y = [0] * 8 + [1] * 8
    rare = [1, 1] + [0] * 14
    broad = [0] * 6 + [1, 1, 0, 0] + [1] * 6
    data = dataset([rare, broad], y)
    gated, *_ = seen_by(tl.metric("gain-ratio-c45"), data)
    free, *_ = seen_by(tl.metric("gain-ratio-c45", gate=False), data)

    assert free[0] > free[1]
    assert np.isnan(gated).tolist() == [True, False]


@pytest.mark.parametrize(("labels", "is_judged"), [(5, False), (6, True), (60, True)])
def test_a_feature_of_many_declared_values_does_not_raise_the_average(labels, is_judged):
    """Of 20 cases 0.3 are 6: so many values, three of them used, are left out (SPEC 12.4, 3)."""
    y = [0] * 10 + [1] * 10
    weak, clear = [0] * 8 + [1] * 2 + [0] * 4 + [1] * 6, [0] * 5 + [1] * 5 + [2] * 10
    scores, *_ = seen_by(tl.metric("gain-ratio-c45"), dataset([weak, clear], y, labels={1: labels}))

    assert np.isfinite(scores).tolist() == [is_judged, True]


def test_the_values_of_a_feature_are_compared_with_all_training_cases():
    """Four values are more than 0.3 times the ten cases of a node, but not times all forty."""
    weak, clear = [0] * 4 + [1] + [0] * 2 + [1] * 3, [0, 0, 0, 1, 1, 2, 2, 2, 3, 3]
    side = np.repeat([0, 1, 2, 3], 10)
    data = dataset([side, weak * 4, clear * 4], ([0] * 5 + [1] * 5) * 4)
    judged = []

    def metric(node):
        judged.append((node.n_training, node.n_values.tolist(), tl.metric("gain-ratio-c45")(node)))
        return np.where(node.counts.feature == 0, 1.0, np.nan)

    tl.grow(data, metric, splits="multiway", pruner="none", max_depth=2)
    assert len(judged) == 5
    for n_training, n_values, scores in judged[1:]:
        assert (n_training, n_values) == (40, [4, 2, 4])
        assert np.isfinite(scores).tolist() == [False, True]


def test_a_candidate_without_gain_cannot_be_judged():
    data = dataset([[0, 1] * 4], [0, 0, 1, 1] * 2)
    scores, *_ = seen_by(tl.metric("gain-ratio-c45"), data)

    assert np.isnan(scores).tolist() == [True]


PRINTED = {
    "gain": "1", "gain-ratio": "2", "mantaras": "3", "j-measure": "4", "weight-of-evidence": "5",
    "gini": "6", "relief-myopic": "7", "gini-prime": "8", "relevance": "9", "p-chi2": "10, 11",
    "chi2": "11", "g": "12", "p-g": "10, 12", "mdl-prime": "13", "mdl": "14",
}  # fmt: skip
"""The equations of kononenko1995 as the paper numbers them (SPEC 12.8)."""


@pytest.mark.parametrize("name", PRINTED)
def test_equations_have_the_numbers_of_the_paper(name):
    word = "eqs." if "," in PRINTED[name] else "eq."
    assert metric_info(name).source == f"kononenko1995 {word} {PRINTED[name]}"
