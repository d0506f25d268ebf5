"""Workers that stand still for want of memory, and those that come late with another treelab."""

import pytest
from clusters import processes
from partitions import dealt, frame_of
from strategies import random_dataset
from test_cluster_faults import another_treelab, ended, n_tasks, started

import treelab as tl
from treelab import __version__, _cluster
from treelab.errors import ParameterError
from treelab.scale.dask_engine import Call

distributed = pytest.importorskip("distributed")

FRAME = frame_of(random_dataset(1, cases=60, missing=0.3, weights="whole"))


@pytest.fixture(scope="module")
def client():
    with (
        distributed.LocalCluster(
            n_workers=2, processes=False, memory_limit="8GB", dashboard_address=":0",
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):  # fmt: skip
        yield client


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    monkeypatch.setattr(_cluster, "LOOK", 0.05)
    monkeypatch.setattr(_cluster, "PAUSED", 0.3)


def set_status(client, status, workers=None):
    def set_there(dask_worker):
        dask_worker.status = distributed.core.Status[status]

    client.run(set_there, workers=workers)


@pytest.fixture
def paused(client, monkeypatch):
    """Pause all workers, which nothing but this ends."""
    monkeypatch.setattr("distributed.worker_memory.WorkerMemoryManager._maybe_pause_or_unpause",
                        lambda *_: None)  # fmt: skip
    set_status(client, "paused")
    yield
    set_status(client, "running")


def grown(client, **settings):
    scan = tl.scan(
        dealt(FRAME, 3, 0), "class", weights="w", engine="dask", scheduler=client, **settings
    )
    return tl.grow(scan, bins=16)


@pytest.mark.usefixtures("paused")
def test_workers_that_are_all_paused_end_a_tree_in_one_sentence(client):
    said = []
    with pytest.raises(_cluster.EngineError) as caught:
        grown(client, progress=said.append)

    assert str(caught.value) == (
        "nothing goes on: 2 of 2 workers are paused, near their memory limit of 7.45 GiB, for 0 "
        "seconds now: make partitions smaller, or give workers more memory"
    )
    wanted = "reading columns and classes: nothing goes on: 2 of 2 workers are paused, near their"
    assert any(line.startswith(wanted) for line in said)


@pytest.mark.usefixtures("paused")
def test_memory_that_is_free_goes_back_before_anybody_gives_up(client, monkeypatch):
    """Of a worker that can go on then, nothing is said in the end."""
    monkeypatch.setattr(_cluster, "PAUSED", 30.0)

    def trim(dask_worker):
        dask_worker.status = distributed.core.Status.running

    monkeypatch.setattr(_cluster, "trim", trim)
    assert grown(client).counts[0].sum() == FRAME["w"].sum()


@pytest.mark.usefixtures("paused")
def test_one_worker_at_work_is_enough(client):
    first = min(client.scheduler_info()["workers"])
    set_status(client, "running", [first])
    assert grown(client).counts[0].sum() == FRAME["w"].sum()


def test_a_worker_near_its_limit_gives_free_memory_back_after_a_task(client, monkeypatch):
    trims = []
    monkeypatch.setattr(_cluster, "trim", lambda: trims.append(1))
    for near, n_trims in ((0.0, 1), (1.0, 1)):
        monkeypatch.setattr(_cluster, "NEAR", near)
        assert client.submit(Call(max, (3,)), (1,), pure=False).result() == 3
        assert len(trims) == n_trims


def test_a_task_is_done_by_a_worker_of_the_same_version_only():
    with pytest.raises(ParameterError) as caught:
        Call(max, (3,), version="0.0.1")((1,))
    assert str(caught.value) == (
        f"a Dask worker has treelab {__version__}, but where the work was started it is 0.0.1: "
        "results need the same one everywhere"
    )


def written(folder, n_cases, n_files):
    data = tl.make("kononenko", cases=n_cases, seed=0)
    folder.mkdir()
    for k in range(n_files):
        data.take(range(k, n_cases, n_files)).to_frame().to_parquet(folder / f"{k}.parquet")
    return data.target


@pytest.mark.slow
def test_a_worker_of_another_version_that_comes_late_is_refused(tmp_path):
    target, other = written(tmp_path / "data", 200_000, 40), another_treelab(tmp_path)
    with processes(tmp_path, 1) as own:
        command = started(
            tmp_path, "train", "data/*.parquet", "--target", target, "--bins", 64,
            "--engine", "dask", "--scheduler", own.address, "-o", "model.json",
        )  # fmt: skip
        while n_tasks(own) == 0 and command.poll() is None:
            pass
        for _ in range(2):
            own.start_worker(path=other)
        status, said = ended(command)

    assert (status, said.count("\n")) == (2, 1)
    assert "has treelab 0.0.1, but" in said
    assert not (tmp_path / "model.json").exists()
