"""The public conformance suite: every metric passes every check, and every check can fail."""

import pickle

import attrs
import numpy as np
import pytest

import treelab as tl
from treelab.errors import UnknownNameError
from treelab.metrics import GainRatioC45
from treelab.metrics.discrimination import Algorithm1, ContextualMerit, Relief
from treelab.metrics.pi import Pi
from treelab.protocols import FeatureScores
from treelab.stats.candidates.grouped import GroupingBlock, MultiwayBlock
from treelab.testing import ConformanceError, check_metric, examples, metric_checks, uses

GAIN = tl.metric("gain")
CHECKS = dict(metric_checks())
# Parameters that change how a metric looks at a node, and what that metric cannot promise.
VARIANTS = {
    GainRatioC45(gate=False, price=False): [],
    Algorithm1("merit", None): [],
    ContextualMerit(k="all"): [],
    # Among classes of equal size the first listed is the smaller one.
    ContextualMerit(rows="smaller"): ["does_not_depend_on_the_names_of_classes"],
    Relief(normalize=False, euclid=False): [],
    Pi(alpha=0.5): [],
    # Near pairs that agree in class may differ in value, so that few large values are worth more.
    Pi(decay="radius", alpha=2.0): ["lets_nothing_beat_a_copy_of_the_class"],
    tl.metric("ssv", lexicographic=True): [],
    tl.metric("weight-of-evidence", m=2): [],
    tl.metric("weighted-information", joint=True): [],
    tl.metric("hellinger", many="rest-max"): [],
}


CANNOT = {
    # Its features are shuffled ten times, from the order of the labels on.
    "normalized-contextual-merit": ["does_not_depend_on_the_names_of_values"],
}


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("name", tl.metric_names())
def test_every_metric_passes_every_check(name, check):
    if check in CANNOT.get(name, ()):
        with pytest.raises(ConformanceError):
            CHECKS[check](tl.metric(name))
    else:
        CHECKS[check](tl.metric(name))


@pytest.mark.parametrize("metric", VARIANTS, ids=repr)
def test_parameters_do_not_break_a_metric(metric):
    check_metric(metric, skip=VARIANTS[metric])
    for name in VARIANTS[metric]:
        with pytest.raises(ConformanceError):
            CHECKS[name](metric)


def own_gain(node):
    """A user's metric: a function, with a formula of its own."""

    def cases_won(tables):
        return tables.max(axis=-1).sum(axis=-1) - tables.sum(axis=-2).max(axis=-1)

    return node.counts.map(cases_won) / node.class_counts.sum()


def own_formula(tables):
    return (tables**2).sum(axis=(-2, -1)) / tables.sum(axis=(-2, -1)) ** 2


@pytest.mark.parametrize(
    "metric",
    ["gini", own_gain, tl.from_counts(own_formula), tl.from_counts(lambda t: 2 * own_formula(t))],
    ids=["name", "function", "formula", "lambda"],
)
def test_names_functions_and_formulas_can_be_checked(metric):
    check_metric(metric)


# A broken metric for every check


def of_wrong_shape(node):
    return GAIN(node)[:-1]


def of_features_for_candidates(node):
    return FeatureScores(GAIN(node))


def of_words(node):
    return ["good"] * len(node.counts)


def infinite(node):
    return np.where(GAIN(node) > 0, np.inf, 0.0)


class Random:
    def __init__(self):
        self.rng = np.random.default_rng(0)

    def __call__(self, node):
        return self.rng.random(len(node.counts))


def spoiling_tables(node):
    for block in node.counts.blocks:
        if isinstance(block, GroupingBlock):
            block.found.tables[...] += 1.0
        if isinstance(block, MultiwayBlock):
            block.cells[...] += 1.0  # tables of cuts are made anew each time
    return GAIN(node)


def spoiling_weights(node):
    node.weights[:] = 1.0
    node.weights[0] = 2.0
    return GAIN(node)


def failing_on_one_class(node):
    return GAIN(node) / (1 / (int((node.class_counts > 0).sum()) - 1))


def infinite_on_one_class(node):
    others = np.count_nonzero(node.class_counts) - 1
    return GAIN(node) + (0.0 if others else np.inf)


def failing_on_one_case(node):
    return GAIN(node) + node.counts.feature.max() * 0.0


def lost_without_values(node):
    return np.where(
        node.counts.known.min() < 1 or node.context.missing_is_value, np.nan, GAIN(node)
    )


def by_first_case(node):
    return GAIN(node) + node.rows[0] + node.coded.codes[0][node.rows[0]]


def by_first_value(node):
    return node.counts.map(lambda tables: tables[:, 0].sum(axis=-1))


def by_first_class(node):
    return node.counts.map(lambda tables: tables[:, :, 0].max(axis=-1))


def of_rows(node):
    return GAIN(node) * len(node.rows)


def of_constants_only(node):
    values = np.full(len(node.coded.axes), np.nan)
    constant = [len(np.unique(codes)) == 1 for codes in node.coded.codes]
    values[constant] = 1.0
    return FeatureScores(values)


def worst_first(node):
    return -GAIN(node)


def shrunk_towards_0(node):
    scores = tl.metric("normalized-entropy")(node)
    return scores - (1 - node.counts.known) * np.abs(scores)


def blind(node):
    return np.full(len(node.counts), np.nan)


