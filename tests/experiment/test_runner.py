"""The runner: killed, resumed, in parallel, with failures; always the same results."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc
from functools import wraps
from pathlib import Path

import attrs
import numpy as np
import pandas as pd
import pytest

import treelab as tl
from treelab.data.folds import folds_by_content
from treelab.errors import DataError, ParameterError, TreelabError, UnknownNameError
from treelab.experiment import Store, Study, run_study
from treelab.experiment import fingerprint as fingerprinting
from treelab.experiment.report import write_tables
from treelab.experiment.runner import TrialError
from treelab.experiment.sources import DataFile, InMemory, checksum, loaded
from treelab.experiment.summary import Summary
from treelab.tree.prune import PRUNERS

TABLES = ("results.csv", "tests.csv", "table.md", "table.tex")
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


def small(**changes):
    settings = {
        "data": ["lenses", "zoo"],
        "learners": {"gain": tl.Learner(metric="gain"), "gini": tl.Learner(metric="gini")},
        "folds": 3,
        "repeats": 2,
    }
    return Study(**settings | changes)


def run(study, **options):
    with Store(":memory:") as store:
        return run_study(study, store, **options)


def tables(results, folder):
    """Return the files that are the same for every run."""
    folder.mkdir(exist_ok=True)
    write_tables(Summary(results), folder)
    return {name: (folder / name).read_bytes() for name in TABLES}


def awkward(_node):
    raise RuntimeError("this metric\nnever works")


# Killed


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

    assert killed >= kills - 1  # the last may come too late
    assert trials_done(torn) == total
    expected = tables(whole, tmp_path / "whole")
    assert {name: (torn / name).read_bytes() for name in TABLES} == expected


def test_a_killed_study_goes_on_and_ends_with_the_same_tables(tmp_path):
    check_kills(tmp_path, 2)


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


# In parallel


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


# What may be served from the store


def made_again(store, study):
    """Return how many trials of a study are not in the store."""
    made = []

    def watch(outcomes, to_come, _in_all):
        made.append(to_come)
        return outcomes

    run_study(study, store, watch=watch)
    return sum(made)


def test_nothing_is_made_twice():
    with Store(":memory:") as store:
        assert made_again(store, small()) == 24
        assert made_again(store, small()) == 0
        assert made_again(store, small(repeats=3)) == 12
        assert made_again(store, small(data=["zoo"])) == 0


def test_learners_that_are_the_same_share_their_trials():
    both = {"a": tl.Learner(metric="gain"), "b": tl.Learner(metric=tl.metric("gain"))}
    with Store(":memory:") as store:
        assert made_again(store, small(learners=both)) == 12


@pytest.mark.parametrize(
    "changes",
    [
        {"folds": 4},
        {"seeds": [1]},
        {"learners": {"gain": tl.Learner(metric="gain", min_cases=3)}},
        {"learners": {"gain": "sklearn.tree:DecisionTreeClassifier"}},
        {"record": ("accuracy", "memory")},
    ],
)
def test_whatever_changes_is_made_anew(changes):
    one = {"gain": tl.Learner(metric="gain")}
    study = small(data=["lenses"], repeats=1, learners=one)
    with Store(":memory:") as store:
        run_study(study, store)
        changed = attrs.evolve(study, learners=one)
        assert made_again(store, changed) == 0
        changed = Study(**{"data": ["lenses"], "learners": one, "folds": 3} | changes)
        assert made_again(store, changed) == changed.folds


def test_another_version_is_made_anew(monkeypatch):
    with Store(":memory:") as store:
        run_study(small(), store)
        monkeypatch.setattr("treelab.experiment.trial.__version__", "99")
        assert made_again(store, small()) == 24


def test_changed_data_are_made_anew(tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("a,class\n" + "x,p\ny,q\n" * 6)
    study = Study(data=[str(file)], learners={"gain": tl.Learner()}, folds=2)
    with Store(":memory:") as store:
        assert made_again(store, study) == 2
        file.write_text("a,class\n" + "x,p\ny,q\n" * 6 + "x,q\n")
        assert made_again(store, study) == 2


def test_data_that_change_while_the_study_runs_are_refused(tmp_path):
    file = tmp_path / "mine.csv"
    file.write_text("a,class\n" + "x,p\ny,q\n" * 6)
    study = Study(data=[str(file)], learners={"gain": tl.Learner()}, folds=2)
    trial = study.trials()[0]
    file.write_text("a,class\n" + "x,q\ny,p\n" * 6)
    with pytest.raises(DataError, match=r"^the data 'mine' changed while the study was running$"):
        loaded(trial.source, trial.checksum)


def test_the_checksum_sees_every_value_label_and_weight():
    iris = tl.load("iris")
    others = [
        iris.take(range(149)),
        iris.reweighted([2.0] + [1.0] * 149),
        iris.select(iris.features[:3]),
        attrs.evolve(iris, y=iris.y[::-1].copy()),
    ]

    assert len({checksum(data) for data in [iris, *others]}) == 5
    assert checksum(iris) == checksum(attrs.evolve(iris, name="other"))


def of_class(number):
    return lambda node: node.counts.map(lambda tables: tables[..., number, 0])


class Alike:
    """Any two look the same, and where the first one was the second may be."""

    def __init__(self, better):
        self.better = better

    def __call__(self, node):
        return self.better(node)

    def __repr__(self):
        return "Alike()"


def kinds_of_own():
    """Return pairs of learners that differ in a function or an object of somebody's own."""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    gini, mdl = tl.metric("gini"), tl.metric("mdl").formula
    near, far = (lambda d: 1 / (d + 1e-9) ** 4), (lambda d: d**4)
    return {
        "lambdas": [tl.Learner(metric=of) for of in (lambda n: 2 * gini(n), lambda n: -gini(n))],
        "closures": [tl.Learner(metric=of_class(number)) for number in (0, 1)],
        "formulas": [
            tl.Learner(metric=tl.from_counts(of))
            for of in (lambda t: t[..., 0, 0], lambda t: t[..., 1, 0])
        ],
        "objects": [tl.Learner(metric=Alike(of)) for of in (gini, lambda n: -gini(n))],
        "a false name": [
            tl.Learner(metric=tl.from_counts(of)) for of in (mdl, wraps(mdl)(lambda t: -mdl(t)))
        ],
        "parameters": [KNeighborsClassifier(50, weights=weights) for weights in (near, far)],
        "arrays": [GaussianNB(priors=np.linspace(0, 1, 2001)) for _ in range(2)],
    }


