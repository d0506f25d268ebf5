"""Count formulas: exact values, outside oracles, identities; and metrics by name."""

import json
import re
from pathlib import Path

import naive
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import mutual_info_score
from strategies import dataset, random_dataset, steady

import treelab as tl
from treelab import _registry
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.metrics.registry import METRICS, MetricInfo, metric_info
from treelab.stats.impurity import entropy, of_classes, of_values

FORMULAS = ("gain", "gini", "gain-ratio", "chi2")
REFERENCE = json.loads((Path(__file__).parents[1] / "reference/count_vectors.json").read_text())
gain, gini, gain_ratio, chi2 = map(tl.formula, FORMULAS)

# Sums of logarithms of counts below 1000: about 1e-15 for each term.
CLOSE = {"rel": 1e-12, "abs": 1e-12}


def joint_entropy(table):
    return entropy(table.reshape(-1))


def conditional_entropy(table):
    return joint_entropy(table) - entropy(of_values(table))


MEASURES = {
    "gain": gain,
    "gini_gain": gini,
    "gain_ratio": gain_ratio,
    "chi2": chi2,
    "entropy_class": lambda table: entropy(of_classes(table)),
    "entropy_attr": lambda table: entropy(of_values(table)),
    "entropy_joint": joint_entropy,
    "cond_entropy": conditional_entropy,
}


@st.composite
def tables(draw, max_values=5, max_classes=4, min_classes=1):
    """Draw a table (value, class) that may have empty rows and columns, but not only such."""
    values = draw(st.integers(1, max_values))
    classes = draw(st.integers(min_classes, max_classes))
    cells = st.lists(st.integers(0, 20), min_size=classes, max_size=classes)
    table = np.array(draw(st.lists(cells, min_size=values, max_size=values)), dtype=float)
    assume(table.sum() > 0)
    return table


def occurring(table):
    """Return the table without empty rows and columns."""
    return table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]


# Exact values


def test_every_measure_has_reference_values():
    assert {vector["measure"] for vector in REFERENCE} == set(MEASURES)


@pytest.mark.parametrize("vector", REFERENCE, ids=lambda vector: vector["id"])
def test_the_reference_value_is_met(vector):
    table = np.array(vector["input"]["table"], dtype=float).T
    actual = MEASURES[vector["measure"]](table)

    assert vector["expected"] == pytest.approx(actual, **CLOSE)


@pytest.mark.parametrize("name", FORMULAS)
@steady(50)
@given(table=tables())
def test_a_formula_equals_the_naive_one(name, table):
    expected = naive.FORMULAS[name](table.tolist())

    assert expected == pytest.approx(tl.formula(name)(table), **CLOSE)


# Outside oracles


@steady(50)
@given(tables())
def test_chi_square_is_that_of_scipy(table):
    expected = stats.chi2_contingency(occurring(table), correction=False).statistic

    assert expected == pytest.approx(chi2(table), **CLOSE)


@steady(50)
@given(tables())
def test_gain_is_the_mutual_information_of_scikit_learn(table):
    nats = mutual_info_score(None, None, contingency=table)

    assert nats / np.log(2) == pytest.approx(gain(table), **CLOSE)


@steady(50)
@given(tables())
def test_entropy_is_that_of_scipy(table):
    margin = of_classes(table)

    assert stats.entropy(margin, base=2) == pytest.approx(entropy(margin), **CLOSE)


@steady(50)
@given(tables())
def test_gain_ratio_divides_by_the_entropy_of_scipy(table):
    cost = stats.entropy(table.sum(axis=1), base=2)
    # A single value costs nothing and tells nothing: 0 / 0 is 0.
    expected = gain(table) / cost if np.count_nonzero(table.sum(axis=1)) > 1 else 0.0

    assert expected == pytest.approx(gain_ratio(table), **CLOSE)


# Identities


@steady()
@given(tables())
def test_gain_lies_between_0_and_the_smaller_entropy(table):
    most = min(entropy(of_classes(table)), entropy(of_values(table)))

    assert -1e-12 <= gain(table) <= most + 1e-12


@steady()
@given(tables())
def test_gain_and_chi_square_do_not_tell_class_from_value(table):
    assert gain(table.T) == pytest.approx(gain(table), **CLOSE)
    assert chi2(table.T) == pytest.approx(chi2(table), **CLOSE)


