"""The best single setting, and how sure that is: data sets drawn anew."""

import attrs
import numpy as np

from treelab.experiment import stream
from treelab.papers.pi_question.halving import DEFAULT
from treelab.papers.pi_question.table import Finals
from treelab.protocols import FloatArray

BOOTSTRAPS = 2000


@attrs.frozen
class Single:
    """The setting of the largest mean over the families, beside the paper's.

    Parameters
    ----------
    name, mean
        The setting and its mean accuracy.
    share
        In what share of bootstrap samples of the families it is the best.
    lead, low, high
        By how much it is above the paper's setting, with the 95 % interval of the bootstrap.
    rivals
        The settings that are the best in at least 5 % of the samples.
    """

    name: str
    mean: float
    share: float
    lead: float
    low: float
    high: float
    rivals: tuple[str, ...]


def of_families(finals: Finals, values: FloatArray) -> FloatArray:
    """Return (family, ...): the mean of the data sets of each family."""
    kinds = sorted(set(finals.families))
    rows = [values[[family == kind for family in finals.families]].mean(axis=0) for kind in kinds]
    return np.stack(rows)


def best_of_all(finals: Finals) -> Single:
    """Return the best single setting of Pi over all data sets."""
    names = finals.settings
    columns = [finals.metrics.index(name) for name in names]
    table = of_families(finals, finals.means[:, columns])
    rng = stream(0, "families drawn anew")
    drawn = table[rng.integers(0, len(table), (BOOTSTRAPS, len(table)))].mean(axis=1)
    best, default = int(np.argmax(table.mean(axis=0).round(9))), names.index(DEFAULT)
    wins = np.bincount(drawn.argmax(axis=1), minlength=len(names)) / BOOTSTRAPS
    low, high = np.quantile(drawn[:, best] - drawn[:, default], [0.025, 0.975])
    return Single(
        names[best], float(table[:, best].mean()), float(wins[best]),
        float((table[:, best] - table[:, default]).mean()), float(low), float(high),
        tuple(name for name, share in zip(names, wins, strict=True) if share >= 0.05),
    )  # fmt: skip
