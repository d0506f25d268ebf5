"""A learner is checked when it is made, so that a study is checked without any data."""

import pytest

import treelab as tl
from treelab.errors import TreelabError
from treelab.learner import Learner

WRONG = {
    "metric": ({"metric": "gainn"}, r"unknown metric 'gainn': did you mean 'gain'\?"),
    "metric a number": ({"metric": 3}, "expected the name of a metric or a callable, got 3"),
    "metric's parameter": ({"metric": "relieff:q=3"}, "unknown parameter 'q' of metric 'relieff'"),
    "metric's value": ({"metric": {"name": "relieff", "k": 0}}, "k must be a whole number of at"),
    "metric without a name": ({"metric": {"k": 3}}, "a metric is a name or a table with one, such"),
    "metric in a metric": ({"metric": "normalized:gian"}, "unknown metric 'gian'"),
    "no formula of chance": (
        {"metric": "normalized:mantaras,expectation=exact"},
        "has no exact expectation: take 'permutation'",
    ),
    "no formula of chance for pairs": (
        {"metric": "normalized:contextual-merit,expectation=exact"},
        "has no exact expectation: take 'permutation'",
    ),
    "cut_metric": ({"cut_metric": "gian"}, "unknown metric 'gian'"),
    "cut_metric of features": (
        {"cut_metric": "relieff"},
        "cut_metric must judge the cuts of a feature, but ReliefF.* judges features as a whole",
    ),
    "cut_metric of features over chance": (
        {"cut_metric": "normalized:relieff,summary=z"},
        "cut_metric must judge the cuts of a feature",
    ),
    "discretizer": ({"discretizer": "mlp"}, r"unknown discretizer 'mlp': did you mean 'mdlp'\?"),
    "discretizer's value": ({"discretizer": "equal-width:0"}, "bins must be"),
    "discretizer's metric": ({"discretizer": "greedy:gian"}, "unknown metric 'gian'"),
    "discretizer's metric of features": (
        {"discretizer": "greedy:metric=pi"},
        "must judge the cuts of a feature, but .* judges features as a whole",
    ),
    "pruner": ({"pruner": "pesimistic"}, "unknown pruner 'pesimistic': did you mean 'pessimistic'"),
    "pruner's value": ({"pruner": "pessimistic:cf=2"}, "cf must be above 0 and at most 1, got 2"),
    "pruner a number": ({"pruner": 3}, "expected the name of a pruner or a callable, got 3"),
    "probabilities": ({"probabilities": "shrnk"}, r"did you mean 'shrunk'\?"),
    "probabilities of nothing known": ({"probabilities": 3}, "must be one of 'laplace', 'm-est"),
    "m": ({"probabilities": "m-estimate:m=-1"}, "m must be a number of at least 0, got -1"),
    "lambda": (
        {"probabilities": {"name": "shrunk", "lambda": "x"}},
        "lambda must be a number of at least 0, got 'x'",
    ),
    "missing": ({"missing": "brunch"}, "missing must be one of .* did you mean 'branch'"),
    "splits": ({"splits": "binari"}, "splits must be one of .* did you mean 'binary'"),
    "search": ({"search": "bean"}, "search must be one of .* did you mean 'beam'"),
    "bins": ({"bins": 1}, "bins must be a whole number of at least 2, got 1"),
    "width": ({"width": 0}, "width must be a whole number of at least 1, got 0"),
    "seed": ({"seed": 0.5}, "seed must be a whole number, got 0.5"),
    "min_cases": ({"min_cases": 0}, "min_cases must be a number of at least 1, got 0"),
    "min_branch": ({"min_branch": -1}, "min_branch must be a number of at least 0, got -1"),
    "max_depth": ({"max_depth": 1.5}, "max_depth must be a whole number of at least 0, got 1.5"),
    "max_leaves": ({"max_leaves": 0}, "max_leaves must be a whole number of at least 1, got 0"),
}  # fmt: skip
every_mistake = pytest.mark.parametrize(("given", "said"), WRONG.values(), ids=WRONG)


@every_mistake
def test_a_wrong_parameter_is_refused_when_the_learner_is_made(given, said):
    with pytest.raises(TreelabError, match=said) as caught:
        Learner(**given)
    assert "\n" not in str(caught.value)


def _toml(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_toml(each)}" for key, each in value.items()) + " }"
    return repr(value)


@pytest.mark.parametrize("mistake", sorted(set(WRONG) - {"seed"}))  # the seeds are the study's
@pytest.mark.parametrize("table", ["[[learner]]", "[settings]"])
def test_a_study_says_so_with_its_line_and_fits_nothing(tmp_path, monkeypatch, table, mistake):
    given, said = WRONG[mistake]
    monkeypatch.setattr(Learner, "fit", lambda *_: pytest.fail("a learner is fitted"))
    ((name, value),) = given.items()
    end = "" if table == "[[learner]]" else "\n[[learner]]"
    text = f'data = ["lenses"]\n{table}\n{name} = {_toml(value)}{end}\n'
    (tmp_path / "s.toml").write_text(text)

    with pytest.raises(TreelabError, match=rf"s\.toml, line 3: .*{said}"):
        tl.read_study(tmp_path / "s.toml")


def test_tables_and_texts_name_the_same():
    tables = Learner(
        metric={"name": "relieff", "k": 5},
        pruner={"name": "pessimistic", "cf": 0.1},
        discretizer={"name": "greedy", "metric": {"name": "normalized", "metric": "gini"}},
    )

    assert tables.metric == tl.metric("relieff:k=5")
    assert tables.discretizer.metric == tl.Normalized("gini")
    assert hash(tables)
    data = tl.load("iris")
    texts = Learner(
        metric="relieff:k=5", pruner="pessimistic:cf=0.1", discretizer="greedy:normalized:gini"
    )
    assert tables.fit(data) == texts.fit(data)
