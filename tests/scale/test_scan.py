"""Scanned data grow the trees of the same cases in memory, bit for bit."""

from itertools import product

import attrs
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest
from partitions import MADE, METRICS, MISSING, SPLITS, dealt, differing, frame_of, in_memory
from strategies import random_dataset
from thinned import thinned

import treelab as tl
from treelab.errors import DataError, ParameterError
from treelab.scale.axes import Sizes

FRAMES = [frame_of(random_dataset(seed, **how)) for seed, how in enumerate(MADE)]
MIXED = FRAMES[1]


def scanned(parts, **settings):
    return tl.scan(parts, "class", weights="w", **settings)


COMBINED = list(enumerate(product(FRAMES, SPLITS, MISSING)))


def compare(metric, combined):
    """Grow trees of a metric from parts and in memory."""
    for k, (frame, splits, missing) in combined:
        how = {"metric": metric, "splits": splits, "missing": missing, "min_branch": 1}
        how |= {"bins": (4, 255)[k % 2], "pruner": "none"}
        scan = scanned(dealt(frame, (1, 2, 3, 7)[k % 4], k))
        assert differing(tl.grow(in_memory(frame), **how), tl.grow(scan, **how)) == []


@pytest.mark.parametrize("metric", thinned(METRICS, 3))
def test_partitions_grow_the_tree_of_memory(metric):
    """Every fifth combination: each frame, split and policy with each metric, all with some."""
    compare(metric, COMBINED[METRICS.index(metric) % 5 :: 5])


@pytest.mark.slow
@pytest.mark.parametrize("metric", METRICS)
def test_partitions_grow_the_tree_of_memory_however_combined(metric):
    compare(metric, COMBINED)


def test_numbers_of_very_many_values_are_cut_at_the_same_borders():
    for k, (frame, missing) in enumerate(product(FRAMES[:5], MISSING)):
        scan = attrs.evolve(scanned(dealt(frame, 3, k)), sizes=Sizes(cap=6, few_left=9))
        how = {"missing": missing, "bins": 5, "min_branch": 1, "pruner": "none"}
        assert differing(tl.grow(in_memory(frame), **how), tl.grow(scan, **how)) == []


PRUNERS = (
    "pessimistic:cf=0.2,chance=0.5", "pessimistic:raising=false", "minimum-error", "pep",
    "cost-complexity", "reduced-error", "chance", "collapse",
)  # fmt: skip


@pytest.mark.parametrize("pruner", PRUNERS)
def test_every_pruner_gives_the_tree_of_memory(pruner):
    for k, frame in enumerate(FRAMES):
        if (k + PRUNERS.index(pruner)) % 2:  # the other half is for the next pruner
            continue
        how, scan = {"bins": 255, "pruner": pruner}, scanned(dealt(frame, 3, k))
        assert differing(tl.grow(in_memory(frame), **how), tl.grow(scan, **how)) == []


def test_searches_and_stops_are_those_of_memory():
    for how in ({"search": "beam", "width": 3}, {"max_leaves": 5}, {"cuts": "c45"}):
        wanted = tl.grow(in_memory(MIXED), bins=16, **how)
        assert differing(wanted, tl.grow(scanned(dealt(MIXED, 3, 0)), bins=16, **how)) == []


def test_codes_in_files_grow_the_same_tree():
    scan = attrs.evolve(scanned(dealt(MIXED, 3, 0)), most_in_memory=0)

    assert differing(tl.grow(in_memory(MIXED), bins=16), tl.grow(scan, bins=16)) == []