@steady()
@given(
    st.lists(st.integers(0, 20), min_size=1, max_size=5),
    st.lists(st.integers(0, 20), min_size=1, max_size=4),
)
def test_proportional_rows_tell_nothing(values, classes):
    assume(sum(values) * sum(classes) > 0)
    table = np.outer(values, classes)

    for name in FORMULAS:
        # The counts go up to 400 here, and chi-square is of their size.
        assert tl.formula(name)(table) == pytest.approx(0.0, abs=1e-10)


@steady()
@given(tables())
def test_rows_that_are_not_proportional_tell_something(table):
    margins = np.outer(table.sum(axis=1), table.sum(axis=0))
    assume(np.any(table * table.sum() != margins))

    # The least deviation that counts up to 20 allow is far above rounding.
    assert min(tl.formula(name)(table) for name in FORMULAS) > 1e-9


@steady()
@given(tables())
def test_gain_is_the_divergence_from_independence(table):
    """The J-measure summed over the values, and the divergence of Kullback and Leibler."""
    joint = occurring(table) / table.sum()
    product = np.outer(joint.sum(axis=1), joint.sum(axis=0))

    expected = stats.entropy(joint.reshape(-1), product.reshape(-1), base=2)
    assert expected == pytest.approx(gain(table), **CLOSE)


@steady()
@given(tables())
def test_gini_gain_is_the_drop_of_the_impurity(table):
    shares = occurring(table) / table.sum()
    before = 1 - (shares.sum(axis=0) ** 2).sum()
    rows = shares.sum(axis=1)
    after = (rows * (1 - ((shares / rows[:, None]) ** 2).sum(axis=1))).sum()

    assert before - after == pytest.approx(gini(table), **CLOSE)
    assert gini(table) >= -1e-12


@steady()
@given(tables(min_classes=2, max_classes=2))
def test_gini_gain_of_two_classes_is_chi_square_scaled(table):
    n = table.sum()
    p = table[:, 0].sum() / n

    assert 2 * p * (1 - p) * chi2(table) / n == pytest.approx(gini(table), **CLOSE)


@steady()
@given(tables())
def test_chi_square_is_bounded_by_the_number_of_classes_and_values(table):
    most = table.sum() * (min(occurring(table).shape) - 1)

    # Rounding, in proportion to the number of cases.
    assert 0 <= chi2(table) <= most + 1e-12 * table.sum()


@steady()
@given(st.lists(st.integers(1, 20), min_size=1, max_size=5))
def test_chi_square_of_a_perfect_feature_is_the_bound(counts):
    expected = sum(counts) * (len(counts) - 1)

    assert expected == pytest.approx(chi2(np.diag(counts)), **CLOSE)


@pytest.mark.parametrize("name", FORMULAS)
@steady()
@given(table=tables(), seed=st.integers(0, 99))
def test_neither_names_nor_empty_values_and_classes_matter(name, table, seed):
    rng, formula = np.random.default_rng(seed), tl.formula(name)
    renamed = table[rng.permutation(len(table))][:, rng.permutation(table.shape[1])]
    expected = pytest.approx(formula(table), **CLOSE)

    assert formula(renamed) == expected
    assert formula(np.pad(table, ((1, 2), (0, 0)))) == expected
    assert formula(np.pad(table, ((0, 0), (2, 1)))) == expected


@pytest.mark.parametrize("formula", [gain, gini, chi2, lambda t: float(entropy(of_values(t)))])
@steady()
@given(table=tables())
def test_merging_two_values_never_tells_more(formula, table):
    assume(len(table) > 1)
    merged = np.vstack([table[0] + table[1], table[2:]])

    assert formula(merged) <= formula(table) * (1 + 1e-12) + 1e-12


def test_merging_two_values_can_raise_the_gain_ratio():
    table = np.array([[4, 0], [4, 0], [0, 8]])
    merged = np.array([[8, 0], [0, 8]])

    assert gain_ratio(merged) > gain_ratio(table)


@steady()
@given(tables(), st.sampled_from([2, 3, 0.5, 1e-6, 1e6]))
def test_replicated_data_scale_chi_square_and_nothing_else(table, times):
    for name in ("gain", "gini", "gain-ratio"):
        # Shares of scaled counts: the logarithms of n are larger by log2 of the scale.
        assert tl.formula(name)(table * times) == pytest.approx(
            tl.formula(name)(table), rel=1e-10, abs=1e-11
        )
    assert chi2(table * times) == pytest.approx(times * chi2(table), rel=1e-10, abs=1e-11 * times)


