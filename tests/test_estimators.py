"""`TreeClassifier` in scikit-learn: its checks, parameters, predictions, composition, errors."""

import inspect
import pickle

import attrs
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks
from weather import full, weather

import treelab as tl
from treelab.data.labels import label_of
from treelab.errors import DataError, ParameterError, TreelabError, UnknownNameError


@pytest.fixture(scope="module")
def iris():
    return load_iris(return_X_y=True)


class ForNumbers(tl.TreeClassifier):
    """scikit-learn rounds the data of its checks for estimators that take categories."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = False
        return tags


CONFIGURATIONS = [
    tl.TreeClassifier(),
    tl.TreeClassifier("gini", splits="binary", pruner="none"),
    tl.TreeClassifier(discretizer="equal-width"),
    tl.TreeClassifier(categorical_features=[0], missing="branch"),
    ForNumbers(),
    ForNumbers(bins=16, missing="majority", max_leaves=8, class_weight="balanced"),
]


# A pure leaf has probabilities of 0, of which one check takes the logarithm.
@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
@parametrize_with_checks(CONFIGURATIONS)
def test_scikit_learn(estimator, check):
    check(estimator)


def test_parameters_and_defaults_are_those_of_learner():
    signature = inspect.signature(tl.TreeClassifier).parameters
    given = {name: p.default for name, p in signature.items()}

    assert given == attrs.asdict(tl.Learner()) | {
        "categorical_features": None,
        "class_weight": None,
    }


def test_settings_reach_the_learner(iris):
    X, y = iris
    model = tl.TreeClassifier("gini", max_depth=2, min_branch=5, seed=7, pruner="none").fit(X, y)

    expected = tl.Learner(metric="gini", max_depth=2, min_branch=5, seed=7, pruner="none")
    assert model.tree_.learner == repr(expected)
    assert model.get_depth() == 2


def test_a_metric_object_survives_clone_and_fit(iris):
    def gini(table):
        n = table.sum((-2, -1))
        within = (table**2).sum(-1) / table.sum(-1).clip(1e-300)
        return within.sum(-1) / n - (table.sum(-2) ** 2).sum(-1) / n**2

    mine = clone(full(metric=tl.from_counts(gini))).fit(*iris)

    assert mine.tree_ == full(metric="gini").fit(*iris).tree_


def test_clone_has_equal_parameters_and_no_tree(iris):
    model = full(categorical_features=[0]).fit(*iris)
    copy = clone(model)

    assert copy.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        copy.predict(iris[0])


def test_a_fit_that_failed_does_not_count_as_fitted(iris):
    model = tl.TreeClassifier("no-such-metric")
    with pytest.raises(UnknownNameError):
        model.fit(*iris)

    with pytest.raises(NotFittedError):
        model.predict(iris[0])


@pytest.mark.parametrize("discretizer", [None, "equal-width"])
def test_the_tree_is_the_one_grow_makes(iris, discretizer):
    X, y = iris
    frame = pd.DataFrame(X, columns=list("abcd")).assign(label=y)
    expected = tl.grow(tl.Dataset.from_frame(frame, "label"), discretizer=discretizer)

    model = tl.TreeClassifier(discretizer=discretizer)
    assert model.fit(frame[list("abcd")], frame["label"]).tree_ == expected


def test_methods_agree_with_the_tree():
    frame, y = weather()
    model = full().fit(frame, y)

    np.testing.assert_array_equal(model.predict(frame), model.tree_.predict(frame))
    np.testing.assert_array_equal(model.predict_proba(frame), model.tree_.predict_proba(frame))
    np.testing.assert_array_equal(model.apply(frame), model.tree_.apply(frame))
    np.testing.assert_array_equal(model.feature_importances_, model.tree_.feature_importances)
    assert model.get_n_leaves() == model.tree_.n_leaves > 3
    assert model.score(frame, y) == 1.0


def test_log_probabilities_of_pure_leaves_are_minus_infinity_without_a_warning(iris):
    X, y = iris
    model = full(probabilities="shares").fit(X, y)
    logs = model.predict_log_proba(X)

    assert np.isneginf(logs).any()
    np.testing.assert_array_equal(np.exp(logs), model.predict_proba(X))


@pytest.mark.parametrize(
    ("classes", "dtype"),
    [(["b", "a"], "U"), ([7, -3], "i"), ([True, False], "b"), ([2.0, 1.0], "f")],
)
def test_classes_keep_type_and_order(classes, dtype):
    X, y = np.array([[0.0], [0.1], [1.0], [1.1]]), np.repeat(classes, 2)
    model = full().fit(X, y)

    assert model.classes_.dtype.kind == dtype
    np.testing.assert_array_equal(model.classes_, sorted(classes))
    np.testing.assert_array_equal(model.predict(X), y)
    assert model.tree_.classes == tuple(map(label_of, sorted(classes)))
    assert model.n_classes_ == 2


@pytest.mark.parametrize("missing", ["fractional", "branch", "majority"])
def test_nan_is_missing_in_fit_and_predict(iris, missing):
    X, y = iris
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.2, np.nan, X)
    columns = [tl.data.schema.Column(f"x{place}") for place in range(4)]
    schema = tl.data.schema.Schema(tuple(columns), tl.data.schema.Column("class", tuple("012")))
    data = tl.Dataset.of(schema, X.T, y)

    model = tl.TreeClassifier(missing=missing).fit(X, y)
    tree = tl.grow(data, missing=missing)
    assert model.tree_ == tree
    np.testing.assert_array_equal(model.predict_proba(X), tree.predict_proba(data))


def test_an_unseen_category_gets_the_shares_of_the_node():
    frame = pd.DataFrame({"sky": ["sun", "sun", "sun", "rain", "rain"]})
    model = full(splits="multiway", probabilities="shares").fit(frame, [1, 1, 1, 0, 0])

    probabilities = model.predict_proba(pd.DataFrame({"sky": ["sun", "snow"]}))
    np.testing.assert_allclose(probabilities, [[0, 1], [0.4, 0.6]])


def test_cross_validation_in_a_pipeline_reaches_a_fair_accuracy(iris):
    model = make_pipeline(StandardScaler(), tl.TreeClassifier())

    assert cross_val_score(model, *iris, cv=5).mean() > 0.9


def test_cross_validation_takes_a_frame_apart():
    frame, y = weather(200)

    assert cross_val_score(tl.TreeClassifier(), frame, y, cv=5).mean() > 0.9
    assert cross_val_score(tl.TreeClassifier(), pl.from_pandas(frame), y, cv=5).mean() > 0.9


# Other processes take seconds to begin; that an estimator can be sent to one, pickles show.
@pytest.mark.parametrize("n_jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_grid_search_finds_the_depth_that_is_needed(n_jobs):
    frame, y = weather(200)
    grid = {
        "metric": ["gain", "gini"],
        "pruner": ["pessimistic", "none"],
        "splits": ["multiway", "subset"],
        "max_depth": [1, 3],
    }
    search = GridSearchCV(tl.TreeClassifier(), grid, cv=3, n_jobs=n_jobs, error_score="raise")

    assert search.fit(frame, y).best_params_["max_depth"] == 3
    assert search.score(frame, y) > 0.95


def test_a_pickled_model_predicts_the_same():
    frame, y = weather()
    model = full(discretizer="equal-width", missing="branch").fit(frame, y)
    assert model.tree_.depth > 0  # fills a cache, which must not get in the way
    copy = pickle.loads(pickle.dumps(model))

    assert copy.tree_ == model.tree_
    assert copy.tree_.depth == model.tree_.depth
    np.testing.assert_array_equal(copy.predict_proba(frame), model.predict_proba(frame))


def test_the_data_are_left_alone(iris):
    X, y = (np.array(part) for part in iris)
    model = full().fit(X, y)
    before = model.tree_.threshold.copy()
    X[:] = 0

    assert X.flags.writeable
    np.testing.assert_array_equal(model.tree_.threshold, before)


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"metric": "no-such"}, UnknownNameError, "unknown metric 'no-such'"),
        ({"pruner": "no-such"}, UnknownNameError, "unknown pruner 'no-such'"),
        ({"splits": "both"}, ParameterError, "splits must be one of .* got 'both'"),
        ({"max_depth": -1}, ParameterError, "max_depth must be .* got -1"),
        ({"class_weight": {"no": 1, "yeah": 2}}, UnknownNameError, "'yeah': did you mean 'yes'"),
        ({"class_weight": {1: 1}}, ParameterError, r"class_weight 1: known are 'no', 'yes'$"),
        ({"class_weight": {"no": "a"}}, ParameterError, "of 'no' must be a number .* got 'a'"),
        ({"class_weight": "fair"}, ParameterError, "'balanced' or None, got 'fair'"),
        ({"categorical_features": [4]}, ParameterError, "between 0 and 3, got 4"),
        ({"categorical_features": [-1]}, ParameterError, "between 0 and 3, got -1"),
        ({"categorical_features": ["skye"]}, UnknownNameError, "'skye': did you mean 'sky'"),
        ({"categorical_features": [True]}, ParameterError, "each of 4 features, got 1"),
        ({"categorical_features": [0.5]}, ParameterError, "places, names or truth values"),
        ({"categorical_features": "sky"}, ParameterError, "got 'sky'"),
        ({"categorical_features": [[0]]}, ParameterError, r"got \[\[0\]\]"),
        ({"categorical_features": ["sky"]}, DataError, "'place' holds values that are not numbers"),
    ],
)
def test_a_wrong_parameter_gets_one_sentence(parameters, error, message):
    with pytest.raises(error, match=message) as caught:
        tl.TreeClassifier(**parameters).fit(*weather())

    assert "\n" not in str(caught.value)


def test_names_need_a_frame(iris):
    with pytest.raises(ParameterError, match="only where X is a frame"):
        full(categorical_features=["x0"]).fit(*iris)


def test_text_in_a_numeric_feature_of_an_array_is_named():
    X = np.array([["red", "one"], ["blue", "two"]], dtype=object)

    with pytest.raises(DataError, match="'x1' holds values that are not numbers"):
        full(categorical_features=[0]).fit(X, [0, 1])


@pytest.mark.parametrize("change", [lambda frame: frame.head(0), lambda frame: frame[[]]])
def test_a_frame_needs_cases_and_features(change):
    frame = change(weather()[0])

    with pytest.raises(DataError, match="at least one case and one feature"):
        full().fit(frame, ["yes"] * len(frame))


@pytest.mark.parametrize("X", [np.array([[np.inf], [1.0]]), pd.DataFrame({"a": [np.inf, 1.0]})])
def test_infinity_is_refused(X):
    with pytest.raises(ValueError, match="infini"):
        full().fit(X, [0, 1])


def test_sparse_data_are_refused(iris):
    with pytest.raises(TypeError, match=r"[Ss]parse"):
        full().fit(csr_array(iris[0]), iris[1])


def test_negative_weights_are_refused(iris):
    with pytest.raises(TreelabError, match="weights must be finite numbers of at least 0"):
        full().fit(*iris, sample_weight=np.full(150, -1.0))


@pytest.mark.parametrize("made", [list, tuple, pl.Series, pd.Series, pa.array])
def test_classes_that_end_in_nul_are_told_apart(made):
    X = [[0.0], [1.0]] * 10
    fitted = tl.TreeClassifier().fit(X, made(["a", "a\0"] * 10))

    assert fitted.classes_.tolist() == ["a", "a\0"]
    assert fitted.predict(X[:2]).tolist() == ["a", "a\0"]


def test_nominal_features_are_named_with_their_nul():
    X = pd.DataFrame({"a": [0.5, 1.5] * 10, "a\0": [1, 2] * 10})
    fitted = tl.TreeClassifier(categorical_features=["a\0"]).fit(X, ["p", "q"] * 10)

    assert [column.is_nominal for column in fitted.tree_.schema.features] == [False, True]


@pytest.mark.parametrize("missing", [None, pd.NA, np.nan, pd.NaT])
@pytest.mark.parametrize("made", [list, lambda y: np.array(y, dtype=object)])
@pytest.mark.parametrize("estimator", [tl.TreeClassifier(), tl.MetricSelector(k=1)])
def test_a_class_that_is_missing_is_told(estimator, made, missing):
    with pytest.raises(DataError, match=f"^y holds {missing}, but every case needs a class$"):
        estimator.fit([[0.0], [1.0]] * 10, made([missing, "a"] * 10))
