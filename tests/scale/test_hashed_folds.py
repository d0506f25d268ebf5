"""Cross-validation of scanned data: folds drawn by what is in a case."""

import numpy as np
import pandas as pd
import pytest
from partitions import MADE, dealt, frame_of, in_memory
from scipy.stats import chi2
from strategies import random_dataset

import treelab as tl
from treelab.data.hashed_folds import folds_by_hash
from treelab.errors import DataError, ParameterError

FRAMES = [frame_of(random_dataset(seed, **how)) for seed, how in enumerate(MADE)]


def naive(data, fit, folds, seed):
    """Cross-validate in memory with the folds of scanned data."""
    known = data.take((data.y >= 0) & (data.weights > 0))
    fold = folds_by_hash(known, folds, seed)
    found = []
    for f in range(folds):
        tree, test = fit(known.take(fold != f)), known.take(fold == f)
        right = (tree.predict(test) == test.labels) * test.weights
        found.append((right.sum() / test.weights.sum(), tree.n_leaves, tree.depth))
    return found


@pytest.mark.parametrize("k", range(len(FRAMES)))
def test_folds_and_trees_are_those_of_memory_for_any_partitions(k):
    frame, fit = FRAMES[k], tl.Learner(bins=8, pruner="none").fit
    wanted = naive(in_memory(frame), fit, 3, seed=k)
    for n_parts in (1, 4):
        scan = tl.scan(dealt(frame, n_parts, k), "class", weights="w")
        result = tl.cross_validate(scan, fit, folds=3, seed=k)
        found = [(fold.accuracy, fold.leaves, fold.depth) for fold in result.folds]
        # Of weights that are not whole, sums in memory depend on the order.
        assert np.allclose(found, wanted, rtol=1e-12, atol=0)


def test_a_database_has_the_same_folds(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "a.db")) as database:
        database.register("given", FRAMES[1])
        database.execute("CREATE TABLE t AS SELECT * FROM given")
    scans = [
        tl.scan(source, "class", weights="w")
        for source in ([FRAMES[1]], f"duckdb:///{tmp_path}/a.db")
    ]
    one, other = (tl.cross_validate(s, tl.Learner(bins=8), folds=3, seed=5) for s in scans)

    assert one == other


def test_equal_cases_and_copies_by_weight_are_in_one_fold():
    data = in_memory(FRAMES[1])
    twice = data.take(np.repeat(np.arange(len(data)), 2)).reweighted(np.ones(2 * len(data)))

    assert folds_by_hash(twice, 4, 0)[::2].tolist() == folds_by_hash(data, 4, 0).tolist()
    assert folds_by_hash(twice, 4, 0)[1::2].tolist() == folds_by_hash(data, 4, 0).tolist()


def test_labels_count_by_their_text_and_zeros_have_no_sign():
    one = pd.DataFrame({"a": ["x", None], "b": [0.0, np.nan], "class": ["u", "v"]})
    more = pd.DataFrame({"a": ["k", "x", None], "b": [1, -0.0, np.nan], "class": ["t", "u", "v"]})
    one, more = (tl.Dataset.from_frame(frame, "class") for frame in (one, more))

    for seed in range(9):
        assert folds_by_hash(more, 97, seed)[1:].tolist() == folds_by_hash(one, 97, seed).tolist()


def test_folds_of_different_cases_are_about_the_same_size_and_depend_on_the_seed():
    x = np.arange(5000.0)
    data = tl.Dataset.from_frame(
        pd.DataFrame({"x": x, "class": np.where(x % 3, "u", "v")}), "class"
    )
    folds = [folds_by_hash(data, 10, seed) for seed in (0, 1)]
    table = np.zeros((10, 10))
    np.add.at(table, tuple(folds), 1)
    # 100 cells of 50 cases each: of independent draws one in a million is above.
    assert ((table - 50) ** 2 / 50).sum() < chi2.isf(1e-6, 99)


def test_progress_and_results_pass_by():
    said, seen = [], []
    scan = tl.scan(dealt(FRAMES[0], 2, 0), "class", weights="w", progress=said.append)
    watch = lambda results: (seen.append(r) or r for r in results)  # noqa: E731
    result = tl.cross_validate(scan, tl.Learner(bins=8), folds=2, watch=watch)

    assert list(result.folds) == seen
    assert sum(line.startswith("testing: 0") for line in said) == 2


def test_too_many_folds_are_refused():
    scan = tl.scan([FRAMES[0]], "class", weights="w")
    with pytest.raises(ParameterError, match="folds must be from 2 to the number of cases, 60"):
        tl.cross_validate(scan, tl.Learner(), folds=61)
    with pytest.raises(DataError, match="has no case at all: ask for fewer folds"):
        tl.cross_validate(scan, tl.Learner(pruner="none", max_depth=1), folds=60)
