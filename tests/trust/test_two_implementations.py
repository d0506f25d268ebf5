"""Everything that computes is written twice: fast, and so that a reader can check it.

`TWINS` names for every kernel, metric, discretizer, pruner and statistic the slow or foreign
implementation it is compared with, and the file of the test that does so.
"""

import ast
import csv
import io
from pathlib import Path
from pkgutil import resolve_name

import naive_discretize
import naive_formulas
import naive_pairs
import naive_statistics
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import dataset, steady

import treelab as tl
from treelab import evaluate
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.kernels.delimited import Dialect, row_widths
from treelab.kernels.digitize import rank_numbers
from treelab.metrics.discrimination import Algorithm1
from treelab.stats.stores.in_memory import root_node
from treelab.tree.prune import PRUNERS

TESTS = Path(__file__).parents[1]
KERNELS = TESTS.parent / "treelab" / "kernels"
HERE = "trust/test_two_implementations.py"
FEATURES = "reduce/test_features.py"
UNSUPERVISED = "discretize/test_unsupervised.py"
SUPERVISED = "discretize/test_supervised.py"
NORMALIZED = "metrics/test_normalized.py"
CHANCE = "metrics/test_chance.py"
GROUPINGS, TABLE_SUMS = "kernels/test_groupings.py", "kernels/test_table_sums.py"
OPTIMAL, UNITS = "tree/test_optimal.py", "kernels/test_unit_cases.py"
PRUNE = "tree/test_prune.py"
PROBABILITIES = "tree/test_probabilities.py"
ESTIMATES = "tree/test_error_estimates.py"
PAIRS = "metrics/test_pairs.py"
LEFT_OUT = "metrics/test_pi_context.py"

