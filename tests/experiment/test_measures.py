"""AUC and macro F1 of trials are scikit-learn's, with weights; stores without them stay valid."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest
from sklearn.metrics import f1_score, roc_auc_score

import treelab as tl
from tests.strategies import random_dataset
from treelab.evaluate.assessment import Assessment
from treelab.experiment import Store, Study, run_study
from treelab.experiment.sources import folds_of
from treelab.experiment.store import _seal


@pytest.mark.parametrize("classes", [2, 3, 5])
def test_they_are_scikit_learns(classes):
    """Mixed data with missing values and weights."""
    data = random_dataset(classes, cases=90, classes=classes, weights="fraction")
    tree = tl.grow(data, pruner="none")
    found = tl.assess(tree, data)
    y, w, shares = found.actual, found.weights, found.probabilities
    per_class = [
        roc_auc_score(y == k, shares[:, k], sample_weight=w) for k in range(classes)
    ]  # fmt: skip

    assert found.mean_auc == pytest.approx(np.mean(per_class), rel=1e-12)
    expected = f1_score(y, found.predicted, average="macro", sample_weight=w)
    assert found.macro_f1 == pytest.approx(expected, rel=1e-12)


def test_a_class_that_does_not_occur_does_not_count():
    """Of the classes 0 and 1 only; 2 is predicted once, 3 never."""
    actual, predicted = np.array([0, 0, 1, 1]), np.array([0, 2, 1, 1])
    shares = np.array([[0.8, 0.1, 0.1, 0], [0.3, 0.2, 0.5, 0], [0.1, 0.9, 0, 0], [0.4, 0.6, 0, 0]])
    found = Assessment(tuple("abcd"), actual, predicted, np.ones(4), shares)

    assert found.f1.tolist()[:3] == pytest.approx([2 / 3, 1, 0])
    assert np.isnan(found.f1[3])
    assert found.macro_f1 == pytest.approx((2 / 3 + 1 + 0) / 3)
    # a: of the four pairs of a case of it and another, one is in the wrong order; b: none is.
    assert found.mean_auc == pytest.approx((3 / 4 + 1) / 2)
    assert np.isnan(Assessment(("a", "b"), actual, predicted % 2, np.ones(4)).mean_auc)


def study(**more):
    learners = {"gain": tl.Learner(metric="gain"), "gini": tl.Learner(metric="gini")}
    return Study(data=["hepatitis", "zoo"], learners=learners, folds=3, **more)


def test_trials_have_them():
    results = run_study(study())
    trial = results.trials[0]
    where = trial.source, trial.checksum, trial.folds, trial.seed, trial.repetition
    data = tl.load(trial.data)
    held = folds_of(*where) == trial.fold
    tree = tl.grow(data.take(~held), "gain")
    expected = tl.assess(tree, data.take(held))

    assert results[trial].values["auc"] == pytest.approx(expected.mean_auc, rel=1e-12)
    assert results[trial].values["macro-f1"] == pytest.approx(expected.macro_f1, rel=1e-12)
    assert {"auc", "macro-f1"} <= set(results.to_frame().columns)


OLD = ("accuracy", "balanced_accuracy", "log_loss", "leaves", "depth", "seconds", "memory")


def made_older(path, format_):
    """Turn a store into one as an older treelab left it; the first row is damaged."""
    with closing(sqlite3.connect(path)) as base, base:
        base.execute("ALTER TABLE trials DROP COLUMN auc")
        base.execute("ALTER TABLE trials DROP COLUMN macro_f1")
        facts = f"SELECT key, error, spent, environment, {', '.join(OLD)} FROM trials"
        rows = base.execute(facts).fetchall()
        base.executemany(
            "UPDATE trials SET seal = ? WHERE key = ?", [(_seal(*row), row[0]) for row in rows]
        )
        base.execute("UPDATE trials SET accuracy = 0.123 WHERE key = ?", [rows[0][0]])
        if format_ == 1:
            base.execute("ALTER TABLE trials DROP COLUMN seal")
            base.execute("DROP TABLE answers")
        base.execute(f"PRAGMA user_version = {format_}")
    base.close()


@pytest.mark.parametrize("format_", [1, 2])
def test_an_old_store_is_read_and_resumed(format_, tmp_path):
    path, asked = tmp_path / "s.sqlite", study()
    first = run_study(asked, path)
    made_older(path, format_)
    seen = []

    def watch(outcomes, to_come, _all):
        seen.append(to_come)
        return outcomes

    second = run_study(asked, path, watch=watch)

    # A damaged row is made again; rows without a seal show no damage.
    assert seen == ([1] if format_ == 2 else [])
    old = [second[t].values for t in second.trials]
    assert sum("auc" in values for values in old) == (1 if format_ == 2 else 0)
    for before, after in zip([first[t].values for t in first.trials], old, strict=True):
        assert {*before} - {*after} <= {"auc", "macro-f1"}
    with closing(sqlite3.connect(path)) as base, base:
        assert base.execute("PRAGMA user_version").fetchone() == (3,)
    base.close()
    with Store(path) as store:  # and it stays so
        assert len(store.records(t.key for t in second.trials)) == len(second.trials)
