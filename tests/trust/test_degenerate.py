"""Input at the edge of sense: a defined result or one sentence, whatever the way in."""

import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from typer.testing import CliRunner

import treelab as tl
from treelab.cli.app import app
from treelab.errors import DataError, DataWarning, FileFormatError, ParameterError, TreelabError

CLASSES = list("ppnnpn")
FRAME = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "b": list("xyxyxy"), "class": CLASSES})
NOTHING = pd.Series([None] * 6, dtype=object)
SUPERVISED = ("chi2-merge", "chimerge", "greedy", "kononenko-mdl", "mdlp", "ssv")
UNSUPERVISED = ("bins", "equal-frequency", "equal-width", "rounding")
PAIRS = ("relieff", "contextual-merit", "contextual-merit-1", "pi", "algorithm-1")
PRUNERS = ("pessimistic", "pep", "reduced-error", "cost-complexity", "minimum-error", "none")
GROWTHS = (
    {}, {"metric": "relieff"}, {"bins": 50}, {"search": "beam"}, {"missing": "branch"},
    {"splits": "multiway"}, {"discretizer": "mdlp"}, *({"pruner": name} for name in PRUNERS),
)  # fmt: skip


def data_of(frame=FRAME, **more):
    return tl.Dataset.from_frame(frame, "class", **more)