# Name: the twin, where they are compared, and the word that calls ours there (else the name).
OF_KERNELS = {
    "arrange.sort_cases": ("nodes.sorted_keys", "kernels/test_arrange.py"),
    "arrange.list_histograms": ("naive_tallies", "kernels/test_arrange.py"),
    "arrange.tally_cases": ("naive_tallies", "kernels/test_arrange.py"),
    "best_pair.best_pair": ("naive_optimal.fewest_errors", OPTIMAL, "Optimal"),
    "best_split.best_single": ("naive_optimal.fewest_errors", OPTIMAL, "Optimal"),
    "binning.optimal_bins": ("naive_discretize.best_bins", "discretize/test_bins.py", '"bins"'),
    "by_size.entropy_by_size": ("naive_chance.kept", "kernels/test_by_size.py"),
    "c45.averages": ("naive_ratios", "kernels/test_c45.py", "gate"),
    "c45.prices": ("naive_ratios", "kernels/test_c45.py", "naive_price"),
    "c45.gated_ratios": ("naive_ratios", "kernels/test_c45.py"),
    "candidate_list.list_candidates": ("naive_optimal.branchings", UNITS),
    "argbest.first_best": ("naive_best", "kernels/test_argbest.py"),
    "argbest.first_of_runs": ("naive_first", "kernels/test_argbest.py"),
    "counts.class_counts": ("naive.class_weights", "kernels/test_counts.py"),
    "counts.mixed_nodes": ("naive_mixed", "kernels/test_counts.py"),
    "counts.value_counts": ("naive.value_table", "kernels/test_counts.py"),
    "cut_scores.cut_tables": ("naive_tables", "kernels/test_cuts.py"),
    "cuts.find_cuts": ("naive_cuts", "kernels/test_cuts.py"),
    "cut_scores.scores_of": ("squares", "kernels/test_cuts.py"),
    "cuts.sides_of": ("naive_candidates.candidates", "test_oracle.py", "grow"),
    "cut_scores.size_scores": ("naive_tables", "kernels/test_cuts.py"),
    "cuts.runs_of_cuts": ("naive_runs", "kernels/test_cuts.py"),
    "cut_scores.sum_scores": ("naive_tables", "kernels/test_cuts.py"),
    "cut_scores.table_scores": ("squares", "kernels/test_cuts.py"),
    "text_labels.code_labels": ("builtins.dict.setdefault", "kernels/test_delimited.py"),
    "delimited.count_lines": ("csv.writer", "kernels/test_delimited.py"),
    "cells.count_tokens": ("naive_reading.written_number", "kernels/test_delimited.py"),
    "numerals.parse_numbers": ("builtins.float", "kernels/test_delimited.py"),
    "numerals.parse_written": ("naive_reading.written_number", "kernels/test_delimited.py"),
    "delimited.row_widths": ("csv.reader", HERE),
    "delimited.tokenize": ("csv.writer", "kernels/test_delimited.py"),
    "cells.trim_bare": ("builtins.str.strip", "kernels/test_delimited.py"),
    "error_limits._c45_errors": ("naive_errors.add_errs", ESTIMATES, "c45"),
    "error_limits._j48_errors": ("naive_errors.j48_add_errs", ESTIMATES, "j48"),
    "error_limits._normal": ("naive_errors.add_errs", ESTIMATES, "c45"),
    "error_limits.at_most": ("scipy.special.betainc", "kernels/test_error_limits.py"),
    "error_limits.extra_errors_of": ("naive_errors.add_errs", ESTIMATES, "c45"),
    "expectation.entropy_parts": ("naive_chance.all_tables", CHANCE, "expected_entropy"),
    "groupings.count_groupings": ("naive_candidates.groupings", GROUPINGS, "GroupingBlock"),
    "groupings.fill_groupings": ("naive_candidates.groupings", GROUPINGS, "GroupingBlock"),
    "groupings.grouping_maps": ("naive_candidates.groupings", GROUPINGS, "GroupingBlock"),
    "groupings.join_values": ("naive_candidates.groupings", GROUPINGS, "GroupingBlock"),
    "groupings.rank_values": ("naive_candidates.groupings", GROUPINGS, "ranks_of"),
    "merging.merge_intervals": ("naive_discretize.chimerge", SUPERVISED, "chi2-merge"),
    "multiway.find_multiway": ("naive_splits", "kernels/test_multiway.py"),
    "multiway.value_maps": ("naive_splits", "kernels/test_multiway.py"),
    "neighbour_sums.contextual_pairs": ("naive_pairs.contextual_merit", PAIRS, "ContextualMerit"),
    "neighbour_sums.nearest_pairs": ("naive_pairs.relieff", PAIRS, "ReliefF"),
    "numbering.preorder": ("naive_preorder", "kernels/test_numbering.py"),
    "pairs.all_pairs": ("naive_pairs.all_pairs", PAIRS, "AllPairs"),
    "pairs.pairs_left_out": ("naive_pairs.left_out", LEFT_OUT, "LeftOut"),
    "pairs.tabulate": ("naive_pairs.all_pairs", PAIRS, "AllPairs"),
    "pairs.tile_distances": ("naive_pairs.all_pairs", PAIRS, "AllPairs(decay"),
    "partition.branches_of": ("nodes.nodes", "kernels/test_partition.py"),
    "partition.count_branches": ("naive.class_weights", "kernels/test_partition.py"),
    "partition.count_children": ("naive.class_weights", "kernels/test_partition.py"),
    "partition.divide": ("naive.class_weights", "kernels/test_partition.py"),
    "partition.places_of": ("naive_children", "kernels/test_partition.py"),
    "partition.share_out": ("naive.class_weights", "kernels/test_partition.py"),
    "partition.scatter": ("naive_children", "kernels/test_partition.py"),
    "partition.scatter_sorted": ("naive_children", "kernels/test_partition.py"),
    "pruning.empty_leaves": ("naive_prune.raising", PRUNE, "Pessimistic"),
    "pruning.new_leaves": ("naive_prune.pessimistic", PRUNE, "Pessimistic(raising=False"),
    "pruning.renumbered": ("naive_prune.read_tree", PRUNE, "Pessimistic"),
    "pruning.summed_up": ("naive_prune.reduced_error", PRUNE, "reduced_error"),
    "raising.raise_branches": ("naive_prune.raising", PRUNE, "Pessimistic(cf=cf)"),
    "route.distribute": ("naive_ends", "kernels/test_route.py"),
    "route.main_leaf": ("naive_ends", "kernels/test_route.py"),
    "route.spread": ("naive_ends", "kernels/test_route.py"),
    "route.whole_leaves": ("naive_ends", "kernels/test_route.py"),
    "digits.count_digits": ("naive_digits", "kernels/test_digits.py"),
    "digits.count_leading": ("naive_key", "kernels/test_digits.py"),
    "digits.mark_inside": ("naive_inside", "kernels/test_digits.py"),
    "digitize.bin_numbers": ("numpy.searchsorted", "kernels/test_digitize.py"),
    "digitize.rank_numbers": ("numpy.unique", HERE),
    "shrinking.shrunk_shares": ("naive_grow.node_probabilities", PROBABILITIES, "shrunk"),
    "similarity.agreement_counts": ("naive_agreement_entropy", FEATURES, "similarity_entropy"),
    "similarity.binary_entropy": ("naive_agreement_entropy", FEATURES, "similarity_entropy"),
    "similarity.distance_sums": ("naive_entropy", FEATURES, "entropy_ranking"),
    "similarity.similarity_entropies": ("naive_entropy", FEATURES, "entropy_ranking"),
    "discretize.cumulated": ("naive_discretize.mdl_cuts", SUPERVISED, "mdlp"),
    "discretize.mdl_cuts": ("naive_discretize.mdl_cuts", SUPERVISED, "mdlp"),
    "discretize.ssv_cuts": ("naive_discretize.ssv_cuts", SUPERVISED, "ssv"),
    "table_sums.row_sum_scores": ("treelab.metrics.adapters.CountMetric", TABLE_SUMS, "formula"),
    "table_sums.whole_row_scores": ("treelab.metrics.adapters.CountMetric", TABLE_SUMS, "formula"),
    "table_sums.counts_to_sum": ("treelab.metrics.adapters.CountMetric", TABLE_SUMS),
    "table_sums.sums_of_counts": ("treelab.metrics.adapters.CountMetric", TABLE_SUMS),
    "table_sums.whole_sums": ("treelab.metrics.adapters.CountMetric", TABLE_SUMS),
    "pruning.subtree_prices": ("naive_price", "tree/test_lookahead.py"),
    "rows.class_margins": ("builtins.sum", "kernels/test_rows.py"),
    "rows.row_scores": ("skew", "kernels/test_rows.py"),
    "rows.row_size_scores": ("builtins.sum", "kernels/test_rows.py"),
    "unit_cases.unit_branches": ("naive_optimal.branchings", UNITS),
    "unit_cases.weight_outside": ("naive_weight_outside", UNITS),
    "value_order.order_by_share": ("naive_candidates.subset_order", GROUPINGS),
    "value_order.order_ranks": ("naive_candidates.subset_order", GROUPINGS),
    "weakest_links._break": ("naive_prune.weakest_links", PRUNE, "critical_alphas"),
    "weakest_links._shrink": ("naive_prune.weakest_links", PRUNE, "critical_alphas"),
    "weakest_links._weakest": ("naive_prune.weakest_links", PRUNE, "critical_alphas"),
    "weakest_links.weakest_links": ("naive_prune.weakest_links", PRUNE, "critical_alphas"),
}  # fmt: skip
BY_TABLE = "naive_formulas.FORMULAS", "metrics/test_formulas.py", "COUNT_METRICS"
OF_METRICS = dict.fromkeys(naive_formulas.FORMULAS, BY_TABLE) | {
    "algorithm-1": ("naive_pairs.algorithm_1", HERE),
    "contextual-merit": ("naive_pairs.contextual_merit", PAIRS, "ContextualMerit"),
    "contextual-merit-1": ("naive_pairs.contextual_merit", PAIRS, "ContextualMerit1"),
    "gain-ratio-c45": ("naive_grow.grow", "test_oracle.py"),
    "normalized": ("naive_chance.best_by_chance", "stats/test_permutation.py", "best_by_chance"),
    "normalized-contextual-merit": ("naive_pairs.contextual_merit", NORMALIZED, "shuffled"),
    "normalized-contextual-merit-1": ("naive_pairs.contextual_merit", NORMALIZED, "equation_35"),
    "normalized-pi": ("naive_pairs.pi_1", LEFT_OUT, "all_permutations"),
    "pi": ("naive_pairs.pi", PAIRS, "Pi()"),
    "pi-1": ("naive_pairs.pi_1", LEFT_OUT, "Pi1"),
    "relief": ("naive_pairs.relief", PAIRS, "Relief()"),
    "relieff": ("naive_pairs.relieff", PAIRS, "ReliefF(k)"),
    "relieff-exp-rank": ("naive_pairs.relieff", PAIRS, "spread"),
}  # fmt: skip
OF_DISCRETIZERS = {
    "bins": ("naive_discretize.best_bins", "discretize/test_bins.py"),
    "chi2-merge": ("naive_discretize.chimerge", SUPERVISED),
    "chimerge": ("naive_discretize.chimerge", SUPERVISED),
    "cuts": ("naive_discretize.interval", HERE),
    "equal-frequency": ("naive_discretize.equal_frequency_codes", UNSUPERVISED, "EqualFrequency"),
    "equal-width": ("naive_discretize.equal_width_code", UNSUPERVISED, "EqualWidth"),
    "greedy": ("naive_discretize.greedy", HERE),
    "kononenko-mdl": ("naive_discretize.kononenko", SUPERVISED),
    "mdlp": ("naive_discretize.mdl_cuts", SUPERVISED),
    "rounding": ("naive_discretize.rounded", HERE),
    "ssv": ("naive_discretize.ssv_cuts", SUPERVISED),
}  # fmt: skip
OF_PRUNERS = {
    "chance": ("naive_prune.chance", PRUNE, "Chance"),
    "collapse": ("naive_prune.collapsed", PRUNE, "Collapse"),
    "cost-complexity": ("naive_prune.cost_complexity", PRUNE, "CostComplexity"),
    "minimum-error": ("naive_prune.minimum_error", PRUNE, "MinimumError"),
    "none": ("naive_prune.read_tree", "tree/test_prune_calls.py", "NoPruning"),
    "pep": ("naive_prune.pep", PRUNE),
    "pessimistic": ("naive_prune.raising", PRUNE, "Pessimistic"),
    "reduced-error": ("naive_prune.reduced_error", PRUNE),
}
OF_STATISTICS = {
    "assess": ("sklearn.metrics.accuracy_score", "evaluate/test_assessment.py"),
    "bayesian_t": ("numpy.random.default_rng", "evaluate/test_statistics.py"),
    "corrected_t": ("scipy.stats.t", "evaluate/test_statistics.py"),
    "friedman": ("scipy.stats.friedmanchisquare", "evaluate/test_statistics.py"),
    "holm": ("naive_statistics.holm", HERE),
    "mean_and_error": ("scipy.stats.sem", "evaluate/test_statistics.py"),
    "paired_t": ("scipy.stats.ttest_rel", "evaluate/test_statistics.py"),
    "sign_test": ("naive_statistics.sign_test", HERE),
    "wilcoxon": ("naive_statistics.wilcoxon", HERE),
    "wins": ("naive_statistics.wins", HERE),
}
TWINS = OF_KERNELS | OF_METRICS | OF_DISCRETIZERS | OF_PRUNERS | OF_STATISTICS


