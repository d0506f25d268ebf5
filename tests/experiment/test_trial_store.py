"""What the store of trials serves, keeps and refuses."""

import sqlite3
import time
from contextlib import closing
from functools import wraps
from pathlib import Path

import attrs
import numpy as np
import pytest
from small_studies import made_again, run, small

import treelab as tl
from treelab.errors import DataError, ParameterError, TreelabError
from treelab.experiment import Store, Study, run_study
from treelab.experiment import fingerprint as fingerprinting
from treelab.experiment.sources import DataFile, InMemory, checksum, loaded
from treelab.tree.prune import PRUNERS


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
    with closing(sqlite3.connect(tmp_path / "s.sqlite")) as store, store:
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
