"""Beam search over trees."""

import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.errors import ParameterError
from treelab.stats.candidates.choice import Judges
from treelab.stats.stores.in_memory import InMemoryStore
from treelab.tree.beam import BeamGrower
from treelab.tree.stop import Stop

FULL = {"pruner": "none", "min_cases": 1, "min_branch": 1}


def grown(data, metric="gain", **settings):
    return tl.grow(data, metric, **{**FULL, **settings})


@pytest.mark.parametrize("missing", ["fractional", "branch", "majority"])
@pytest.mark.parametrize("metric", ["gain", "gini", "relieff", "gain-ratio-c45"])
@pytest.mark.parametrize("splits", ["auto", "multiway"])
def test_a_beam_of_one_is_greedy(metric, missing, splits):
    data = random_dataset(3, cases=40, weights="fraction")
    settings = {"missing": missing, "splits": splits}

    assert grown(data, metric, search="beam", width=1, **settings) == grown(
        data, metric, **settings
    )


@pytest.mark.parametrize("limits", [{"max_leaves": 5}, {"max_depth": 2}, {"max_leaves": 1}])
def test_a_beam_keeps_to_the_limits(limits):
    data = random_dataset(5, cases=60)
    for width in (1, 4):
        tree = grown(data, search="beam", width=width, **limits)

        assert tree.n_leaves <= limits.get("max_leaves", 99)
        assert tree.depth <= limits.get("max_depth", 99)
    assert grown(data, search="beam", width=1, **limits) == grown(data, **limits)


def errors(tree, data):
    return float(data.weights[tree.predict(data) != data.labels].sum())


@pytest.mark.parametrize("seed", range(6))
def test_a_beam_is_no_worse_on_its_training_cases(seed):
    """The greedy tree is always one of those that are kept."""
    data = random_dataset(seed, cases=60, missing=0.0, numeric=3)
    greedy, beam = grown(data, max_leaves=6), grown(data, max_leaves=6, search="beam", width=6)

    assert errors(beam, data) <= errors(greedy, data)


def test_a_beam_sees_an_exclusive_or_that_greedy_growth_does_not():
    """Four leaves tell the class; the first test of such a tree gains nothing."""
    data = tl.make("exor", n=2, m=6, cases=64, seed=1)
    greedy, beam = grown(data), grown(data, search="beam", width=8)

    assert errors(beam, data) == 0
    assert beam.n_leaves == 4
    assert {data.features[f] for f in beam.feature if f >= 0} == {"X1", "X2"}
    assert greedy.n_leaves > 4


def test_the_order_of_the_rows_does_not_matter():
    data = random_dataset(8, cases=50, weights="whole")
    other = data.take(np.random.default_rng(0).permutation(50))

    one, two = (grown(d, search="beam", width=3) for d in (data, other))
    assert str(one) == str(two)
    # Parts of cases are added up in another order.
    assert one.counts == pytest.approx(two.counts, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("width", [4, 5, 9])
def test_a_beam_that_is_wider_than_there_are_features_has_no_empty_ways(width):
    """A way without a split would send the cases wherever the memory says."""
    data, metric = random_dataset(2, cases=30, missing=0.0), tl.metric("gain")
    root = InMemoryStore.of(Coded.of(data, Coding())).root()
    spot = BeamGrower(Judges(metric, metric), "fractional", Stop(1, 1), width).spot(root, 0, 0)

    assert [len(way.chosen.nodes) for way in spot.ways] == [1] * len(data.features)


def test_nothing_to_split_is_a_leaf():
    data = random_dataset(1, cases=5, classes=1)

    assert grown(data, search="beam").n_nodes == 1


def test_features_in_the_order_of_a_beam_tree():
    data = tl.make("exor", n=2, m=6, cases=64, seed=1)
    found = tl.select(data, "gain", "tree-beam", width=8)

    assert set(found.features) == {"X1", "X2"}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"search": "beem"}, "did you mean 'beam'"),
        ({"width": 0}, "width must be a whole number"),
        (
            {"metric": "relieff", "cut_metric": "relieff", "search": "beam"},
            "cut_metric must judge the cuts of a feature, but ",
        ),
    ],
)
def test_mistakes_get_a_sentence(settings, words):
    with pytest.raises(ParameterError, match=words):
        tl.grow(tl.load("lenses"), **settings)