def kernels():
    """Return for each kernel the names it uses."""
    found = {}
    for path in KERNELS.glob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef) and "kernel" in map(
                ast.unparse, node.decorator_list
            ):
                uses = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
                found[f"{path.stem}.{node.name}"] = uses
    return found


def test_every_kernel_has_a_twin_or_is_part_of_one_that_has():
    every, reached = kernels(), set(OF_KERNELS)
    while True:
        more = {
            name
            for name in every.keys() - reached
            if any(name.split(".")[1] in every[caller] for caller in reached)
        }
        if not more:
            break
        reached |= more

    assert len(every) > 100
    assert set(OF_KERNELS) <= set(every)
    assert sorted(every.keys() - reached) == []


LEARNING = ("cross_validate", "before_after", "by_content", "folds_by_content", "stratified_folds")
"""What grows trees, or deals out cases; the others are tests of significance."""


@pytest.mark.parametrize(
    ("registered", "twins"),
    [
        (tl.metric_names(), OF_METRICS),
        (tl.discretizer_names(), OF_DISCRETIZERS),
        (PRUNERS.names(), OF_PRUNERS),
        ([n for n in evaluate.__all__ if n.islower() and n not in LEARNING], OF_STATISTICS),
    ],
    ids=["metrics", "discretizers", "pruners", "statistics"],
)
def test_every_registered_name_has_a_twin(registered, twins):
    assert sorted(registered) == sorted(twins)


