"""What formulas have in common, by the mathematics (SPEC 7)."""

import math

import numpy as np
import pytest
from formula_tables import (
    BATCHES,
    CLOSE,
    FORMULAS,
    NEAR,
    SHAPES,
    chi2,
    each_variant,
    gain,
    gain_ratio,
    gini,
    joint_entropy,
    occurring,
    raw,
    tables,
)
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special, stats
from strategies import steady

import treelab as tl
from treelab.errors import ParameterError
from treelab.metrics.information import j_of_values
from treelab.stats.formulas.impurity import entropy, of_classes, of_values

# Equation 24 warns of identifiers.
pytestmark = pytest.mark.filterwarnings("ignore:by expectation 'eq24':treelab.errors.DataWarning")


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


each_batch = pytest.mark.parametrize("many", BATCHES, ids=str(SHAPES).strip("[]()").split("), ("))


@each_batch
def test_gain_in_bounds_and_without_direction(many):
    gains = raw("gain", many)
    flipped = np.swapaxes(many, 1, 2)
    most = np.minimum(entropy(of_classes(many)), entropy(of_values(many)))
    n = many.sum(axis=(1, 2))[:, None, None]
    margins = of_values(many)[:, :, None] * of_classes(many)[:, None, :]

    assert np.all((gains >= -1e-12) & (gains <= most + 1e-12))
    np.testing.assert_allclose(raw("gain", flipped), gains, **NEAR)
    np.testing.assert_array_equal(gains > 1e-9, np.any(many * n != margins, axis=(1, 2)))


@each_batch
def test_the_names_of_the_gain(many):
    gains, n = raw("gain", many), many.sum(axis=(1, 2))
    joint = many / n[:, None, None]
    product = joint.sum(axis=2)[:, :, None] * joint.sum(axis=1)[:, None, :]

    np.testing.assert_allclose(raw("j-measure", many), gains, **NEAR)
    np.testing.assert_allclose(raw("g", many), 2 * n * np.log(2) * gains, rtol=1e-9, atol=1e-10)
    divergence = special.rel_entr(joint, product).sum(axis=(1, 2)) / np.log(2)
    np.testing.assert_allclose(gains, divergence, **NEAR)
    np.testing.assert_allclose(
        raw("weighted-information", many), gains - entropy(of_classes(many)), **NEAR
    )
    assert np.all(j_of_values(many) >= -1e-12)


@each_batch
def test_normalized_gains(many):
    uncertainty, similar = raw("symmetrical-uncertainty", many), raw("mantaras", many)
    flipped = np.swapaxes(many, 1, 2)

    np.testing.assert_allclose(similar, uncertainty / (2 - uncertainty), **NEAR)
    np.testing.assert_allclose(raw("symmetrical-uncertainty", flipped), uncertainty, **NEAR)
    np.testing.assert_allclose(raw("normalized-gain", flipped), raw("gain-ratio", many), **NEAR)
    for shares in (uncertainty, similar, raw("gain-ratio", many), raw("normalized-gain", many)):
        assert np.all((shares >= -1e-12) & (shares <= 1 + 1e-12))


@each_batch
def test_entropy_distance_is_what_class_and_value_do_not_share(many):
    distance = raw("entropy-distance", many)
    single = entropy(of_classes(many)) + entropy(of_values(many))
    cost = entropy(of_values(many))

    np.testing.assert_allclose(distance, 2 * joint_entropy(many) - single, **NEAR)
    assert np.all(distance >= -1e-12)
    np.testing.assert_array_equal(np.isnan(raw("gd", many)), (of_values(many) > 0).sum(axis=1) < 2)
    judged = cost > 1e-12
    np.testing.assert_allclose((raw("gd", many) * cost)[judged], distance[judged] ** 2, **NEAR)


@each_batch
def test_gini_and_its_relatives(many):
    n = many.sum(axis=(1, 2))
    same_class = ((of_classes(many) / n[:, None]) ** 2).sum(axis=1)
    same_value = ((of_values(many) / n[:, None]) ** 2).sum(axis=1)
    relief, prime = raw("relief-myopic", many), raw("gini-prime", many)

    assert np.all(raw("gini", many) >= -1e-12)
    # The relief of a single class is 0, and so is the other side.
    left = relief * same_class * (1 - same_class)
    right = np.where(same_class < 1, same_value * prime, 0.0)
    np.testing.assert_allclose(left, right, **NEAR)
    assert np.all(np.abs(relief) <= 1 + 1e-12)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_gini_prime_of_equally_frequent_values_is_gini(shape):
    values, classes = shape
    rng = np.random.default_rng(values)
    many = rng.multinomial(12, rng.dirichlet(np.ones(classes)), (100, values)).astype(float)
    many[:, 1:] *= rng.random((100, 1, 1)) < 0.9

    np.testing.assert_allclose(raw("gini-prime", many), raw("gini", many), **NEAR)