# Tables


@pytest.mark.parametrize("name", FORMULAS)
def test_many_tables_at_once_are_one_by_one(name):
    many = np.random.default_rng(0).integers(0, 9, (4, 3, 5, 2)).astype(float)
    scores = tl.formula(name)(many)

    assert scores.shape == (4, 3)
    for place in np.ndindex(4, 3):
        assert scores[place] == tl.formula(name)(many[place])


@pytest.mark.parametrize("name", FORMULAS)
def test_one_table_gives_a_float(name):
    assert type(tl.formula(name)([[1, 2], [3, 4]])) is float


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[0, 0], [0, 0]], "a table must hold at least one case, but all its counts are 0"),
        ([[[1, 2]], [[0, 0]]], "a table must hold at least one case, but all its counts are 0"),
        ([[]], "a table must hold at least one case, but all its counts are 0"),
        ([[1, -1], [2, 3]], "the counts of a table must be finite numbers of at least 0"),
        ([[1, np.nan], [2, 3]], "the counts of a table must be finite numbers of at least 0"),
        ([[1, np.inf], [2, 3]], "the counts of a table must be finite numbers of at least 0"),
        ([1, 2], "a table must be (..., value, class), got shape (2,)"),
        (3, "a table must be (..., value, class), got shape ()"),
        ([["a", "b"]], "a table must be an array of numbers (..., value, class)"),
        ([[1, 2], [3]], "a table must be an array of numbers (..., value, class)"),
        ([[1, None]], "the counts of a table must be finite numbers of at least 0"),
    ],
)
def test_a_wrong_table_is_told_in_one_sentence(name, table, message):
    with pytest.raises(DataError, match=f"^{re.escape(message)}$"):
        tl.formula(name)(table)


# Metrics by name


def test_all_metrics_have_names():
    assert set(FORMULAS) | {"gain-ratio-c45"} <= set(tl.metric_names())
    assert tl.metric_names() == sorted(tl.metric_names())


@pytest.mark.parametrize("name", tl.metric_names())
def test_a_metric_is_described_and_its_repr_makes_it_again(name):
    info, metric = metric_info(name), tl.metric(name)

    assert info.name == name
    assert all([info.idea, info.source, info.range])
    assert eval(repr(metric), vars(tl.metrics)) == metric


def test_the_nearest_name_is_suggested():
    with pytest.raises(UnknownNameError, match=r"^unknown metric 'gaim': did you mean 'gain'\?$"):
        tl.metric("gaim")


def test_an_unknown_formula_is_told():
    with pytest.raises(UnknownNameError, match=r"^unknown count formula 'gain-ratio-c45': did you"):
        tl.formula("gain-ratio-c45")


def test_an_unknown_parameter_is_told():
    message = "unknown parameter of metric 'gain-ratio-c45' 'gat': did you mean 'gate'?"
    with pytest.raises(UnknownNameError, match=f"^{re.escape(message)}$"):
        tl.metric("gain-ratio-c45", gat=False)
    for make in (tl.metric, tl.formula):
        with pytest.raises(ParameterError, match=r"^metric 'gain' has no parameters, got "):
            make("gain", k=3)


@pytest.mark.parametrize(
    "spec",
    [
        "gain-ratio-c45:false",
        "gain-ratio-c45:gate=false",
        "gain-ratio-c45:gate=False,price=true",
        "gain-ratio-c45: gate = false ",
    ],
)
def test_parameters_may_follow_the_name(spec):
    assert tl.metric(spec) == tl.metric("gain-ratio-c45", gate=False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3", 3),
        ("-2", -2),
        ("0.5", 0.5),
        ("1e-3", 0.001),
        ("none", None),
        ("true", True),
        ("x", "x"),
    ],
)
def test_parameters_in_a_text_are_numbers_words_or_truth_values(text, value):
    registry = _registry.Registry("thing", "treelab.things")
    registry.add("pair", lambda first=0, second=0: (first, second))

    for spec in (f"pair:{text}", f"pair:first={text}"):
        made = registry.make(spec)[0]
        assert (type(made), made) == (type(value), value)
    assert registry.make(f"pair:second={text},first=7") == (7, value)


