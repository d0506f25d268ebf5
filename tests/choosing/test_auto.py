"""A metric chosen for the data: before the tree grows, and with a reason."""

import attrs
import numpy as np
import pytest
from strategies import dataset, random_dataset

import treelab as tl
from treelab.choosing import portfolios, race, shipped_rule
from treelab.errors import ModelFileError, ParameterError, UnknownNameError
from treelab.tree.file import dumps, loads

TWO = ("gain", "relieff:k=3")
PARITY = tl.make("parity", n=2, m=4, cases=150, noise=0.05, seed=1)


def test_the_tree_is_that_of_the_metric_chosen():
    learner = tl.Learner(metric=tl.Auto(TWO), seed=2)
    tree = learner.fit(PARITY)
    judged = race(PARITY, {name: attrs.evolve(learner, metric=name) for name in TWO}, 5, seed=2)
    chosen = TWO[int(judged.means.argmax())]

    assert tree.metric_choice.metric == chosen
    assert tree == tl.Learner(metric=chosen, seed=2).fit(PARITY)
    assert tree.metric_choice.considered == dict(zip(TWO, judged.means.tolist(), strict=True))
    assert "the most accurate of 2 on 5 inner folds of 150 cases" in tree.metric_choice.why


def test_settings_name_what_was_chosen_and_the_file_says_why():
    tree = tl.grow(PARITY, tl.Auto(TWO))
    again = loads(dumps(tree))

    assert again.metric_choice == tree.metric_choice
    assert tree.settings["metric"] == tree.metric_choice.metric
    assert tl.Learner.of_settings(tree.settings).fit(PARITY) == tree
    assert "metric_choice" not in dumps(tl.grow(PARITY))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ('"by": 3', "'by' of 'metric_choice' is no text"),
        ('"by": "folds", "more": 1', "more"),
    ],
)
def test_a_damaged_choice_is_refused(change, problem):
    text = dumps(tl.grow(PARITY, tl.Auto(("gain",))))
    with pytest.raises(ModelFileError, match=problem):
        loads(text.replace('"by": "folds"', change))


def test_it_is_the_same_whatever_the_order_of_the_cases():
    turned = PARITY.take(np.random.default_rng(0).permutation(len(PARITY)))
    for auto in (tl.Auto(TWO), tl.Auto(TWO, max_cases=60)):
        one, other = (tl.grow(data, auto) for data in (PARITY, turned))

        assert one.metric_choice == other.metric_choice
        assert one == other


def test_names_make_it_everywhere():
    learner = tl.Learner(metric="auto:pi,folds=2")

    assert tl.Learner.of_settings(learner.settings) == learner
    assert tl.Learner.of_settings(tl.Learner(metric=tl.Auto("pi")).settings).metric == tl.Auto("pi")
    assert tl.Learner(metric={"name": "auto", "among": "pi"}).metric == tl.Auto("pi")
    classifier = tl.TreeClassifier(metric="auto:metrics,folds=2")
    x = np.random.default_rng(0).normal(size=(40, 2))
    assert classifier.fit(x, x[:, 0] > 0).score(x, x[:, 0] > 0) == 1.0
    study = tl.Study(data=["lenses"], learners={"auto": tl.Learner(metric="auto:folds=2")}, folds=2)
    assert not tl.run_study(study).failures


def test_by_rule_it_chooses_by_characteristics_alone():
    tree = tl.grow(tl.load("voting"), "auto:pi,by=rule")
    choice = tree.metric_choice

    assert choice.by == "rule"
    assert choice.metric in portfolios()["pi"]
    assert choice.why.startswith("the data are most like ")
    assert set(choice.considered) == set(portfolios()["pi"])
    assert choice.considered[choice.metric] == max(choice.considered.values())


def test_what_is_shipped_fits_together():
    rule = shipped_rule()

    assert all(set(names) <= set(rule.metrics) for names in portfolios().values())
    assert {"metrics", "pi"} <= set(portfolios())
    assert len({each.family for each in rule.domains}) > 20
    for name in rule.metrics:
        tl.metric(name)
    assert list(rule.domains[0].meta) == list(tl.meta(tl.load("lenses")))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_handful_of_cases_will_do(n):
    data = random_dataset(0, cases=8).take(np.arange(n))
    tree = tl.grow(data, tl.Auto(TWO))

    assert tree.metric_choice.metric in TWO
    if n == 1:
        assert tree.metric_choice.why == "there is a single case"


def test_unknown_classes_and_missing_values_are_allowed():
    data = random_dataset(3, cases=40, missing=0.3, weights="whole")
    unknown = dataset(data.columns, np.where(np.arange(40) % 9, data.y, -1), 3, data.weights,
                      dict.fromkeys((2, 3), 4))  # fmt: skip

    assert tl.grow(unknown, tl.Auto(TWO)).metric_choice.metric in TWO


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ("auto:pie", "unknown portfolio 'pie': did you mean 'pi'?"),
        ("auto:by=chance", "by must be"),
        ("auto:folds=1", "folds must be a whole number of at least 2"),
        ("auto:max_cases=1", "max_cases must be"),
        (tl.Auto, "among"),
    ],
)
def test_what_is_wrong_is_said_before_there_are_data(given, problem):
    with pytest.raises((ParameterError, UnknownNameError), match=problem.replace("?", r"\?")):
        tl.Learner(metric=given(()) if callable(given) else given)


def test_data_elsewhere_and_cuts_need_a_named_metric(tmp_path):
    path = tmp_path / "data.csv"
    path.write_text("a,class\n" + "1,x\n2,y\n" * 20)
    with pytest.raises(ParameterError, match="is chosen by cases in memory"):
        tl.grow(tl.scan(str(path), target="class"), "auto", bins=5)
    with pytest.raises(UnknownNameError, match="unknown metric 'auto'"):
        tl.Learner(cut_metric="auto")
    with pytest.raises(UnknownNameError, match="metric of the rule"):
        tl.Auto(("gini",), by="rule")