@pytest.mark.parametrize("name", TWINS)
def test_the_twin_exists_and_a_test_compares_them(name):
    twin, file, *word = TWINS[name]
    text = (TESTS / file).read_text("utf-8")
    called = word[0] if word else name.rsplit(".", 1)[-1]

    assert called in text
    assert twin.rsplit(".", 1)[-1] in text
    if "." in twin:
        assert resolve_name(twin)
    else:  # a function of that test
        assert f"def {twin}(" in text


# The twins that no other test asks


@steady(150)
@given(st.lists(st.sampled_from([np.nan, -0.0, 0.0, 1.5, -7.0, 1e300, 5e-324]), max_size=12))
def test_ranks_are_those_of_numpy(values):
    values = np.array(values, float)
    points, ranks = np.empty(len(values)), np.empty(len(values), np.int32)
    n = rank_numbers(values, np.argsort(values), points, ranks)
    known = ~np.isnan(values)
    expected, inverse = np.unique(values[known], return_inverse=True)

    assert points[:n].tolist() == expected.tolist()
    assert ranks[known].tolist() == inverse.tolist()
    assert set(ranks[~known].tolist()) <= {-1}


words = st.text(st.sampled_from("ab ,\"'"), min_size=1, max_size=4)


@steady(150)
@given(st.lists(st.lists(words, min_size=2, max_size=4), min_size=1, max_size=6), st.integers(1, 7))
def test_widths_of_rows_are_those_of_the_csv_module(rows, most):
    stream = io.StringIO(newline="")
    csv.writer(stream, lineterminator="\n").writerows(rows)
    expected = [len(row) for row in csv.reader(io.StringIO(stream.getvalue(), newline=""))]
    text = np.frombuffer(stream.getvalue().encode(), np.uint8).copy()

    assert row_widths(text, Dialect(ord(","), ord('"'), False), most).tolist() == expected[:most]


