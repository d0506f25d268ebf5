"""Studies on a Dask cluster of real processes: the same results, kept as they come."""

import time

import pytest
from clusters import kill_a_worker
from stores import kept
from typer.testing import CliRunner

import treelab as tl
from treelab import _cluster
from treelab.cli.app import app
from treelab.errors import ParameterError
from treelab.experiment import Study, report, run_study
from treelab.experiment.dask_trials import AHEAD, DaskTrials, carried_out
from treelab.experiment.record import Record

distributed = pytest.importorskip("distributed")

RIVALS = {"gain": tl.Learner(metric="gain"), "gini": tl.Learner(metric="gini")}


@pytest.fixture(autouse=True)
def no_pictures(monkeypatch):
    monkeypatch.setattr(report, "_write_page", lambda *_: None)


def small(**changes):
    how = {"data": ["lenses", "zoo"], "learners": RIVALS, "folds": 3, "repeats": 2}
    return Study(**{**how, **changes})


def run_here(study, folder):
    run_study(study, folder / "here.sqlite")
    return kept(folder / "here.sqlite")


def test_the_store_is_that_of_one_process(cluster, tmp_path):
    path, seen = tmp_path / "there.sqlite", []

    def watch(outcomes, to_come, in_all):
        seen.append((to_come, in_all))
        return outcomes

    run_study(small(repeats=1), path, engine="dask", scheduler=cluster.address)
    how = {"engine": "dask", "scheduler": cluster.address, "watch": watch}
    run_study(small(), path, **how)
    run_study(small(), path, **how)

    assert seen == [(12, 24)]  # the rest of it, and nothing the third time
    assert kept(path) == run_here(small(), tmp_path)


def test_a_killed_worker_costs_its_running_trial_only(cluster, tmp_path):
    log = tmp_path / "begun"

    class Trial:  # of a function, so that workers get it by value
        def __init__(self, number):
            self.number = number

        def carry_out(self):
            with log.open("a") as file:
                file.write(f"{self.number}\n")
            time.sleep(0.05)
            return Record({"number": self.number})

    trials = [Trial(number) for number in range(24)]
    with cluster.client() as client:
        found = []
        for trial, record in DaskTrials(client).outcomes(trials):
            found.append((trial.number, record.values["number"]))
            if len(found) == 5:
                kill_a_worker(client)
        client.wait_for_workers(2, timeout=60)

    assert sorted(found) == [(number, number) for number in range(24)]
    begun = log.read_text().split()
    assert {int(number) for number in begun} == set(range(24))
    # The one that was running, and perhaps one whose result had not left the worker yet.
    assert len(begun) <= 26


def test_few_trials_are_with_the_cluster_at_once(cluster):
    """One that is given up early leaves next to nothing behind."""

    class Trial:
        def carry_out(self):
            time.sleep(0.01)
            return Record()

    with cluster.client() as client:
        outcomes = DaskTrials(client).outcomes([Trial() for _ in range(50)])
        for _, _outcome in zip(range(3), outcomes, strict=False):
            assert len(client.futures) <= 2 * AHEAD
        outcomes.close()
        end = time.monotonic() + 30
        while client.futures and time.monotonic() < end:  # they are let go of by another thread
            time.sleep(0.01)
        assert len(client.futures) == 0


def test_memory_is_not_measured_on_dask(cluster, tmp_path):
    """Workers may have several threads, which would end the whole process."""
    study = small(record=("accuracy", "memory"))
    with pytest.raises(ParameterError, match=r"^memory is measured .*, not by threads nor on Dask"):
        run_study(study, tmp_path / "s", engine="dask", scheduler=cluster.address)

    assert list(tmp_path.iterdir()) == []


# Versions


def test_a_worker_that_came_later_with_another_version_is_refused():
    with pytest.raises(ParameterError, match=r"a Dask worker has treelab .* it is 9\.9: results"):
        carried_out(None, "9.9")


def test_a_cluster_of_another_version_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(_cluster, "__version__", "9.9")
    with pytest.raises(ParameterError, match=r"^the Dask scheduler has treelab .* it is 9\.9: re"):
        run_study(small(), engine="dask", scheduler=cluster.address)


def test_workers_without_treelab_are_refused(cluster, monkeypatch):
    monkeypatch.setattr(_cluster, "VERSION", "__import__('treelap').__version__")
    with cluster.client() as client, pytest.raises(ParameterError, match="has no treelab, but"):
        _cluster.check_versions(client)