@each_batch
def test_gini_of_two_classes_is_chi_square(many):
    two = many[:, :, :2][many[:, :, :2].sum(axis=(1, 2)) > 0]
    n = two.sum(axis=(1, 2))
    p = of_classes(two)[:, 0] / n
    product = 2 * p * (1 - p) * raw("chi2", two) / n

    if two.shape[2] == 2:
        np.testing.assert_allclose(raw("gini", two), product, **NEAR)


@each_batch
def test_bounds(many):
    n, n_classes = many.sum(axis=(1, 2)), (of_classes(many) > 0).sum(axis=1)
    n_values = (of_values(many) > 0).sum(axis=1)
    majority = of_classes(many).max(axis=1) / n
    at_most = n * (np.minimum(n_classes, n_values) - 1)
    bounds = {
        "chi2": (0, at_most * (1 + 1e-12)),
        "relevance": (0, 1),
        "imc": (majority, 1),
        "accuracy": (0, 1 - 1 / n_classes),
        "concentration": (1 / (n_classes * n_values), 1),
        "laplace": (1 / n_classes, 1),
        "hellinger": (0, math.sqrt(2)),
        "euclid": (0, 1),
        "auc": (0, 1),
        "angle": (0, 1),
        "orthogonality": (0, 1),
        "dkm": (np.where(n_classes <= 2, 0, -1), 1),
        "p-chi2": (0, 1),
        "p-g": (0, 1),
        "ssv": (-n, n**2),
        "mdl": (-np.inf, np.log2(n_classes)),
        "mdl-prime": (-np.inf, np.log2(n_classes)),
        "weight-of-evidence": (0, np.inf),
        "joint-information": (0, np.log2(n_classes * n_values)),
        "entropy-distance": (0, np.log2(n_classes * n_values)),
    }
    for name, (least, most) in bounds.items():
        found = raw(name, many)
        assert np.all((found >= least - 1e-12) & (found <= most + 1e-12)), name


def test_a_perfect_feature_reaches_the_bounds():
    rng = np.random.default_rng(0)
    for classes in (2, 3, 4):
        counts = rng.integers(1, 21, (400, classes))
        many = np.zeros((400, 5, classes))
        for c in range(classes):
            many[:, c, c] = counts[:, c]

        expected = counts.sum(axis=1) * (classes - 1)
        np.testing.assert_allclose(raw("chi2", many), expected, rtol=1e-12)
        ones = ("relevance", "imc", "normalized-gain", "mantaras", "euclid", "auc", "angle")
        for name in (*ones, "symmetrical-uncertainty", "orthogonality"):
            # Distances of the shares are 1 for single values only, which these are.
            np.testing.assert_allclose(raw(name, many), 1.0, rtol=1e-12, err_msg=name)
        np.testing.assert_allclose(raw("hellinger", many), math.sqrt(2), rtol=1e-12)
        np.testing.assert_allclose(raw("entropy-distance", many), 0.0, atol=1e-12)


@each_variant
def test_neither_names_nor_empty_rows_and_columns_matter_to_any_metric(name, parameters):
    rng = np.random.default_rng(5)
    for many in BATCHES:
        expected = raw(name, many, **parameters)
        changed = {
            "values": many[:, rng.permutation(many.shape[1])],
            "classes": many[:, :, rng.permutation(many.shape[2])],
            "empty value": np.pad(many, ((0, 0), (1, 1), (0, 0))),
            "empty class": np.pad(many, ((0, 0), (0, 0), (1, 0))),
        }
        if name.startswith("mdl"):
            # A class that is absent here still has to be coded.
            del changed["empty class"]
        for what, others in changed.items():
            found = raw(name, others, **parameters)
            np.testing.assert_allclose(found, expected, **NEAR, err_msg=what)


NEVER_MORE = ("gain", "gini", "chi2", "imc")