@pytest.mark.parametrize("kind", list(kinds_of_own()))
def test_learners_that_differ_in_a_thing_of_ones_own_share_no_trial(kind):
    """Their names are the same, or what they print."""
    one, other = kinds_of_own()[kind]
    study = small(learners={"one": one, "same": one, "other": other})
    keys = np.reshape([trial.key for trial in study.trials()], (-1, 3))

    assert np.array_equal(keys[:, 0], keys[:, 1])
    assert not set(keys[:, 0]) & set(keys[:, 2])


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_function_of_ones_own_has_its_own_results(jobs):
    learners = {"one": tl.Learner(metric=of_class(0)), "other": tl.Learner(metric=of_class(1))}
    both = run(small(learners=learners), jobs=jobs).cube("accuracy")
    alone = [run(small(learners={n: each})).cube("accuracy") for n, each in learners.items()]

    assert np.array_equal(both, np.concatenate(alone, axis=1))
    assert not np.array_equal(*alone)


def test_the_results_of_ones_own_function_serve_one_call_only():
    """It does not show whether what it reads elsewhere has changed."""
    sign = [1]
    own = tl.Learner(metric=tl.from_counts(lambda t: sign[0] * t[..., 0, 0]))
    study = small(learners={"own": own, "gain": tl.Learner(metric="gain")})
    with Store(":memory:") as store:
        before = run_study(study, store).cube("leaves")
        sign[0] = -1
        assert made_again(store, study) == 12
        assert not np.array_equal(run_study(study, store).cube("leaves"), before)


def test_a_new_object_at_an_old_address_is_another_one():
    """Python gives the address of what is gone to what comes next."""
    prints = [fingerprinting.fingerprint(Alike(None)) for _ in range(20)]

    assert len(set(prints)) == 20


