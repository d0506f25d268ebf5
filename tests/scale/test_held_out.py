"""Pruners that hold cases out of data that stay where they are: the bytes of memory."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from partitions import MADE, METRICS, MISSING, SPLITS, dealt, differing, frame_of, in_memory
from strategies import random_dataset

import treelab as tl
from treelab.data import hashed_folds
from treelab.data.hashed_folds import Copies, few_different, folds_by_hash, keys_of, pruning_folds
from treelab.scale.folds import Fold

FRAMES = [frame_of(random_dataset(seed, **how)) for seed, how in enumerate(MADE)]
PRUNERS = "reduced-error", "reduced-error:folds=2,seed=3", "cost-complexity:folds=3,se=0"


@pytest.fixture(params=["different", "copies"])
def never_loaded(request, monkeypatch):
    """No case comes into one memory; all are very many, and either different or copies of few."""
    monkeypatch.setattr("treelab.scale.scanning.MOST_PRUNED", 0)
    monkeypatch.setattr(hashed_folds, "MOST_ORDERED", 0)
    monkeypatch.setattr(hashed_folds, "FEW_DIFFERENT", 0 if request.param == "different" else 999)


@pytest.mark.usefixtures("never_loaded")
@pytest.mark.parametrize("every", [9, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("pruner", PRUNERS)
def test_pruned_trees_are_those_of_memory(pruner, every):
    sizes = []
    for k, (frame, missing) in enumerate(product(FRAMES, MISSING)):
        if (k + len(pruner)) % every:
            continue
        twice = pd.concat([frame, frame], ignore_index=True)
        how = {"metric": METRICS[k % 12], "splits": SPLITS[k % 4], "missing": missing}
        how |= {"bins": (5, 255)[k % 2], "pruner": pruner, "min_branch": 1}
        scan = tl.scan(dealt(twice, (1, 2, 3, 7, 50)[k % 5], k), "class", weights="w")
        tree = tl.grow(scan, **how)
        assert differing(tl.grow(in_memory(twice), **how), tree) == []
        sizes.append(tree.n_leaves)
    assert max(sizes) > 1  # else little would be shown


@pytest.mark.usefixtures("never_loaded")
def test_a_database_is_pruned_by_the_same_cases(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "a.db")) as database:
        database.register("given", FRAMES[1])
        database.execute("CREATE TABLE t AS SELECT * FROM given")
    scan = tl.scan(f"duckdb:///{tmp_path}/a.db", "class", weights="w")
    for pruner in PRUNERS:
        how = {"bins": 16, "pruner": pruner, "min_branch": 1}
        assert differing(tl.grow(in_memory(FRAMES[1]), **how), tl.grow(scan, **how)) == []


def test_few_cases_are_dealt_as_ever():
    how = {"bins": 16, "pruner": "reduced-error", "min_branch": 1}
    scan = tl.scan(dealt(FRAMES[1], 3, 0), "class", weights="w")
    assert differing(tl.grow(in_memory(FRAMES[1]), **how), tl.grow(scan, **how)) == []


def test_the_order_of_cases_leaves_no_trace(monkeypatch):
    monkeypatch.setattr(hashed_folds, "MOST_ORDERED", 0)
    data = in_memory(FRAMES[2])
    for pruner in PRUNERS:
        shuffled = data.take(np.random.default_rng(0).permutation(len(data)))
        one, other = (tl.grow(each, pruner=pruner, min_branch=1) for each in (data, shuffled))
        assert differing(one, other) == []


def cells():
    """Return the four cells of an exclusive or, with 10 to 13 copies each."""
    x = np.array([(a, b) for k, (a, b) in enumerate(np.ndindex(2, 2)) for _ in range(10 + k)])
    frame = pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "class": x[:, 0] ^ x[:, 1]}).astype(str)
    return tl.Dataset.from_frame(frame, "class")


def test_copies_of_few_cases_are_dealt_out_in_turn(monkeypatch):
    """Else whole cells of the data would be held out, and nothing could be learnt of them."""
    data = cells()
    assert pruning_folds(data, 3, 0).tolist() == hashed_folds.folds_by_content(data, 3, 0).tolist()
    monkeypatch.setattr(hashed_folds, "MOST_ORDERED", 0)
    for seed in range(5):
        fold = pruning_folds(data, 3, seed)
        for a, b in np.ndindex(2, 2):
            n = np.bincount(fold[(data["a"] == a) & (data["b"] == b)], minlength=3)
            assert n.max() - n.min() <= 1
    tree = tl.grow(data, pruner="reduced-error", min_branch=1, search="lookahead")
    assert tree.n_leaves == 4


def test_parts_go_on_where_others_end():
    data = cells()
    keys = keys_of(data, 0)
    different = few_different(keys)
    whole = Copies.first(different, 3).dealt(keys, 3)
    parts = np.array_split(keys, 5)
    counts = [Copies.first(different, 3).counted(part) for part in parts]
    copies = Copies.of_parts(different, counts, 3)
    dealt_there = [c.dealt(part, 3) for c, part in zip(copies, parts, strict=True)]
    assert np.concatenate(dealt_there).tolist() == whole.tolist()


def test_weights_tell_copies_apart_and_many_are_not_listed(monkeypatch):
    data = cells()
    weights = np.arange(len(data)) % 2 + 1.0
    assert len(few_different(keys_of(data, 0))) == 4
    assert len(few_different(keys_of(data.reweighted(weights), 0))) == 8
    monkeypatch.setattr(hashed_folds, "FEW_DIFFERENT", 3)
    assert few_different(keys_of(data, 0)) is None
    assert few_different(np.array([1], np.uint64), None) is None


def test_folds_to_prune_by_are_not_those_of_a_cross_validation():
    """Else a fold to prune by would be empty, as the whole of it is held out already."""
    data = in_memory(FRAMES[0])
    train = Fold(0, 3, seed=7, is_test=False)(data)
    fold = folds_by_hash(train, 3, 7, hashed_folds.TO_PRUNE)
    assert np.bincount(fold, minlength=3).min() > 5
    assert folds_by_hash(train, 3, 7).min() == 1
