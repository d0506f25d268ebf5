"""Trees about as good as the best: those the searches have met, priced as look-ahead prices."""

import json
from collections import Counter

import attrs
import numpy as np
import pytest
from naive_errors import add_errs
from strategies import dataset, random_dataset
from thinned import thinned
from typer.testing import CliRunner

import treelab as tl
from treelab.cli import app
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.tree.prune.price import CF, PRICE, cheapest, cost

FULL = tl.Learner(metric="gain", pruner="none", min_cases=2, min_branch=1, width=3)
LOOK_AHEAD, BEAM = (attrs.evolve(FULL, search=search) for search in ("lookahead", "beam"))


def leaf_price(counts):
    n, e = float(counts.sum()), float(counts.sum() - counts.max())
    return e + add_errs(n, e, CF) + PRICE


def price(node):
    """What the tree under a node costs, subtrees that cost more than a leaf being leaves."""
    leaf = leaf_price(node.counts)
    return leaf if node.is_leaf else min(leaf, sum(map(price, node.children)))


def full_price(node):
    """What the leaves cost, nothing being cut."""
    return leaf_price(node.counts) if node.is_leaf else sum(map(full_price, node.children))


def options(data):
    """Yield what the trees cost that grow greedily under the best splits of the best features."""
    found = []
    for name in data.features:
        stump = tl.grow(data.select([name]), "gain", pruner="none", min_branch=1, max_depth=1)
        if stump.n_leaves > 1:
            side = stump.apply(data)
            parts = (data.take(np.flatnonzero(side == leaf)) for leaf in np.unique(side))
            found.append((-stump.scores[0], sum(price(FULL.fit(part).root) for part in parts)))
    best = sorted(found, key=lambda option: option[0])[: FULL.width]
    return [below for _, below in best] if len(best) > 1 else []


def prices(trees):
    return [price(tree.root) for tree in trees]


def is_among(value, values):
    return any(value == pytest.approx(other, abs=1e-9) for other in values)  # sums of parts


@pytest.mark.parametrize("seed", range(4))
def test_every_option_of_the_root_and_of_its_children_is_met(seed):
    data = random_dataset(seed, cases=50, missing=0.0, numeric=3, nominal=2, ties=False)
    trees = list(LOOK_AHEAD.trees_met(data))
    found, taken = prices(trees), trees[0]
    root = leaf_price(taken.root.counts)

    assert taken == LOOK_AHEAD.fit(data)
    for below in options(data):
        assert is_among(min(root, below), found)
    at = taken.apply(data)
    for child in taken.root.children:
        if child.is_leaf:
            continue
        later = [o.number for o in taken.root.children if o.number > child.number]
        end = min(later, default=taken.n_nodes)  # preorder: the subtree ends where the next begins
        part = data.take(np.flatnonzero((at >= child.number) & (at < end)))
        others = sum(price(o) for o in taken.root.children if o.number != child.number)
        for below in options(part):
            here = min(leaf_price(child.counts), below)
            assert is_among(min(root, others + here), found)


@pytest.mark.parametrize("search", [LOOK_AHEAD, BEAM])
@pytest.mark.parametrize("missing", ["branch", "majority"])
@pytest.mark.parametrize("splits", ["auto", "multiway"])
def test_the_trees_are_those_of_the_cases(search, missing, splits):
    """Sent down a tree that was put together, the cases come where it has counted them."""
    data = random_dataset(6, cases=60, missing=0.2, weights="whole")
    learner = attrs.evolve(search, missing=missing, splits=splits)
    trees = list(learner.trees_met(data))

    assert len(trees) > (20 if search is LOOK_AHEAD else 2)
    for tree in trees:
        counted = np.zeros_like(tree.counts)
        np.add.at(counted, (tree.apply(data), data.y), data.weights)
        leaves = tree.feature < 0
        np.testing.assert_allclose(counted[leaves], tree.counts[leaves])
        assert not counted[~leaves].any()


def test_parts_of_cases_stay_together():
    data = random_dataset(7, cases=50, missing=0.3, weights="fraction")
    for tree in LOOK_AHEAD.trees_met(data):
        for node in tree.nodes:
            if not node.is_leaf:
                below = sum(child.counts for child in node.children)
                np.testing.assert_allclose(below, node.counts)