# Failures


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


# Measures


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


# The store


def test_a_file_that_is_no_store_is_refused(tmp_path):
    (tmp_path / "s.sqlite").write_text("not a database, but long enough to look like one" * 30)
    with pytest.raises(TreelabError, match=r"as a store of results: file is not a database$"):
        Store(tmp_path / "s.sqlite")


@pytest.mark.parametrize("store", [None, 5, b"s.sqlite", ["s.sqlite"], "a\0b", ""])
def test_what_names_no_file_is_no_store(store, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ParameterError, match=r"^a store is a file, or ':memory:', got "):
        run_study(small(), store)

    assert list(tmp_path.iterdir()) == []


def test_an_error_that_is_no_text_ends_its_trial_only():
    """Such as one about a file whose name is not UTF-8."""

    def fail(_node):
        raise ValueError("no file a\udcff")

    learners = {"fails": tl.Learner(metric=fail), "gain": tl.Learner(metric="gain")}
    found = run(Study(data=["lenses"], learners=learners, folds=2))

    errors = {found[trial].error for trial in found.trials}
    assert errors == {None, "ValueError: no file a\\udcff"}


def test_a_store_of_a_newer_treelab_is_refused(tmp_path):
    Store(tmp_path / "s.sqlite").close()
    with sqlite3.connect(tmp_path / "s.sqlite") as store:
        store.execute("PRAGMA user_version = 7")
    store.close()
    with pytest.raises(TreelabError, match="was written by a newer treelab: its format is 7"):
        Store(tmp_path / "s.sqlite")


def test_numbers_come_back_from_the_store_as_they_were(tmp_path):
    study = small()
    with Store(tmp_path / "s.sqlite") as store:
        first = run_study(study, store)
    with Store(tmp_path / "s.sqlite") as store:
        second = run_study(study, store)

    assert first.records == second.records


def test_data_in_memory_and_in_files_take_part():
    bundled = Path(__file__).parents[2] / "datasets" / "lenses.csv"
    study = small(data=[InMemory(tl.load("lenses"), "mine"), DataFile(str(bundled), label="file")])
    results = run(study)

    assert [each.label for each in study.data] == ["mine", "file"]
    assert results.state == ""


def test_files_are_found_from_another_folder(tmp_path, monkeypatch):
    """Worker processes stay in the folder where the first of all studies was run."""
    (tmp_path / "mine.csv").write_text("a,class\n" + "x,p\ny,q\n" * 6)
    monkeypatch.chdir(tmp_path)
    study = small(data=["mine.csv", DataFile("mine.csv", label="again")])
    monkeypatch.chdir("/")

    assert [each.label for each in study.data] == ["mine", "again"]
    assert run(study).state == ""


@pytest.mark.slow
def test_a_thousand_trials_add_little_overhead(tmp_path):
    """The store, the keys and the loop cost less than 5 % of the trials' own time.

    The measure is a ratio, taken twice and the better one kept: the machine may be busy.
    """
    learners = {metric: tl.Learner(metric=metric) for metric in ("gain", "gini", "relieff", "pi")}
    study = Study(data=["voting", "heart", "iris", "zoo", "wine"], learners=learners, repeats=5)
    run(attrs.evolve(study, repeats=1))  # compiled code is loaded
    overheads = []
    for number in range(2):
        with Store(tmp_path / f"{number}.sqlite") as store:
            start = time.perf_counter()
            results = run_study(study, store)
            whole = time.perf_counter() - start
        own = sum(record.spent for record in results.records.values())
        overheads.append(whole / own - 1)

    assert len(results.trials) == 1000
    assert min(overheads) < 0.05


@pytest.mark.parametrize(
    "thing",
    [
        *map(tl.metric, tl.metric_names()),
        *map(tl.pruner, PRUNERS.names()),
        *(tl.discretizer(name) for name in tl.discretizer_names() if name != "cuts"),
    ],
    ids=repr,
)
def test_results_of_built_in_parts_serve_other_sessions(thing):
    assert fingerprinting._SESSION not in fingerprinting.fingerprint(thing)
