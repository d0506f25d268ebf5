"""Class weights and costs of data that stay where they are: the bytes of memory."""

from itertools import product

import numpy as np
import pytest
from partitions import MADE, METRICS, MISSING, dealt, differing, frame_of, in_memory
from strategies import random_dataset
from thinned import thinned

import treelab as tl
from treelab.data import hashed_folds
from treelab.errors import ParameterError, UnknownNameError

FRAMES = [frame_of(random_dataset(seed, **how)) for seed, how in enumerate(MADE)]


def weighed(frame, k):
    """Return a learner with weights or costs of the classes of a frame, or both."""
    classes = sorted(frame["class"].dropna().unique())
    weights = ("balanced", {classes[0]: 3, classes[-1]: 0.1}, dict.fromkeys(classes, 7))
    costs = {a: {b: 1 + (i + 2 * j) % 5 for j, b in enumerate(classes) if a != b}
             for i, a in enumerate(classes)}  # fmt: skip
    how = ({"class_weight": weights[k % 3]}, {"costs": costs})
    return [*how, how[0] | how[1]][k // 3 % 3]


@pytest.mark.parametrize("k", thinned(range(len(FRAMES)), 3, 1))
def test_trees_are_those_of_memory(k):
    frame = FRAMES[k]
    for n, (missing, n_parts) in enumerate(product(MISSING, (1, 7))):
        how = {"metric": METRICS[(k + n) % 12], "missing": missing, "bins": (5, 255)[n % 2]}
        how |= {"min_branch": 1} | weighed(frame, k + 2 * n)
        scan = tl.scan(dealt(frame, n_parts, n), "class", weights="w")
        wanted, found = tl.grow(in_memory(frame), **how), tl.grow(scan, **how)
        assert differing(wanted, found) == []
        assert np.array_equal(wanted.costs, found.costs) if "costs" in how else found.costs is None


def test_folds_to_prune_by_see_the_weights(monkeypatch):
    monkeypatch.setattr(hashed_folds, "MOST_ORDERED", 0)
    monkeypatch.setattr("treelab.scale.scanning.MOST_PRUNED", 0)
    how = {"bins": 16, "pruner": "reduced-error", "min_branch": 1} | weighed(FRAMES[3], 8)
    scan = tl.scan(dealt(FRAMES[3], 3, 0), "class", weights="w")
    assert differing(tl.grow(in_memory(FRAMES[3]), **how), tl.grow(scan, **how)) == []


def test_balanced_weights_do_not_depend_on_the_order_of_cases():
    data = in_memory(FRAMES[2])
    shuffled = data.take(np.random.default_rng(0).permutation(len(data)))
    how = {"class_weight": "balanced", "pruner": "none"}
    assert differing(tl.grow(data, **how), tl.grow(shuffled, **how)) == []


def test_a_class_that_is_none_is_named():
    scan = tl.scan([FRAMES[0]], "class", weights="w")
    with pytest.raises(UnknownNameError, match="class in class_weight"):
        tl.grow(scan, class_weight={"nobody": 2})
    with pytest.raises(ParameterError, match="costs must say what it costs to predict"):
        tl.grow(scan, costs={"c0": {"c1": 2}})


def test_a_database_refuses_them(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "a.db")) as database:
        database.register("given", FRAMES[1])
        database.execute("CREATE TABLE t AS SELECT * FROM given")
    scan = tl.scan(f"duckdb:///{tmp_path}/a.db", "class", weights="w")
    with pytest.raises(ParameterError, match="class_weight is not for tables of a database"):
        tl.grow(scan, class_weight="balanced")