THREE = st.integers(0, 2)
CASES = st.lists(
    st.tuples(THREE, st.none() | THREE, st.none() | st.sampled_from([0.0, 0.5, 2.0]), THREE),
    min_size=1,
    max_size=10,
)


@pytest.mark.parametrize("update", ["relief", "merit"])
@pytest.mark.parametrize("radius", [None, 0.0, 1.0, 2.0])
@steady(25)
@given(CASES)
def test_algorithm_1_is_its_naive_twin(update, radius, rows):
    *columns, y = zip(*rows, strict=True)
    data = dataset(
        [np.array([-1 if v is None else v for v in column]) for column in columns[:2]]
        + [np.array(columns[2], dtype=float)],
        y, 3, labels={0: 3, 1: 3},
    )  # fmt: skip
    found = Algorithm1(update, radius)(root_node(Coded.of(data, Coding()))).values
    cases, numeric = [row[:-1] for row in rows], [False, False, True]
    expected = naive_pairs.algorithm_1(cases, list(y), numeric, update, radius)

    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)


LABELLED = st.lists(
    st.tuples(st.integers(0, 6), THREE, st.sampled_from([1.0, 2.0])), min_size=1, max_size=14
)


@pytest.mark.parametrize("metric", ["gain", "gini", "chi2"])
@steady(60)
@given(LABELLED, st.integers(1, 5))
def test_greedy_cuts_where_most_is_won(metric, cases, bins):
    x, y, w = (list(part) for part in zip(*cases, strict=True))
    found = tl.discretizer("greedy", metric=metric, bins=bins)
    cuts = found.fit(dataset([np.array(x, float)], y, 3, w)).cuts["x0"]
    expected = naive_discretize.greedy(x, y, w, naive_formulas.FORMULAS[metric], bins)

    assert cuts.tolist() == expected


@steady(100)
@given(st.lists(st.integers(-2000, 2000), min_size=1, max_size=20), st.integers(1, 6))
def test_rounding_joins_what_rounds_alike(values, most):
    data = dataset([np.array(values, float)], [0] * len(values))
    codes = tl.discretizer("rounding", values=most).fit(data).codes("x0", np.array(values, float))
    rounded = naive_discretize.rounded(values, most)

    assert codes.tolist() == [sorted(set(rounded)).index(r) for r in rounded]


@steady(100)
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=20),
       st.lists(st.integers(-9, 9), min_size=1, max_size=5, unique=True))  # fmt: skip
def test_cuts_by_hand_count_those_below(values, cuts):
    data = dataset([np.array(values, float)], [0] * len(values))
    coding = tl.discretizer("cuts", cuts=[float(cut) for cut in sorted(cuts)]).fit(data)
    codes = coding.codes("x0", np.array(values, float))

    assert codes.tolist() == [naive_discretize.interval(x, cuts) for x in values]


RESULTS = st.lists(
    st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=1, max_size=9
).filter(lambda pairs: len({abs(a - b) for a, b in pairs} - {0}) == len(pairs))


@steady(60)
@given(RESULTS)
def test_wins_signs_and_signed_ranks_are_counted_out(pairs):
    a, b = zip(*pairs, strict=True)
    statistic, p = naive_statistics.wilcoxon(a, b)

    assert evaluate.wins(a, b).wins == naive_statistics.wins(a, b)
    assert evaluate.wins(a, b).losses == naive_statistics.wins(b, a)
    assert evaluate.sign_test(a, b).p == pytest.approx(naive_statistics.sign_test(a, b), rel=1e-9)
    assert evaluate.wilcoxon(a, b).statistic == statistic
    assert evaluate.wilcoxon(a, b).p == pytest.approx(p, rel=1e-9)


@steady(100)
@given(st.lists(st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.3, 0.5, 1.0]), min_size=1, max_size=8))
def test_holm_goes_from_the_smallest_on(p):
    assert evaluate.holm(p).tolist() == pytest.approx(naive_statistics.holm(p), rel=1e-12)
