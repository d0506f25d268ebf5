"""Weights of classes and costs of mistakes: in growing, leaves, files and the estimator."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest

import treelab as tl
from tests.strategies import random_dataset
from treelab.errors import ParameterError, TreelabError, UnknownNameError
from treelab.tree import file
from treelab.tree.prune import prune

MISSING = ("fractional", "branch", "majority")
COSTS = {"no": {"yes": 1, "maybe": 2}, "yes": {"no": 9, "maybe": 3}, "maybe": {"no": 4, "yes": 0.5}}


def noisy(seed, cases=90, weights="fraction", classes=3):
    data = random_dataset(seed, cases, classes=classes, missing=0.15, weights=weights)
    labels = ("no", "yes", "maybe")[:classes]
    target = tl.Column("class", labels)
    return tl.Dataset.of(
        tl.Schema(data.schema.features, target), data.columns, data.y, data.weights, data.name
    )


def cheapest(shares, matrix):
    """Return the class of least expected cost, by its definition."""
    found = []
    for p in shares:
        expected = [sum(p[j] * matrix[j][i] for j in range(len(p))) for i in range(len(matrix))]
        found.append(expected.index(min(expected)))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_the_class_of_least_expected_cost_is_predicted(seed):
    data = noisy(seed)
    tree = tl.grow(data, pruner="none", missing=MISSING[seed % 3], costs=COSTS)
    matrix = [[COSTS[a].get(p, 0) for p in tree.classes] for a in tree.classes]
    shares = tree.predict_proba(data)
    codes = [tree.classes.index(label) for label in tree.predict(data)]
    expected = shares @ np.array(matrix)

    # Equal costs but for rounding go to the first class, so costs are compared, not classes.
    np.testing.assert_allclose(
        expected[np.arange(len(data)), codes],
        expected[np.arange(len(data)), cheapest(shares, matrix)],
        atol=1e-11,  # the tie of 1e-12 relative to the largest cost, 9
    )
    assert [node.label for node in tree.nodes] == [tree.classes[k] for k in tree.winners]


def test_costs_change_what_is_predicted_and_what_it_costs():
    data = noisy(3, cases=200, classes=2)
    dear = {"no": {"yes": 1}, "yes": {"no": 20}}
    plain, careful = (tl.grow(data, costs=costs) for costs in (None, dear))
    known = data.y >= 0

    def cost(tree):
        missed = (tree.predict(data) == "no") & (data.labels == "yes") & known
        alarm = (tree.predict(data) == "yes") & (data.labels == "no") & known
        return data.weights @ (20 * missed + alarm)

    assert cost(careful) < cost(plain)


@pytest.mark.parametrize("missing", MISSING[1:])  # shares of missing cases go by altered weights
def test_the_cases_of_a_tree_with_costs_are_those_of_the_data(missing):
    data = noisy(1)
    tree = tl.grow(data, pruner="none", missing=missing, costs=COSTS)
    n = np.bincount(data.y[data.y >= 0], data.weights[data.y >= 0])

    np.testing.assert_allclose(tree.counts[0], n, atol=1e-8)  # nine digits kept
    leaves = tree.counts[tree.feature < 0].sum(axis=0)
    np.testing.assert_allclose(leaves, n, atol=1e-6)  # a sum of rounded class weights


def test_altered_priors_grow_the_tree_of_weighted_cases():
    data = noisy(2, weights="one", classes=2)
    dear = {"no": {"yes": 1}, "yes": {"no": 3}}
    by_costs = tl.grow(data, "gini", costs=dear, pruner="none", missing="majority")
    by_weights = tl.grow(
        data, "gini", class_weight={"yes": 3, "no": 1}, pruner="none", missing="majority"
    )

    for name in ("feature", "threshold", "children", "branch_of"):
        np.testing.assert_array_equal(getattr(by_costs, name), getattr(by_weights, name))


def test_a_class_of_weight_two_is_each_of_its_cases_twice():
    data = noisy(4, weights="one")
    full = {"pruner": "none", "min_branch": 0, "min_cases": 1, "missing": "majority"}
    twice = np.concatenate([np.arange(len(data)), np.flatnonzero(data.y == 1)])
    weighted = tl.grow(data, "gini", class_weight={"yes": 2}, **full)
    doubled = tl.grow(data.take(twice), "gini", **full)

    np.testing.assert_array_equal(weighted.feature, doubled.feature)
    # The total stays that of the cases, so the class weights differ by a factor.
    np.testing.assert_allclose(
        weighted.counts / weighted.counts[0].sum(), doubled.counts / doubled.counts[0].sum()
    )


def test_balanced_classes_have_the_same_weight():
    data = noisy(5)
    counts = tl.grow(data, class_weight="balanced").counts[0]

    np.testing.assert_allclose(counts, data.weights[data.y >= 0].sum() / 3)


def test_the_order_of_the_cases_does_not_matter():
    data = noisy(6)
    order = np.random.default_rng(0).permutation(len(data))
    given = {"costs": COSTS, "class_weight": "balanced"}

    assert tl.grow(data, **given) == tl.grow(data.take(order), **given)


@pytest.mark.parametrize("given", [{"costs": COSTS}, {"class_weight": "balanced"},
                                   {"class_weight": {"yes": 2.5}}])  # fmt: skip
def test_files_keep_them(given, tmp_path):
    data = noisy(7)
    tree = tl.grow(data, **given)
    tree.save(tmp_path / "model.json")
    back = tl.Tree.load(tmp_path / "model.json")

    assert back == tree
    assert back.predict(data).tolist() == tree.predict(data).tolist()
    assert tl.Learner.of_settings(back.settings).fit(data) == tree
    assert eval(repr(tl.Learner(**given)), {"Learner": tl.Learner}) == tl.Learner(**given)


def test_a_frame_gives_costs_too():
    frame = pd.DataFrame(COSTS).T.reindex(columns=["no", "yes", "maybe"]).fillna(0)
    data = noisy(8)

    assert tl.grow(data, costs=frame) == tl.grow(data, costs=COSTS)


def test_pruning_later_is_pruning_at_once():
    data = noisy(9, cases=150)
    full = tl.grow(data, pruner="none", costs=COSTS, missing="majority")
    rule = "pessimistic:cf=0.1,raising=false"
    at_once = tl.grow(data, pruner=rule, costs=COSTS, missing="majority")

    later = prune(full, rule)
    np.testing.assert_array_equal(later.feature, at_once.feature)
    np.testing.assert_allclose(later.counts, at_once.counts, atol=1e-7)  # rounded to nine digits
    assert later.predict(data).tolist() == at_once.predict(data).tolist()
    assert at_once.n_leaves < full.n_leaves


def test_why_knows_the_data_of_a_tree_with_costs():
    data = noisy(10)
    tree = tl.grow(data, "gain", pruner="none", costs=COSTS, class_weight={"yes": 2})
    answer = tl.why(tree, metrics=["gain"])

    assert answer.same_data
    assert answer.dissent == ()


@pytest.mark.parametrize(
    ("given", "kind", "sentence"),
    [
        ({"costs": {"no": {"yes": 1}}}, ParameterError, "costs must say what it costs to predict"),
        ({"costs": {**COSTS, "nope": {"no": 1}}}, None, ""),
        ({"costs": {"no": {"yes": -1}}}, ParameterError, "must be a number of at least 0, got -1"),
        ({"costs": {"no": {"no": 1}}}, ParameterError, "the right prediction must cost 0"),
        ({"costs": {"no": 3}}, ParameterError, "costs must be a dictionary"),
        ({"costs": 3}, ParameterError, "costs must be a dictionary"),
        ({"costs": {"nn": {"yes": 1}, "yes": {"nn": 2}}}, UnknownNameError, "class in costs 'nn'"),
        ({"class_weight": "even"}, ParameterError, "'balanced' or None, got 'even'"),
        ({"class_weight": {"yess": 1}}, UnknownNameError, "did you mean 'yes'"),
        ({"class_weight": {"yes": -1}}, ParameterError, "of at least 0, got -1"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(given, kind, sentence):
    data = noisy(11)
    if kind is None:
        tl.grow(data, **given)  # a class more than a fold has is no mistake
        return
    with pytest.raises(kind, match=sentence) as caught:
        tl.grow(data, **given)
    assert len(str(caught.value).splitlines()) == 1


def test_damaged_costs_in_a_file_are_refused():
    tree = tl.grow(noisy(12), costs=COSTS, max_depth=1)
    document = json.loads(file.dumps(tree))
    for costs, sentence in [
        ([[0, 1]], "a row and a column for each class"),
        ([[0, 1, 1]] * 2 + [[0, -1, 0]], "a cost is below 0"),
        ("a", "are no list"),
    ]:
        with pytest.raises(TreelabError, match=sentence):
            file.loads(json.dumps(document | {"costs": costs}))


# The estimator


@pytest.mark.parametrize("classes", [("a", "b"), (3, 7), (False, True)])
def test_the_estimator_takes_the_classes_as_they_are(classes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = (X[:, 0] + rng.normal(size=80) > 0).astype(int)
    labels = np.array(classes)[y]
    dear = {classes[0]: {classes[1]: 1}, classes[1]: {classes[0]: 30}}
    model = tl.TreeClassifier(costs=dear, max_depth=2).fit(X, labels)

    assert model.predict(X).dtype == labels.dtype
    assert np.mean(model.predict(X) == classes[1]) > np.mean(
        tl.TreeClassifier(max_depth=2).fit(X, labels).predict(X) == classes[1]
    )
    weights = tl.TreeClassifier(class_weight=dict(zip(classes, (1, 30), strict=True))).fit(
        X, labels
    )
    assert weights.tree_.settings["class_weight"] == dict(
        zip(map(str, classes), (1.0, 30.0), strict=True)
    ) or classes == (False, True)


def test_every_pair_of_options_works_with_costs():
    data = noisy(13, cases=40)
    pairs = itertools.product(("greedy", "beam", "lookahead"), ("reduced-error", "cost-complexity"))
    for search, pruner in pairs:
        tree = tl.grow(data, search=search, pruner=pruner, costs=COSTS, width=2)
        assert tree.costs is not None