def written(folder, parts, suffix):
    for k, part in enumerate(parts):
        path = folder / f"part-{k}.{suffix}"
        part.to_csv(path, index=False) if suffix == "csv" else part.to_parquet(path)
    return folder


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_files_folders_and_patterns_are_read_a_partition_at_a_time(tmp_path, suffix):
    whole = tmp_path / f"whole.{suffix}"
    (tmp_path / "parts").mkdir()
    MIXED.to_csv(whole, index=False) if suffix == "csv" else MIXED.to_parquet(whole)
    folder = written(tmp_path / "parts", dealt(MIXED, 4, 2), suffix)
    wanted = tl.grow(tl.read(whole, "class", weights="w"), bins=16)
    for source in (folder, str(folder), f"{folder}/*.{suffix}", sorted(folder.iterdir()), whole):
        assert differing(wanted, tl.grow(scanned(source), bins=16)) == []


def test_row_groups_of_a_file_are_partitions(tmp_path, monkeypatch):
    monkeypatch.setattr("treelab.scale.sources.PIECE_ROWS", 20)
    MIXED.to_parquet(tmp_path / "whole.parquet", row_group_size=10)
    scan = scanned(tmp_path / "whole.parquet")

    assert len(scan.pieces) == 3
    assert differing(tl.grow(in_memory(MIXED), bins=16), tl.grow(scan, bins=16)) == []


def test_frames_of_any_library_functions_and_iterators_are_sources():
    parts = dealt(MIXED, 3, 1)
    arrow = [pa.Table.from_pandas(part, preserve_index=False) for part in parts]
    sources = [
        arrow, [pl.from_pandas(part) for part in parts], lambda: iter(parts), iter(parts),
        MIXED,
    ]  # fmt: skip
    wanted = tl.grow(in_memory(MIXED), bins=16)
    for source in sources:
        assert differing(wanted, tl.grow(scanned(source), bins=16)) == []


def test_arrow_data_sets_are_read_by_fragments(tmp_path):
    written(tmp_path, dealt(MIXED, 3, 1), "parquet")
    source = pyarrow.dataset.dataset(tmp_path)

    assert differing(tl.grow(in_memory(MIXED), bins=16), tl.grow(scanned(source), bins=16)) == []


def test_labels_and_classes_of_one_partition_only_are_merged_in_natural_order():
    frame = pd.DataFrame(
        {"a": ["10", "x", "9", None] * 10, "b": np.arange(40.0), "class": ["u", "v"] * 20, "w": 1.0}
    )
    frame.loc[39, "class"] = "only here"
    parts = [frame[:1], frame[1:2], frame[2:39], frame[39:]]
    one, other = tl.grow(in_memory(frame), bins=9), tl.grow(scanned(parts), bins=9)

    assert other.schema.features[0].labels == ("9", "10", "x")
    assert differing(one, other) == []


def test_a_column_of_numbers_here_and_text_there_is_nominal(tmp_path):
    rows = ["1,u", "2,v", "?,u", "3,v", "red,u", "1.50,v"] * 4
    (tmp_path / "parts").mkdir()
    for k, part in enumerate((rows[:2], rows[2:3], rows[3:], [])):
        (tmp_path / "parts" / f"{k}.csv").write_text("a,class\n" + "".join(f"{r}\n" for r in part))
    (tmp_path / "whole.csv").write_text("a,class\n" + "".join(f"{r}\n" for r in rows))
    wanted = tl.grow(tl.read(tmp_path / "whole.csv"), pruner="none", min_branch=1)
    found = tl.grow(tl.scan(tmp_path / "parts"), pruner="none", min_branch=1)

    assert differing(wanted, found) == []


def test_dates_and_ordered_categories_stay_what_they_are():
    frame = MIXED.copy()
    frame.insert(0, "day", pd.date_range("2024-01-01", periods=len(frame)))
    size = pd.CategoricalDtype(["small", "medium", "large"], ordered=True)
    frame.insert(0, "size", pd.Series(["large", "small", "medium"] * 20, dtype=size))

    parts = dealt(frame, 3, 0)
    assert differing(tl.grow(in_memory(frame), bins=16), tl.grow(scanned(parts), bins=16)) == []


