"""Tests of what differs: against scipy, scikit-posthocs, statsmodels and published examples."""

from decimal import Decimal

import attrs
import numpy as np
import pytest
from scipy import stats

from treelab.errors import DataError, ParameterError
from treelab.evaluate import (
    Belief,
    bayesian_t,
    corrected_t,
    friedman,
    holm,
    mean_and_error,
    paired_t,
    sign_test,
    wilcoxon,
    wins,
)

# Demsar 2006, Table 6: AUC of C4.5, C4.5+m, C4.5+cf and C4.5+m+cf on 14 data sets, and the ranks
# printed beside them (those of voting come from more digits than are printed). The table was typed
# in; that mean ranks, chi2, T and critical differences come out as printed vouches for it.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.975, 0.97499],
        [0.957, 0.978, 0.946, 0.970],
    ]
)
MEASURED = np.random.default_rng(5).normal(0.8, 0.05, (20, 2))


# One data set


def test_paired_t_is_scipys():
    a, b = MEASURED.T
    expected = stats.ttest_rel(a, b)

    assert paired_t(a, b).p == pytest.approx(expected.pvalue, rel=1e-12)
    assert paired_t(a, b).statistic == pytest.approx(expected.statistic, rel=1e-12)
    assert paired_t(b, a).statistic == -paired_t(a, b).statistic


T_TESTS = [paired_t, lambda a, b: corrected_t(a, b, 0.1)]


@pytest.mark.parametrize("test", [*T_TESTS, wilcoxon, sign_test])
def test_equal_results_do_not_differ(test):
    found = test([0.1, 0.2, 0.3], [0.1, 0.2, 0.3])

    assert (found.difference, found.p) == (0.0, 1.0)
    assert np.isfinite(found.statistic)


@pytest.mark.parametrize("test", T_TESTS)
@pytest.mark.parametrize(
    ("a", "b", "difference"),
    [
        ([1.0, 2.0, 3.0], [0.0, 1.0, 2.0], 1.0),
        ([0.0, 1.0, 2.0], [1.0, 2.0, 3.0], -1.0),
        ([0.3, 0.2], [0.1, 0.0], 0.2),  # these two differ in the last bit, which is no spread
    ],
)
def test_a_lead_without_spread_has_no_p_value(test, a, b, difference):
    found = test(a, b)

    assert found.difference == pytest.approx(difference, rel=1e-12)
    assert np.isnan(found.statistic)
    assert np.isnan(found.p)


def test_the_corrected_t_by_hand():
    """Differences 1, 2, 3 of threefold results: mean 2, variance 1 (1/3 + 1/2), t = 2 / sqrt(5/6).

    With 2 degrees of freedom P = 1 - t / sqrt(2 + t^2) = 1 - sqrt(4.8 / 6.8).
    """
    found = corrected_t([2.0, 4.0, 6.0], [1.0, 2.0, 3.0], 1 / 3)

    assert found.statistic == pytest.approx(np.sqrt(4.8), rel=1e-12)
    assert found.p == pytest.approx(1 - np.sqrt(4.8 / 6.8), rel=1e-12)


def test_the_corrected_t_takes_the_overlap_of_the_folds_into_account():
    """Nadeau and Bengio's variance, written out: s^2 (1/n + n_test / n_train)."""
    a, b = MEASURED.T
    d = a - b
    t = d.mean() / np.sqrt(d.var(ddof=1) * (1 / 20 + 10 / 90))

    assert corrected_t(a, b, 0.1).statistic == pytest.approx(t, rel=1e-12)
    assert corrected_t(a, b, 0.1).p == pytest.approx(2 * stats.t.sf(abs(t), 19), rel=1e-12)
    assert corrected_t(a, b, 0.1).p > paired_t(a, b).p


@pytest.mark.parametrize(("a", "b"), [([1.0], [2.0]), ([1.0, 2.0], [1.0]), ([1.0, np.nan], [1, 2])])
def test_a_paired_test_needs_two_rows_of_finite_results(a, b):
    with pytest.raises(DataError, match=r"^a paired test needs"):
        paired_t(a, b)


