"""Stores of studies, running or finished, read without disturbing who writes to them."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest

import treelab as tl
from treelab.errors import TreelabError
from treelab.experiment import Store, Summary
from treelab.experiment.stored import read_stores
from treelab.lab_server.studying import cliques

LEARNERS = {
    "gain": tl.Learner(metric="gain"),
    "gini": tl.Learner(metric="gini", max_depth=2),
    "stump": tl.Learner(max_depth=1),
}
SETS = ["iris", "lenses", "labor"]


@pytest.fixture(scope="module")
def study():
    return tl.Study(data=SETS, learners=LEARNERS, folds=2, repeats=2)


@pytest.fixture(scope="module", autouse=True)
def results(study, folder):
    return tl.run_study(study, folder / "trials.sqlite")


def test_a_store_alone_tells_what_the_study_tells(tab, results):
    told = tab.ask("study", files=["trials.sqlite"])
    summary = Summary(results)

    assert told["learners"] == summary.learners
    assert sorted(told["data"]) == sorted(SETS)
    order = [told["data"].index(name) for name in summary.data]
    assert np.array(told["means"])[order] == pytest.approx(summary.accuracy)
    assert np.array(told["deviations"])[order] == pytest.approx(summary.deviation)
    assert (np.array(told["best"])[order] == summary.best).all()
    assert told["ranks"]["mean_ranks"] == pytest.approx(summary.friedman.ranks)
    assert told["ranks"]["critical_difference"] == summary.friedman.critical_difference(0.05)
    assert told["averages"] == pytest.approx(summary.averages())
    assert told["conclusion"]
    (store,) = told["stores"]
    assert (store["done"], store["expected"], store["state"]) == (36, 36, "finished")


def test_a_store_is_read_only(folder):
    before = (folder / "trials.sqlite").read_bytes()
    read_stores({"trials.sqlite": str(folder / "trials.sqlite")})

    assert (folder / "trials.sqlite").read_bytes() == before


def test_reading_a_store_leaves_nothing_beside_it(folder):
    names = {path.name for path in folder.iterdir()}
    assert read_stores({"trials.sqlite": str(folder / "trials.sqlite")}).results.done == 36
    assert {path.name for path in folder.iterdir()} == names


def test_a_view_in_place_of_the_trials_is_not_run(tmp_path):
    """It would have no end."""
    path = tmp_path / "view.sqlite"
    with Store(path):
        pass
    with closing(sqlite3.connect(path)) as store, store:
        columns = [row[1] for row in store.execute("PRAGMA table_info(trials)")]
        store.execute("DROP TABLE trials")
        store.execute(
            "CREATE VIEW trials AS WITH RECURSIVE r (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
            f" SELECT {', '.join(f'n AS {name}' for name in columns)} FROM r WHERE n < 0"
        )
    with pytest.raises(TreelabError, match=r"^cannot use v as a store .*: it holds something else"):
        read_stores({"v": str(path)})


def test_a_trial_that_stands_nowhere_is_no_result(folder, tmp_path):
    path = tmp_path / "odd.sqlite"
    path.write_bytes((folder / "trials.sqlite").read_bytes())
    with closing(sqlite3.connect(path)) as store, store:
        store.execute("UPDATE trials SET seed = x'00' WHERE learner = 'gain'")
        store.execute("UPDATE trials SET data = x'00' WHERE learner = 'gini'")
    assert read_stores({"odd": str(path)}).results.done == 12


def test_a_running_study_tells_how_far_it_is(tab, results, folder):
    with Store(folder / "running.sqlite") as store:
        for trial in results.trials[:20]:
            store.add(trial, results[trial])
        told = tab.ask("study", files=["running.sqlite"])

        assert told["stores"][0]["done"] == 20
        assert told["stores"][0]["state"] == "running"
        store.add(results.trials[20], results[results.trials[20]])
        assert tab.ask("study", files=["running.sqlite"])["stores"][0]["done"] == 21


def test_several_stores_together(tab, folder):
    more = tl.Study(data=SETS, learners={"chi2": tl.Learner(metric="chi2")}, folds=2, repeats=2)
    tl.run_study(more, folder / "more.sqlite")
    told = tab.ask("study", files=["trials.sqlite", "more.sqlite"])

    assert told["learners"] == ["gain", "gini", "stump", "chi2"]
    assert [store["expected"] for store in told["stores"]] == [36, 12]
    assert len(told["ranks"]["mean_ranks"]) == 4


def test_others_of_the_same_name_are_told_apart(tab, folder):
    other = tl.Study(data=["iris"], learners={"gain": tl.Learner(max_depth=1)}, folds=2)
    tl.run_study(other, folder / "other.sqlite")
    told = tab.ask("study", files=["trials.sqlite", "other.sqlite"])

    assert "gain (trials.sqlite)" in told["learners"]
    assert "gain (other.sqlite)" in told["learners"]


def test_filters_and_measures(tab, results):
    told = tab.ask("study", files=["trials.sqlite"], data=["iris"], learners=["gini", "stump"])

    assert (told["data"], told["learners"]) == (["iris"], ["gini", "stump"])
    assert told["all_learners"] == ["gain", "gini", "stump"]
    assert told["differences"][0]["first"] == "gini"
    assert told["differences"][0]["points"][0] == pytest.approx(
        np.round(told["means"][0][0], 2) - np.round(told["means"][0][1], 2)
    )
    leaves = tab.ask("study", files=["trials.sqlite"], measure="leaves", data=["iris"])
    assert leaves["means"][0][2] == 2.0
    assert leaves["ranks"] is None
    auc = tab.ask("study", files=["trials.sqlite"], measure="auc")
    assert np.array(auc["means"]) == pytest.approx(100 * Summary(results).mean("auc")[_order(auc)])
    assert tab.ask("study", files=["trials.sqlite"], data=[])["data"] == []


def _order(told):
    return [SETS.index(name) for name in told["data"]]


def test_failures_are_told(tab, folder):
    bad = {"fine": tl.Learner(), "bad": tl.Learner(metric=lambda _node: 1 / 0)}
    tl.run_study(tl.Study(data=["lenses"], learners=bad, folds=2), folder / "bad.sqlite")
    told = tab.ask("study", files=["bad.sqlite"])

    assert told["stores"][0]["failed"] == 2
    assert "ZeroDivisionError" in told["failures"][0]["error"]
    assert told["means"][0][told["learners"].index("bad")] is None


def test_what_is_no_store_is_one_sentence(tab, folder):
    sqlite3.connect(folder / "else.sqlite").execute("CREATE TABLE x (y)").connection.close()
    (folder / "text.sqlite").write_text("no database at all, but long enough to be looked at")

    assert "else.sqlite as a store of results: it holds" in tab.refused(
        "study", files=["else.sqlite"]
    )
    assert "text.sqlite" in tab.refused("study", files=["text.sqlite"])
    assert "nothing.sqlite" in tab.refused("study", files=["nothing.sqlite"])
    assert "1 to 20 stores" in tab.refused("study", files=[])
    assert not (folder / "nothing.sqlite").exists()


def test_a_damaged_row_is_no_result(folder):
    path = folder / "damaged.sqlite"
    path.write_bytes((folder / "trials.sqlite").read_bytes())
    with closing(sqlite3.connect(path)) as store, store:
        store.execute("UPDATE trials SET accuracy = 1.0 WHERE fold = 0 AND learner = 'gain'")
    store.close()
    found = read_stores({"d": str(path)}).results

    assert found.done == 36 - 6
    with pytest.raises(TreelabError):
        read_stores({"d": str(folder / "cars.csv")})


def test_bars_join_learners_that_are_near():
    assert cliques(np.array([1.0, 2.0, 3.0]), 5.0) == [[0, 1, 2]]
    assert cliques(np.array([1.0, 2.0, 3.0]), 0.5) == []
    assert cliques(np.array([3.0, 1.0, 2.0]), 1.5) == [[1, 2], [2, 0]]