SOMETIMES_MORE = ("gain-ratio", "mantaras", "symmetrical-uncertainty", "relief-myopic", "mdl")


SOMETIMES_MORE += ("weight-of-evidence", "gini-prime")


def merged(many):
    return np.concatenate([many[:, :1] + many[:, 1:2], many[:, 2:]], axis=1)


def rise(name):
    """Return by how much merging the first two values raises a metric, at most."""
    several = [many for many in BATCHES if many.shape[1] > 1]
    return max(np.max(raw(name, merged(many)) - raw(name, many)) for many in several)


@pytest.mark.parametrize("name", NEVER_MORE)
def test_merging_two_values_never_raises(name):
    assert rise(name) < 1e-10


def test_merging_two_values_never_raises_the_entropy_of_the_values():
    for many in BATCHES[4:]:
        assert np.all(entropy(of_values(merged(many))) <= entropy(of_values(many)) + 1e-12)


@pytest.mark.parametrize("name", SOMETIMES_MORE)
def test_merging_two_values_can_raise(name):
    assert rise(name) > 0.01


@pytest.mark.parametrize(
    "name",
    ["gain", "gain-ratio", "mantaras", "gini", "gini-prime", "relief-myopic", "relevance"],
)
def test_replicated_data_change_nothing(name):
    for many in BATCHES:
        for times in (3, 0.25, 1e4):
            np.testing.assert_allclose(raw(name, times * many), raw(name, many), **NEAR)


@pytest.mark.parametrize("name", ["chi2", "g"])
def test_replicated_data_replicate_the_statistic(name):
    for many in BATCHES:
        for times in (3, 0.25, 1e4):
            expected = times * raw(name, many)
            np.testing.assert_allclose(raw(name, times * many), expected, rtol=1e-9, atol=1e-9)


@each_batch
def test_of_two_classes_either_gives_the_weight_of_evidence(many):
    two = many[:, :, :2][np.all(many[:, :, :2].sum(axis=1) > 0, axis=1)]
    if two.shape[2] < 2:
        return
    size, prior = of_values(two), of_classes(two) / two.sum(axis=(1, 2))[:, None]
    given = (two + 1) / (size + 2)[:, :, None]
    odds = given / (1 - given) / (prior / (1 - prior))[:, None, :]
    of_class = (size[:, :, None] * np.abs(np.log2(odds))).sum(axis=1) / size.sum(axis=1)[:, None]

    np.testing.assert_allclose(of_class[:, 0], of_class[:, 1], **NEAR)
    np.testing.assert_allclose(raw("weight-of-evidence", two), of_class[:, 0], **NEAR)


ZERO_WHEN_INDEPENDENT = (
    *("gain", "gain-ratio", "gini", "chi2", "g", "mantaras", "j-measure", "normalized-gain"),
    *("symmetrical-uncertainty", "relief-myopic", "gini-prime", "p-chi2", "p-g", "log-p-chi2"),
    *("log-p-g", "accuracy", "dkm", "hellinger", "euclid", "auc", "angle", "relevance"),
)


@pytest.mark.parametrize("name", ZERO_WHEN_INDEPENDENT)
def test_independent_tables_score_0_whatever_the_rounding(name):
    """Also where a root or a probability would make much of a little rounding."""
    rng = np.random.default_rng(6)
    many = rng.integers(1, 99, (1000, 4, 1)) * rng.integers(1, 99, (1000, 1, 3)) / 10.0
    found = raw(name, many)

    # Below the rule for ties, so that the lowest feature wins.
    assert np.all(np.abs(found) < 1e-12 * (1 + np.log10(many.sum(axis=(1, 2)))))


def test_weight_of_evidence_of_independent_tables_is_0_with_the_m_estimate_only():
    rng = np.random.default_rng(7)
    many = rng.integers(1, 20, (1000, 4, 1)) * rng.integers(1, 20, (1000, 1, 3)).astype(float)

    assert np.all(raw("weight-of-evidence", many, m=2) < 1e-12)
    assert np.mean(raw("weight-of-evidence", many) > 1e-3) > 0.9


@pytest.mark.parametrize("m", [0, -1, np.nan, np.inf, "two"])
def test_m_is_above_0(m):
    with pytest.raises(ParameterError, match=r"^m must be a number above 0, got "):
        tl.formula("weight-of-evidence", m=m)([[1, 2], [3, 0]])
