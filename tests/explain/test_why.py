"""Why a node is split as it is: the node is the one that was grown, and the table is right."""

import copy
import gc
import json
import pickle
from itertools import product

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import stats
from strategies import dataset, random_dataset
from thinned import thinned

import treelab as tl
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.explain.judging import concordance, ranks, rescaled
from treelab.learner import Learner
from treelab.protocols import FeatureScores
from treelab.stats.candidates.choice import check_scores
from treelab.tree import file
from treelab.tree.path import read_path, write_path
from treelab.tree.revisit import Settings, revisit, training_data

LENSES = tl.load("lenses")
IRIS = tl.load("iris")


def paths_of(tree):
    """Yield the path of every inner node."""
    waiting = [()]
    while waiting:
        path = waiting.pop()
        node = tree.node(path)
        if not node.is_leaf:
            yield path
            waiting.extend((*path, branch) for branch in range(len(node.children)))


def mine(node):
    """A user's metric: a function, whose text is no expression."""
    return node.counts.map(lambda tables: tables.max(axis=-1).sum(axis=-1))


def randomly(node):
    return node.rng("scores").random(len(node.counts))


# The node is the one that was grown

WAYS = [
    *({"splits": s, "missing": m} for s, m in product(
        ("auto", "multiway", "binary", "subset"), ("fractional", "branch", "majority"))),
    {"discretizer": "equal-width:4"},
    {"discretizer": "equal-frequency:3", "splits": "binary", "missing": "branch"},
    {"discretizer": "equal-width:4", "splits": "subset"},
    {"bins": 4},
    {"bins": 3, "missing": "branch"},
    {"min_branch": 1, "seed": 7},
    {"max_leaves": 6, "min_branch": 3.5},
]  # fmt: skip
SETS = {
    "hepatitis": tl.load("hepatitis"),
    "voting": tl.load("voting"),
    "made": random_dataset(1, cases=60, missing=0.3, weights="fraction"),
    "made too": random_dataset(2, cases=40, missing=0.1, labels=5, weights="some-zero"),
}


# Fewer than there are sets: every way has one at least.
@pytest.mark.parametrize("asked", thinned(product(WAYS, SETS), 3), ids=str)
def test_the_metric_that_grew_the_tree_ranks_each_test_first_with_its_stored_score(asked):
    how, name = asked
    data = SETS[name]
    tree = tl.grow(data, "gain-ratio", pruner="none", max_depth=4, **how)
    for path in paths_of(tree):
        answer = tl.why(tree, path, ["gain-ratio"])
        verdict = answer.chosen.verdicts[0]

        assert (verdict.rank, verdict.score) == (1, tree.node(path).score)
        assert answer.same_data
        assert answer.dissent == ()


@pytest.mark.parametrize("metric", ["gain-ratio-c45", "relieff:k=3", "mdl", "imc", mine, randomly])
@pytest.mark.parametrize("name", ["hepatitis", "made"])
def test_so_it_is_with_metrics_over_pairs_functions_and_chance(name, metric):
    data = SETS[name]
    tree = tl.grow(data, metric, pruner="none", max_depth=3, seed=5, min_branch=1)
    assert not tree.root.is_leaf
    for path in paths_of(tree):
        answer = tl.why(tree, path, [metric])

        assert answer.chosen.verdicts[0].score == tree.node(path).score
        assert answer.chosen.verdicts[0].rank == 1
        assert answer.dissent == ()


def test_a_loaded_tree_needs_the_data_and_gives_the_same_answer(tmp_path):
    data = tl.load("hepatitis")
    tree = tl.grow(data, "gain", bins=5, splits="binary", missing="branch", pruner="none")
    tree.save(tmp_path / "m.json")
    loaded = tl.Tree.load(tmp_path / "m.json")

    with pytest.raises(
        DataError, match=r"^the data the tree was grown from are gone: pass them as "
    ):
        tl.why(loaded)
    for path in list(paths_of(tree))[:4]:
        assert tl.why(loaded, path, data=data) == tl.why(tree, path)


def test_pruned_trees_can_be_asked_too():
    data = tl.load("hepatitis")
    for pruner in ("pessimistic", "cost-complexity", "reduced-error"):
        tree = tl.grow(data, "gain", pruner=pruner)
        for path in paths_of(tree):
            answer = tl.why(tree, path, ["gain"], data)
            assert answer.same_data == (pruner != "reduced-error")
            assert answer.options