def numbers(values, classes, **more):
    return data_of(pd.DataFrame({"a": values, "class": classes}), **more)


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run a command on a file of some text; return exit code, output and complaint."""
    monkeypatch.chdir(tmp_path)

    def call(command, text, *more):
        (tmp_path / "x.csv").write_text(text, encoding="utf-8")
        result = CliRunner().invoke(app, [command, "x.csv", *more])
        assert isinstance(result.exception, SystemExit | None)
        return result.exit_code, result.stdout, result.stderr

    return call


def refused(run, command, text, *more):
    """Return the sentence a command refuses a file with."""
    code, output, complaint = run(command, text, *more)
    assert code in (1, 2)
    assert output == ""
    assert complaint.startswith("treelab: ")
    assert complaint.count("\n") == 1
    return complaint.removeprefix("treelab: ").strip()


# Nothing to learn from: one sentence

NO_CASES = {
    "no rows": data_of(FRAME.iloc[:0]),
    "no known class": data_of(FRAME.assign(**{"class": NOTHING})),
    "no weight": data_of(weights=[0.0] * 6),
}


@pytest.mark.parametrize("name", NO_CASES)
@pytest.mark.parametrize("growth", GROWTHS, ids=str)
def test_no_tree_grows_without_cases(name, growth):
    with pytest.raises(DataError, match=r"a known class|looks at the classes"):
        tl.Learner(**growth).fit(NO_CASES[name])


@pytest.mark.parametrize("name", NO_CASES)
@pytest.mark.parametrize("metric", ["gain", "normalized-gini", *PAIRS])
def test_nothing_is_ranked_without_cases(name, metric):
    with pytest.raises(DataError, match="at least one case with a known class and weight above 0"):
        tl.rank(NO_CASES[name], metric)


@pytest.mark.parametrize("name", NO_CASES)
@pytest.mark.parametrize("criterion", ["gain", "mifs", "mrmr", "cfs", "gd"])
def test_nothing_is_selected_without_cases(name, criterion):
    with pytest.raises(DataError, match="at least one case with a known class and weight above 0"):
        tl.select(NO_CASES[name], criterion)


def test_commands_say_what_a_file_lacks(run):
    for command in ("train", "rank", "select", "discretize"):
        assert refused(run, command, "") == "x.csv is empty"
        assert refused(run, command, "a,b,class\n") == "x.csv holds no cases"
        assert "known class" in refused(
            run, command, "a,class\n1,?\n2,?\n"
        ) or "classes" in refused(run, command, "a,class\n1,?\n2,?\n")


# Nothing to tell classes apart by: a single leaf with the class shares

ONE_LEAF = {
    "one row": (data_of(FRAME.iloc[:1]), [1.0]),
    "no features": (data_of(FRAME[["class"]]), [0.5, 0.5]),
    "one class": (data_of(FRAME.assign(**{"class": "p"})), [1.0]),
    "all values missing": (data_of(FRAME.assign(a=np.nan, b=NOTHING)), [0.5, 0.5]),
    "constant columns": (data_of(FRAME.assign(a=7.0, b="k")), [0.5, 0.5]),
    "one case has all the weight": (data_of(weights=[0, 0, 0, 3, 0, 0]), [1.0, 0.0]),
}


@pytest.mark.parametrize("name", ONE_LEAF)
@pytest.mark.parametrize("growth", GROWTHS, ids=str)
def test_a_tree_without_a_choice_is_a_leaf(name, growth):
    data, shares = ONE_LEAF[name]
    tree = tl.Learner(**growth).fit(data)

    assert (tree.n_nodes, tree.n_leaves, tree.depth) == (1, 1, 0)
    assert tree.predict_proba(data).tolist() == [shares] * len(data)
    assert tree.predict(data).tolist() == [tree.root.label] * len(data)
    assert tree.feature_importances.tolist() == [0.0] * len(data.features)


@pytest.mark.parametrize("name", ONE_LEAF)
@pytest.mark.parametrize("method", [*SUPERVISED, *UNSUPERVISED])
def test_a_column_of_at_most_one_value_is_not_cut(name, method):
    data, _ = ONE_LEAF[name]
    if name == "one class":
        data = data_of(FRAME.assign(a=7.0, **{"class": "p"}))
    cuts = tl.discretizer(method).fit(data).cuts

    assert {feature: points.tolist() for feature, points in cuts.items()} == (
        {"a": []} if "a" in data.features else {}
    )


@pytest.mark.parametrize("metric", ["gain", "gini", "chi2", "gain-ratio-c45", "normalized-gini"])
@pytest.mark.parametrize("name", ["one row", "all values missing", "constant columns"])
def test_what_cannot_be_judged_is_ranked_as_nan(name, metric):
    ranking = tl.rank(ONE_LEAF[name][0], metric)

    assert ranking.features == ("a", "b")
    assert np.isnan(ranking.scores).all()


@pytest.mark.parametrize("metric", PAIRS[:3])
@pytest.mark.parametrize("name", ["one row", "all values missing", "constant columns"])
def test_pairs_that_never_differ_are_worth_nothing(name, metric):
    assert tl.rank(ONE_LEAF[name][0], metric).scores.tolist() == [0.0, 0.0]


def test_nothing_is_ranked_or_selected_without_features():
    data = ONE_LEAF["no features"][0]
    for use in (
        lambda: tl.rank(data, "gain"),
        lambda: tl.select(data, "mifs"),
        lambda: tl.reduce.features(data, "relief"),
    ):
        with pytest.raises(DataError, match=r"^the data have no features$"):
            use()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b,class\n1,x,p\n", "p"),
        ("class\nn\np\nn\n", "n\nn\nn"),
        ("a,class\n1,p\n2,p\n3,p\n", "p\np\np"),
        ("a,b,class\n?,?,p\n?,?,n\n?,?,p\n", "p\np\np"),
        ("a,b,class\n1,x,p\n1,x,n\n1,x,p\n", "p\np\np"),
    ],
)
def test_commands_predict_the_majority_where_there_is_no_choice(run, text, told):
    assert run("train", text, "-o", "m.json")[0] == 0
    assert CliRunner().invoke(app, ["predict", "m.json", "x.csv"]).stdout == f"prediction\n{told}\n"


# The scikit-learn estimator

X = np.random.default_rng(0).normal(size=(40, 3))
Y = (X[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    ("cases", "y", "shares"),
    [
        (X[:1], Y[:1], [1.0]),
        (X, Y * 0, [1.0]),
        (X * np.nan, Y, [0.525, 0.475]),
        (X * 0, Y, [0.525, 0.475]),
    ],
)
def test_the_estimator_gives_class_shares_where_there_is_no_choice(cases, y, shares):
    fitted = tl.TreeClassifier().fit(cases, y)

    assert fitted.get_n_leaves() == 1
    assert np.abs(fitted.predict_proba(cases) - shares).max() < 1e-15  # a rounding of 19 / 40


def test_the_estimator_refuses_in_one_sentence_of_its_own_or_of_scikit_learn():
    fit = tl.TreeClassifier().fit
    dates = np.full((40, 1), "2020-01-01", "M8[D]")
    for cases, y, weights, said in (
        (X[:0], Y[:0], None, "0 sample"),
        (X[:, :0], Y, None, "0 feature"),
        (np.where(X > 1, np.inf, X), Y, None, "infinity"),
        (X, X[:, 0], None, "continuous"),
        (X, np.where(Y, np.nan, 0), None, "NaN"),
        (X, Y, -np.ones(40), "at least 0"),
        (X, Y, np.zeros(40), "non-zero|weight above 0"),
        (X, Y, np.full(40, np.nan), "NaN"),
        (dates, Y, None, "dates or times"),
    ):
        with pytest.raises(ValueError, match=said):
            fit(cases, y, weights)


@pytest.mark.parametrize("size", [1e60, 1e-60, 1e300])
def test_the_estimator_takes_equal_weights_of_any_size_for_none(size):
    """A `Dataset` refuses them: there they are numbers of cases."""
    plain = tl.TreeClassifier().fit(X, Y).tree_

    assert tl.TreeClassifier().fit(X, Y, np.full(40, size)).tree_ == plain


def test_the_estimator_numbers_columns_of_one_name():
    with pytest.warns(DataWarning, match="are read as 'a .2.'"):
        fitted = tl.TreeClassifier().fit(pd.DataFrame(X, columns=["b", "a", "a"]), Y)

    assert fitted.feature_names_in_.tolist() == ["b", "a", "a (2)"]


FRAMED = tl.TreeClassifier().fit(pd.DataFrame(X, columns=list("abc")), Y)


@pytest.mark.parametrize("names", [["a", "b"], ["c", "b", "a"], ["a", "b", "d"]])
def test_the_estimator_refuses_columns_that_are_missing_or_in_another_order(names):
    with pytest.raises(ValueError, match="feature names should match"):
        FRAMED.predict(pd.DataFrame(X[:, : len(names)], columns=names))


def _mapped(tmp_path):
    np.save(tmp_path / "x.npy", X)
    return np.load(tmp_path / "x.npy", mmap_mode="r")


def _locked(_):
    copy = X.copy()
    copy.flags.writeable = False
    return copy


@pytest.mark.parametrize(
    "made",
    [
        _mapped, _locked, lambda _: np.asfortranarray(X), lambda _: X.astype(">f8"),
        lambda _: np.repeat(X, 2, axis=1)[:, ::2], lambda _: X.astype(object), lambda _: X.tolist(),
    ],
    ids=["mapped", "read-only", "Fortran", "big-endian", "strided", "objects", "lists"],
)  # fmt: skip
def test_the_layout_of_an_array_changes_nothing(made, tmp_path):
    given = made(tmp_path)
    expected = tl.TreeClassifier(pruner="none").fit(X, Y)
    fitted = tl.TreeClassifier(pruner="none").fit(given, Y)

    assert fitted.tree_ == expected.tree_
    assert (fitted.predict_proba(given) == expected.predict_proba(X)).all()


@pytest.mark.parametrize("dtype", ["f4", "f2", "i1", "?"])
def test_narrow_numbers_are_taken_at_their_value(dtype):
    narrow = (X * 10).astype(dtype)
    fitted = tl.TreeClassifier().fit(narrow, Y)

    assert fitted.tree_ == tl.TreeClassifier().fit(narrow.astype(float), Y).tree_
    assert (fitted.predict(narrow) == fitted.predict(narrow.astype(float))).all()


# Frames


def test_nullable_and_categorical_columns_of_pandas_keep_values_order_and_gaps():
    frame = pd.DataFrame(
        {
            "i": pd.array([1, 2, None], dtype="Int64"),
            "f": pd.array([1.5, None, 2], dtype="Float32"),
            "b": pd.array([True, None, False], dtype="boolean"),
            "s": pd.array(["x", None, "y"], dtype="string"),
            "c": pd.Categorical(["u", None, "v"], categories=["v", "u", "w"]),
            "n": pd.Categorical([3, None, 1]),
            "d": [Decimal("1.5"), None, Decimal("sNaN")],
        }
    )
    data = tl.Dataset.from_frame(frame)

    labels = {column.name: column.labels for column in data.schema.features if column.labels}
    assert labels == {
        "b": ("False", "True"),
        "s": ("x", "y"),
        "c": ("v", "u", "w"),
        "n": ("1", "3"),
    }
    assert [data[name].tolist() for name in "bscn"] == [
        [1, -1, 0],
        [0, -1, 1],
        [1, -1, 0],
        [1, -1, 0],
    ]
    np.testing.assert_array_equal(data["i"], [1, 2, np.nan])
    np.testing.assert_array_equal(data["f"], [1.5, np.nan, 2])
    np.testing.assert_array_equal(data["d"], [1.5, np.nan, np.nan])


@pytest.mark.parametrize("shape", [lambda f: f, lambda f: f.lazy(), lambda f: f.to_arrow()])
def test_nullable_and_categorical_columns_of_polars_keep_values_order_and_gaps(shape):
    frame = pl.DataFrame(
        {
            "i": pl.Series([1, 2, None], dtype=pl.Int8),
            "f": pl.Series([1.5, None, float("nan")], dtype=pl.Float32),
            "d": pl.Series([1, None, 2], dtype=pl.Decimal(10, 2)),
            "s": ["x", None, "y"],
            "e": pl.Series(["u", None, "v"], dtype=pl.Enum(["v", "u", "w"])),
            "n": pl.Series([None] * 3),
        }
    )
    data = tl.Dataset.from_frame(shape(frame))

    np.testing.assert_array_equal(data["i"], [1, 2, np.nan])
    np.testing.assert_array_equal(data["f"], [1.5, np.nan, np.nan])
    np.testing.assert_array_equal(data["d"], [1, np.nan, 2])
    assert data["s"].tolist() == [0, -1, 1]
    e = data.schema.features[data.schema.index("e")]
    assert e.words == ("v", "u", "w")
    arrow = shape(frame)
    # Of newer versions of polars, Arrow hears that an Enum is ordered.
    assert e.is_nominal != (isinstance(arrow, pa.Table) and arrow.schema.field("e").type.ordered)
    np.testing.assert_array_equal(np.where(data["e"] < 0, np.nan, data["e"]), [1, np.nan, 0])
    assert data.missing()["n"] == 3


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([[1], [2]], "lists or records"),
        ([1.0, np.inf], "infinite"),
        ([10**400, 1], "not numbers"),
    ],
)
def test_a_column_that_makes_no_feature_is_refused(values, said):
    with pytest.raises(DataError, match=said):
        tl.Dataset.from_frame(pd.DataFrame({"a": pd.Series(values, dtype=object)}))


def test_what_is_no_data_set_is_refused():
    for use in (
        tl.Learner().fit, lambda d: tl.rank(d, "gain"), lambda d: tl.select(d, "gain"),
        lambda d: tl.cross_validate(d, tl.Learner().fit), lambda d: tl.reduce.features(d, "relief"),
        *(tl.discretizer(name).fit for name in (*SUPERVISED, *UNSUPERVISED)),
        tl.discretizer("cuts:1").fit,
    ):  # fmt: skip
        with pytest.raises(DataError, match="expected a Dataset, got DataFrame"):
            use(FRAME)


# Names


def test_files_with_columns_without_a_name_are_refused(run):
    assert refused(run, "train", "a,,class\n1,2,p\n3,4,n\n") == "x.csv: column 2 has no name"


AWKWARD = "é \"q\" 's' <b>&{}\\\n,;"


def test_awkward_names_and_labels_come_through_unchanged(tmp_path):
    frame = pd.DataFrame({AWKWARD: list("xyxyxy"), "": 1.0, "class": ['"\n', "λ"] * 3})
    tree = tl.grow(data_of(frame), min_branch=1)
    tree.save(tmp_path / "m.json")
    loaded = tl.Tree.load(tmp_path / "m.json")

    assert loaded == tree
    assert loaded.features == (AWKWARD, "")
    assert loaded.root.feature == AWKWARD
    assert loaded.predict(frame).tolist() == frame["class"].tolist()


def test_quotes_and_unicode_come_through_a_command(run):
    text = '"é ""q"" \'s\'","λ,μ",class\n1,x,"p ""1"""\n2,y,ñ\n3,x,"p ""1"""\n4,y,ñ\n'
    assert "λ,μ = y: ñ (2 cases)" in run("train", text, "-o", "m.json")[1]
    told = CliRunner().invoke(app, ["predict", "m.json", "x.csv"]).stdout
    assert told == 'prediction\n"p ""1"""\nñ\n"p ""1"""\nñ\n'