@pytest.mark.parametrize("test", [paired_t, wilcoxon, sign_test, wins])
def test_results_are_numbers(test):
    with pytest.raises(DataError, match=r"^results must be numbers, got \['a'\]$"):
        test(["a"], ["b"])


@pytest.mark.parametrize("share", [0, 1, -0.1, "x"])
def test_the_share_of_test_cases_lies_between_0_and_1(share):
    with pytest.raises(ParameterError, match=r"^test_share must lie between 0 and 1"):
        corrected_t([1, 2], [2, 1], share)
    with pytest.raises(ParameterError, match=r"^test_share must lie between 0 and 1"):
        bayesian_t([1, 2], [2, 1], share)


def test_without_a_region_of_equivalence_belief_is_the_corrected_t_test():
    a, b = MEASURED.T
    belief, test = bayesian_t(a, b, 0.1, rope=0), corrected_t(a, b, 0.1)

    assert belief.equal == 0
    assert min(belief.worse, belief.better) == pytest.approx(test.p / 2, rel=1e-12)


def test_belief_is_the_posterior_as_drawn():
    a, b = MEASURED.T
    d = a - b
    scale = np.sqrt(d.var(ddof=1) * (1 / 20 + 0.1 / 0.9))
    drawn = d.mean() + scale * np.random.default_rng(0).standard_t(19, 400_000)
    belief = bayesian_t(a, b, 0.1, rope=0.01)

    # four standard errors of a share of 400,000 draws are at most 0.0032
    assert belief.worse == pytest.approx((drawn < -0.01).mean(), abs=0.0035)
    assert belief.better == pytest.approx((drawn > 0.01).mean(), abs=0.0035)
    assert belief.worse + belief.equal + belief.better == pytest.approx(1)


def test_belief_without_spread_is_certain():
    assert bayesian_t([1, 1], [1, 1], 0.1).equal == 1
    assert bayesian_t([2, 2], [1, 1], 0.1).better == 1
    assert bayesian_t([1, 1], [2, 2], 0.1).worse == 1


def test_a_difference_of_the_rope_is_equal_in_practice():
    # 0.3 - 0.29 and 0.2 - 0.19 exceed 0.01 in the last bits, and differ in them
    assert bayesian_t([0.3, 0.2], [0.29, 0.19], 0.1, rope=0.01) == Belief(0, 1, 0)
    assert bayesian_t([0.29, 0.19], [0.3, 0.2], 0.1, rope=0.01) == Belief(0, 1, 0)


# Results of any size


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e-14, 1e200, 1e308])
@pytest.mark.parametrize(
    "test", [paired_t, wilcoxon, sign_test, lambda a, b: corrected_t(a, b, 0.1)]
)
def test_results_of_any_size_are_tested_alike(test, size):
    a, b = MEASURED.T
    expected, found = test(a, b), test(a * size, b * size)

    # The sizes are no powers of 2, so that the results themselves are rounded.
    assert (found.statistic, found.p) == pytest.approx((expected.statistic, expected.p), rel=1e-9)
    assert found.difference / size == pytest.approx(expected.difference, rel=1e-9)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e-300, 1e-14, 1e200, 1e308])
def test_beliefs_and_ranks_of_any_size_are_alike(size):
    a, b = MEASURED.T
    expected = attrs.astuple(bayesian_t(a, b, 0.1))
    found = attrs.astuple(bayesian_t(a * size, b * size, 0.1, rope=0.01 * size))

    assert found == pytest.approx(expected, rel=1e-9)
    assert friedman(DEMSAR * size).ranks.tolist() == friedman(DEMSAR).ranks.tolist()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e-14, 1e13, 1e300])
