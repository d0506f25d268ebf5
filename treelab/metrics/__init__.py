"""Split metrics: short formulas over the statistics of a node."""

# Importing a module of formulas registers them.
from treelab.metrics import (  # noqa: F401
    accuracy,
    c45,
    chance,
    discrimination,
    evidence,
    gini,
    information,
    mdl,
    pi,
    separation,
    tests,
)
from treelab.metrics.c45 import GainRatioC45
from treelab.metrics.lift import CountMetric, from_counts
from treelab.metrics.normalized import Normalized
from treelab.metrics.registry import formula, metric, metric_info, metric_names

__all__ = [
    "CountMetric",
    "GainRatioC45",
    "Normalized",
    "formula",
    "from_counts",
    "metric",
    "metric_info",
    "metric_names",
]