def test_columns_may_come_in_any_order_and_with_others_but_not_be_missing():
    tree = tl.grow(data_of(FRAME.assign(**{"class": list("pppnnn")})))
    assert tree.root.feature == "a"

    assert tree.predict(FRAME[["class", "b", "a"]].assign(z=0)).tolist() == list("pppnnn")
    with pytest.raises(DataError, match="needs a column 'a', which the data do not have"):
        tree.predict(FRAME[["b"]])
    with pytest.raises(DataError, match="infinite"):
        tree.predict(FRAME.assign(a=np.inf))


# Weights


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([-1, 1, 1, 1, 1, 1], "at least 0"),
        ([np.nan] * 6, "at least 0"),
        ([np.inf] * 6, "at least 0"),
        ([1e308] * 6, "sum to a number"),
        ([1e-320] * 6, "sum to a number"),
        (["a"] * 6, "must hold numbers"),
        ([1.0] * 5, "expected 6 weights, got 5"),
        ([[1.0]] * 6, "one row"),
    ],
)
def test_weights_that_weigh_nothing_sensible_are_refused(weights, said):
    with pytest.raises(DataError, match=said):
        data_of(weights=weights)


def test_cases_without_weight_are_as_if_they_were_not_there():
    wild = FRAME.assign(a=[1e9, -1e9, 3, 4, 5, 6])
    some, few = data_of(wild, weights=[0, 0, 1, 1, 1, 1]), data_of(wild.iloc[2:])

    assert tl.grow(some, min_branch=1).predict_proba(few).tolist() == (
        tl.grow(few, min_branch=1).predict_proba(few).tolist()
    )
    for metric in ("gain", "relieff", "pi"):
        assert tl.rank(some, metric).scores.tolist() == tl.rank(few, metric).scores.tolist()


