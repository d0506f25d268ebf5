"""Pair metrics judge scanned data by a sample of each node, the same as in memory."""

import attrs
import numpy as np
import pytest
from partitions import MADE, MISSING, dealt, differing, frame_of, in_memory
from strategies import random_dataset
from thinned import thinned

import treelab as tl
from treelab.errors import ParameterError
from treelab.scale.axes import Sizes
from treelab.stats.stores.gathering import Draw, NodeRows

FRAMES = [frame_of(random_dataset(seed, **how)) for seed, how in enumerate(MADE)]
METRICS = (
    "relieff:max_cases=15", "relief:max_cases=15", "contextual-merit:max_cases=15",
    "contextual-merit-1:max_cases=15", "pi:max_cases=15", "algorithm-1:max_cases=15",
)  # fmt: skip


def compare(metric, **more):
    for k, frame in enumerate(FRAMES):
        how = {"metric": metric, "missing": MISSING[k % 3], "bins": 8, "pruner": "none", **more}
        scan = tl.scan(dealt(frame, (1, 3, 5)[k % 3], k), "class", weights="w")
        wanted = tl.grow(in_memory(frame), **how)
        assert differing(wanted, tl.grow(scan, **how)) == []


@pytest.mark.parametrize("metric", thinned(METRICS, 2))
def test_a_small_node_comes_as_a_whole_and_is_sampled_as_in_memory(metric):
    compare(metric, min_branch=1)


@pytest.mark.parametrize("metric", thinned(METRICS, 2, 1))
def test_a_large_node_is_drawn_from_by_content(metric, monkeypatch):
    monkeypatch.setattr("treelab.stats.stores.gathering.LARGE", 12)
    compare(metric)


def test_what_chance_gives_them_is_that_of_memory():
    merit = tl.metric("contextual-merit-1", max_cases=15)
    compare(tl.metric("normalized", metric=merit, expectation="exact"))


def test_a_database_gathers_the_same_cases(tmp_path, monkeypatch):
    duckdb = pytest.importorskip("duckdb")
    with duckdb.connect(str(tmp_path / "a.db")) as database:
        database.register("given", FRAMES[1])
        database.execute("CREATE TABLE t AS SELECT * FROM given")
    for large in (2**18, 12):
        monkeypatch.setattr("treelab.stats.stores.gathering.LARGE", large)
        how = {"metric": METRICS[0], "bins": 8, "pruner": "none"}
        scan = tl.scan(f"duckdb:///{tmp_path}/a.db", "class", weights="w")
        assert differing(tl.grow(in_memory(FRAMES[1]), **how), tl.grow(scan, **how)) == []


def test_bins_of_very_many_values_are_stood_for_by_their_middles(monkeypatch):
    monkeypatch.setattr("treelab.data.coded.FEW_POINTS", 6)
    for k, frame in enumerate(FRAMES[:5]):
        how = {"metric": METRICS[0], "bins": 5, "pruner": "none"}
        scan = tl.scan(dealt(frame, 3, k), "class", weights="w")
        scan = attrs.evolve(scan, sizes=Sizes(cap=6, few_left=9))
        assert differing(tl.grow(in_memory(frame), **how), tl.grow(scan, **how)) == []


@pytest.mark.parametrize("metric", ["relieff", "pi", "contextual-merit"])
def test_without_a_sample_they_are_refused_in_one_sentence(metric):
    with pytest.raises(ParameterError, match="max_cases says how many cases of a node it gets"):
        tl.grow(tl.scan([FRAMES[0]], "class", weights="w"), metric=metric, bins=8)


def rows_of(seed, n=60):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (3, n)).astype(np.uint8)
    return NodeRows(codes, rng.integers(0, 2, n).astype(np.int32), rng.integers(1, 4, n) * 1.0)


def as_dict(rows):
    found = {}
    for *codes, y, weight in zip(*rows.codes.tolist(), rows.y.tolist(), rows.weights, strict=True):
        found[*codes, y] = found.get((*codes, y), 0.0) + weight
    return found


@pytest.mark.parametrize("seed", range(5))
def test_a_draw_is_the_same_of_any_parts_and_has_all_weight_of_its_cases(seed):
    rows, draw = rows_of(seed), Draw(10, start=seed)
    whole, every = draw(rows), as_dict(rows)
    order = np.random.default_rng(seed).permutation(60)
    first, second, third = (draw(rows.take(order[k::3])) for k in range(3))
    merged = draw.merged(third, draw.merged(first, second))

    assert len(whole.y) == 10
    assert as_dict(whole).items() <= every.items()
    for one, other in zip(attrs.astuple(whole), attrs.astuple(merged), strict=True):
        assert one.tolist() == other.tolist()


def test_all_cases_are_drawn_alike_and_seeds_draw_others():
    rows = rows_of(1)
    distinct, times = len(as_dict(rows)), {}
    for start in range(400):
        for case in as_dict(Draw(10, start)(rows)):
            times[case] = times.get(case, 0) + 1
    share, expected = 10 / distinct, 4000 / distinct
    # Each is drawn a binomial number of times: 5 standard deviations for about 50 cases.
    assert len(times) == distinct
    assert np.ptp(list(times.values())) < 10 * np.sqrt(expected * (1 - share))


def test_equal_hashes_are_told_apart_by_content(monkeypatch):
    monkeypatch.setattr(
        "treelab.stats.stores.gathering.mixed_bits", lambda _, n, _start: np.zeros(n, np.uint64)
    )
    rows, draw = rows_of(2), Draw(7)
    whole = draw(rows)
    merged = draw.merged(draw(rows.take(slice(31, 60))), draw(rows.take(slice(0, 31))))

    assert as_dict(whole) == as_dict(merged)
    assert len(as_dict(whole)) == 7
