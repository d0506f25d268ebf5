"""Ranking for one case: what the value it has says, against all other values (duch2004).

Every feature becomes a question: has a case the value of this one? Any metric judges those.
"""

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.coded import Axis, Coded
from treelab.metrics.information import j_of_values
from treelab.protocols import Formula, NodeView, Scores
from treelab.stats.formulas.impurity import share

HAS_IT, HAS_ANOTHER = 0, 1


def as_questions(coded: Coded, case: int) -> Coded:
    """Return 0 for cases that have the value of the given one, else 1; missing stays missing."""
    missing = np.iinfo(coded.codes.dtype).max
    own = coded.codes[:, [case]]
    asked = np.where(coded.codes == own, HAS_IT, HAS_ANOTHER).astype(coded.codes.dtype)
    asked[(coded.codes == missing) | (own == missing)] = missing
    asked.flags.writeable = False
    return attrs.evolve(coded, codes=asked, axes=(Axis("nominal", 2),) * len(coded.axes))


@attrs.frozen
class OfValue:
    """A metric of the one value: a formula of the table (has it or another, class)."""

    formula: Formula

    def __call__(self, node: NodeView) -> Scores:
        return node.counts.map(self.formula)


def j_of_value(table: FloatArray) -> FloatArray:
    """Return the part of the value in the J-measure: p(x) sum_i p(i|x) log2 p(i|x)/p(i)."""
    return j_of_values(table)[..., HAS_IT]


def imc_of_value(table: FloatArray) -> FloatArray:
    """Return max_i p(i|x): how surely the value tells the class."""
    own = table[..., HAS_IT, :]
    return share(own.max(axis=-1), own.sum(axis=-1))


OF_VALUES = {"j-value": OfValue(j_of_value), "imc-value": OfValue(imc_of_value)}
"""What judges single values, by name; all other metrics judge the value against the rest."""