MIXED = tl.Dataset.from_frame(
    pd.DataFrame({"a": X[:, 0].round(1), "b": list("xyzx") * 10, "class": list("pqnpp") * 8}),
    "class",
)


@pytest.mark.parametrize("weight", [1e-30, 1e12, 1e30])
def test_scores_are_finite_whatever_the_cases_weigh(weight):
    data = MIXED.reweighted([weight] * 40)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # an overflow on the way, too, would be wrong
        for metric in (
            "gini",
            "chi2",
            "mdl",
            "ssv",
            "normalized-entropy",
            "normalized-gini",
            *PAIRS,
        ):
            assert np.isfinite(tl.rank(data, metric).scores).all(), metric
    assert tl.rank(data, "gain").scores == pytest.approx(tl.rank(MIXED, "gain").scores)


@pytest.mark.parametrize("metric", ["relieff", "contextual-merit", "relieff-exp-rank"])
def test_more_neighbours_than_there_are_is_all_of_them(metric):
    expected = tl.rank(MIXED, tl.metric(metric, k=40)).scores
    assert tl.rank(MIXED, tl.metric(metric, k=10**15)).scores.tolist() == expected.tolist()


# Values and categories


@pytest.mark.parametrize("metric", ["gain", *PAIRS])
def test_the_largest_numbers_are_numbers_like_others(metric):
    values = np.array([1, -1, 1, -1, 1, -1, 0.5, 0.25])
    huge, plain = numbers(values * 1e308, list("abababaa")), numbers(values, list("abababaa"))

    assert tl.rank(huge, metric).scores == pytest.approx(tl.rank(plain, metric).scores, rel=1e-12)
    for bins in (None, 2):
        trees = [tl.grow(d, metric, bins=bins, min_branch=1) for d in (huge, plain)]
        assert [tree.predict(d).tolist() for tree, d in zip(trees, (huge, plain), strict=True)] == (
            [trees[1].predict(plain).tolist()] * 2
        )


