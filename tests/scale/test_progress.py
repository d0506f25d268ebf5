"""What a scan says while a tree grows, and what is left of it when somebody stops it."""

import time

import pytest
from partitions import dealt, frame_of
from strategies import random_dataset

import treelab as tl
from treelab.scale import progress

FRAME = frame_of(random_dataset(1, cases=60, missing=0.3, weights="whole"))


def said_of(source, monkeypatch, **settings):
    monkeypatch.setattr(progress, "EVERY", 0.0)
    said = []
    scan = tl.scan(source, "class", weights="w", progress=said.append, **settings)
    tl.grow(scan, bins=16, min_branch=1)
    return said


def test_progress_says_level_nodes_partitions_and_time(monkeypatch):
    monkeypatch.setattr("treelab.stats.stores.finishing.MOST_MOVED", 0)
    said = said_of(dealt(FRAME, 3, 0), monkeypatch)

    assert said[0].startswith("reading columns and classes: 0 of 3 partitions (0 s)")
    assert any(line.startswith("counting level 1 (1 nodes): 2 of 3 part") for line in said)
    assert any(line.startswith("counting level 3 (") for line in said)
    assert all("left of this)" in line for line in said if ": 2 of 3" in line)
    assert not any("left" in line for line in said if ": 3 of 3" in line)


def test_frames_that_a_function_gives_are_counted_though_nobody_knows_how_many(monkeypatch):
    said = said_of(lambda: iter(dealt(FRAME, 3, 0)), monkeypatch)

    assert said[2].startswith("reading columns and classes: 2 partitions (")
    assert any(line.startswith("bringing small nodes together: 2 of 3") for line in said)


def test_progress_and_ctrl_c_on_dask(monkeypatch):
    """A metric that is interrupted at level 2: what was handed out is cancelled on the cluster."""
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr("treelab.stats.stores.finishing.MOST_MOVED", 0)
    asked = []

    def interrupted(node):
        asked.append(len(node.counts))
        if len(asked) == 2:
            raise KeyboardInterrupt
        return tl.metric("gain")(node)

    said = []
    with (
        distributed.LocalCluster(
            n_workers=1, processes=False, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        scan = tl.scan(
            dealt(FRAME, 3, 0), "class", weights="w", engine="dask", scheduler=client,
            progress=said.append,
        )  # fmt: skip
        with pytest.raises(KeyboardInterrupt) as caught:
            tl.grow(scan, interrupted, bins=16)
        # The traceback still holds the futures: only because they were given up do they go.
        until = time.monotonic() + 20  # seconds, of which a busy machine may need some
        while cluster.scheduler.tasks and time.monotonic() < until:
            time.sleep(0.05)
        assert not cluster.scheduler.tasks
        assert client.status == "running"
        del caught
    assert any(line.startswith("counting level 1 (1 nodes): ") for line in said)
