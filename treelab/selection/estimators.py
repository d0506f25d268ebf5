"""How the probabilities of numeric features are estimated where they are not counted.

An estimator makes the table (interval, class) of one feature; any formula over tables judges it.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from treelab._typing import FloatArray, IntArray
from treelab.data.class_weight import totals_of
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError
from treelab.metrics.adapters import CountMetric
from treelab.protocols import SplitMetric
from treelab.selection.fuzzy import fuzzy_table
from treelab.selection.kde import kernel_table
from treelab.stats.units import unit_of

GRID = 64
"""So many intervals of equal width stand for the line where no discretizer cuts it."""

ToTable: TypeAlias = Callable[[FloatArray, IntArray, FloatArray, int, FloatArray], FloatArray]
"""Makes a table of sorted values, their classes and weights, the number of classes and edges."""

ESTIMATORS: dict[str, ToTable] = {"kernel": kernel_table, "fuzzy": fuzzy_table}


def check_judges_tables(metric: SplitMetric, estimator: str) -> CountMetric:
    """Return a metric that judges tables one by one, or say that this one does not."""
    if not hasattr(metric, "of_tables"):
        raise ParameterError(
            f"estimator={estimator!r} needs a metric that judges tables, such as 'gain', "
            f"got {metric!r}"
        )
    return metric  # type: ignore[return-value]


def estimated_scores(
    data: Dataset, coding: Coding, metric: SplitMetric, estimator: str
) -> dict[int, float]:
    """Return the scores of the numeric features, by number."""
    judge, to_table = check_judges_tables(metric, estimator), ESTIMATORS[estimator]
    found = {}
    for f, column in enumerate(data.schema.features):
        if not column.is_nominal:
            found[f] = _score(data, f, coding.cuts.get(column.name), judge, to_table)
    return found


def _score(
    data: Dataset, feature: int, cuts: FloatArray | None, metric: CountMetric, to_table: ToTable
) -> float:
    values = data.columns[feature]
    known = np.flatnonzero(~np.isnan(values))
    # Sums do not depend on the order of the cases.
    known = known[np.lexsort((data.weights[known], data.y[known], values[known]))]
    unit = unit_of(values[known])
    x, y, weights = values[known] / unit, data.y[known], data.weights[known]
    if not len(x) or np.ptp(x) == 0:
        return np.nan
    edges = np.linspace(x[0], x[-1], GRID + 1)[1:-1] if cuts is None else cuts / unit
    table = to_table(x, y, weights, len(data.classes), edges)
    class_counts = totals_of(data)
    return float(metric.of_known(table[None], class_counts[None])[0])