def test_a_raised_test_may_be_none_of_the_candidates():
    """Pruning can move a subtree up to cases among which its test would not have been a choice."""
    data = tl.load("breast-cancer-ljubljana")
    tree = tl.grow(data, "gain", pruner="pessimistic:cf=0.25")
    answers = [tl.why(tree, path, ["gain"]) for path in paths_of(tree)]
    moved = [answer for answer in answers if answer.chosen is None]

    assert all(answer.same_data for answer in answers)
    assert len(moved) == 2
    for answer in moved:
        assert answer.dissent == ("gain",)
        assert "\nthe tree's own split is not shown; " in str(answer)


# The data


def test_the_data_are_remembered_weakly():
    data = IRIS.take(range(len(IRIS)))
    tree = tl.grow(data, "gain")
    assert tree.grown_from() is data
    assert tl.prune(tree, "pep", data).grown_from() is data

    del data
    gc.collect()
    with pytest.raises(DataError, match=r"are gone"):
        tl.why(tree)


def test_the_reference_is_neither_copied_nor_compared():
    data = LENSES
    tree, other = tl.grow(data, "gain"), tl.grow(data.take(range(len(data))), "gain")

    assert tree == other
    for twin in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree), copy.copy(tree)):
        assert twin == tree
        assert twin.learner == tree.learner
        assert twin.grown_from is None


def test_columns_and_labels_may_come_in_another_order():
    tree = tl.grow(LENSES, "gain", splits="multiway", min_branch=1, pruner="none")
    frame = LENSES.to_frame().astype(str)
    shuffled = frame[list(frame.columns)[::-1]].iloc[::-1]
    data = tl.Dataset.from_frame(shuffled, target="class")

    assert data.schema != tree.schema
    for path in paths_of(tree):
        for given in (data, frame, pl.from_pandas(shuffled)):
            assert tl.why(tree, path, ["gain", "gini"], given) == tl.why(
                tree, path, ["gain", "gini"]
            )


def test_intervals_are_cut_anew_in_data_of_another_order():
    data = IRIS.select(IRIS.features[::-1])
    tree = tl.grow(IRIS, "gain", discretizer="equal-width:4", pruner="none")

    assert tl.why(tree, (2,), ["gain"], data) == tl.why(tree, (2,), ["gain"])


def test_other_data_are_noticed():
    tree = tl.grow(IRIS, "gain")
    answer = tl.why(tree, data=IRIS.take(range(0, 150, 2)))

    assert not answer.same_data
    assert str(answer).endswith("the node had other cases when the tree grew")


def test_a_label_the_tree_does_not_know_is_missing():
    tree = tl.grow(dataset([[0, 0, 1, 1, 2, 2]], [0, 0, 1, 1, 0, 1]), "gain", min_branch=1)
    new = dataset([[0, 1, 3, 3]], [0, 1, 0, 2])
    cases = training_data(tree, new)

    assert cases["x0"].tolist() == [0, 1, -1, -1]
    assert cases.y.tolist() == [0, 1, 0, -1]


def test_a_case_whose_value_has_no_branch_stays():
    data = dataset([[0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1]], [0, 0, 1, 1, 0, 1])
    tree = tl.grow(data.take([0, 1, 2, 3]), "gain", splits="multiway", min_branch=1, pruner="none")
    view = revisit(tree, (1,), data)

    assert tree.root.feature == "x0"
    assert view.rows.tolist() == [2, 3]


def test_nobody_may_be_there():
    data = dataset([[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]], [0, 0, 1, 1, 0, 0])
    tree = tl.grow(data, "gain", min_branch=1, pruner="none")
    below = next(path for path in paths_of(tree) if path)
    step = 0 if below[0] else 1
    side = data["x0"] > tree.root.threshold

    with pytest.raises(DataError, match=f"^no case of the data reaches node {write_path(below)}$"):
        tl.why(tree, below, data=data.take(side == bool(step)))
    unknown = dataset([[np.nan, np.nan]], [0, 1])
    with pytest.raises(DataError, match=r"no case of the data reaches"):
        tl.why(tree, below, data=unknown)
    with pytest.raises(DataError, match=r"no way to split node root"):
        tl.why(tree, data=unknown)


def test_bins_are_those_of_the_data_of_growing():
    tree = tl.grow(IRIS, "gain", bins=5, pruner="none")
    below = next(path for path in paths_of(tree) if path)

    with pytest.raises(DataError, match=r"^the tree was grown with bins, which other data do not"):
        tl.why(tree, below, data=IRIS.take(range(0, 150, 3)))


# What the learner tells


