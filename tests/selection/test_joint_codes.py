"""Tables of feature sets: the same as counting tuples in a dictionary."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.data.coded import Coded
from treelab.selection import joint_codes as module
from treelab.selection.joint_codes import Cells

METRICS = ["gain", "gain-ratio", "imc", "chi2", "gini", "concentration"]


def naive_table(data, subset):
    counts = Counter()
    for row in range(len(data)):
        value = tuple(int(data.columns[f][row]) for f in subset)
        counts[value, int(data.y[row])] += float(data.weights[row])
    values = {value for value, _ in counts}
    return sorted([counts[value, c] for c in range(len(data.classes))] for value in values)


@pytest.mark.parametrize("room", [4, 0])
@pytest.mark.parametrize("weights", ["one", "fraction"])
@pytest.mark.parametrize("subset", [(), (0,), (2, 0), (0, 1, 2, 3), (3, 2, 1, 0)])
def test_cells_are_tuples_counted(subset, weights, room, monkeypatch):
    monkeypatch.setattr(module, "ROOM", room)
    data = random_dataset(1, cases=50, numeric=0, nominal=4, weights=weights)
    table = Cells(Coded.of(data, tl.Coding())).table(subset)

    # Weights are added up in the same order: equal to the last bits.
    np.testing.assert_allclose(sorted(table.tolist()), naive_table(data, subset), rtol=1e-12)


def test_only_occupied_cells_are_kept():
    """Ten features of 20 values have 20^10 cells; a thousand cases occupy a thousand at most."""
    rng = np.random.default_rng(0)
    schema = tl.Schema(
        tuple(tl.Column(f"x{f}", tuple(map(str, range(20)))) for f in range(10)),
        tl.Column("class", ("a", "b")),
    )
    data = tl.Dataset.of(schema, rng.integers(0, 20, (10, 1000)), rng.integers(0, 2, 1000))
    numbering = Cells(Coded.of(data, tl.Coding())).numbering(tuple(range(10)))

    assert numbering.n == 1000
    assert sorted(numbering.of_case) == list(range(1000))


@pytest.mark.parametrize("metric", METRICS)
def test_one_feature_alone_scores_as_in_a_ranking(metric):
    data = random_dataset(4, cases=60, numeric=0, nominal=3, missing=0.0)
    ranking = tl.rank(data, metric)

    best = tl.select(data, metric, k=1)
    assert best.features == ranking.top(1)
    assert best.score == pytest.approx(ranking.scores[0], rel=1e-12)


@pytest.mark.parametrize("metric", ["gain", "imc", "gini"])
def test_more_features_never_tell_less(metric):
    """SPEC 7.9: parting a value never decreases gain, Gini or IMC."""
    data = random_dataset(6, cases=80, numeric=0, nominal=5)
    scores = [stage.score for stage in tl.select(data, metric, k=5).path]

    assert all(b >= a - 1e-12 for a, b in pairwise(scores))
