"""Trees are pruned by cases that stay where they are, to the bytes of memory."""

from itertools import product

import attrs
import numpy as np
import pandas as pd
import pytest
from partitions import MADE, METRICS, MISSING, SPLITS, dealt, differing, frame_of, in_memory
from strategies import random_dataset

import treelab as tl
from treelab.errors import ParameterError
from treelab.scale import distinct, signatures
from treelab.scale.axes import Sizes
from treelab.tree.prune.pessimistic import Pessimistic

FRAMES = [frame_of(random_dataset(seed, **how)) for seed, how in enumerate(MADE)]
PRUNERS = (
    "pessimistic:cf=0.6", "pessimistic:cf=0.9,collapse=false", "pessimistic:method=j48,cf=0.7",
    "pessimistic:cf=0.2,chance=0.5", "pessimistic:cf=0.9,chance=1", "chance:level=1",
    "cost-complexity:alpha=0.02",
)  # fmt: skip


def scanned(frame, n_parts, seed):
    return tl.scan(dealt(frame, n_parts, seed), "class", weights="w")


@pytest.fixture(autouse=True)
def never_loaded(monkeypatch):
    """No road of these tests may bring the cases into one memory."""
    monkeypatch.setattr("treelab.scale.scanning.MOST_PRUNED", 0)


COMBINED = list(enumerate(product(FRAMES, MISSING)))


def compare(pruner, combined):
    """Prune trees by cases in parts and in memory."""
    for k, (frame, missing) in combined:
        how = {"metric": METRICS[k % 12], "splits": SPLITS[k % 4], "missing": missing}
        how |= {"bins": (5, 255)[k % 2], "pruner": pruner, "min_branch": 1}
        scan = scanned(frame, (1, 2, 3, 7, 50)[k % 5], k)
        if how["bins"] == 5:  # all numbers are of columns of very many values
            scan = attrs.evolve(scan, sizes=Sizes(cap=4, few_left=9))
        assert differing(tl.grow(in_memory(frame), **how), tl.grow(scan, **how)) == []


@pytest.mark.parametrize("pruner", PRUNERS)
def test_pruned_trees_are_those_of_memory(pruner, monkeypatch):
    """Of every second frame one policy for missing values; others for the next pruner."""
    monkeypatch.setattr(distinct, "AT_A_TIME", 10)
    turn = PRUNERS.index(pruner)
    compare(pruner, [COMBINED[3 * i + (turn + i) % 3] for i in range(turn % 2, len(FRAMES), 2)])


@pytest.mark.slow
@pytest.mark.parametrize("pruner", PRUNERS)
def test_pruned_trees_are_those_of_memory_however_combined(pruner, monkeypatch):
    monkeypatch.setattr(distinct, "AT_A_TIME", 10)
    compare(pruner, COMBINED)


def test_branches_are_raised_at_all(monkeypatch):
    """Else the test above would show little."""
    raised = []
    whole = Pessimistic.__call__

    def noted(pruner, tree, data=None, regrow=None):
        found = whole(pruner, tree, data, regrow)
        only_leaves = whole(attrs.evolve(pruner, raising=False), tree, data, regrow)
        raised.append(found.feature.tolist() != only_leaves.feature.tolist())
        return found

    monkeypatch.setattr(Pessimistic, "__call__", noted)
    for frame in FRAMES:
        tl.grow(scanned(frame, 3, 0), bins=255, pruner="pessimistic:cf=0.6", min_branch=1)
    assert sum(raised) >= 2


def test_the_order_of_cases_leaves_no_trace_in_raising():
    """Sums are exact, so no order has to be made before pruning."""
    data = in_memory(FRAMES[2])
    tree = tl.grow(data, pruner="none", min_branch=1)
    shuffled = data.take(np.random.default_rng(0).permutation(len(data)))
    one, other = (tl.prune(tree, "pessimistic:cf=0.8", each) for each in (data, shuffled))
    assert differing(one, other) == []


def test_cases_that_a_tree_cannot_tell_apart_are_one(monkeypatch):
    rng = np.random.default_rng(0)
    x = rng.random((3_000, 2))
    frame = pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "w": 1.0})
    frame["class"] = np.where(rng.random(3_000) < 0.1 + 0.8 * (x[:, 0] > 0.5), "u", "v")
    sizes = []

    def noted(one, other, **how):
        sizes.append(len(added(one, other, **how).y))
        return added(one, other, **how)

    added = signatures.added_signatures
    monkeypatch.setattr("treelab.scale.pruning.added_signatures", noted)
    tl.grow(scanned(frame, 4, 0), bins=64, max_depth=3)
    assert max(sizes) < 150  # 7 tests part each axis into 8 intervals at most, of two classes

    monkeypatch.setattr(signatures, "MOST_VALUES", 3)
    with pytest.raises(ParameterError, match="needs the cases that the tree can tell apart"):
        tl.grow(scanned(frame, 4, 0), bins=64)


def test_ranges_of_keys_are_looked_at_in_bounded_passes(monkeypatch):
    values = np.random.default_rng(0).normal(size=500).round(1)
    frame = pd.DataFrame({"a": values, "b": -values, "w": 1.0, "class": ["u", "v"] * 250})
    scan = attrs.evolve(scanned(frame, 3, 0), sizes=Sizes(cap=4, few_left=9))
    monkeypatch.setattr(distinct, "AT_A_TIME", 60)
    with scan._opened() as engine:
        found = scan.described(engine, 8)
        assert len(distinct.passes(found, ["a", "b"])) > 10
        counts = distinct.counted_distinct(engine, scan.pieces, found, ["a", "b"])
    assert counts == dict.fromkeys("ab", len(np.unique(values)))
