"""By chance: a fair metric chooses every attribute equally often, a raw one does not.

The short form of `experiments/trust/null.py`; the seeds are fixed, so that nothing fails by chance.
"""

import numpy as np
import pytest
from scipy.stats import chisquare

import treelab as tl


@pytest.fixture
def null(script):
    return script("null")


def chosen(null, name, seeds):
    counts = null.choices(null.metric_of(name, rounds=40), range(seeds), cases=200)

    assert counts.sum() == seeds
    return counts, chisquare(counts).pvalue


@pytest.mark.parametrize("name", ["gain", "gini", "chi2", "gain-ratio", "mantaras"])
def test_a_raw_metric_prefers_many_values(null, name):
    counts, p = chosen(null, name, 100)

    assert p < 1e-9
    assert counts[-1] > 80


@pytest.mark.parametrize(("name", "seeds"), [("p-chi2", 200), ("gain-p-value", 60)])
def test_a_test_of_significance_chooses_evenly(null, name, seeds):
    counts, p = chosen(null, name, seeds)

    # Rejected by chance once in a hundred; with these seeds it is not.
    assert p > 0.01, counts


@pytest.mark.parametrize("below", [False, True], ids=["root", "below"])
@pytest.mark.parametrize("splits", ["auto", "multiway"])
def test_the_best_of_a_feature_by_chance_chooses_evenly_between_numbers_and_values(
    null, splits, below
):
    metric = null.metric_of("gain-p-value", rounds=39)
    # One level down 40 labels have three cases each: some are frequent enough to be told apart.
    counts = null.choices_of_kinds(metric, range(60), splits, below, cases=240)

    assert counts.sum() == 60 * (1 + below)
    # As above; where numbers are always chosen P is below 1e-30.
    assert chisquare(counts).pvalue > 0.01, counts


def test_the_chance_of_a_single_cut_chooses_the_number(null):
    metric = tl.Normalized("gain", summary="p-value", rounds=39, of="candidate")
    counts = null.choices_of_kinds(metric, range(60), "multiway", below=False, cases=120)

    assert counts[-1] > 40


@pytest.mark.parametrize("name", ["normalized-gini", "normalized-entropy", "gain-over-chance"])
def test_a_ratio_to_chance_lies_between_the_two(null, name):
    """Its mean is the same for all, its spread is not: no attribute wins nearly always."""
    counts, _ = chosen(null, name, 100)

    assert counts.max() < 50
    assert counts.min() > 0


def test_the_ratio_to_chance_is_1_on_average_for_every_attribute(null):
    metric, scores = tl.Normalized("gain"), []
    for seed in range(150):
        node = null.node_of(null.null_data(seed, 200))
        by_size = np.argsort([axis.n_codes for axis in node.coded.axes])
        scores.append(metric(node)[np.argsort(node.counts.feature)][by_size])
    mean, error = np.mean(scores, axis=0), np.std(scores, axis=0) / np.sqrt(len(scores))

    assert np.all(np.abs(mean - 1) < 4 * error)


def test_every_exact_expectation_is_the_mean_over_permutations(null):
    assert len(null.declaring()) > 10
    for metric in null.declaring():
        found = list(null.deviations(metric, 150))

        # Standard errors: 4 are passed once in 16 000 times, and their squares are 1 on average.
        assert max(map(abs, found)) < 4, metric
        assert np.mean(np.square(found)) < 2.5, metric


def test_a_wrong_expectation_is_found(null):
    """Equation 24 is an approximation: it is told from the exact sum."""
    from attrs import evolve

    from treelab.stats.formulas.expectation import expected_entropy_24
    from treelab.stats.formulas.impurity import entropy, of_classes

    gain = evolve(
        tl.metric("gain"),
        expectation=lambda t: entropy(of_classes(t)) - expected_entropy_24(t),
    )

    assert max(map(abs, null.deviations(gain, 150))) > 5


def test_the_expectation_of_contextual_merit_is_the_mean_over_shuffles(null):
    assert max(map(abs, null.merit_deviations(60))) < 4
