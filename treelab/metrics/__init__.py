"""Split metrics: short formulas over the statistics of a node.

Beside the metrics stands what a formula of one's own is made of: sums over tables (`of_classes`,
`of_values`, `entropy`, `sum_of_squares`), what chance gives (`expected_gini`, `expected_entropy`,
`over_permuted_classes`, `over_shuffled_features`), and all cases as a metric sees them (`root_of`).
"""

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
from treelab.stats.candidates.blocks import in_batches
from treelab.stats.formulas.expectation import (
    expected_entropy,
    expected_entropy_24,
    expected_entropy_26,
    expected_gini,
)
from treelab.stats.formulas.impurity import entropy, of_classes, of_values, sum_of_squares
from treelab.stats.formulas.permutation import over_permuted_classes, over_shuffled_features
from treelab.stats.pairs.schemes import AllPairs, Contextual, LeftOut, Nearest
from treelab.stats.stores.in_memory import root_of

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
    "entropy",
    "expected_entropy",
    "expected_entropy_24",
    "expected_entropy_26",
    "expected_gini",
    "formula",
    "from_counts",
    "from_pairs",
    "in_batches",
    "metric",
    "metric_info",
    "metric_names",
    "metric_parameters",
    "metric_text",
    "of_classes",
    "of_values",
    "over_permuted_classes",
    "over_shuffled_features",
    "pi_cases",
    "pi_matrices",
    "root_of",
    "sum_of_squares",
]