def test_the_greedy_tree_and_that_of_the_beam_are_met():
    data = random_dataset(3, cases=60, missing=0.0, ties=False)
    beams = list(BEAM.trees_met(data))

    assert str(FULL.fit(data)) in {str(tree) for tree in LOOK_AHEAD.trees_met(data)}
    assert str(BEAM.fit(data)) in {str(tree) for tree in beams}
    assert len(beams) > 1
    assert len(list(FULL.trees_met(data))) == 1


@pytest.mark.parametrize("seed", range(4))
def test_a_cut_tree_costs_what_the_naive_one_does(seed):
    data = random_dataset(seed, cases=60, missing=0.2, weights="fraction")
    for tree in LOOK_AHEAD.trees_met(data):
        assert cost(cheapest(tree)) == pytest.approx(price(tree.root), abs=1e-9)
        assert full_price(cheapest(tree).root) == pytest.approx(price(tree.root), abs=1e-9)


SETTINGS = [{}, {"max_leaves": 5}, {"missing": "branch"}, {"discretizer": "equal-width:4"}]


@pytest.mark.parametrize("seed", thinned(range(2), 2))
@pytest.mark.parametrize("more", SETTINGS)
def test_the_set_is_what_its_definition_says(seed, more):
    data = random_dataset(seed, cases=40, weights="whole")
    learner, names = attrs.evolve(FULL, **more), ["gain", "gini", "chi2", "relieff"]
    met = [
        tree
        for search in (LOOK_AHEAD, BEAM)
        for tree in attrs.evolve(search, **more).trees_met(data)
    ]
    own = {m: cheapest(attrs.evolve(learner, metric=m).fit(data)) for m in names}
    most = more.get("max_leaves", 10**6)
    distinct = {}
    for tree in [*map(cheapest, met), *own.values()]:
        if tree.n_leaves <= most:
            distinct[tree_text(tree)] = full_price(tree.root)
    best = min(distinct.values())
    for epsilon in (0.0, 0.1):
        found = tl.rashomon(data, learner, names, epsilon=epsilon)
        limit = best + epsilon * data.weights.sum() + 1e-8  # sums of parts
        kept = {text: cost for text, cost in distinct.items() if cost <= limit}

        assert {tree_text(each.tree) for each in found.trees} == set(kept)
        assert found.n == len(kept)
        assert found.n_met == len(distinct)
        costs = [each.price for each in found.trees]
        assert costs == pytest.approx(sorted(kept.values()), abs=1e-8)
        for name, tree in own.items():
            place = found.metrics[name].place
            assert (place is not None) == (tree_text(tree) in kept)
            assert (name in found.metrics_within) == (place is not None)
            assert found.metrics[name].price == pytest.approx(full_price(tree.root))
            if place is not None:
                assert tree_text(found.trees[place - 1].tree) == tree_text(tree)
                assert name in found.trees[place - 1].sources


def tree_text(tree):
    """All tests of a tree, without its counts."""

    def of(node):
        below = "".join(map(of, node.children))
        where = node.threshold, node.branch_of.tolist(), node.missing_branch
        return f"({node.feature} {where}{below})"

    return of(tree.root)


def test_what_the_trees_have_in_common():
    found = tl.rashomon(tl.load("heart"), epsilon=0.01)
    used = Counter(name for each in found.trees for name in each.features)

    assert found.n > 5
    assert found.features_of_some == dict(used)
    assert list(found.features_of_some.values()) == sorted(used.values(), reverse=True)
    assert set(found.features_of_all) == {name for name, n in used.items() if n == found.n}
    assert 0 < len(found.features_of_all) < len(used)
    assert found.roots == Counter(each.root for each in found.trees)
    assert found.best is found.trees[0]
    assert {s for each in found.trees for s in each.sources} >= {"look-ahead", "beam"}


def test_neither_the_order_of_the_rows_nor_threads_matter():
    data = random_dataset(8, cases=70, weights="fraction")
    other = data.take(np.random.default_rng(0).permutation(len(data)))
    one = tl.rashomon(data, epsilon=0.05)

    assert str(tl.rashomon(other, epsilon=0.05)) == str(one)
    tl.set_threads(2)
    try:
        assert str(tl.rashomon(data, epsilon=0.05)) == str(one)
    finally:
        tl.set_threads(None)


def test_a_case_of_weight_two_is_two_cases():
    data = random_dataset(9, cases=40, weights="whole")
    copies = data.take(np.repeat(np.arange(40), data.weights.astype(int)))
    copies = copies.reweighted(np.ones(len(copies)))

    assert str(tl.rashomon(copies, epsilon=0.05)) == str(tl.rashomon(data, epsilon=0.05))


