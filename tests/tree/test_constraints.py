"""Constraints on trees: what may be tested where, directions, and prices of features."""

import json
import warnings
from itertools import product

import numpy as np
import pytest
from thinned import thinned

import treelab as tl
from tests.strategies import dataset, random_dataset
from treelab.errors import DataWarning, ParameterError, TreelabError, UnknownNameError
from treelab.tree import file

SEARCHES = ("greedy", "beam", "lookahead")
MISSING = ("fractional", "branch", "majority")
PRUNERS = ("none", "pessimistic:cf=0.4", "cost-complexity:folds=3", "pessimistic:cf=0.2,chance=0.5")


def made(seed, classes=2, cases=150, **how):
    """Return mixed data: a and b are numbers, c and d labels; missing values and weights."""
    return random_dataset(seed, cases, classes=classes, weights="fraction", **how)


def names(data):
    return data.features


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("seed", range(3))
def test_the_first_features_are_tested_first(seed, search):
    data = made(seed)
    second, third = names(data)[1], names(data)[3]
    how = {"search": search, "width": 2, "pruner": PRUNERS[seed], "missing": MISSING[seed]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        tree = tl.grow(data, constraints=tl.Constraints(first=[second, third]), **how)

    if tree.n_nodes > 1:
        assert tree.root.feature == second
    below = {node.feature for node in tree.root.children if not node.is_leaf}
    assert third in below or not below


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("metric", ["gain", "relieff", "normalized:gini,summary=p-value"])
def test_some_features_are_never_tested(search, metric):
    data = made(4)
    best = tl.grow(data, metric, pruner="none", max_depth=2).root.feature
    how = {"search": search, "width": 2, "pruner": "none", "max_depth": 2}
    tree = tl.grow(data, metric, constraints={"never": [best]}, **how)
    lower = tl.grow(data, metric, constraints={"never": {best: [0]}}, **how)

    assert best not in {node.feature for node in tree.nodes}
    assert lower.root.feature != best


def test_raising_moves_no_test_where_it_must_not_be():
    moved = 0
    for seed in range(40):
        data = random_dataset(seed, 40, numeric=3, classes=2, missing=0)
        pruner = "pessimistic:cf=0.25,collapse=false"
        plain = tl.grow(data, "gain", pruner=pruner)
        if plain.n_nodes == 1:
            continue
        grown = tl.grow(data, "gain", pruner="none")
        moved += plain.root.feature != grown.root.feature
        first = tl.Constraints(first=grown.root.feature)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataWarning)
            kept = tl.grow(data, "gain", pruner=pruner, constraints=first)
        assert kept.n_nodes == 1 or kept.root.feature == grown.root.feature
    assert moved  # else nothing was tested


def test_what_the_pruner_removes_is_reported():
    rng = np.random.default_rng(0)
    data = dataset([rng.normal(size=60), rng.normal(size=60)], rng.integers(0, 2, 60))
    with pytest.warns(DataWarning, match="its root does not test"):
        tl.grow(data, constraints=tl.Constraints(first=data.features[1]))


def test_a_feature_that_cannot_be_tested_first_is_refused_and_below_it_is_reported():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=80), rng.integers(0, 2, 80)
    data = dataset([x + y, np.ones(80), (x > 0).astype(float)], y)
    a, constant, sign = data.features
    with pytest.raises(ParameterError, match=f"the root cannot test '{constant}'"):
        tl.grow(data, pruner=None, constraints=tl.Constraints(first=constant))
    with pytest.warns(DataWarning, match=f"of depth 1 cannot test '{sign}'"):
        tl.grow(data, pruner=None, constraints=tl.Constraints(first=[sign, sign]))
    assert a


# Directions


def is_monotone(tree, data, feature, way):
    """Compare what the tree says where only one feature changes, over all of its numbers."""
    place = data.features.index(feature)
    values = np.unique(data.columns[place][~np.isnan(data.columns[place])])
    said = []
    for value in values:
        columns = [*data.columns]
        columns[place] = np.full(len(data), value)
        said.append(tree.predict_proba(
            tl.Dataset.of(data.schema, columns, data.y, data.weights, "same"))[:, 1])  # fmt: skip
    # Sums over the parts of cases with missing values are rounded.
    return bool((way * np.diff(said, axis=0) >= -1e-12).all())


