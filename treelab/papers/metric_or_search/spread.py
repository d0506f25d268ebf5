"""How much the choice of a metric changes under each search."""

import attrs
import numpy as np

from treelab.evaluate import holm, mean_and_error, wilcoxon
from treelab.experiment import stream
from treelab.papers.metric_or_search.cells import Cells
from treelab.papers.metric_or_search.variance import friedman_p
from treelab.protocols import FloatArray

BOOTSTRAPS = 2000


@attrs.frozen
class UnderSearch:
    """What the metrics come to under one search.

    Parameters
    ----------
    mean
        Over data sets and metrics.
    lowest, highest
        The metrics with the smallest and the largest mean.
    range, error
        The difference of these means, and its standard error.
    p
        Of Friedman's test of the metrics, corrected for the number of searches.
    spread
        The standard deviation over the metrics within a data set, mean over the data sets.
    change, p_change
        By how much the spread is larger than with the first search, and the P-value of Wilcoxon's
        test of that, corrected likewise; NaN for the first search itself.
    """

    search: str
    mean: float
    lowest: str
    highest: str
    range: float
    error: float
    p: float
    spread: float
    change: float
    p_change: float


def under_searches(cells: Cells) -> list[UnderSearch]:
    """Return what the metrics come to under each search, in order."""
    tables = np.moveaxis(cells.values, 2, 0)
    means, spreads = tables.mean(axis=1), tables.std(axis=2, ddof=1)
    tested = holm([friedman_p(table) for table in tables])
    compared = holm([wilcoxon(spread, spreads[0]).p for spread in spreads[1:]])
    return [
        UnderSearch(
            search=search,
            mean=float(means[i].mean()),
            lowest=cells.metrics[int(means[i].argmin())],
            highest=cells.metrics[int(means[i].argmax())],
            range=float(np.ptp(means[i])),
            error=range_error(tables[i]),
            p=float(tested[i]),
            spread=float(spreads[i].mean()),
            change=float((spreads[i] - spreads[0]).mean()),
            p_change=float(compared[i - 1]) if i else np.nan,
        )
        for i, search in enumerate(cells.searches)
    ]


def range_error(table: FloatArray) -> float:
    """Return the standard error of the range of means (data set, metric), by bootstrap of sets."""
    rng = stream(0, "data sets drawn anew")
    drawn = rng.integers(0, len(table), (BOOTSTRAPS, len(table)))
    return float(np.ptp(table[drawn].mean(axis=1), axis=1).std(ddof=1))


@attrs.frozen
class BesideOptimal:
    """A search, mean over the metrics, beside the optimal trees: means over the data sets.

    `lead` is what the optimal trees have more, `error` its standard error, `p` Wilcoxon's P-value
    corrected for the number of searches.
    """

    search: str
    mean: float
    lead: float
    error: float
    p: float


def beside_optimal(cells: Cells) -> list[BesideOptimal]:
    """Compare the optimal trees with those of every search, over the data sets."""
    of_search = cells.values.mean(axis=1).T
    leads = cells.optimal - of_search
    tested = holm([wilcoxon(cells.optimal, values).p for values in of_search])
    return [
        BesideOptimal(
            name, float(of_search[i].mean()), float(leads[i].mean()), mean_and_error(leads[i])[1],
            float(tested[i]),
        )
        for i, name in enumerate(cells.searches)
    ]  # fmt: skip