def test_a_users_metric_searches_and_is_looked_for():
    def mine(node):
        return node.counts.map(lambda tables: tables.max(axis=-1).sum(axis=-1))

    data = tl.load("iris")
    found = tl.rashomon(data, tl.Learner(metric=mine), [mine, "gini"])

    assert list(found.metrics) == ["mine", "gini"]
    assert found.metrics["mine"].place is not None


def test_one_class_is_a_single_leaf():
    found = tl.rashomon(random_dataset(1, cases=9, classes=1))

    assert (found.n, found.n_met, found.roots, found.features_of_all) == (1, 1, {None: 1}, ())
    assert "tested first: nothing (1)" in str(found)
    assert "<svg" in found._repr_html_()


ODD = '<b>& "x"\'</b>'


def test_the_page_draws_the_trees_and_takes_no_name_for_markup(tmp_path):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 60)
    plain = dataset([y + rng.normal(size=60), y + rng.normal(size=60)], y)
    frame = plain.to_frame().rename(columns={"x0": ODD, "x1": "second"})
    frame["class"] = np.where(y == 1, "<script>", "no")
    found = tl.rashomon(tl.Dataset.from_frame(frame, target="class"), epsilon=0.2)
    found.save(tmp_path / "trees.html")
    page = (tmp_path / "trees.html").read_text(encoding="utf-8")

    assert found.n > 1
    assert page.count("<figure>") == page.count("</svg>") == min(found.n, 12)
    assert "&lt;script&gt;" in page
    assert "<script>" not in page
    assert ODD not in page
    assert page.count("<tr>") == min(found.n, 100) + 1
    assert found._repr_html_() in page


def test_frames_and_plain_values():
    found = tl.rashomon(tl.load("iris"), metrics="gini", epsilon=0.02)
    facts = json.loads(json.dumps(found.to_dict()))
    frame = found.to_frame()

    assert facts["n"] == found.n == len(frame) == len(facts["trees"])
    assert frame["price"].tolist() == [each["price"] for each in facts["trees"]]
    assert facts["metrics"]["gini"]["place"] == found.metrics["gini"].place
    assert found.best.errors == found.best.price - 0.5 * found.best.n_leaves


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({"epsilon": -0.1}, ParameterError, "epsilon must be a number from 0 to 1, got -0.1"),
        ({"epsilon": "x"}, ParameterError, "epsilon must be a number from 0 to 1, got 'x'"),
        ({"learner": "gini"}, ParameterError, "expected a Learner, got str"),
        ({"metrics": ["ginni"]}, UnknownNameError, "unknown metric 'ginni': did you mean 'gini'"),
        ({"metrics": []}, ParameterError, "give at least one metric"),
        ({"data": 7}, DataError, "expected a Dataset, got int"),
    ],
)
def test_a_wrong_call_is_one_sentence(given, error, text):
    with pytest.raises(error) as told:
        tl.rashomon(**{"data": tl.load("lenses"), **given})
    assert str(told.value).startswith(text)
    assert "\n" not in str(told.value)


def test_a_page_is_html():
    with pytest.raises(ParameterError, match=r"a page ends in \.html, got 'x\.txt'"):
        tl.rashomon(tl.load("lenses")).save("x.txt")


def called(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def test_the_command(tmp_path):
    page = tmp_path / "r.html"
    words = ("rashomon", "iris", "--metric", "gini", "--width", 3, "--epsilon", 0.02)
    shown = called(*words, "--metrics", "gain,relieff:k=5", "-o", page)
    learner = tl.Learner(metric="gini", width=3)
    found = tl.rashomon(tl.load("iris"), learner, ["gain", "relieff:k=5"], epsilon=0.02)

    assert shown.exit_code == 0
    assert shown.stdout == f"{found}\n\nsaved to {page}\n"
    assert "<figure>" in page.read_text(encoding="utf-8")
    facts = json.loads(called(*words, "--metrics", "gain,relieff:k=5", "--json").stdout)
    assert facts == {"data": "iris", **found.to_dict()}


@pytest.mark.parametrize(
    "words",
    [("--epsilon", "2"), ("--width", "0"), ("--metric", "ginni"), ("-o", "trees.svg")],
)
def test_a_wrong_command_ends_with_two(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed = called("rashomon", "lenses", *words)

    assert failed.exit_code == 2
    assert failed.stderr.count("\n") == 1
    assert failed.stderr.startswith("treelab: ")