@pytest.mark.parametrize(
    "metric",
    [
        "gain",
        tl.metric("relieff", k=3),
        mine,
        lambda node: 2 * mine(node),
        tl.from_counts(lambda t: t.max((1, 2))),
    ],
)
def test_settings_are_read_back_whatever_the_metric(metric):
    learner = Learner(metric=metric, splits="binary", bins=7, min_branch=1.5, seed=-3)

    assert Settings.of(learner.fit(LENSES)) == Settings("binary", 7, 1.5, -3)


def test_a_metric_by_its_table_is_asked_beside_the_usual_ones():
    """A metric that was given as an object, and comes back from a file."""
    tree = file.loads(file.dumps(tl.grow(IRIS, tl.metric("relieff", k=3))))

    assert repr(tl.metric("relieff", k=3)) in tl.why(tree, data=IRIS).metrics


# The table


def test_every_candidate_and_metric_by_hand():
    tree = tl.grow(LENSES, "gain", splits="multiway", pruner="none")
    answer = tl.why(tree, metrics=["gain", "gini", "relieff"], candidates="all")
    view = revisit(tree, (), LENSES)

    assert answer.n_candidates == len(answer.options) == 4
    for place, metric in enumerate(["gain", "gini", "relieff"]):
        given = tl.metric(metric)(view)
        is_whole = isinstance(given, FeatureScores)
        values = given.values[view.counts.feature] if is_whole else given
        of_feature = dict(zip(view.counts.feature, values, strict=True))
        low, high = min(values), max(values)
        for option in answer.options:
            expected = of_feature[LENSES.features.index(option.feature)]
            verdict = option.verdicts[place]

            assert verdict.score == expected
            assert verdict.rank == 1 + sum(value > expected + 1e-12 for value in values)
            assert verdict.normalized == pytest.approx((expected - low) / (high - low))
    assert [option.split for option in answer.options if option.chosen] == ["tear_rate = normal"]
    assert answer.chosen.branches == (12.0, 12.0)


def test_by_default_each_feature_has_the_best_cut_of_each_metric():
    tree = tl.grow(IRIS, "gain")
    metrics = ["gain", "gain-ratio", "relieff"]
    some, every = tl.why(tree, (), metrics), tl.why(tree, (), metrics, candidates="all")

    assert len(every.options) == every.n_candidates == some.n_candidates
    for feature in IRIS.features:
        cuts = [option for option in every.options if option.feature == feature]
        shown = {option.split for option in some.options if option.feature == feature}
        # relieff has no cut of its own: gain finds it.
        best = {max(cuts, key=lambda cut: cut.verdicts[m].score).split for m in (0, 1)}

        assert shown == best
    by_split = {option.split: option for option in every.options}
    for option in some.options:
        for few, many in zip(option.verdicts, by_split[option.split].verdicts, strict=True):
            assert (few.score, few.normalized) == (many.score, many.normalized)
            assert few.rank <= many.rank


def test_metrics_that_would_choose_otherwise_are_named():
    tree = tl.grow(IRIS, "gain-ratio-c45")
    answer = tl.why(tree, (), ["gain-ratio-c45", "gain", "relieff"])

    assert tree.root.feature == answer.chosen.feature == "petal width"
    assert answer.dissent == ("gain",)
    assert answer.choices == ("petal width <= 0.8", "petal length <= 2.45", "petal width <= 0.8")
    for metric, split in zip(answer.metrics, answer.choices, strict=True):
        assert tl.grow(IRIS, metric, max_depth=1).root.branch_labels[0] == split


def test_what_cannot_be_judged_comes_last_with_a_dash():
    tree = tl.grow(IRIS, "gain")
    answer = tl.why(tree, metrics=["gain-ratio-c45", "gain"])
    unjudged = [option for option in answer.options if option.verdicts[0].score is None]
    judged = [option for option in answer.options if option.verdicts[0].score is not None]

    assert {option.verdicts[0].rank for option in unjudged} == {len(judged) + 1}
    assert {option.verdicts[0].normalized for option in unjudged} == {None}
    assert str(answer).count(" - ") >= len(unjudged)


@pytest.mark.parametrize(
    ("name", "how", "feature", "words"),
    [
        ("hepatitis", {}, "ASCITES", "ASCITES = 1"),
        ("hepatitis", {}, "ALBUMIN", "ALBUMIN <= 3.85"),
        ("hepatitis", {"missing": "branch"}, "ALBUMIN", "ALBUMIN <= 3.85"),
        ("hepatitis", {"discretizer": "equal-width:3"}, "ALBUMIN", "ALBUMIN = each interval"),
        ("car", {}, "persons", "persons = 2"),
        ("car", {}, "buying", "buying in {high, vhigh}"),
        ("car", {"splits": "multiway"}, "buying", "buying = each value"),
        ("car", {"splits": "binary"}, "buying", "buying = vhigh"),
    ],
)
def test_splits_speak_as_the_data_do(name, how, feature, words):
    data = tl.load(name)
    tree = tl.grow(data, "gain", max_depth=1, pruner="none", **how)
    found = {option.feature: option.split for option in tl.why(tree, metrics=["gain"]).options}

    assert found[feature] == words