def test_every_data_set_has_its_own_scale(size):
    scores = np.array([[0.3, 0.2, 0.1]] * 4)
    scores[0] *= size
    a, b = np.array([0.3] * 7), 0.2 + 0.01 * np.arange(7)
    a[0], b[0] = 0.3 * size, 0.2 * size

    assert friedman(scores).ranks.tolist() == [1, 2, 3]
    assert wilcoxon(a, b).p == sign_test(a, b).p == 2 / 2**7, "all differences are in favour of a"


def test_equal_differences_share_a_rank_whatever_is_rounded():
    a, b = [0.3, 0.9, 1 / 3 + 0.1, 5.0, 2.0], [0.2, 0.8, 1 / 3, 5.1, 1.0]

    assert wilcoxon(a, b).statistic == 2.5, "one of four equal ones is against a"
    assert wilcoxon([*map(Decimal, ("0.3", "0.9"))], ["0.2", "0.8"]).p == 0.5


def test_differences_that_are_no_numbers_are_told():
    with pytest.raises(DataError, match=r"^the results are too large: their differences are no"):
        paired_t([1.7e308] * 3, [-1.7e308] * 3)


# Several data sets


def test_wilcoxon_of_demsars_example():
    """Demsar 2006, section 3.1.3: C4.5 against C4.5+m, T = min(93, 12), z = -2.54."""
    result = wilcoxon(DEMSAR[:, 1], DEMSAR[:, 0])

    assert result.statistic == 12
    assert result.p == pytest.approx(2 * stats.norm.sf(2.54), abs=5e-4)  # z is printed so


def test_wilcoxon_is_exact_for_few_data_sets():
    """All of 5 differences on one side: 2 of 2^5 arrangements."""
    assert wilcoxon([2, 4, 6, 8, 10], [1, 2, 3, 4, 5]).p == pytest.approx(2 / 32)


@pytest.mark.parametrize(("n", "draws"), [(1, 3), (2, 6), (5, 6), (8, 6), (13, 1), (14, 6)])
def test_the_p_value_of_shared_ranks_is_that_of_scipy(n, draws):
    """Up to 13 scipy lists all signs, where we count them; with more both take the normal one."""
    rng = np.random.default_rng(n)
    for _ in range(draws):
        d = rng.integers(-2, 4, n).astype(float)
        d[0] = 1.0  # not all of them equal
        expected = stats.wilcoxon(d, zero_method="zsplit")

        assert wilcoxon(d, np.zeros(n)).statistic == expected.statistic
        assert wilcoxon(d, np.zeros(n)).p == pytest.approx(expected.pvalue, rel=1e-12)


def test_equal_results_have_no_signed_ranks():
    assert wilcoxon([1, 2], [1, 2]).p == 1


def test_differences_of_rounding_share_a_rank():
    a = np.array([0.3, 0.7, 0.9, 0.5])
    b = np.array([0.2, 0.6, 0.8, 0.6])  # all differ by 0.1, but for the last bits

    assert wilcoxon(a, b).p == wilcoxon([1, 1, 1, 0], [0, 0, 0, 1]).p


def test_wins_ties_and_losses():
    counted = wins(DEMSAR[:, 1], DEMSAR[:, 0])

    assert str(counted) == "10/2/2"
    assert str(wins([0.3, 0.5], [0.1 + 0.2, 0.4], tie=0.2)) == "0/2/0"


def test_the_sign_test_is_binomial_and_leaves_ties_out():
    result = sign_test(DEMSAR[:, 1], DEMSAR[:, 0])

    assert result.statistic == 10
    assert result.p == pytest.approx(2 * (1 + 12 + 66) / 2**12)
    assert sign_test([1, 1], [1, 1]).p == 1


