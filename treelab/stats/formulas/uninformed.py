"""Scores of features whose values are missing for some cases (SPEC 12.1).

*no information*  all classes take the branches of a candidate in the proportions of its known
                  cases: n_ij = n_i n_j / n.
"""

import numpy as np

from treelab._typing import FloatArray
from treelab.protocols import Formula, Scores
from treelab.stats.candidates.blocks import in_batches
from treelab.stats.formulas.impurity import independent, of_classes, of_values


def uninformed(
    formula: Formula, tables: FloatArray, class_counts: FloatArray
) -> tuple[Scores, Scores]:
    """Return what no information gives: with the classes of the known cases, and with all.

    The tables (table, value, class) hold the known cases of nodes of the given classes (table,
    class). What the formula cannot judge without information is worth 0 without it.
    """
    values = of_values(tables)
    of_known = in_batches(formula, independent(values, of_classes(tables)))
    of_all = in_batches(formula, independent(values, class_counts))
    judged = np.isfinite(of_known + of_all)
    return np.where(judged, of_known, 0.0), np.where(judged, of_all, 0.0)


def shrunk(
    scores: Scores, known: FloatArray, of_known: Scores | float, of_all: Scores | float
) -> Scores:
    """Shrink scores of known cases by their share towards those of no information.

    What the known cases have over no information counts by their share, on top of what no
    information gives the whole node. So a feature that tells nothing scores the same however many
    values are missing, also where a formula depends on the number of cases, or the values of
    one class are missing more often than those of another.
    """
    return np.asarray(of_all + known * (scores - of_known))
