"""The kernels of cuts against tables that are counted one by one."""

from itertools import pairwise

import naive
import numpy as np
import pytest
from nodes import AWKWARD, nodes, sorted_keys

import treelab as tl
from treelab.kernels import cut_scores
from treelab.kernels._jit import pointer
from treelab.kernels.cuts import KNOWN, CutLimits, Cuts, find_cuts, runs_of_cuts
from treelab.metrics.adapters import CountMetric
from treelab.metrics.chance import entropy_left
from treelab.stats.formulas import per_table
from treelab.stats.formulas.expectation import class_entropy
from treelab.stats.formulas.fixed_point import in_units, stacked
from treelab.stats.formulas.sums import SumFormula

awkward = pytest.mark.parametrize("how", AWKWARD.values(), ids=AWKWARD.keys())
whole = pytest.mark.parametrize(
    "how", [how for how in AWKWARD.values() if how.get("weights") not in ("fraction",)]
)
missing_branch = pytest.mark.parametrize("missing_branch", [False, True])
MIN_BRANCH = [0.0, 1.0, 2.0, 2.5, 6.0]
METRICS = [tl.metric(name) for name in tl.metric_names()]
FORMULAS = [m.formula for m in METRICS if isinstance(m, CountMetric)]
SUMS = [f for f in FORMULAS if isinstance(f, SumFormula)]
SUMS += [entropy_left, class_entropy]


NOTHING = np.empty(0, np.int64)


def found(made, min_branch=0.0, missing_branch=False, dtype=np.uint32, **limits):
    keys, order = sorted_keys(made, dtype)
    n_features, n_nodes = len(made.n_codes), len(made.starts)
    cuts = Cuts(
        keys, order, made.bits, made.weights, made.starts,
        at=np.full(keys.shape, -9, np.int32),
        n_cuts=np.full((n_features, n_nodes), -9),
        class_counts=made.counts,
        known=np.zeros((n_features, n_nodes, made.n_classes)),
        missing=np.zeros((n_features, n_nodes, made.n_classes)),
    )  # fmt: skip
    asked = CutLimits(min_branch, 0.0, 0.0, NOTHING, NOTHING)._replace(**limits)
    find_cuts(
        cuts,
        np.tile(made.stops, (n_features, 1)),
        made.n_codes,
        asked,
        missing_branch,
        (0, n_features),
        np.arange(n_features),
        lost := np.zeros((n_nodes, n_features)),
    )
    without_branch = cuts.missing.sum(axis=2).T * (not missing_branch)
    np.testing.assert_array_equal(lost, without_branch)  # added up in the same order
    return cuts


def naive_cuts(made, f, k, min_branch, missing_branch):
    """Return the last code on the left and the table of each cut; None: known against missing."""
    cases = made.cases(k)
    values = naive.values_of(cases, f)
    gone = naive.value_table(cases, f, [None], made.n_classes)[0]
    nothing, cuts = [0.0] * made.n_classes, []
    if missing_branch and values and sum(gone) > 0:
        known = [case for case in cases if case.values[f] is not None]
        cuts.append((None, [naive.class_weights(known, made.n_classes), gone, nothing]))
    for low, _ in pairwise(values):
        table = [[0.0] * made.n_classes, [0.0] * made.n_classes]
        for case in cases:
            if case.values[f] is not None:
                table[int(case.values[f] > low)][case.y] += case.weight
        cuts.append((low, [*table, gone] if missing_branch else table))
    large = [[0 < sum(row) >= min_branch for row in table] for _, table in cuts]
    return [cut for cut, sides in zip(cuts, large, strict=True) if sum(sides) >= 2]


def naive_tables(made, min_branch, missing_branch):
    """Return the tables of all cuts, feature by feature and node by node."""
    n_branches = 3 if missing_branch else 2
    tables = [
        table
        for f in made.features
        for k in made.numbers
        for _, table in naive_cuts(made, f, k, min_branch, missing_branch)
    ]
    return np.array(tables).reshape(-1, n_branches, made.n_classes)