def test_more_bins_than_values_are_as_many_as_there_are():
    values = numbers([1.0, 2, 3, 5], list("xyxy"))
    for name in ("equal-frequency", "bins"):
        assert tl.discretizer(name, bins=10**9).fit(values).cuts["a"].tolist() == [1.5, 2.5, 4.0]
    assert tl.discretizer("equal-width", bins=4).fit(values).cuts["a"].tolist() == [2.0, 3.0, 4.0]
    assert tl.grow(MIXED, bins=10**9, pruner="none") == tl.grow(MIXED, pruner="none")
    with pytest.raises(ParameterError, match="bins must be a whole number of at most 100000"):
        tl.discretizer("equal-width", bins=10**9)


@pytest.fixture(scope="module")
def crowded():
    """20,000 cases: an identifier, a code of 10,000 values, and a number that decides."""
    place = np.arange(20_000)
    named = {"id": [f"u{i}" for i in place], "code": [f"c{i % 10_000}" for i in place]}
    return data_of(
        pd.DataFrame(named | {"x": place % 7.0, "class": np.where(place % 7 < 3, "p", "n")})
    )


@pytest.mark.parametrize("splits", ["multiway", "binary"])
def test_an_identifier_and_10000_categories_do_not_hide_the_number_that_decides(crowded, splits):
    tree = tl.grow(crowded, splits=splits)

    assert (tree.root.feature, tree.root.threshold, tree.n_nodes) == ("x", 2.5, 3)
    assert (tree.predict(crowded) == crowded.labels).all()