def test_friedman_of_demsars_example():
    """Demsar 2006, section 3.2.2: mean ranks, chi2 = 9.28, F = 3.69 (without tie correction)."""
    result = friedman(DEMSAR)

    assert result.ranks == pytest.approx([3.143, 2.000, 2.893, 1.964], abs=5e-4)  # as printed
    assert result.critical_difference(0.05) == pytest.approx(1.25, abs=0.005)
    assert result.critical_difference(0.10) == pytest.approx(1.12, abs=0.005)
    by_ranks = 12 * 14 / 20 * ((result.ranks**2).sum() - 4 * 25 / 4)
    assert by_ranks == pytest.approx(9.28, abs=0.005)
    assert result.chi2 > by_ranks  # the correction divides by the share of ranks that differ


def test_friedman_is_scipys_ties_included():
    expected = stats.friedmanchisquare(*DEMSAR.T)

    assert friedman(DEMSAR).chi2 == pytest.approx(expected.statistic, rel=1e-12)
    assert friedman(DEMSAR).p == pytest.approx(expected.pvalue, rel=1e-9)


def test_iman_and_davenports_statistic_without_ties():
    scores = np.random.default_rng(1).normal(size=(12, 5))
    result = friedman(scores)
    f = 11 * result.chi2 / (12 * 4 - result.chi2)

    assert result.f == pytest.approx(f)
    assert result.p_f == pytest.approx(stats.f.sf(f, 4, 44))


def test_learners_always_in_one_order_and_learners_all_alike():
    always = friedman([[3, 2, 1]] * 4)
    alike = friedman([[1, 1, 1]] * 4)

    assert np.isnan([always.f, always.p_f]).all(), "all data sets agree: nothing to divide by"
    assert (always.chi2, always.p) == pytest.approx((8.0, np.exp(-4)))  # chi2 with 2 degrees
    assert (alike.chi2, alike.p) == (0.0, 1.0)


def test_nemenyi_is_scikit_posthocs():
    posthocs = pytest.importorskip("scikit_posthocs")
    expected = posthocs.posthoc_nemenyi_friedman(-DEMSAR).to_numpy()

    # that library takes a million degrees of freedom for infinitely many
    assert friedman(DEMSAR).nemenyi() == pytest.approx(expected, abs=1e-4)


def test_nemenyi_and_the_critical_difference_say_the_same():
    scores = np.random.default_rng(2).normal(np.arange(4), size=(9, 4))
    result = friedman(scores)
    apart = np.abs(result.ranks[:, None] - result.ranks) > result.critical_difference(0.05)

    assert apart.any()
    assert np.array_equal(apart, result.nemenyi() < 0.05)


@pytest.mark.parametrize("scores", [[[1, 2]] * 3, [[1, 2, 3]], [1, 2, 3], [[1, 2, np.nan]] * 3])
def test_friedman_needs_data_sets_and_learners(scores):
    with pytest.raises(DataError, match=r"^Friedman's test needs"):
        friedman(scores)


# Families of tests


def test_holm_is_statsmodels():
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    p = np.random.default_rng(3).uniform(0, 0.2, 15)

    assert holm(p) == pytest.approx(multitest.multipletests(p, method="holm")[1], rel=1e-12)


def test_holm_never_exceeds_1_and_keeps_the_order():
    assert holm([0.6, 0.5]).tolist() == [1.0, 1.0]
    assert holm([]).tolist() == []
    assert holm([0.03]).tolist() == [0.03]


def test_holm_counts_tests_without_a_p_value():
    """The smallest of three is tripled, although one of the three could not be made."""
    assert holm([0.01, np.nan, 0.04]) == pytest.approx([0.03, np.nan, 0.08], nan_ok=True)


def test_holm_needs_probabilities():
    with pytest.raises(DataError, match=r"^P-values must be"):
        holm([0.2, 1.2])


def test_the_mean_of_what_is_known_and_its_error_are_scipys():
    values = np.array([2.0, np.nan, 5.0, 3.5, np.nan])
    known = values[~np.isnan(values)]

    assert mean_and_error(values) == pytest.approx((known.mean(), stats.sem(known)), rel=1e-14)
    assert mean_and_error(values[:1]) == (2.0, pytest.approx(np.nan, nan_ok=True))
    assert np.isnan(mean_and_error(values[1:2])).all()