# Every fifth has each search, policy, pruner and kind of split still.
@pytest.mark.parametrize("asked", thinned(product(range(8), (1, -1)), 5), ids=str)
def test_probabilities_go_one_way(asked):
    seed, way = asked
    data = made(seed, cases=80)
    a, b = data.features[:2]
    how = {
        "search": SEARCHES[seed % 3], "width": 2, "missing": MISSING[seed % 3],
        "pruner": PRUNERS[seed % 4], "metric": ("gain", "gini", "relieff")[seed % 3],
        "probabilities": ("shares", "shrunk:lambda=10", "laplace")[seed % 3],
        "splits": ("auto", "binary")[seed % 2],
        "discretizer": "equal-width:5" if seed in (3, 5) else None,
    }  # fmt: skip
    tree = tl.grow(data, constraints=tl.Constraints(monotone={a: way, b: 1}), **how)

    assert is_monotone(tree, data, a, way)
    assert is_monotone(tree, data, b, 1)
    back = file.loads(file.dumps(tree))
    assert back == tree
    np.testing.assert_array_equal(back.predict_proba(data), tree.predict_proba(data))


def test_without_the_constraint_they_go_both_ways():
    trees = [(tl.grow(made(seed, cases=80), pruner="none"), made(seed, cases=80))
             for seed in range(3)]  # fmt: skip

    assert not all(is_monotone(tree, data, data.features[1], 1) for tree, data in trees)


def test_no_test_turns_a_monotone_feature_round():
    data = made(7, missing=0.0)
    a = data.features[0]
    tree = tl.grow(data, "gini", pruner="none", constraints=tl.Constraints(monotone={a: 1}))
    tests = [node for node in tree.nodes if node.feature == a]

    assert tests
    for node in tests:
        low, high = (child.counts[1] / child.weight for child in node.children)
        assert low <= high + 1e-12  # the tie of scores


# Prices


def test_a_price_divides_the_square_of_the_score():
    data = made(9, missing=0.0)
    plain = tl.why(tl.grow(data, "gain", max_depth=1, pruner=None), metrics=["gain"])
    scores = {}
    for option in plain.options:
        scores[option.feature] = max(scores.get(option.feature, 0), option.verdicts[0].score)
    (best, high), (second, low) = sorted(scores.items(), key=lambda pair: -pair[1])[:2]
    enough = (high / low) ** 2
    for factor, chosen in ((0.99, best), (1.01, second)):
        dear = tl.Constraints(cost={best: enough * factor})
        tree = tl.grow(data, "gain", max_depth=1, pruner=None, constraints=dear)
        assert tree.root.feature == chosen
        # What the metric said itself is what the tree keeps.
        assert tree.root.score == pytest.approx(high if chosen == best else low)


def test_every_feature_may_have_a_price():
    data = made(9, missing=0.0)
    best = tl.grow(data, "gain", max_depth=1, pruner=None).root.feature
    prices = dict.fromkeys(data.features, 2) | {best: 1e6}
    tree = tl.grow(data, "gain", max_depth=1, pruner=None, constraints=tl.Constraints(cost=prices))

    assert tree.root.feature not in (None, best)


@pytest.mark.parametrize("metric", ["gain", "mdl", "log-p-chi2", "relieff"])
def test_equal_prices_change_nothing(metric):
    data = made(10)
    same = tl.Constraints(cost=dict.fromkeys(data.features, 3))

    assert tl.grow(data, metric, constraints=same) == tl.grow(data, metric)


# As values


def test_constraints_are_kept_with_the_learner(tmp_path):
    data = made(11)
    a, b, c, d = data.features
    given = tl.Constraints(first=[a], never={c: [0, 2], d: []}, monotone={b: 1}, cost={a: 2})
    learner = tl.Learner(constraints=given, pruner="none")
    tree = learner.fit(data)
    tree.save(tmp_path / "m.json")
    back = tl.Tree.load(tmp_path / "m.json")

    assert tl.Learner.of_settings(json.loads(json.dumps(back.settings))) == learner
    assert tl.Learner.of_settings(back.settings).fit(data) == tree
    assert eval(repr(learner), {"Learner": tl.Learner}) == learner
    assert hash(learner) == hash(tl.Learner.of_settings(back.settings))
    assert tl.Learner(constraints=tl.Constraints()) == tl.Learner()


