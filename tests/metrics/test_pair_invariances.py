"""What pair metrics do not depend on, and samples of the cases."""

import attrs
import numpy as np
import pytest
from pair_metrics import ALL, dataset, node, parity, random_cases, scores

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.metrics.discrimination import (
    ReliefF,
)
from treelab.metrics.pi import Pi
from treelab.stats.stores.in_memory import root_node
from treelab.stats.stores.nodes import Lineage


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_the_order_of_the_cases_does_not_matter(metric):
    cases, y, numeric = random_cases(1)
    order = np.random.default_rng(0).permutation(len(y))
    shuffled = [cases[i] for i in order], [y[i] for i in order], numeric

    assert scores(metric, *shuffled) == pytest.approx(scores(metric, cases, y, numeric))


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_a_case_of_weight_2_is_two_cases(metric):
    cases, y, numeric = random_cases(2, n=16)
    weights = np.where(np.arange(16) % 3 == 0, 2.0, 1.0)
    twice = np.repeat(np.arange(16), weights.astype(int))
    doubled = [cases[i] for i in twice], [y[i] for i in twice], numeric

    weighted = scores(metric, cases, y, numeric, weights)
    assert weighted == pytest.approx(scores(metric, *doubled))


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_a_constant_feature_or_a_single_class_tells_nothing(metric):
    cases, y, numeric = random_cases(4)
    constant = [[1, *case] for case in cases]
    found = scores(metric, constant, y, [False, *numeric])
    one_class = scores(metric, cases, [0] * len(y), numeric)

    # Pi also counts agreement, of which a constant has most; it has no split to win with.
    assert isinstance(metric, Pi) or found[0] == 0
    assert np.isfinite(found).all()
    assert np.isfinite(one_class).all()


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_a_metric_can_be_pasted_back(metric):
    names = vars(tl.metrics.discrimination) | vars(tl.metrics.pi)

    assert eval(repr(metric), names) == metric


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_two_halves_of_a_case_are_one_case(metric):
    cases, y, numeric = random_cases(3, n=16)
    halved = [case for case in cases for _ in range(2)], list(np.repeat(y, 2)), numeric

    found = scores(metric, *halved, np.full(32, 0.5))
    assert found == pytest.approx(scores(metric, cases, y, numeric))


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_light_cases_are_cases(metric):
    """Ten equal cases of weight 1/10 among others are one of weight 1: no place is overlooked."""
    cases, y, numeric = random_cases(5, n=14)
    count = np.where(np.arange(14) % 2 == 0, 10, 1)
    parted = np.repeat(np.arange(14), count)
    light = [cases[i] for i in parted], [y[i] for i in parted], numeric

    found = scores(metric, *light, np.repeat(1.0 / count, count))
    assert found == pytest.approx(scores(metric, cases, y, numeric))


@pytest.mark.parametrize("metric", ALL, ids=repr)
def test_the_number_of_threads_changes_nothing(metric):
    data = tl.load("heart")
    found = []
    for n in (1, 3):
        tl.set_threads(n)
        found.append(metric(node(data)).values)
    tl.set_threads(None)

    assert found[0].tolist() == found[1].tolist()


SAMPLED = [attrs.evolve(metric, max_cases=12) for metric in ALL]


@pytest.mark.parametrize("metric", SAMPLED, ids=repr)
def test_a_sample_depends_on_the_cases_not_on_their_order(metric):
    cases, y, numeric = random_cases(1)
    order = np.random.default_rng(0).permutation(len(y))
    shuffled = [cases[i] for i in order], [y[i] for i in order], numeric
    found = scores(metric, cases, y, numeric)

    assert scores(metric, *shuffled) == pytest.approx(found)
    assert scores(attrs.evolve(metric, max_cases=None), cases, y, numeric) != pytest.approx(found)


@pytest.mark.parametrize("metric", SAMPLED, ids=repr)
def test_a_sample_of_all_cases_is_all_cases(metric):
    data = random_cases(2)
    everything, no_sample = (attrs.evolve(metric, max_cases=m) for m in (30, None))

    assert scores(everything, *data).tolist() == scores(no_sample, *data).tolist()


def test_a_sample_differs_from_node_to_node_and_seed_to_seed():
    data = dataset(*random_cases(3, n=60))
    metric = ReliefF(max_cases=20)
    views = [root_node(Coded.of(data, Coding()), seed=seed) for seed in range(2)]
    elsewhere = Lineage(Lineage(), np.array([0]), np.array([0]))
    views.append(attrs.evolve(views[0], batch=attrs.evolve(views[0].batch, lineage=elsewhere)))
    found = [tuple(metric(view).values) for view in views]

    assert len(set(found)) == 3


def test_a_sample_still_finds_the_parity():
    tree = tl.grow(parity(2000), tl.metric("relieff", max_cases=300), max_depth=3)

    assert {node.feature for node in tree.nodes if not node.is_leaf} == {"b0", "b1", "b2"}