class Unpicklable:
    def __call__(self, node):
        return GAIN(node)

    def __reduce__(self):
        raise pickle.PicklingError("no")


class Forgetful:
    def __init__(self, factor=3.0):
        self.factor = factor

    def __call__(self, node):
        return self.factor * GAIN(node)

    def __reduce__(self):
        return Forgetful, (1.0,)


@attrs.frozen
class Quiet:
    factor: float = attrs.field(default=1.0, repr=False)

    def __call__(self, node):
        return self.factor * GAIN(node)


@attrs.frozen(repr=False)
class Mute:
    def __call__(self, node):
        return GAIN(node)


class Tired:
    """Works a few times."""

    def __init__(self):
        self.calls = 0

    def __call__(self, node):
        self.calls += 1
        return GAIN(node) if self.calls < 3 else GAIN(node)[1:]


BROKEN = [
    ("gives_one_score_per_candidate_or_feature", of_wrong_shape, r"one score per candidate.*shape"),
    ("gives_one_score_per_candidate_or_feature", of_features_for_candidates, r"one .* per feature"),
    ("gives_one_score_per_candidate_or_feature", of_words, "must give numbers"),
    ("gives_finite_scores_or_nan", infinite, r"finite or NaN, but on .* are inf$"),
    ("gives_the_same_scores_twice", Random(), "the same node must have the same scores"),
    ("changes_no_array", spoiling_tables, r"changed the tables from \S+ to \S+$"),
    ("changes_no_array", spoiling_weights, r"changed the weights of the node from 1 to 2$"),
    ("survives_a_node_of_one_class", failing_on_one_class, "raised ZeroDivisionError"),
    ("survives_a_node_of_one_class", infinite_on_one_class, "on data of one class"),
    ("survives_a_node_of_one_case", failing_on_one_case, "on a single case it raised ValueError"),
    ("survives_missing_values", lost_without_values, r"0 of \d+ candidates can be judged"),
    ("does_not_depend_on_the_order_of_cases", by_first_case, "order of the cases must not matter"),
    ("does_not_depend_on_the_names_of_values", by_first_value, "labels must not matter"),
    ("does_not_depend_on_the_names_of_classes", by_first_class, "classes must not matter"),
    ("takes_a_weight_of_two_for_two_cases", of_rows, "weight 2 must count as two cases"),
    ("never_lets_a_constant_column_win", of_constants_only, "tests nothing instead of x2"),
    ("lets_nothing_beat_a_copy_of_the_class", worst_first, r"it scores \S+ and another candidate"),
    (
        "never_lets_noise_win_because_values_are_missing",
        shrunk_towards_0,
        r"its lead over noise, but on .* it scores -1\.\d+ and noise -1\.\d+$",
    ),
    ("grows_a_tree", blind, r"must grow a tree.* one of 1 leaves"),
    ("can_be_pickled", Unpicklable(), "must survive pickle, but .* raised no$"),
    ("can_be_pickled", Forgetful(), r"must survive pickle, but on mixed data .* instead of"),
    ("can_be_pasted_back", Quiet(2.0), r"but Quiet\(\) made Quiet\(\)$"),
    ("can_be_pasted_back", Mute(), r"must make it again, but <.*> raised"),
]


@pytest.mark.parametrize(
    ("check", "metric", "words"),
    BROKEN,
    ids=[f"{check}-{place}" for place, (check, *_) in enumerate(BROKEN)],
)
def test_a_broken_metric_fails_its_check_in_one_sentence(check, metric, words):
    with pytest.raises(ConformanceError, match=words) as failure:
        CHECKS[check](metric)

    assert "\n" not in str(failure.value)
    with pytest.raises(ConformanceError):
        check_metric(metric)


def test_every_check_has_a_metric_that_fails_it():
    assert {check for check, _, _ in BROKEN} | {"works_inside_normalized"} >= set(CHECKS)


def test_a_metric_that_cannot_be_asked_again_fails_inside_normalized():
    uses.works_inside_normalized(GAIN)
    with pytest.raises(ConformanceError, match="must judge any node"):
        uses.works_inside_normalized(Tired())


# The suite


def test_names_are_sentences_and_unique():
    names = [name for name, _ in metric_checks()]

    assert len(set(names)) == len(names)
    assert all(name.count("_") >= 2 for name in names)


def test_checks_can_be_skipped_by_name():
    check_metric(of_rows, skip=["takes_a_weight_of_two_for_two_cases"])


def test_only_what_exists_can_be_skipped():
    with pytest.raises(
        UnknownNameError, match="unknown check 'grows_a_tre': did you mean 'grows_a_"
    ):
        check_metric("gain", skip=["grows_a_tre"])


def test_the_examples_are_what_they_say():
    data = examples.with_missing_values()

    assert set(data.missing()) == set(data.features)
    assert len(np.unique(examples.of_one_class().y)) == 1
    assert len(examples.of_one_case()) == 1
    assert set(examples.weighted().weights) == {1.0, 2.0, 3.0}
    assert len(examples.duplicated(examples.weighted())) == examples.weighted().weights.sum()
    assert list(examples.with_codes_reversed(data).schema.features[2].labels) == list("dcba")
    reversed_back = examples.with_classes_reversed(examples.with_classes_reversed(data))
    assert (reversed_back.y == data.y).all()