def test_known_against_missing_is_a_split_too():
    data = dataset([[1.0, 1.0, np.nan, np.nan]], [0, 0, 1, 1])
    tree = tl.grow(data, "gain", missing="branch", pruner="none")

    assert [option.split for option in tl.why(tree, metrics=["gain"]).options] == ["x0 known"]


def test_the_text_is_a_table():
    tree = tl.grow(LENSES, "gain", splits="multiway", pruner="none")
    lines = str(tl.why(tree, "0", ["gain", "gini"])).splitlines()

    assert lines == [
        "node 0: 12 cases (hard 4, none 3, soft 5); 3 candidates",
        "",
        "   split                        gain               gini               spread",
        "*  astigmatic = no                 0.7704 1.00 #1     0.2917 1.00 #1  0",
        "   age = each value                0.2213 0.19 #2    0.06944 0.11 #2  0",
        "   prescription = hypermetrope    0.09544 0.00 #3    0.04167 0.00 #3  0",
        "",
        "* is the tree's own split; each metric: score, normalized (1 best, 0 worst), rank",
        "agreement of the ranks (Kendall's W): 1.00",
    ]


def test_all_metrics_fit_in_tables_of_a_few():
    answer = tl.why(tl.grow(IRIS, "gain"), metrics="all")
    tables = list(answer.tables())

    assert [head for heads, _ in tables for head in heads[2:-1]] == tl.metric_names()
    assert max(len(heads) for heads, _ in tables) == 7


def test_frames_and_dicts_hold_the_table():
    answer = tl.why(tl.grow(IRIS, "gain"), metrics=["gain-ratio-c45", "gain"])
    frame = answer.to_frame()

    assert isinstance(frame, pd.DataFrame)
    assert list(frame["gain rank"]) == [option.verdicts[1].rank for option in answer.options]
    assert frame["gain-ratio-c45"].isna().sum() == sum(
        option.verdicts[0].score is None for option in answer.options
    )
    assert frame["chosen"].dtype == bool
    polars = answer.to_frame("polars")
    assert polars["split"].to_list() == list(frame["split"])
    assert answer.to_frame("pyarrow").column_names == list(frame.columns)
    with pytest.raises(ParameterError, match=r"backend"):
        answer.to_frame("R")
    facts = json.loads(json.dumps(answer.to_dict(), allow_nan=False))
    assert [c["split"] for c in facts["candidates"]] == list(frame["split"])
    assert facts["candidates"][0]["verdicts"]["gain"]["rank"] == 1
    assert facts["path"] == []


def test_the_top_keeps_its_ranks():
    answer = tl.why(tl.grow(IRIS, "gain"))

    assert answer.top(2).options == answer.options[:2]
    assert answer.top(99) == answer
    assert "2 of 113 candidates" in str(answer.top(2))
    with pytest.raises(ParameterError, match=r"number of candidates"):
        answer.top(0)


def test_without_metrics_the_own_one_comes_first():
    data = IRIS
    assert tl.why(tl.grow(data, "mdl")).metrics[0] == "mdl"
    assert tl.why(tl.grow(data, "gini")).metrics.count("gini") == 1
    assert tl.why(tl.grow(data, mine)).metrics[0] == "gain"


def test_a_cut_metric_without_a_name_is_gain_here():
    cut_metric = tl.from_counts(lambda tables: -tables.max((1, 2)))
    tree = tl.grow(IRIS, "relieff", cut_metric=cut_metric, max_depth=1)
    answer = tl.why(tree, metrics=["relieff"])

    assert answer.chosen.split == tree.root.branch_labels[0]
    assert answer.choices == tl.why(tl.grow(IRIS, "relieff"), metrics=["relieff"]).choices


def test_nameless_metrics_are_told_apart():
    tree = tl.grow(LENSES, "gain")
    answer = tl.why(tree, (), [mine, lambda node: 2 * mine(node), lambda node: -mine(node)])

    assert answer.metrics == ("mine", "<lambda>", "<lambda> (2)")


# Ranks and agreement


