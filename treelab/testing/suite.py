"""All checks under one name."""

from collections.abc import Collection, Iterator

from treelab.errors import UnknownNameError
from treelab.metrics import metric as find_metric
from treelab.protocols import SplitMetric
from treelab.testing import checks, uses
from treelab.testing.checks import Check

CHECKS: tuple[Check, ...] = (
    checks.gives_one_score_per_candidate_or_feature,
    checks.gives_finite_scores_or_nan,
    checks.gives_the_same_scores_twice,
    checks.changes_no_array,
    checks.survives_a_node_of_one_class,
    checks.survives_a_node_of_one_case,
    checks.survives_missing_values,
    checks.does_not_depend_on_the_order_of_cases,
    checks.does_not_depend_on_the_names_of_values,
    checks.does_not_depend_on_the_names_of_classes,
    checks.takes_a_weight_of_two_for_two_cases,
    uses.never_lets_a_constant_column_win,
    checks.lets_nothing_beat_a_copy_of_the_class,
    checks.never_lets_noise_win_because_values_are_missing,
    uses.grows_a_tree,
    uses.can_be_pickled,
    uses.can_be_pasted_back,
    uses.works_inside_normalized,
)


def metric_checks() -> Iterator[tuple[str, Check]]:
    """Yield every check by name, for `pytest.mark.parametrize`.

    Examples
    --------
    >>> import pytest
    >>> @pytest.mark.parametrize(("name", "check"), metric_checks())
    ... def test_my_metric(name, check):
    ...     check(my_metric)
    """
    for check in CHECKS:
        yield check.__name__, check


def check_metric(metric: str | SplitMetric, *, skip: Collection[str] = ()) -> None:
    """Put a metric to every check; the first one that fails raises `ConformanceError`.

    Parameters
    ----------
    metric
        A metric or its name.
    skip
        The names of checks the metric cannot satisfy, as `metric_checks` gives them.

    Examples
    --------
    >>> import treelab as tl
    >>> check_metric("gain")
    >>> def gini_of_rows(node):
    ...     return len(node.rows) * tl.metric("gini")(node)
    >>> check_metric(gini_of_rows)
    Traceback (most recent call last):
        ...
    treelab.testing.verdict.ConformanceError: a case of weight 2 must count as two cases, but on
    weighted data with cases for weights the score of candidate 0 is 0.811111111111
    instead of 0.405555555556
    """
    known = dict(metric_checks())
    for name in skip:
        if name not in known:
            raise UnknownNameError("check", name, known)
    found = find_metric(metric)
    for name, check in known.items():
        if name not in skip:
            check(found)