def test_why_leaves_out_what_is_not_allowed():
    data = made(12)
    best = tl.grow(data, "gain", pruner="none").root.feature
    tree = tl.grow(data, "gain", pruner="none", constraints={"never": [best]})
    answer = tl.why(tree, metrics=["gain"])

    assert answer.dissent == ()
    assert best not in {option.feature for option in answer.options}


def test_the_estimator_takes_them():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(90, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=90) > 0).astype(int)
    rule = tl.Constraints(never=["x0"], monotone={"x1": 1})
    model = tl.TreeClassifier(constraints=rule, pruner=None).fit(X, y)

    assert 0 not in model.tree_.tested
    assert model.feature_importances_[0] == 0


@pytest.mark.parametrize(
    ("given", "kind", "sentence"),
    [
        ({"first": "agee"}, UnknownNameError, "unknown feature in constraints 'agee'"),
        ({"frist": "a"}, UnknownNameError, "did you mean 'first'"),
        ({"monotone": {"x0": 2}}, ParameterError, "must be 1 or -1, got 2"),
        ({"monotone": ["x0"]}, ParameterError, "must be dictionaries by feature"),
        ({"cost": {"x0": 0}}, ParameterError, "must be above 0, got 0"),
        ({"cost": {"x0": "a"}}, ParameterError, "must be a number"),
        ({"first": "x0", "never": ["x0"]}, ParameterError, "and never be tested there"),
        ({"never": {"x0": [-1]}}, ParameterError, "must be a whole number of at least 0"),
        ({"monotone": {"x2": 1}}, ParameterError, "needs a numeric feature, but 'x2' is nominal"),
        ("never", ParameterError, "must be treelab.Constraints"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(given, kind, sentence):
    data = made(13)
    assert data.features[:3] == ("x0", "x1", "x2")
    with pytest.raises(kind, match=sentence) as caught:
        tl.grow(data, constraints=given)
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"discretizer": "equal-width:4"}, "needs cuts of numbers, but the discretizer"),
        ({"search": "optimal", "max_depth": 2}, "takes no constraints"),
    ],
)
def test_what_cannot_be_kept_is_refused(how, sentence):
    with pytest.raises(TreelabError, match=sentence):
        tl.grow(made(14), constraints=tl.Constraints(monotone={"x0": 1}), **how)
    with pytest.raises(TreelabError, match="monotone needs two classes, but 'class' has 3"):
        tl.grow(made(14, classes=3), constraints=tl.Constraints(monotone={"x0": 1}))


def test_damaged_directions_in_a_file_are_refused():
    tree = tl.grow(made(15), constraints=tl.Constraints(monotone={"x0": 1}), max_depth=1)
    document = json.loads(file.dumps(tree))
    for monotone in ([], {"x0": 3}, {"x2": 1}, {"none": 1}):
        with pytest.raises(TreelabError):
            file.loads(json.dumps(document | {"monotone": monotone}))


def test_data_in_parts_give_the_same_tree():
    data = random_dataset(16, 200, classes=2)
    frame = data.to_frame()
    parts = [frame.iloc[:70], frame.iloc[70:]]
    rule = tl.Constraints(never=["x0"], monotone={"x1": 1}, cost={"x2": 3})
    how = {"constraints": rule, "pruner": "none", "bins": 16, "metric": "gini"}

    scanned = tl.grow(tl.scan(parts, target=data.target), **how)
    assert scanned.feature.tolist() == tl.grow(tl.Dataset.from_frame(
        frame, target=data.target), **how).feature.tolist()  # fmt: skip


@pytest.mark.parametrize("seed", [1, 4])
def test_where_the_metric_is_silent_cuts_are_judged_one_node_at_a_time(seed):
    """`gain-ratio-c45` leaves most out; what stands in for it may need a node for itself."""
    gain, gated, data = tl.metric("gain"), tl.metric("gain-ratio-c45"), made(seed)

    def least_above_average(node):
        scores = np.asarray(gain(node))
        return np.where(scores >= np.nanmean(scores), -scores, np.nan)

    def gated_node_by_node(node):
        return gated(node)

    first = tl.Constraints(first=[names(data)[1], names(data)[3]])
    how = {"constraints": first, "pruner": "none", "cut_metric": least_above_average}
    tree = tl.grow(data, gated, **how)

    assert tree.n_nodes > 1
    assert tree == tl.grow(data, gated_node_by_node, **how)