def test_ranks_are_those_of_scipy_but_for_missing_ones():
    scores = np.random.default_rng(0).integers(0, 6, 40).astype(float)

    assert ranks(scores).tolist() == stats.rankdata(-scores, method="min").tolist()
    assert ranks(np.array([np.nan, 1.0, 1.0 + 1e-14, np.nan, -np.inf])).tolist() == [4, 1, 1, 4, 3]
    assert ranks(np.array([np.nan])).tolist() == [1]


def test_rescaled_scores():
    assert rescaled(np.array([3.0, 3.0])).tolist() == [1.0, 1.0]
    assert rescaled(np.array([np.inf, 0.0, 1.0, -np.inf])).tolist() == [1.0, 0.0, 1.0, 0.0]
    assert np.isnan(rescaled(np.array([np.nan]))).all()


@pytest.mark.parametrize("seed", range(5))
def test_agreement_is_friedmans_statistic_as_a_share_of_its_maximum(seed):
    """Kendall's W = chi2 / (m (n - 1)), ties corrected in both."""
    given = np.random.default_rng(seed).integers(0, 4, (5, 6))
    of_metrics = np.array([ranks(row.astype(float)) for row in given])
    friedman = stats.friedmanchisquare(*of_metrics.T).statistic

    # Sums of a few dozen small numbers.
    assert concordance(of_metrics) == pytest.approx(friedman / (5 * 5), rel=1e-12)


def test_there_may_be_nothing_to_agree_on():
    assert concordance(np.array([[1, 2, 3]])) is None
    assert concordance(np.array([[1], [1]])) is None
    assert concordance(np.array([[1, 1], [1, 1]])) is None


# Paths


@pytest.mark.parametrize("path", [(), (0,), (3, 0, 12)])
def test_paths_are_read_as_they_are_written(path):
    assert read_path(write_path(path)) == read_path(path) == read_path(np.array(path, int)) == path


@pytest.mark.parametrize("path", ["0.", ".", "a", "0,1", (0.5,), ("a",), 3, None])
def test_other_paths_are_refused(path):
    with pytest.raises(ParameterError, match=r"a node is named by branch numbers such as '0.2.1'"):
        read_path(path)


# Wrong questions


@pytest.mark.parametrize(
    ("question", "error", "words"),
    [
        ({"metrics": ["gian"]}, UnknownNameError, "unknown metric 'gian'"),
        ({"metrics": []}, ParameterError, "at least one metric"),
        ({"metrics": ["gain", "gain"]}, ParameterError, "none of them twice"),
        ({"metrics": [7]}, ParameterError, "name of a metric or a callable, got 7"),
        ({"metrics": [lambda _: [1.0]]}, DataError, "one score per candidate"),
        ({"path": (9,)}, ParameterError, r"no node 9: node root has branches 0 \(tear_rate = nor"),
        ({"path": (1,)}, ParameterError, "node 1 is a leaf, where nothing is split"),
        ({"path": (1, 0)}, ParameterError, "no node 1.0: node 1 is a leaf"),
        ({"candidates": "some"}, ParameterError, "candidates must be one of"),
        ({"data": IRIS}, DataError, "the tree needs a column 'age'"),
        ({"data": LENSES.select(["age"])}, DataError, "the tree needs a column 'prescription'"),
        ({"data": pd.DataFrame({"age": ["young"]})}, DataError, "needs a column 'prescription'"),
        ({"data": LENSES.to_frame().drop(columns="class")}, DataError, "needs a column 'class'"),
    ],
)
def test_wrong_questions_get_one_sentence(question, error, words):
    tree = tl.grow(LENSES, "gain", splits="multiway", pruner="none")

    with pytest.raises(error, match=words) as failure:
        tl.why(tree, **question)
    assert "\n" not in str(failure.value)


def test_only_trees_can_be_asked():
    with pytest.raises(ParameterError, match=r"^expected a Tree to explain, got str$"):
        tl.why("iris")


def test_data_of_another_target_are_refused():
    tree = tl.grow(LENSES, "gain")
    other = tl.Dataset.from_frame(
        LENSES.to_frame().rename(columns={"class": "kind"}), target="kind"
    )

    with pytest.raises(DataError, match=r"need the target 'class' of the tree, theirs is 'kind'"):
        tl.why(tree, data=other)


def test_the_choice_is_the_builders():
    """The same tie rule: the best candidate of the tables, among checked scores."""
    view = revisit(tl.grow(IRIS, "gini"), (), IRIS)
    scores = check_scores(tl.metric("gini")(view), len(view.counts))

    assert view.counts.best(scores)[0] == int(np.argmax(scores >= scores.max() - 1e-12))
