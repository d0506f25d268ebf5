"""Studies run: killed and resumed, in parallel, with failures; what is measured."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from small_studies import TABLES, made_again, run, small, tables

import treelab as tl
from treelab.data.folds import folds_by_content
from treelab.errors import ParameterError, UnknownNameError
from treelab.experiment import Store, Study, run_study
from treelab.experiment.runner import TrialError

# What a killed process does: a study of 90 trials, then its tables.
STUDY = """{
    "data": ["lenses", "zoo", "hayes-roth"], "folds": 5, "repeats": 3,
    "learners": {name: tl.Learner(metric=name) for name in ("gain", "gini")},
}"""


SCRIPT = """
import sys
from pathlib import Path
import treelab as tl
from treelab.experiment import Store, Study, run_study
from treelab.experiment.report import write_tables
from treelab.experiment.summary import Summary
from treelab.tree.prune import PRUNERS

folder, jobs = Path(sys.argv[1]), int(sys.argv[2])
study = Study(**eval(sys.argv[3]))
folder.mkdir(exist_ok=True)
with Store(folder / "trials.sqlite") as store:
    results = run_study(study, store, jobs=jobs)
write_tables(Summary(results), folder)
"""


def awkward(_node):
    raise RuntimeError("this metric\nnever works")


def start(folder, jobs=1):
    paths = os.pathsep.join(filter(None, sys.path))
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder), str(jobs), STUDY],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,  # so that its workers can be killed with it
    )


def trials_done(folder):
    """Count what the store holds, without keeping the file busy."""
    try:
        with sqlite3.connect(f"file:{folder / 'trials.sqlite'}?mode=ro", uri=True) as store:
            return store.execute("SELECT count(*) FROM trials").fetchone()[0]
    except sqlite3.Error:
        return 0
    finally:
        if "store" in locals():
            store.close()


def kill_after(folder, trials, jobs):
    """Start the study and kill it, -9, once so many trials are kept; tell whether it was alive."""
    process = start(folder, jobs)
    while process.poll() is None and trials_done(folder) < trials:
        time.sleep(0.003)
    alive = process.poll() is None
    if alive:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return alive


def check_kills(tmp_path, kills, jobs=1):
    whole, torn = run(Study(**eval(STUDY))), tmp_path / "torn"
    total, chance = len(whole.trials), random.Random(kills)
    targets = sorted(chance.sample(range(1, total - 5), kills))
    killed = sum(kill_after(torn, target, jobs) for target in targets)
    assert start(torn, jobs).wait() == 0

    assert killed >= max(1, kills - 1)  # the last may come too late
    assert trials_done(torn) == total
    expected = tables(whole, tmp_path / "whole")
    assert {name: (torn / name).read_bytes() for name in TABLES} == expected


def test_a_killed_study_goes_on_and_ends_with_the_same_tables(tmp_path):
    check_kills(tmp_path, 1)


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_study_killed_twenty_times_ends_with_the_same_tables(tmp_path, jobs):
    check_kills(tmp_path, 20, jobs)


def test_interrupted_by_the_user_what_is_done_is_kept(tmp_path):
    study = small()

    def stop_after_five(outcomes, _to_come, _in_all):
        for number, outcome in enumerate(outcomes):
            if number == 5:
                raise KeyboardInterrupt
            yield outcome

    with Store(tmp_path / "s.sqlite") as store:
        with pytest.raises(KeyboardInterrupt):
            run_study(study, store, watch=stop_after_five)
        asked = []

        def count(outcomes, to_come, in_all):
            asked.extend([to_come, in_all])
            return outcomes

        results = run_study(study, store, watch=count)

    assert asked == [19, 24]
    assert tables(results, tmp_path) == tables(run(study), tmp_path)


@pytest.mark.parametrize("options", [{"jobs": 2}, {"jobs": 2, "backend": "threading"}])
def test_jobs_and_backends_change_nothing(options, tmp_path):
    assert tables(run(small(), **options), tmp_path) == tables(run(small()), tmp_path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"jobs": 0}, "jobs must be at least 1, or -1 for all processors, got 0"),
        ({"jobs": -2}, "jobs must be a whole number of at least -1, got -2"),
        ({"backend": "lokky"}, "backend must be one of loky, "),
        ({"backend": 5}, "backend must be one of loky, "),
        ({"watch": 5}, "watch must be a function, got 5$"),
    ],
)
def test_wrong_means_are_refused(options, message):
    with pytest.raises(ParameterError, match=f"^{message}"):
        run(small(), **options)


def test_all_learners_are_tested_on_the_same_folds():
    """A learner that answers by the training cases shows which ones it was given."""
    zoo = tl.load("zoo")
    fold = folds_by_content(zoo, 3, 0, 1)
    table = [row[1:] for row in small(data=["zoo"]).folds_table() if row[2] == 1]

    assert [(case, f) for _, _, case, f in table] == list(enumerate(fold.tolist()))
    assert not np.array_equal(fold, folds_by_content(zoo, 3, 0, 0))


def test_the_order_of_the_cases_changes_nothing():
    zoo = tl.load("zoo")
    turned = zoo.take(np.random.default_rng(0).permutation(len(zoo)))
    one, other = run(small(data=[zoo])), run(small(data=[turned]))

    assert np.array_equal(one.cube("accuracy"), other.cube("accuracy"))


def test_the_order_of_the_cases_changes_nothing_for_scikit_learn():
    wine = tl.load("wine")
    turned = wine.take(np.random.default_rng(0).permutation(len(wine)))
    forest = {"forest": "sklearn.ensemble:RandomForestClassifier(n_estimators=5)"}
    one, other = (run(small(data=[data], learners=forest)) for data in (wine, turned))

    assert np.array_equal(one.cube("accuracy"), other.cube("accuracy"))


def test_results_are_those_of_plain_cross_validation():
    zoo, learner = tl.load("zoo"), tl.Learner(metric="gain")
    fold = folds_by_content(zoo, 3, 7, 0)
    expected = []
    for f in range(3):
        tree, test = learner.fit(zoo.take(fold != f)), zoo.take(fold == f)
        expected.append((np.mean(tree.predict(test) == test.labels), tree.n_leaves, tree.depth))
    results = run(small(data=["zoo"], learners={"gain": learner}, repeats=1, seeds=[7]))

    found = [results.cube(m).ravel() for m in ("accuracy", "leaves", "depth")]
    assert np.array_equal(np.transpose(found), expected)


def test_every_seed_has_folds_of_its_own():
    results = run(small(data=["zoo"], seeds=[0, 1], repeats=1))

    assert results.cube("accuracy").shape == (1, 2, 2, 3)
    assert not np.array_equal(*results.cube("accuracy")[0, 0])


def test_a_failing_trial_is_recorded_and_does_not_stop_the_rest(tmp_path):
    study = small(learners={"bad": tl.Learner(metric=awkward), "gain": tl.Learner(metric="gain")})
    results = run(study)

    assert len(results.failures) == 12
    assert results.failures[0][1] == "RuntimeError: this metric never works"
    assert results.state == "PARTIAL: 12 of 24 trials, 12 failed"
    assert np.isfinite(results.cube("accuracy")[:, 1]).all()
    assert (
        "**PARTIAL: 12 of 24 trials, 12 failed**" in tables(results, tmp_path)["table.md"].decode()
    )


def test_a_strict_study_stops_at_the_first_failure(tmp_path):
    study = small(learners={"bad": tl.Learner(metric=awkward)})
    message = r"^bad on lenses \(repetition 1, fold 1, seed 0\) failed: RuntimeError: this metric"
    with pytest.raises(TrialError, match=message):
        run_study(study, tmp_path / "trials.sqlite", strict=True)

    assert trials_done(tmp_path) == 1


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_a_strict_study_in_parallel_stops_without_a_warning(backend):
    study = small(learners={"bad": tl.Learner(metric=awkward)})
    with pytest.raises(TrialError, match="RuntimeError: this metric never works"):
        run(study, strict=True, jobs=2, backend=backend)


def test_what_failed_is_tried_again():
    study = small(learners={"bad": "sklearn.tree:DecisionTreeClassifier(max_depth=-1)"})
    with Store(":memory:") as store:
        run_study(study, store)
        assert made_again(store, study) == 12


def test_memory_is_measured_on_request():
    results = run(small(record=("accuracy", "seconds", "memory"), repeats=1, data=["zoo"]))

    assert (results.cube("memory") > 10_000).all()
    assert (results.cube("seconds") > 0).all()


def test_memory_is_not_measured_by_threads(tmp_path):
    """They would end the whole process."""
    message = "^memory is measured by one job, or by jobs of the backend 'loky', not by threads nor"
    with pytest.raises(ParameterError, match=message):
        run_study(small(record=("accuracy", "memory")), tmp_path / "s", jobs=4, backend="threading")

    assert list(tmp_path.iterdir()) == []


def test_measuring_memory_leaves_the_tracing_of_the_user_on():
    study = small(record=("accuracy", "memory"), repeats=1, data=["zoo"])
    alone = run(study, backend="threading").cube("memory")
    tracemalloc.start()
    try:
        ballast = bytearray(2**26)
        traced = run(study).cube("memory")
        assert tracemalloc.is_tracing()
    finally:
        tracemalloc.stop()

    assert (traced < len(ballast)).all()  # what is the user's does not count
    assert (alone > 10_000).all()


def test_a_measure_that_is_none_is_told():
    results = run(small(repeats=1, data=["zoo"]))

    assert np.isnan(results.cube("memory")).all()
    with pytest.raises(UnknownNameError, match=r"^unknown measure 'acuracy': did you mean 'accur"):
        results.cube("acuracy")


def test_log_loss_and_balanced_accuracy_are_scikit_learns():
    from sklearn.metrics import balanced_accuracy_score, log_loss

    data, learner = tl.load("voting"), tl.Learner(metric="gini")
    fold = folds_by_content(data, 2, 0, 0)
    tree, test = learner.fit(data.take(fold != 0)), data.take(fold == 0)
    results = run(Study(data=[data], learners={"gini": learner}, folds=2))

    expected = log_loss(test.y, tree.predict_proba(test), labels=[0, 1])
    assert results.cube("log-loss").ravel()[0] == pytest.approx(expected, rel=1e-12)
    expected = balanced_accuracy_score(test.labels, tree.predict(test))
    assert results.cube("balanced-accuracy").ravel()[0] == pytest.approx(expected, rel=1e-12)


def test_weights_count():
    lenses = tl.load("lenses")
    heavy = lenses.reweighted(np.where(np.arange(24) < 12, 2.0, 1.0))
    results = run(Study(data=[heavy], learners={"gain": tl.Learner(metric="gain")}, folds=2))
    fold = folds_by_content(heavy, 2, 0, 0)
    tree, test = tl.Learner(metric="gain").fit(heavy.take(fold != 1)), heavy.take(fold == 1)
    right = tree.predict(test) == test.labels

    assert results.cube("accuracy").ravel()[1] == np.average(right, weights=test.weights)


def test_the_folds_of_a_search_are_seeded():
    """They are shuffled by numpy's own stream, which every trial would find elsewhere."""

    from sklearn.model_selection import GridSearchCV, StratifiedKFold
    from sklearn.tree import DecisionTreeClassifier

    class Unmade(DecisionTreeClassifier):
        def __init__(self, max_depth=None):
            if max_depth is None:
                raise ValueError("how deep?")
            super().__init__(max_depth=max_depth)

    folds = StratifiedKFold(3, shuffle=True)
    search = GridSearchCV(DecisionTreeClassifier(), {"max_depth": [1, 2, 3, 5]}, cv=folds)
    study = Study(data=["balance-scale"], learners={"search": search, "deep": Unmade(3)}, folds=4)
    first, second = (run(study) for _ in range(2))

    assert np.array_equal(first.cube("accuracy"), second.cube("accuracy"))
    assert "max_depth=3" in str(study.learners[1].factory), "its default cannot even be made"
    assert folds.random_state is None, "the user's own stay as they are"


def test_peers_learn_by_weight_or_not_at_all():
    """Ten of class a weigh more than thirty of class b, which the feature does not tell apart."""
    frame = pd.DataFrame({"x": [0.0, 1.0] * 20, "y": ["a"] * 10 + ["b"] * 30})
    heavy = tl.Dataset.from_frame(frame, "y", weights=[100.0] * 10 + [1.0] * 30)
    peers = {
        "tree": "sklearn.tree:DecisionTreeClassifier",
        "filled": "sklearn.naive_bayes:GaussianNB",
        "knn": "sklearn.neighbors:KNeighborsClassifier",
    }
    results = run(Study(data=[heavy], learners=peers, folds=2))

    assert results.cube("accuracy")[0, :2] == pytest.approx(500 / 515)
    assert {error for _, error in results.failures} == {
        "DataError: KNeighborsClassifier cannot learn from cases of different weight, as the data"
        " have"
    }
    assert run(Study(data=["iris"], learners=peers, folds=2)).state == ""