def test_an_identifier_tells_nothing_of_new_cases(crowded):
    seen = crowded.select(["id"]).take(range(10_000))
    new = crowded.select(["id"]).take(range(10_000, 20_000))
    tree = tl.grow(seen)

    shares = np.bincount(seen.y) / len(seen)
    assert np.abs(tree.predict_proba(new) - shares).max() < 1e-12  # sums of weights are rounded


def test_a_chance_corrected_metric_ranks_the_decisive_number_before_the_code(crowded):
    features = tl.rank(crowded, "normalized-gini").features
    assert features.index("x") < features.index("code")


# Targets and folds


def test_a_target_that_is_a_number_is_refused_unless_it_is_said_to_be_classes(run):
    frame = pd.DataFrame({"a": range(50), "t": X.ravel()[:50]})
    with pytest.raises(DataError, match="holds 50 different numbers: treelab classifies"):
        tl.Dataset.from_frame(frame, "t")
    data = tl.Dataset.from_frame(frame, "t", target_is_class=True)
    for use in (tl.grow, lambda d: tl.rank(d, "gain"), lambda d: tl.select(d, "gain")):
        use(data)  # what was said to be classes is taken for classes
    text = "a,t\n" + "".join(f"{i},{i * 1.7}\n" for i in range(60))
    for command in ("train", "rank", "select"):
        assert "holds 60 different numbers: treelab classifies" in refused(run, command, text)


def test_a_target_of_few_whole_numbers_is_a_class():
    data = tl.Dataset.from_frame(pd.DataFrame({"a": range(40), "t": [1, 0] * 20}), "t")
    assert data.classes == ("0", "1")
    assert tl.grow(data).n_leaves == 1


def test_a_class_that_a_fold_lacks_is_never_right_and_never_in_the_way():
    data = numbers(range(10), list("aaaaaaaaab"))
    result = tl.cross_validate(data, tl.Learner().fit, folds=5)

    assert result.accuracy == pytest.approx(0.9)  # nine of ten in five equal folds
    assert sorted(result.of("accuracy")) == [0.5, 1, 1, 1, 1]


def test_classes_that_differ_by_a_nul_are_not_the_same():
    data, told = numbers([0] * 20, ["a", "a\0"] * 10), numbers([0, 1] * 10, ["a", "a\0"] * 10)

    assert tl.cross_validate(data, tl.Learner().fit, folds=5).accuracy == 0.5
    assert tl.grow(told).predict(told).tolist() == ["a", "a\0"] * 10


# Width


@pytest.fixture(scope="module")
def wide():
    """50,000 columns, of which one decides."""
    n = 50_000
    cells = np.outer(np.arange(12) // 2, np.arange(1.0, n + 1))  # as often in either class
    cells[:, 35_000] = np.arange(12) % 2
    columns = tuple(tl.Column(f"c{i}") for i in range(n))
    return tl.Dataset.of(
        tl.Schema(columns, tl.Column("class", ("n", "p"))), list(cells.T), np.arange(12) % 2
    )


def test_fifty_thousand_columns_take_seconds(wide, tmp_path):
    """Anything that looks a name up by going through all of them would take hours."""
    tree = tl.grow(wide, pruner=None)  # of so many columns one is right in twelve cases by chance
    tree.save(tmp_path / "m.json")

    assert (tree.root.feature, tree.n_nodes) == ("c35000", 3)
    assert (tl.Tree.load(tmp_path / "m.json").predict(wide) == wide.labels).all()
    with pytest.raises(TreelabError, match="unknown column 'nope'"):
        wide["nope"]


def test_fifty_thousand_columns_are_read_from_a_file(tmp_path):
    names = ",".join(f"c{i}" for i in range(50_000))
    row = ",".join(["1"] * 49_999)
    (tmp_path / "w.csv").write_text(f"{names}\n{row},p\n{row},n\n", encoding="utf-8")
    data = tl.read(tmp_path / "w.csv")

    assert (len(data), len(data.features), data.classes) == (2, 49_999, ("n", "p"))
    assert data["c49998"].tolist() == [1.0, 1.0]
    (tmp_path / "w.csv").write_text(f"{names}\n{row}\n", encoding="utf-8")
    with pytest.raises(FileFormatError, match="expected 50000 fields, got 49999"):
        tl.read(tmp_path / "w.csv")
