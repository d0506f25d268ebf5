"""What a user meets: files that are not alike, predictions that fail, progress that adds up."""

import re

import numpy as np
import pandas as pd
import pytest
from partitions import dealt, frame_of
from strategies import random_dataset

import treelab as tl
from treelab.errors import DataError, MismatchError, ParameterError
from treelab.scale import progress
from treelab.stats.stores.partitioned import PartitionedStore

FRAME = pd.DataFrame(
    {"a": [1.0, 2, 3, None] * 9, "b": ["u", "v", None] * 12, "class": ["x", "y"] * 18}
)


def written(folder, *frames):
    folder.mkdir()
    for k, frame in enumerate(frames):
        frame.to_parquet(folder / f"{k}.parquet", index=False)
    return folder


def test_types_that_differ_between_files_are_refused(tmp_path):
    other = FRAME.assign(a=FRAME["a"].astype(str) + "m")
    folder = written(tmp_path / "data", FRAME, other)
    with pytest.raises(MismatchError) as caught:
        tl.grow(tl.scan(folder, "class"))
    assert str(caught.value) == (
        "column 'a' holds numbers in one partition and text in another: read it as labels with "
        "nominal=['a'] (--nominal), or write the files alike"
    )
    assert tl.grow(tl.scan(folder, "class", nominal=["a"])).schema.features[0].is_nominal


def test_a_column_without_a_value_in_one_file_may_have_any_type(tmp_path):
    empty = FRAME.assign(a=pd.Series([None] * len(FRAME), dtype=object))
    tree = tl.grow(tl.scan(written(tmp_path / "data", FRAME, empty), "class"))
    assert not tree.schema.features[0].is_nominal


def test_a_failing_file_is_named_with_its_folder(tmp_path):
    folder = written(tmp_path / "data", FRAME, FRAME)
    (folder / "deep").mkdir()
    (folder / "deep" / "0.csv").write_text("a,b,class\n1,u,x\n1,2\n")
    with pytest.raises(DataError, match=re.escape(str(folder / "deep" / "0.csv"))):
        tl.grow(tl.scan(folder / "deep", "class"))


def test_predictions_are_all_there_or_none(tmp_path):
    tree = tl.grow(tl.scan(written(tmp_path / "data", FRAME, FRAME), "class"), pruner="none")
    bad = written(tmp_path / "bad", FRAME, FRAME.drop(columns="a"))
    with pytest.raises(MismatchError, match=r"1\.parquet: unknown column 'a'"):
        tl.scan(bad).predict(tree, tmp_path / "out" / "deep")
    assert not (tmp_path / "out" / "deep").exists()

    paths = tl.scan(tmp_path / "data").predict(tree, tmp_path / "out")
    assert [path.name for path in paths] == ["part-00000.parquet", "part-00001.parquet"]
    before = [path.read_bytes() for path in paths]
    with pytest.raises(MismatchError):
        tl.scan(bad).predict(tree, tmp_path / "out")
    assert [path.read_bytes() for path in paths] == before
    assert len([*(tmp_path / "out").iterdir()]) == 2
    assert tl.scan(tmp_path / "data").predict(tree, tmp_path / "out") == paths


def test_predictions_are_not_mixed_with_others(tmp_path):
    tree = tl.grow(tl.scan([FRAME], "class"), pruner="none")
    tl.scan([FRAME, FRAME]).predict(tree, tmp_path / "out")
    with pytest.raises(ParameterError, match=r"part-00001\.parquet is of other predictions: name"):
        tl.scan([FRAME]).predict(tree, tmp_path / "out")


def test_progress_counts_the_partitions_of_its_phase_only(monkeypatch):
    """Dask does tasks when it can: those of an earlier phase may be done in a later one."""

    class Late:
        """Does the work at once, but says so of the task before."""

        def __init__(self, done=None, late=()):
            self.done, self.late = done, late if isinstance(late, list) else []

        def watched(self, done, _say):
            return Late(done, self.late)

        def each(self, task, *of_part, common=()):
            for done in self.late:
                done()
            found = [task(*own, *common) for own in zip(*of_part, strict=True)]
            self.late[:] = [self.done] * len(found)
            return found

    monkeypatch.setattr(progress, "EVERY", 0.0)
    monkeypatch.setattr(progress, "PHASES", {np.sin: "sines", np.cos: "cosines"})
    said = []
    watched = progress.Watched(Late(), said.append)
    for task in (np.sin, np.cos, np.tan):
        watched.each(task, [1.0, 2.0])
    assert [line.partition(" part")[0] for line in said] == ["sines: 0 of 2", "cosines: 0 of 2"]


def test_levels_are_counted_where_small_nodes_are_finished_apart(monkeypatch):
    """Their cases are moved, too, but that is no level."""
    n_apart, whole = [], PartitionedStore.delegate

    def delegate(store, *given):
        n_apart.append(len(found := whole(store, *given)))
        return found

    monkeypatch.setattr(PartitionedStore, "delegate", delegate)
    frame, said = frame_of(random_dataset(1, cases=3_000, missing=0.3, weights="whole")), []
    scan = tl.scan(dealt(frame, 3, 0), "class", weights="w", progress=said.append)
    tl.grow(scan, bins=8, min_branch=1, pruner="none", max_depth=8)
    levels = [int(m[1]) for line in said if (m := re.match(r"counting level (\d+)", line))]

    assert sum(n_apart[:-1]) > 0
    assert list(dict.fromkeys(levels)) == list(range(1, len(n_apart) + 1))