def test_a_metric_itself_is_taken_as_it_is():
    def mine(node):
        return np.zeros(len(node.counts))

    assert tl.metric(mine) is mine
    with pytest.raises(ParameterError, match=r"^parameters go with the name of a metric"):
        tl.metric(mine, k=3)
    with pytest.raises(
        ParameterError, match=r"^expected the name of a metric or a callable, got 7"
    ):
        tl.metric(7)


def test_a_name_can_be_given_once_only():
    registry = _registry.Registry("thing", "treelab.things")
    registry.add("one", dict)
    with pytest.raises(ParameterError, match=r"^there is already a thing named 'one'$"):
        registry.add("one", dict)


class Point:
    """An entry point of another package."""

    def __init__(self, name, factory):
        self.name, self.factory = name, factory

    def load(self):
        return self.factory


@pytest.fixture
def other_package(monkeypatch):
    """Pretend that a package is installed which brings two metrics, one of a name we have."""

    def points(group):
        found = [
            Point("theirs", lambda power=1: ("theirs", power)),
            Point("gain", lambda: "foreign"),
        ]
        return found if group == "treelab.metrics" else []

    monkeypatch.setattr(_registry, "entry_points", points)
    monkeypatch.setattr(METRICS, "_factories", dict(METRICS._factories))
    monkeypatch.setattr(METRICS, "_others_loaded", False)


@pytest.mark.usefixtures("other_package")
def test_metrics_of_other_packages_join_by_entry_points():
    assert tl.metric("theirs:power=2") == ("theirs", 2)
    assert "theirs" in tl.metric_names()
    assert metric_info("theirs") == MetricInfo("theirs", "from another package", "", "")


@pytest.mark.usefixtures("other_package")
def test_metrics_of_other_packages_do_not_replace_ours():
    assert "theirs" in tl.metric_names()
    assert tl.metric("gain") != "foreign"


# C4.5's choice


def seen_by(metric, data, **settings):
    """Return the scores of the root's candidates, and the candidates."""
    seen = []

    def spy(node):
        seen.append(metric(node))
        return seen[-1]

    settings = {"splits": "multiway", "missing": "fractional", **settings}
    tl.grow(data, spy, max_depth=1, min_branch=1, pruner="none", **settings)
    task = naive.problem(data)
    # Numbers come first in these data, and so do their cuts.
    found = naive.candidates(task, task.cases, settings["splits"], settings["missing"])
    return seen[0], found, task


def ratios(found, task, price):
    """Return the gain ratio of the best candidate of each feature; None for the others."""
    gains = [naive.gain(c.table) * c.known for c in found]
    result = []
    for place, candidate in enumerate(found):
        rivals = [gains[i] for i, c in enumerate(found) if c.feature == candidate.feature]
        is_best = gains[place] == max(rivals)
        paid = np.log2(len(rivals)) / sum(case.weight for case in task.cases) if price else 0.0
        cost = naive._split_information(candidate)
        result.append((gains[place] - paid) / cost if is_best and gains[place] > paid else np.nan)
    return result


@pytest.mark.parametrize("price", [True, False])
def test_without_the_gate_every_feature_is_judged_by_its_best_candidate(price):
    data = random_dataset(0, cases=40, numeric=3, nominal=2, ties=False)
    metric = tl.metric("gain-ratio-c45", gate=False, price=price)
    scores, found, task = seen_by(metric, data)
    expected = ratios(found, task, price)

    assert np.isfinite(expected).sum() > 2
    np.testing.assert_allclose(scores, expected, rtol=1e-9)


def test_the_gate_leaves_out_what_is_below_the_average_gain():
    """A rare value has the better gain ratio, but less gain than the average."""
    y = [0] * 8 + [1] * 8
    rare = [1, 1] + [0] * 14
    broad = [0] * 6 + [1, 1, 0, 0] + [1] * 6
    data = dataset([rare, broad], y)
    gated, *_ = seen_by(tl.metric("gain-ratio-c45"), data)
    free, *_ = seen_by(tl.metric("gain-ratio-c45", gate=False), data)

    assert free[0] > free[1]
    assert np.isnan(gated).tolist() == [True, False]


def test_a_candidate_without_gain_cannot_be_judged():
    data = dataset([[0, 1] * 4], [0, 0, 1, 1] * 2)
    scores, *_ = seen_by(tl.metric("gain-ratio-c45"), data)

    assert np.isnan(scores).tolist() == [True]