@pytest.mark.parametrize("dtype", [np.uint32, np.uint64])
@missing_branch
@awkward
def test_cuts_lie_between_codes_and_leave_two_large_branches(how, missing_branch, dtype):
    made = nodes(**how)
    for min_branch in MIN_BRANCH:
        cuts = found(made, min_branch, missing_branch, dtype)
        for f in made.features:
            for k in made.numbers:
                start = made.starts[k]
                at = cuts.at[f, start : start + cuts.n_cuts[f, k]].tolist()
                left = [
                    None if place == KNOWN else int(cuts.keys[f, place]) >> made.bits
                    for place in at
                ]
                expected = naive_cuts(made, f, k, min_branch, missing_branch)

                assert [low for low, _ in expected] == left
                # A cut is at the last of the equal codes.
                codes = [int(key) >> made.bits for key in cuts.keys[f]]
                assert all(codes[place] < codes[place + 1] for place in at if place != KNOWN)
                gone = naive.value_table(made.cases(k), f, [None], made.n_classes)[0]
                assert gone == cuts.missing[f, k].tolist()


def lasts(made, cuts, f, k):
    """Return the last code on the left of each cut."""
    places = cuts.at[f, made.starts[k] : made.starts[k] + cuts.n_cuts[f, k]]
    return [int(cuts.keys[f, place]) >> made.bits for place in places]


@pytest.mark.parametrize(("share", "most"), [(0.05, 25.0), (0.3, 2.0), (0.3, 25.0)])
@awkward
def test_each_side_has_a_share_of_the_known_cases(how, share, most):
    made = nodes(**how)
    cuts = found(made, 2.0, share=share, most=most)
    for f in made.features:
        for k in made.numbers:
            known = sum(case.weight for case in made.cases(k) if case.values[f] is not None)
            # What the kernel forgives fractional weights.
            least = max(2.0, min(most, share * known) - 1e-9)
            expected = [low for low, _ in naive_cuts(made, f, k, least, False)]

            assert expected == lasts(made, cuts, f, k)


@awkward
def test_codes_that_are_too_close_are_not_parted(how):
    made = nodes(**how)
    rng = np.random.default_rng(5)
    values = [np.sort(rng.random(n)) for n in made.n_codes]
    follows = [np.searchsorted(points, points + 0.2, side="right") for points in values]
    firsts = np.cumsum([0, *made.n_codes])
    cuts = found(made, 1.0, follows=np.concatenate([NOTHING, *follows]), firsts=firsts)
    for f in made.features:
        for k in made.numbers:
            at_node = naive.values_of(made.cases(k), f)
            far = {a for a, b in pairwise(at_node) if values[f][b] > values[f][a] + 0.2}
            expected = [low for low, _ in naive_cuts(made, f, k, 1.0, False) if low in far]

            assert expected == lasts(made, cuts, f, k)


@missing_branch
@awkward
def test_the_tables_of_all_cuts(how, missing_branch):
    made = nodes(1, **how)
    for min_branch in (0.0, 2.0):
        cuts = found(made, min_branch, missing_branch)
        expected = naive_tables(made, min_branch, missing_branch)
        tables = np.full(expected.shape, np.nan)
        cut_scores.cut_tables(cuts, (0, len(made.n_codes)), tables)

        # The weights add up exactly, so the last digits are equal, too.
        np.testing.assert_array_equal(expected, tables)


def test_weights_that_add_up_inexactly_leave_nothing_behind():
    """What all lies on the left, or is missing, must not be found on the right by rounding."""
    for seed in range(30):
        made = nodes(seed, n_codes=[9], sizes=[20], n_classes=5, missing=0.3)
        weights = np.random.default_rng(seed).choice([0.1, 0.2, 0.7, 1 / 3], len(made.ids) + 5)
        made = made._replace(weights=weights)
        expected = naive_tables(made, 0.0, False)
        tables = np.empty(expected.shape)
        cut_scores.cut_tables(found(made), (0, 1), tables)

        np.testing.assert_allclose(tables, expected, rtol=1e-12)  # 0 is 0


def test_threads_score_the_features_of_their_span_only():
    made = nodes(4, sizes=[20, 30])
    cuts = found(made)
    expected = naive_tables(made._replace(n_codes=made.n_codes), 0.0, False)
    n_before, n = cuts.n_cuts[0].sum(), cuts.n_cuts[1:].sum()
    tables = np.empty((n, 2, made.n_classes))
    cut_scores.cut_tables(cuts, (1, 3), tables)

    np.testing.assert_array_equal(expected[n_before:], tables)


