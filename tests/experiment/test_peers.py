"""Any object with fit and predict takes part in a study, silently."""

import sys
import threading

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from typer.testing import CliRunner

import treelab as tl
from treelab.cli import app
from treelab.errors import ParameterError
from treelab.experiment import Study, run_study
from treelab.experiment.silence import silence


class Plain:
    """Predicts the most frequent class; knows nothing of scikit-learn."""

    def __init__(self):
        self.seen = 0

    def fit(self, X, y):
        assert not np.isnan(X).any()  # medians are filled in
        assert self.seen == 0, "another trial has used this object"
        print("chatter")  # noqa: T201
        print("more chatter", file=sys.stderr)  # noqa: T201
        self.seen += len(y)
        self.best = np.bincount(y).argmax()

    def predict(self, X):
        print("chatter")  # noqa: T201
        return np.full(len(X), self.best)


class Chatty(ClassifierMixin, BaseEstimator):
    """Takes any parameter, and says so of itself, as LightGBM's classifier does."""

    def __init__(self, depth=1, random_state=None, **others):
        self.depth, self.random_state, self.others = depth, random_state, others

    def get_params(self, deep=True):
        return {**super().get_params(deep), **self.others}

    def set_params(self, **given):
        for name, value in given.items():
            if name in ("depth", "random_state"):
                setattr(self, name, value)
            else:
                self.others[name] = value
        return self

    def fit(self, _X, y):
        print("[Info] of every tree")  # noqa: T201
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X):
        shares = np.zeros((len(X), len(self.classes_)))
        shares[:, self.others.get("choose", 0)] = 1
        return shares

    def predict(self, X):
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def compared(capfd, **learners):
    results = run_study(Study(data=["hepatitis"], learners=learners, folds=3), strict=True)
    assert capfd.readouterr() == ("", "")
    return results.cube("accuracy")[0].mean(axis=(1, 2))


def test_an_object_without_parameters_is_copied(capfd):
    data, peer = tl.load("hepatitis"), Plain()
    plain, tree = compared(capfd, plain=peer, gain=tl.Learner(metric="gain"))

    majority = np.bincount(data.y).max() / len(data)
    assert plain == pytest.approx(majority, abs=0.02)  # folds of 51 and 52 cases
    assert peer.seen == 0
    assert tree > 0


def test_keyword_parameters_of_any_name_are_passed_on(capfd):
    first, second = compared(capfd, first=Chatty(choose=0), second=Chatty(choose=1))

    assert first + second == pytest.approx(1)  # of two classes each predicts another one


def test_it_has_no_probabilities_but_all_else(capfd):
    learners = {"plain": Plain()}
    values = run_study(Study(data=["hepatitis"], learners=learners, folds=3)).to_frame()

    assert values["auc"].isna().all()
    assert values["log-loss"].isna().all()
    assert values["macro-f1"].notna().all()
    assert capfd.readouterr() == ("", "")


def test_the_command_takes_a_class_by_name(tmp_path, monkeypatch):
    (tmp_path / "own_peer.py").write_text(
        "class Own:\n"
        "    def __init__(self, label=0, **others):\n"
        "        self.label = others.get('other', label)\n"
        "    def fit(self, X, y):\n"
        "        print('chatter')\n"
        "    def predict(self, X):\n"
        "        return [self.label] * len(X)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    words = ["compare", "hepatitis", "--metric", "gain", "--folds", "3"]
    words += ["--against", "own_peer:Own(other=1)", "-o", str(tmp_path / "out")]
    done = CliRunner().invoke(app, words)

    assert done.exit_code == 0, done.output
    assert "Own(other=1)" in done.stdout
    assert "chatter" not in done.output


def test_what_cannot_be_copied_is_refused():
    class Stubborn(Plain):
        def __deepcopy__(self, memo):
            raise TypeError("one of a kind")

    with pytest.raises(ParameterError, match="Stubborn has no get_params and cannot be copied"):
        Study(data=["lenses"], learners={"x": Stubborn()})


def test_threads_that_are_silent_at_once_give_the_streams_back():
    """Those who come later leave later: no one may restore what another has put there."""
    before = sys.stdout, sys.stderr
    inside, leave = threading.Event(), threading.Event()

    def work():
        with silence():
            inside.set()
            leave.wait(10)

    with silence():
        thread = threading.Thread(target=work)
        thread.start()
        inside.wait(10)
    assert sys.stdout is not before[0]
    leave.set()
    thread.join()

    assert (sys.stdout, sys.stderr) == before
