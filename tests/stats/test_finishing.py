"""Small nodes that are finished in one memory, and children that are counted by histograms."""

from itertools import product

import numpy as np
import pytest
from partitions import MADE, METRICS, MISSING, SPLITS
from strategies import random_dataset
from test_partitioned import differing, growth, in_parts

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.stats.candidates.blocks import quickest
from treelab.stats.stores import at_hand, finishing
from treelab.stats.stores.context import SplitContext
from treelab.stats.stores.finishing import Rows, SmallNodes, gathered, groups_to_finish
from treelab.stats.stores.nodes import Lineage, NodeBatch
from treelab.tree.searches import LookAheadSearch

DATA = [random_dataset(seed, **how) for seed, how in enumerate(MADE)]
ROADS = ["levels", "levels without histograms", "finishing", "finishing some"]


@pytest.fixture
def road(request, monkeypatch):
    """Take one road from the root to the leaves; the rule of thumb would mix them."""
    monkeypatch.setattr(finishing, "LEVELS", 1e9 if request.param == "finishing" else 4)
    if request.param.startswith("levels"):
        monkeypatch.setattr(finishing, "MOST_MOVED", 0)
    if request.param == "finishing some":
        monkeypatch.setattr(finishing, "MOST_MOVED", 350)
        monkeypatch.setattr(finishing, "LEAST_MOVED", 100)
    if request.param == "levels without histograms":
        monkeypatch.setattr(at_hand.HistogramsAtHand, "of", lambda *_: None)
    return request.param


@pytest.fixture
def n_finished(monkeypatch):
    """Count the groups of nodes that were finished."""
    made = []

    def noted(parts, nodes):
        made.append(len(nodes.class_counts))
        return gathered(parts, nodes)

    monkeypatch.setattr(finishing, "gathered", noted)
    return made


@pytest.mark.parametrize("road", ROADS, indirect=True)
def test_every_road_leads_to_the_tree_of_memory(road, n_finished):
    for k, (data, splits, missing) in enumerate(product(DATA, SPLITS, MISSING)):
        if (k + k // 12) % 2:  # half of them; what one data set leaves out the next one has
            continue
        metric = METRICS[k % len(METRICS)]
        grow = growth(metric, splits=splits, missing=missing, bins=(4, 255)[k // 3 % 2])
        assert differing(grow(data), in_parts(grow, data, (1, 2, 7, 50)[k % 4], k)) == []
    assert bool(n_finished) is road.startswith("finishing")


@pytest.mark.parametrize("road", ROADS, indirect=True)
@pytest.mark.usefixtures("road")
def test_look_ahead_is_that_of_memory_on_every_road():
    for k, data in enumerate(DATA[:4]):
        grow = growth("gain", bins=8, search=LookAheadSearch(), width=2)
        assert differing(grow(data), in_parts(grow, data, 3, k)) == []


@pytest.mark.parametrize("road", ["finishing"], indirect=True)
@pytest.mark.usefixtures("road")
def test_chance_is_that_of_memory_in_nodes_that_are_finished():
    def noisy(node):
        if isinstance(node, NodeBatch):
            raise TypeError("not by level")
        return node.rng("x").random(len(node.counts))

    grow = growth("gain", bins=8)
    grow = type(grow)(metric=noisy, cut_metric=noisy, bins=8, stop=grow.stop)
    assert differing(grow(DATA[0]), in_parts(grow, DATA[0], 3, 0)) == []


@pytest.mark.parametrize("road", ["levels"], indirect=True)
@pytest.mark.usefixtures("road")
def test_cases_that_weigh_nothing_on_the_grid_are_counted_as_cases():
    """Their children have no weight, but are there: histograms alone would not show them."""
    data = random_dataset(4, cases=60, numeric=1, nominal=2, missing=0.2)
    weights = np.where(np.arange(60) % 3 == 0, 1e-30, 1.5)
    grow = growth("gain", splits="multiway", missing="branch", bins=8, min_branch=0)
    each = data.reweighted(weights)
    assert differing(grow(each), in_parts(grow, each, 3, 0)) == []


def test_codes_that_were_brought_together_are_rows_in_memory():
    """As those of memory are: for any other order kernels would be compiled anew, and be slow."""
    rng = np.random.default_rng(0)
    coded = Coded.of(DATA[0], Coding(), 8)
    context = SplitContext.of([coded], "auto", False, 0.0, 0)
    n = np.array([3, 0, 4])
    parts = [
        Rows(coded.codes[:, rows].copy(), coded.y[rows], np.empty(0), n)
        for rows in (rng.permutation(60)[:7] for _ in range(2))
    ]
    counts = np.ones((3, context.n_classes))
    codes = gathered(parts, SmallNodes(context, counts, Lineage(), True)).store.coded.codes
    assert codes.flags.c_contiguous
    assert not codes.flags.writeable
    wanted = [part.codes[:, at] for at in (slice(0, 3), slice(3, 7)) for part in parts]
    assert (codes == np.concatenate(wanted, axis=1)).all()


def test_what_moves_is_bounded():
    rng = np.random.default_rng(0)
    for n_parts in (1, 16, 3_000):
        n_bytes = rng.pareto(0.5, 2_000) * 1e4
        groups = groups_to_finish(n_bytes, 1e6, n_parts)
        chosen = np.concatenate(groups)
        assert len(set(chosen.tolist())) == len(chosen)
        assert n_bytes[chosen].max() <= 4e6
        assert max(n_bytes[group].sum() for group in groups) <= finishing.MOST_MOVED
        assert len(groups) * n_parts <= finishing.MOST_PIECES
    assert groups_to_finish(np.array([1e9]), 1e12, 4) == []


@pytest.mark.parametrize("metric", [m for m in METRICS if hasattr(tl.metric(m), "formula")])
def test_the_score_of_a_table_does_not_depend_on_those_beside_it(metric):
    """Else nodes that are finished by themselves would differ in the last digit."""
    formula = tl.metric(metric).formula
    tables = np.random.default_rng(0).random((7, 9, 5)) * 10
    alone = np.concatenate([quickest(formula)(tables[k : k + 1]) for k in range(7)])
    assert alone.tobytes() == np.ascontiguousarray(quickest(formula)(tables)).tobytes()