# On the command line


def compare(*words):
    given = ("compare", "lenses", "--folds", "2", "--metric", "gain,gini", *words)
    return CliRunner().invoke(app, [str(word) for word in given])


def test_the_command_line_compares_on_a_cluster(cluster, tmp_path):
    there = compare("--engine", "dask", "--scheduler", cluster.address, "-o", tmp_path / "there")
    here = compare("-o", tmp_path / "here")

    assert there.exit_code == 0, there.stderr
    assert there.stderr == ""
    assert there.stdout.replace("there", "here") == here.stdout
    assert kept(tmp_path / "there/trials.sqlite") == kept(tmp_path / "here/trials.sqlite")


def test_a_cluster_without_workers_is_not_waited_for(monkeypatch, tmp_path):
    monkeypatch.setattr(_cluster, "PATIENCE", 0.2)
    monkeypatch.chdir(tmp_path)
    with distributed.LocalCluster(
        n_workers=0, processes=False, dashboard_address=":0", silence_logs=50
    ) as nobody:
        result = compare("--engine", "dask", "--scheduler", nobody.scheduler_address)

    assert result.exit_code == 1
    assert result.stderr == (
        "treelab: there has been no Dask worker for 0 seconds: start some, and try again\n"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--engine", "dusk"), "engine must be one of 'local', 'dask', got 'dusk'; did you mean"),
        (("--scheduler", "tcp://127.0.0.1:1"), "--scheduler is for --engine dask"),
        (("--workers", "2"), "--workers is for --engine dask"),
        (("--memory-limit", "1GB"), "--memory-limit is for --engine dask"),
        (
            ("--engine", "dask", "--scheduler", "tcp://127.0.0.1:1"),
            "no Dask scheduler answers at 'tcp://127.0.0.1:1'",
        ),
        (("--engine", "dask", "--scheduler", "nowhere"), "no Dask scheduler answers at 'nowhere'"),
        (
            ("--engine", "dask", "--scheduler", "carrier-pigeon://x:1"),
            "no Dask scheduler answers at 'carrier-pigeon://x:1'",
        ),
        (
            ("--engine", "dask", "--scheduler", "tcp://127.0.0.1:1", "--workers", "2"),
            "workers is for workers that are started here: a scheduler has its own",
        ),
        (
            ("--engine", "dask", "--memory-limit", "much"),
            "memory_limit must be a size such as '2GB', got 'much'",
        ),
        (("--engine", "dask", "--jobs", "2"), "jobs and backend are for engine='local'"),
        (("--backend", "dask"), "backend must be one of loky, "),
    ],
)
def test_wrong_calls_are_one_sentence(words, message, monkeypatch, tmp_path):
    monkeypatch.setattr(_cluster, "CONNECT", 0.5)
    monkeypatch.chdir(tmp_path)
    result = compare(*words)

    assert result.exit_code == 2, result.stderr
    assert result.stderr.startswith(f"treelab: {message}")
    assert result.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "dask", "scheduler": 7}, "scheduler must be an address or a Client, got 7"),
        ({"engine": "dask", "workers": 0}, "workers must be a whole number of at least 1, got 0"),
        ({"engine": "dask", "memory_limit": ()}, r"memory_limit must be a size .*, got \(\)"),
        ({"engine": "dask", "backend": "threading"}, "jobs and backend are for engine='local'"),
        ({"engine": 5}, "engine must be one of 'local', 'dask', got 5"),
        ({"workers": 2}, "workers is for engine='dask', not for 'local'"),
    ],
)
def test_wrong_means_are_refused(options, message):
    with pytest.raises(ParameterError, match=f"^{message}"):
        run_study(small(), **options)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--engine", "dusk"), "engine must be one of 'local', 'dask', got 'dusk'; did you mean"),
        (("--scheduler", "tcp://127.0.0.1:1"), "--scheduler is for --engine dask"),
        (("--engine", "dask", "--scheduler", "nowhere"), "no Dask scheduler answers at 'nowhere'"),
    ],
)
def test_papers_are_refused_likewise(words, message, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["reproduce", "hong1996", "--quick", *words])

    assert result.exit_code == 2
    assert result.stderr.startswith(f"treelab: {message}")
    assert list(tmp_path.iterdir()) == []