@pytest.mark.parametrize(
    ("source", "settings", "text"),
    [
        ("no-such/*.parquet", {}, "no file matches 'no-such/"),
        (7, {}, "expected files, a folder, a pattern"),
        ([MIXED], {"engine": "dusk"}, "did you mean 'dask'"),
        ([MIXED], {"workers": 2}, "workers is for engine='dask'"),
    ],
)
def test_a_wrong_call_is_told_in_one_sentence(source, settings, text):
    with pytest.raises(ParameterError, match=text.replace("*", r"\*")):
        tl.scan(source, "class", **settings)


@pytest.mark.parametrize(
    ("parts", "how", "text"),
    [
        ([MIXED, MIXED.drop(columns="x0")], {}, "frame 1 has no column 'x0', which frame 0 has"),
        ([MIXED, MIXED[MIXED.columns[::-1]]], {}, "frame 1 has its columns in another order"),
        ([MIXED], {"metric": "relieff", "bins": 8}, "max_cases says how many cases of a node"),
        ([MIXED], {"discretizer": "mdlp"}, "a discretizer needs all cases in one memory"),
        ([MIXED], {"search": "optimal", "max_depth": 2}, "search='optimal' needs all cases in one"),
        ([MIXED[:0]], {}, "at least one case with a known class"),
        ([], {}, "there are no partitions"),
        (list, {}, "there are no partitions"),
    ],
)
def test_data_and_learners_that_do_not_fit_are_refused_in_one_sentence(parts, how, text):
    with pytest.raises((DataError, ParameterError), match=text):
        tl.grow(scanned(parts), **how)


def test_partitions_without_cases_or_columns_are_refused(tmp_path):
    (tmp_path / "a.csv").write_text("x,class,w\n")
    with pytest.raises(DataError, match="there is not a single case in any partition"):
        tl.grow(scanned(tmp_path))


def test_a_broken_partition_names_its_file(tmp_path):
    written(tmp_path, [MIXED[:30], MIXED[30:]], "csv")
    (tmp_path / "part-1.csv").write_text("x0,class,w\n1,2\n")
    with pytest.raises(DataError, match=r"part-1\.csv"):
        tl.grow(scanned(tmp_path))


def test_many_numbers_without_bins_are_refused():
    scan = attrs.evolve(scanned([FRAMES[4]]), sizes=Sizes(cap=6))
    with pytest.raises(ParameterError, match="more than 6 different numbers: say into how many"):
        tl.grow(scan)


def test_predictions_are_written_a_file_for_each_partition(tmp_path):
    tree, parts = tl.grow(in_memory(MIXED), bins=16), dealt(MIXED, 3, 0)
    nameless = [part.drop(columns=["class", "w"]) for part in parts]
    for source in (parts, nameless):
        paths = tl.scan(source, "class").predict(tree, tmp_path / "out", proba=True)
        tables = [pyarrow.parquet.read_table(path) for path in paths]
        for part, table in zip(nameless, tables, strict=True):
            assert table["prediction"].to_pylist() == tree.predict(part).tolist()
            shares = np.array([table[name].to_numpy() for name in table.column_names[1:]]).T
            assert shares.tolist() == tree.predict_proba(part).tolist()


def test_predictions_of_data_that_lack_a_column_name_it(tmp_path):
    tree = tl.grow(in_memory(MIXED), bins=16, pruner="none")
    with pytest.raises(DataError, match="frame 0: unknown column 'x0'"):
        tl.scan([MIXED.drop(columns="x0")]).predict(tree, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", tl.dataset_names())
def test_bundled_data_in_partitions_grow_the_tree_of_memory(name):
    frame = frame_of(tl.load(name))
    target = tl.load(name).target
    for k, (missing, splits) in enumerate(product(MISSING, SPLITS)):
        how = {"bins": 255, "missing": missing, "splits": splits}
        scan = tl.scan(dealt(frame, (2, 7, 50)[k % 3], k), target, weights="w")
        assert differing(tl.grow(in_memory(frame, target), **how), tl.grow(scan, **how)) == []
