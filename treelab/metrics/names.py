"""What metrics are called in answers, where several stand side by side."""

from collections.abc import Sequence
from typing import Any

from treelab.errors import ParameterError
from treelab.metrics.registry import metric_names
from treelab.protocols import SplitMetric

Metrics = str | Sequence[str | SplitMetric]

USUAL = ("gain", "gain-ratio", "gini", "chi2", "relieff")
"""Asked beside the metric of a tree or learner where no others are named."""

AMISS = "give at least one metric, and none of them twice"


def name_of(metric: Any) -> str:
    """Return what a metric is called: its name, that of a function, or its text on one line."""
    text = metric if isinstance(metric, str) else getattr(metric, "__name__", None) or repr(metric)
    return " ".join(str(text).split())


def unique_names(metrics: Sequence[Any]) -> dict[str, Any]:
    """Return metrics by what they are called; others of the same name are numbered.

    >>> list(unique_names(["gain", lambda node: 1, lambda node: 2]))
    ['gain', '<lambda>', '<lambda> (2)']
    """
    found: dict[str, Any] = {}
    names = [name_of(metric) for metric in metrics]
    for place, (name, metric) in enumerate(zip(names, metrics, strict=True)):
        alike = [metrics[k] for k in range(place) if names[k] == name]
        if any(metric is other or metric == other for other in alike):
            raise ParameterError(AMISS)
        found[f"{name} ({len(alike) + 1})" if alike else name] = metric
    if not found:
        raise ParameterError(AMISS)
    return found


def asked(metrics: Metrics | None, own: Any) -> dict[str, Any]:
    """Return the metrics that are asked, by what they are called.

    Those that are named, 'all', or without any one's own and the usual ones.

    >>> list(asked(None, "mdl")), list(asked("gini", "mdl"))
    (['mdl', 'gain', 'gain-ratio', 'gini', 'chi2', 'relieff'], ['gini'])
    """
    if metrics is None:
        others = (name for name in USUAL if name != own)
        return unique_names([*([] if own is None else [own]), *others])
    if isinstance(metrics, str):
        return unique_names(metric_names() if metrics == "all" else [metrics])
    return unique_names(tuple(metrics))
