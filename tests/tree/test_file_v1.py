"""Model files of version 1 are still read."""

import json
import re
from pathlib import Path

import attrs
import numpy as np
import pytest
from model_files import refused, valid

import treelab as tl
from treelab.learner import Learner
from treelab.tree import file

FILES = Path(__file__).parent / "files"


def test_a_file_of_version_1_is_read():
    voting = tl.Tree.load(FILES / "voting-v1.json")
    iris = tl.Tree.load(FILES / "iris-v1.json")

    given = {"pruner": "none", "max_depth": 3, "splits": "binary", "min_branch": 4, "seed": -3}
    metric = "ReliefF(k=3, ties='shared', missing='expected', max_cases=None)"
    expected = Learner(**given).settings | {"metric": {"repr": metric}}
    later = ("probabilities", "cuts", "unseen")
    assert voting.settings == {k: v for k, v in expected.items() if k not in later}
    assert voting.probabilities == iris.probabilities == "shares"
    assert voting.learner == json.loads((FILES / "voting-v1.json").read_text())["learner"]
    data = tl.load("voting").take(range(120))
    again = Learner(metric="relieff:k=3", probabilities="shares", **given).fit(data)
    # Shares of missing cases have been rounded to multiples of a unit since.
    np.testing.assert_allclose(voting.counts, again.counts, rtol=1e-12, atol=1e-12)
    assert attrs.evolve(voting, counts=again.counts) == again
    assert iris.settings["metric"] == "normalized:gini,summary=p-value,rounds=9"
    assert iris.settings["discretizer"] == {"repr": "EqualWidth(bins=4)"}
    assert (iris.missing, iris.n_leaves) == ("branch", 6)


@pytest.mark.parametrize("name", ["voting", "iris"])
def test_a_file_of_version_1_becomes_one_of_version_2(name):
    old = tl.Tree.load(FILES / f"{name}-v1.json")
    text = file.dumps(old)
    new = file.loads(text)

    assert json.loads(text)["version"] == 2
    assert (new, new.settings, new.learner) == (old, old.settings, old.learner)
    data = tl.load(name)
    assert np.array_equal(new.predict_proba(data), old.predict_proba(data))


@pytest.mark.parametrize("text", ["by hand", "Learner(", "Learner", "7", "(" * 10000, "\0"])
def test_any_text_may_stand_in_version_1(text):
    tree = file.loads(json.dumps({**valid(), "version": 1, "learner": text}))

    assert tree.settings == {"repr": text}
    assert tree.learner == text


def test_no_text_in_version_1_is_no_settings():
    assert file.loads(json.dumps({**valid(), "version": 1, "learner": ""})).learner == ""


def test_text_is_never_run():
    evil = "__import__('os').getpid()"
    text = f"Learner(seed=0, metric={evil}, bins=4, colour='red')"
    tree = file.loads(json.dumps({**valid(), "version": 1, "learner": text}))

    assert tree.settings == {"seed": 0, "metric": {"repr": evil}, "bins": 4}


def test_a_forged_text_is_refused_in_one_sentence():
    text = json.dumps({**valid(), "version": 1, "learner": "Learner(splits='awto')"})

    assert re.search(r"splits must be one of .* did you mean 'auto'", refused(text))
