"""Workers, schedulers and users that end in the midst of it, on clusters of real processes."""

import os
import random
import shutil
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import attrs
import pytest
from clusters import environment, kill_a_worker, processes, treelab_command
from partitions import dealt, differing, frame_of, in_memory
from stores import kept, n_kept
from strategies import random_dataset

import treelab as tl
from treelab import __version__, _cluster
from treelab.experiment.dask_trials import DaskTrials
from treelab.experiment.record import Record
from treelab.scale import dask_engine
from treelab.scale.axes import Sizes

distributed = pytest.importorskip("distributed")

FRAME = frame_of(random_dataset(1, cases=60, missing=0.3, weights="whole"))
HOW = {"bins": 5, "min_branch": 1}
GONE = "treelab: the Dask scheduler is gone, and what it was doing with it\n"
COMPARED = ("compare", "voting", "zoo", "--folds", 10, "--repeats", 8, "--metric", "gain,relieff")


# Trees


def grown(monkeypatch, client, deaths):
    """Return a tree grown on Dask, and its tasks; after some calls so many workers are killed."""
    tasks, choice = [], random.Random(0)

    class Killing(dask_engine.DaskEngine):
        def each(self, task, *of_part, common=()):
            found = super().each(task, *of_part, common=common)
            for _ in range(deaths.get(len(tasks), 0)):
                kill_a_worker(self.client, choice.randrange(2))
            tasks.append(getattr(task, "__name__", str(task)))
            return found

    with monkeypatch.context() as patched:
        patched.setattr(dask_engine, "DaskEngine", Killing)
        parts = dealt(FRAME, 5, 0)
        scan = tl.scan(parts, "class", weights="w", engine="dask", scheduler=client)
        tree = tl.grow(attrs.evolve(scan, sizes=Sizes(cap=6, few_left=9)), **HOW)
    client.wait_for_workers(2, timeout=60)
    return tree, tasks


def test_a_killed_worker_leaves_no_trace(cluster, monkeypatch):
    with cluster.client() as client:
        tree, tasks = grown(monkeypatch, client, {9: 1})

    assert len(tasks) > 10
    assert differing(tl.grow(in_memory(FRAME), **HOW), tree) == []


@pytest.mark.slow
def test_a_worker_may_be_killed_in_every_phase(cluster, monkeypatch):
    """A phase is a kind of task: facts, digits, parts, counting, splitting, cases for pruning."""
    wanted = tl.grow(in_memory(FRAME), **HOW)
    with cluster.client() as client:
        _, tasks = grown(monkeypatch, client, {})
        assert len(set(tasks)) >= 6
        for task in sorted(set(tasks)):
            tree, _ = grown(monkeypatch, client, {tasks.index(task): 1})
            assert differing(wanted, tree) == [], task


@pytest.mark.slow
def test_twenty_kills_at_random_leave_no_trace(cluster, monkeypatch):
    with cluster.client() as client:
        _, tasks = grown(monkeypatch, client, {})
        deaths = Counter(random.Random(0).choices(range(len(tasks)), k=20))
        tree, _ = grown(monkeypatch, client, deaths)

    assert differing(tl.grow(in_memory(FRAME), **HOW), tree) == []


# A whole command, and what it leaves behind


def started(folder, *words):
    how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(
        treelab_command(*words), env=environment(), cwd=folder, start_new_session=True, **how
    )


def ended(command):
    """Return the exit code and what was said on standard error."""
    _, said = command.communicate(timeout=120)
    return command.returncode, said


def compared(folder, *words, least=10):
    """Start a comparison and return it as soon as some trials are done."""
    command = started(folder, *COMPARED, "--engine", "dask", *words, "-o", "out")
    while n_kept(folder / "out/trials.sqlite") < least and command.poll() is None:
        time.sleep(0.05)
    assert command.poll() is None, command.communicate()
    return command


def check_resumable(folder):
    """The store is sound, a report of what there is stands beside it; the rest can be done."""
    assert 10 <= n_kept(folder / "out/trials.sqlite") < 320
    assert "PARTIAL" in (folder / "out/table.md").read_text()
    rows = kept(folder / "out/trials.sqlite")
    assert [row["error"] for row in rows] == [None] * len(rows)


KEPT = "What is done is kept in out; the same call goes on from there.\n"


def test_a_lost_scheduler_ends_a_study_in_one_sentence(tmp_path):
    with processes(tmp_path, 1) as own:
        command = compared(tmp_path, "--scheduler", own.address)
        own.scheduler.kill()
        assert ended(command) == (1, KEPT + GONE)
    check_resumable(tmp_path)


@pytest.mark.slow
def test_a_scheduler_that_starts_again_ends_a_study_that_goes_on_when_asked(tmp_path):
    with processes(tmp_path) as own:
        command = compared(tmp_path, "--scheduler", own.address)
        own.scheduler.kill()
        own.scheduler.wait()
        own.start_scheduler()
        assert ended(command) == (1, KEPT + GONE)
        check_resumable(tmp_path)

        own.start_worker()
        own.wait(1)
        words = "--engine", "dask", "--scheduler", own.address, "-o", "out"
        assert ended(started(tmp_path, *COMPARED, *words)) == (0, "")
    assert ended(started(tmp_path, *COMPARED, "-o", "here")) == (0, "")
    assert kept(tmp_path / "out/trials.sqlite") == kept(tmp_path / "here/trials.sqlite")


