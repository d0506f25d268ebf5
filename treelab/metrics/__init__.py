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
    pi_context,
    separation,
    significance,
)
from treelab.metrics.adapters import CountMetric, PairMetric, from_counts, from_pairs
from treelab.metrics.c45 import GainRatioC45
from treelab.metrics.normalized import Normalized
from treelab.metrics.pi import Pi
from treelab.metrics.pi_cases import PiCases, pi_cases
from treelab.metrics.pi_context import Pi1
from treelab.metrics.pi_matrices import PiMatrices, pi_matrices
from treelab.metrics.registry import (
    formula,
    metric,
    metric_info,
    metric_names,
    metric_parameters,
    metric_text,
)
from treelab.stats.pairs.schemes import AllPairs, Contextual, LeftOut, Nearest

__all__ = [
    "AllPairs",
    "Contextual",
    "CountMetric",
    "GainRatioC45",
    "LeftOut",
    "Nearest",
    "Normalized",
    "PairMetric",
    "Pi",
    "Pi1",
    "PiCases",
    "PiMatrices",
    "formula",
    "from_counts",
    "from_pairs",
    "metric",
    "metric_info",
    "metric_names",
    "metric_parameters",
    "metric_text",
    "pi_cases",
    "pi_matrices",
]
