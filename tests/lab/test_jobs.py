"""Long work: in worker processes, with progress and cancel; a worker that dies is a sentence."""

import os
import signal

import pytest

import treelab as tl
from treelab.lab_server.jobs import Jobs


def slow(tab):
    """Begin work that takes minutes."""
    source = {"from": "generator", "name": "exor", "parameters": {"n": 2, "m": 20, "cases": 4000}}
    tab.ask("open", source=source)
    answer = tab.post("compare", metrics=["relieff", "pi"], folds=10)
    return answer.json()["job"]


def running(tab, desk, number):
    """Wait until a job has a worker, and has said something."""
    for _ in range(3000):
        job = desk.jobs.find(number)
        if job.worker is not None and job.words != "waiting":
            return job
        tab.job(number)
    raise AssertionError("the job does not begin")


@pytest.mark.parametrize("name", ["iris", "labor"])
def test_assess_is_cross_validation(tab, name):
    tab.open(name)
    tab.grow(metric="gini")
    told = tab.ask("assess", folds=4, seed=1)
    found = tl.cross_validate(tl.load(name), tl.Learner(metric="gini"), folds=4, seed=1)

    assert told["by"] == "folds"
    assert told["accuracy"] == found.accuracy
    assert told["error"] == pytest.approx(found.deviation / 2)
    assert told["confusion"] == found.assessment.confusion.tolist()
    assert told["baseline"] == found.assessment.baseline
    assert [fold["accuracy"] for fold in told["folds"]] == found.of("accuracy").tolist()


def test_an_edited_tree_is_replayed_in_each_fold(tab):
    tab.open("iris")
    tab.grow()
    tab.ask("edit", edit={"edit": "prune", "node": "1"})
    told = tab.ask("assess", folds=3)
    found = tl.cross_validate(tl.load("iris"), tl.Learner(max_depth=1).fit, folds=3)

    assert told["by"] == "replay"
    assert "fold" in told["words"]
    assert told["leaves"] == 2
    assert told["accuracy"] == pytest.approx(found.accuracy)
    assert told["unedited"]["accuracy"] > told["accuracy"]


def test_an_edited_tree_is_measured_on_what_was_held_out(tab):
    tab.open("hepatitis", hold={"share": 0.3})
    tab.grow()
    tree = tab.ask("edit", edit={"edit": "prune", "node": "root"})["tree"]
    told = tab.ask("assess")

    assert told["by"] == "held-out"
    assert "held out" in told["words"]
    assert told["accuracy"] == told["baseline"] == tree["held_out"]["accuracy"]
    assert tab.ask("assess", by="folds", folds=3)["by"] == "replay"


def test_compare_marks_where_trees_differ(tab):
    tab.open("hepatitis")
    tab.grow(max_depth=3)
    told = tab.ask("compare", metrics=["gain", "gini", "gain"], folds=3)
    trees = [tl.grow(tl.load("hepatitis"), m, max_depth=3) for m in ("gain", "gini", "gain")]

    assert [each["leaves"] for each in told["trees"]] == [tree.n_leaves for tree in trees]
    assert told["trees"][0]["differs"] == told["trees"][2]["differs"] == []
    assert told["trees"][1]["differs"]
    assert told["alike"][0][2] == 1.0
    data = tl.load("hepatitis")
    assert told["alike"][0][1] == (trees[0].predict(data) == trees[1].predict(data)).mean()
    for each in told["differences"]:
        assert each["words"][0] == each["words"][2] != each["words"][1]
    found = tl.cross_validate(data, tl.Learner(metric="gini", max_depth=3), folds=3)
    assert told["trees"][1]["accuracy"] == found.accuracy


def test_the_lab_answers_while_a_job_runs_and_the_job_can_be_cancelled(tab, other, desk):
    number = slow(tab)
    running(tab, desk, number)
    tab.grow(metric="gain")
    other.open("iris")

    assert tab.job(number)["state"] == "running"
    assert 0 <= tab.job(number)["progress"] < 1
    assert "there is no such job" in other.refused("cancel", job=number)
    assert tab.ask("cancel", job=number)["state"] == "cancelled"
    assert tab.ended(number)["state"] == "cancelled"
    tab.open("iris")
    tab.grow()
    assert tab.ask("assess", folds=2)["accuracy"] > 0.8


def test_a_worker_that_is_killed_is_a_sentence(tab, desk):
    number = slow(tab)
    job = running(tab, desk, number)
    os.kill(job.worker.pid, signal.SIGKILL)
    told = tab.ended(number)

    assert told["state"] == "failed"
    assert told["error"].startswith("the worker process ended unexpectedly")
    assert tab.ask("state")["data"]["cases"] == 4000
    tab.open("iris")
    tab.grow()
    assert tab.ask("assess", folds=2)["accuracy"] > 0.8


@pytest.mark.slow
def test_a_job_takes_the_place_of_one_of_its_name(tab, desk):
    first = slow(tab)
    running(tab, desk, first)
    second = tab.post("compare", metrics=["gain", "gini"], folds=2).json()["job"]

    assert tab.job(first)["state"] == "cancelled"
    assert tab.ended(second)["state"] == "done"


def test_what_goes_wrong_in_a_worker_is_a_sentence(tab):
    tab.open("lenses")
    tab.grow()
    number = tab.post("assess", folds=100).json()["job"]
    told = tab.ended(number)

    assert told["state"] == "failed"
    assert told["error"].startswith("folds must be from 2 to the number of cases")


@pytest.mark.slow
def test_the_end_of_a_session_ends_its_job(tab, desk):
    number = slow(tab)
    worker = running(tab, desk, number).worker
    tab.ask("close")

    assert tab.job(number)["state"] == "cancelled"
    assert worker.process.wait(10) != 0
    assert tab.ask("state")["data"] is None


@pytest.mark.slow
def test_workers_end_with_their_jobs():
    jobs = Jobs(most=1)
    job = jobs.start("a", "assess", "k", None, {})
    while job.state == "running":
        pass
    worker = jobs.idle[0]
    assert "unexpected went wrong (TypeError)" in job.error
    jobs.close()

    assert not worker.is_alive
    assert jobs.idle == []


def test_an_unknown_job_is_not_found(tab):
    answer = tab.client.get(f"/{tab.token}/api/jobs/none")

    assert answer.status_code == 404