# Scores


def squares(table):
    """Depend on every cell, and on the place of the row."""
    total = 0.0
    for j in range(table.shape[0]):
        for i in range(table.shape[1]):
            total += (j + 1) * (i + 2) * table[j, i] ** 2
    return total


SQUARES = pointer(squares, per_table.SIGNATURE)


@missing_branch
@awkward
def test_a_formula_of_one_table_scores_every_cut(how, missing_branch):
    made = nodes(2, **how)
    tables = naive_tables(made, 1.0, missing_branch)
    scores = np.full(len(tables), np.nan)
    cut_scores.table_scores(
        SQUARES, found(made, 1.0, missing_branch), (0, len(made.n_codes)),
        np.zeros(tables.shape[1:]), scores,
    )  # fmt: skip

    assert [squares(table) for table in tables] == scores.tolist()


def test_tables_are_scored_one_by_one():
    tables = np.random.default_rng(0).integers(0, 9, (7, 3, 4)).astype(float)
    for part in (tables, tables[:0]):
        scores = np.full(len(part), np.nan)
        cut_scores.scores_of(SQUARES, part, scores)

        assert [squares(table) for table in part] == scores.tolist()


def tables_of_h(formula, made):
    """Return small tables of h that serve some of the nodes only, and one for the others."""
    few = int(np.median(made.counts.sum(axis=1)))
    return stacked(in_units(formula.cell, n) for n in (few // 2, few, 1000))


@pytest.mark.parametrize("formula", SUMS, ids=lambda f: f.__name__)
@missing_branch
@whole
def test_sums_score_every_cut_as_the_formula_does_its_table(how, missing_branch, formula):
    for seed, min_branch in enumerate((0.0, 2.0)):
        made = nodes(seed, **how)
        tables = naive_tables(made, min_branch, missing_branch)
        scores = np.full((1, len(tables)), -99.0)
        cut_scores.sum_scores(
            formula.compiled, found(made, min_branch, missing_branch), (0, len(made.n_codes)),
            missing_branch, formula.needs_shares, tables_of_h(formula, made), scores,
        )  # fmt: skip

        # Sums of logarithms are added up in another order, and may cancel.
        np.testing.assert_allclose(formula(tables), scores[0], rtol=1e-9, atol=1e-12)


@missing_branch
@whole
def test_sizes_score_every_cut_by_what_its_branches_are_given(how, missing_branch):
    made = nodes(3, **how)
    cuts = found(made, 1.0, missing_branch)
    most = int(made.counts.sum(axis=1).max())
    by_size = np.random.default_rng(0).random(cuts.n_cuts.size * (most + 1))
    by_size[:: most + 1] = 0.0  # an empty branch is given nothing
    firsts = np.arange(0, len(by_size), most + 1).reshape(cuts.n_cuts.shape)
    tables = naive_tables(made, 1.0, missing_branch)
    scores = np.full(len(tables), np.nan)
    cut_scores.size_scores(cuts, (0, len(made.n_codes)), missing_branch, firsts, by_size, scores)

    first = np.repeat(firsts.ravel(), cuts.n_cuts.ravel())
    given = by_size[first[:, None] + tables.sum(axis=2).astype(int)]
    np.testing.assert_allclose(scores, given.sum(axis=1), rtol=1e-15)  # three numbers added up


def test_the_registry_has_formulas_of_every_kind_of_sum():
    assert len(SUMS) > 10
    assert {formula.needs_shares for formula in SUMS} == {False, True}


def naive_runs(n_cuts):
    return [(f, k, n_cuts[i, k]) for i, f in enumerate((4, 7)) for k in range(3)]


def test_runs_are_those_of_each_feature_at_each_node():
    n_cuts = np.array([[2, 0, 1], [0, 0, 3]])
    feature, node, ends = runs_of_cuts(np.array([4, 7]), n_cuts)

    assert list(zip(feature, node, np.diff(ends, prepend=0), strict=True)) == naive_runs(n_cuts)
