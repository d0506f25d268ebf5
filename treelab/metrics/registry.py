"""Metrics by name, with what a reader wants to know of each."""

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature, getdoc, signature
from typing import Any, Literal, TypeVar

import attrs
import numpy as np

from treelab._registry import Registry, Spec
from treelab._typing import FloatArray
from treelab.errors import DataError, ParameterError
from treelab.metrics.adapters import CountMetric
from treelab.protocols import Formula, SplitMetric

Needs = Literal["counts", "pairs", "any"]
"""`any`: what the metric inside needs."""
Factory = TypeVar("Factory", bound=Callable[..., Any])


@attrs.frozen
class MetricInfo:
    """One line of `treelab metrics`."""

    name: str
    idea: str
    source: str
    range: str
    needs: Needs = "counts"
    lower_is_better: bool = False


METRICS: Registry[SplitMetric] = Registry("metric", "treelab.metrics")
_FORMULAS: Registry[CountMetric] = Registry("count formula", "treelab.formulas")
_INFOS: dict[str, MetricInfo] = {}


def register(info: MetricInfo) -> Callable[[Factory], Factory]:
    """Make the decorated class or function the maker of the named metric."""

    def add(factory: Factory) -> Factory:
        METRICS.add(info.name, factory)
        _INFOS[info.name] = info
        return factory

    return add


def register_formula(
    info: MetricInfo,
    score: Formula | None = None,
    expectation: Formula | None = None,
    approximation: Formula | None = None,
    signed: bool = False,
    check: Callable[..., None] | None = None,
    uninformed: float | None = None,
) -> Callable[[Factory], Factory]:
    """Make the decorated formula a metric.

    The formula is the paper's. Where lower is better it is negated; `score` ranks in its place.
    `expectation`, `approximation` and `signed` say what chance gives the formula, `uninformed` what
    a table without information gives what ranks, where that is one number: see `CountMetric`.
    `check` is given the parameters of a metric before it is made.
    """

    def add(formula: Factory) -> Factory:
        def lifted(**parameters: Any) -> CountMetric:
            if check is not None:
                check(**parameters)
            return CountMetric(
                formula, info.name, parameters, score, info.lower_is_better, expectation,
                approximation, signed, uninformed,
            )  # fmt: skip

        # The parameters of the metric are those of the formula behind the table.
        options = list(signature(formula).parameters.values())[1:]
        lifted.__signature__ = Signature(options)  # type: ignore[attr-defined]
        lifted.__doc__ = formula.__doc__
        _FORMULAS.add(info.name, lifted)
        register(info)(lifted)
        return formula

    return add


def metric(spec: Spec | SplitMetric, **parameters: Any) -> SplitMetric:
    """Return a metric by name, or the metric itself.

    A name may bring its parameters, as text or as a table.

    Examples
    --------
    >>> metric("gain")
    metric('gain')
    >>> metric("relieff:k=5") == metric({"name": "relieff", "k": 5}) == metric("relieff", k=5)
    True
    >>> metric("gainratio")
    Traceback (most recent call last):
        ...
    treelab.errors.UnknownNameError: unknown metric 'gainratio': did you mean 'gain-ratio'?
    """
    if isinstance(spec, str | Mapping):
        return METRICS.make(spec, **parameters)
    if not callable(spec):
        raise ParameterError(f"expected the name of a metric or a callable, got {spec!r}")
    if parameters:
        raise ParameterError("parameters go with the name of a metric, not with a metric itself")
    return spec.metric if isinstance(spec, CheckedFormula) else spec


def metric_names() -> list[str]:
    """Return the names of all metrics, sorted."""
    return METRICS.names()


def metric_text(name: str) -> str:
    """Return what is written of a metric: formula, source, bias, cost and parameters."""
    return getdoc(METRICS.factory(name)) or ""


def metric_parameters(name: str) -> dict[str, Any]:
    """Return the parameters of a metric with their defaults."""
    return {
        parameter.name: None if parameter.default is Parameter.empty else parameter.default
        for parameter in signature(METRICS.factory(name)).parameters.values()
    }


def metric_info(name: str) -> MetricInfo:
    """Return what is known of a metric; one from another package may say little."""
    METRICS.factory(name)
    return _INFOS.get(name) or MetricInfo(name, "from another package", "", "")


@attrs.frozen
class CheckedFormula:
    """A count formula for people: checks the table and returns a plain number for a single one."""

    metric: CountMetric

    def __call__(self, table: Any) -> Any:
        """Return the formula's value, negated where lower is better."""
        tables = check_table(table)
        sign = -1.0 if self.metric.lower_is_better else 1.0
        return _plain(sign * self.metric.raw(tables))

    def raw(self, table: Any) -> Any:
        """Return the quantity of the paper, in its own direction."""
        return _plain(self.metric.raw(check_table(table)))


def formula(name: str, **parameters: Any) -> CheckedFormula:
    """Return the count formula of a metric as a function of a table (value, class).

    Leading axes are allowed: tables (..., value, class) give scores (...). Where the paper calls
    lower values better the value is negated; `.raw` is the paper's own. A P-value is the paper's,
    though the metric ranks by its logarithm.

    Examples
    --------
    >>> round(formula("gain")([[2, 3], [4, 0], [3, 2]]), 6)
    0.24675
    >>> round(formula("entropy-distance").raw([[2, 3], [4, 0], [3, 2]]), 6)
    2.024193
    """
    if name not in _FORMULAS.names() and name in METRICS.names():
        raise ParameterError(f"metric {name!r} judges a whole node: it is no formula over a table")
    return CheckedFormula(_FORMULAS.make(name, **parameters))


def _plain(value: FloatArray) -> Any:
    return float(value) if np.ndim(value) == 0 else value


def check_table(table: Any) -> FloatArray:
    """Return a table (..., value, class) as an array, or say what is wrong with it."""
    try:
        counts = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError("a table must be an array of numbers (..., value, class)") from None
    if counts.ndim < 2:
        raise DataError(f"a table must be (..., value, class), got shape {counts.shape}")
    if not np.all(np.isfinite(counts)) or np.any(counts < 0):
        raise DataError("the counts of a table must be finite numbers of at least 0")
    if np.any(counts.sum(axis=(-2, -1)) <= 0):
        raise DataError("a table must hold at least one case, but all its counts are 0")
    return counts
