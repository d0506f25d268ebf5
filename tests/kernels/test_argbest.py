"""The best candidate of a node, against a plain search."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import steady

from treelab.kernels import argbest as kernels

SCORES = [-np.inf, -2.0, 0.0, 1.0, 1.0 + 5e-13, 1.0 + 5e-12, 1e6, 1e6 + 1e-7, np.inf, np.nan]


def naive_best(scores, feature, node, ends, n_nodes, tie):
    """Return the best place of each node, by lists."""
    owner = np.repeat(np.arange(len(ends)), np.diff([0, *ends]))
    best = []
    for k in range(n_nodes):
        mine = [i for i, r in enumerate(owner) if node[r] == k and not np.isnan(scores[i])]
        if not mine:
            best.append(-1)
            continue
        top = max(scores[i] for i in mine)
        slack = tie * max(1.0, abs(top)) if np.isfinite(top) else 0.0
        equal = [i for i in mine if scores[i] >= top - slack]
        best.append(min(equal, key=lambda i: (feature[owner[i]], i)))
    return best


@steady(300)
@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.lists(st.sampled_from(SCORES), max_size=4)), max_size=8
    ),
    st.randoms(use_true_random=False),
)
def test_the_lowest_feature_wins_among_equals_then_the_first_candidate(runs, random):
    feature = np.array(random.sample(range(8), len(runs)), np.int64)
    node = np.array([k for k, _ in runs], np.int64)
    scores = np.array([score for _, part in runs for score in part], np.float64)
    ends = np.cumsum([len(part) for _, part in runs], dtype=np.int64)
    expected = naive_best(scores, feature, node, ends, 3, 1e-12)

    assert expected == kernels.first_best(scores, feature, node, ends, 3, 1e-12).tolist()


def naive_first(run, tie):
    """Return the first place that nothing after it is better than by more than a tie, or -1."""
    best = -1
    for place, score in enumerate(run):
        if best < 0 or score - run[best] > tie:
            best = place
    return best


@pytest.mark.parametrize("tie", [1e-12, 0.5, 1.0])
@pytest.mark.parametrize("seed", range(5))
def test_the_first_best_of_each_run(seed, tie):
    rng = np.random.default_rng(seed)
    lengths = rng.integers(0, 5, 40)
    scores = rng.integers(0, 3, lengths.sum()) + rng.choice([0.0, 1e-13, -1e300], lengths.sum())
    ends = np.cumsum(lengths)
    expected = []
    for start, end in zip(ends - lengths, ends, strict=True):
        first = naive_first(scores[start:end].tolist(), tie)
        expected.append(start + first if first >= 0 else -1)

    assert kernels.first_of_runs(scores, ends, tie).tolist() == expected


def test_a_tie_is_with_the_best_so_far_not_with_the_best_of_all():
    """As J48 goes through the cuts: 0.8 is no better than 0, but 1.5 is, also for the first."""
    assert kernels.first_of_runs(np.array([0.0, 0.8, 1.5]), np.array([3]), 1.0).tolist() == [2]


def test_what_cannot_be_judged_is_the_best_only_of_a_run_without_others():
    scores = np.array([-np.inf, -np.inf, -np.inf, 0.0])

    assert kernels.first_of_runs(scores, np.array([2, 4]), 1e-12).tolist() == [0, 3]