@pytest.mark.slow
@pytest.mark.parametrize("whose", ["own", "another's"])
def test_ctrl_c_leaves_the_store_in_order(whose, tmp_path):
    """The signal goes to all processes of the terminal, as that of a keyboard does."""
    with processes(tmp_path, 1) as other:
        words = ("--workers", 2) if whose == "own" else ("--scheduler", other.address)
        command = compared(tmp_path, *words)
        os.killpg(command.pid, signal.SIGINT)
        assert ended(command) == (130, KEPT)
        check_resumable(tmp_path)
        assert n_tasks(other) == 0


def n_tasks(cluster):
    """Return how many tasks a scheduler knows of."""

    def counted(dask_scheduler):  # sent by value
        return len(dask_scheduler.tasks)

    with cluster.client() as client:
        return client.run_on_scheduler(counted)


def end_workers(cluster):
    """Kill all workers, those who would start them again first."""
    with cluster.client() as client:
        pids = client.run(os.getpid).values()
        for nanny in cluster.workers:
            nanny.kill()
        for pid in pids:
            os.kill(pid, signal.SIGKILL)


@pytest.mark.slow
def test_without_workers_a_study_ends(tmp_path):
    """Half a minute is waited for the trials, and half a minute for a worker."""
    with processes(tmp_path) as own:
        command = compared(tmp_path, "--scheduler", own.address)
        end_workers(own)
        status, said = ended(command)

    assert status == 1
    assert said == (
        f"{KEPT}treelab: there has been no Dask worker for 30 seconds: start some, and try again\n"
    )
    check_resumable(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("end", ["workers", "scheduler", "restart"])
def test_a_tree_on_a_lost_cluster_is_not_half_written(end, tmp_path):
    data = tl.make("kononenko", cases=200_000, seed=0)
    (tmp_path / "data").mkdir()
    for k in range(4):
        frame = data.take(range(k, len(data), 4)).to_frame()
        frame.to_parquet(tmp_path / f"data/{k}.parquet")
    with processes(tmp_path) as own:
        command = started(
            tmp_path, "train", "data/*.parquet", "--target", data.target, "--bins", 64,
            "--engine", "dask", "--scheduler", own.address, "-o", "model.json",
        )  # fmt: skip
        while n_tasks(own) == 0 and command.poll() is None:
            time.sleep(0.05)
        if end == "workers":
            end_workers(own)
        else:
            own.scheduler.kill()
        if end == "restart":
            own.scheduler.wait()
            own.start_scheduler()
        status, said = ended(command)

    assert (status, said.count("\n")) == (1, 1)
    assert said == GONE or "there has been no Dask worker for 30 seconds" in said
    assert not (tmp_path / "model.json").exists()


# Workers that are not what they should be


def another_treelab(folder):
    """Copy treelab as another version of it, and return where it is."""
    there = folder / "other" / "treelab"
    shutil.copytree(Path(tl.__file__).parent, there, ignore=shutil.ignore_patterns("__pycache__"))
    start = there / "__init__.py"
    start.write_text(start.read_text().replace(f'"{__version__}"', '"0.0.1"'))
    return there.parent


@pytest.mark.slow
def test_a_worker_of_another_version_is_refused_whenever_it_comes(tmp_path):
    other = another_treelab(tmp_path)
    with processes(tmp_path, 1) as own:
        command = compared(tmp_path, "--scheduler", own.address)
        own.start_worker(path=other)
        late = ended(command)
        own.wait(2)
        early = ended(started(tmp_path, *COMPARED, "--engine", "dask", "--scheduler", own.address))

    assert late == (
        2,
        f"{KEPT}treelab: a Dask worker has treelab 0.0.1, but where the work was started it is "
        f"{__version__}: results need the same one everywhere\n",
    )
    assert early[0] == 2
    assert early[1].startswith("treelab: the Dask worker tcp://127.0.0.1:")
    assert "has treelab 0.0.1, but here it is" in early[1]
    assert not (tmp_path / "comparison").exists()
    check_resumable(tmp_path)


@pytest.mark.slow
def test_a_trial_that_kills_workers_fails_and_the_others_do_not():
    class Trial:
        def __init__(self, is_deadly):
            self.is_deadly = is_deadly

        def carry_out(self):
            if self.is_deadly:
                os.kill(os.getpid(), signal.SIGKILL)
            return Record({"n": 1.0})

    import dask

    patient = {**_cluster.SETTINGS, "distributed.scheduler.allowed-failures": 1}
    with (
        dask.config.set(patient),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        trials = [Trial(True), *(Trial(False) for _ in range(6))]
        found = [(t.is_deadly, record) for t, record in DaskTrials(client).outcomes(trials)]

    assert [record.values for is_deadly, record in found if not is_deadly] == [{"n": 1.0}] * 6
    (failed,) = [record.error for is_deadly, record in found if is_deadly]
    assert failed.startswith("2 workers died under the same task (carried_out-")
