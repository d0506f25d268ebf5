"""From a formula over one table to a metric over a node."""

from collections.abc import Mapping
from typing import Any

import attrs

from treelab._typing import FloatArray
from treelab.protocols import Formula, NodeView, Scores


@attrs.frozen(repr=False)
class CountMetric:
    """A metric that judges each candidate by its own table.

    Where values are missing and have no branch of their own, the table holds the known cases
    only, and the score is multiplied by the share of known cases (C4.5, SPEC 6.4): a
    feature known for half of the cases tells half as much.
    """

    formula: Formula
    name: str | None = None
    parameters: Mapping[str, Any] = attrs.field(factory=dict, hash=False)

    def raw(self, tables: FloatArray) -> FloatArray:
        """Return the formula of tables (..., value, class)."""
        return self.formula(tables, **self.parameters)

    def __call__(self, node: NodeView) -> Scores:
        return node.counts.map(self.raw) * node.counts.known

    def __repr__(self) -> str:
        if self.name is None:
            return f"from_counts({getattr(self.formula, '__qualname__', self.formula)})"
        given = "".join(f", {key}={value!r}" for key, value in self.parameters.items())
        return f"metric({self.name!r}{given})"


def from_counts(formula: Formula) -> CountMetric:
    """Make a metric of a function from tables (..., value, class) to scores (...).

    Examples
    --------
    >>> import treelab as tl
    >>> def gini(t):
    ...     n = t.sum((-2, -1))
    ...     within = (t**2).sum(-1) / t.sum(-1).clip(1e-300)
    ...     return within.sum(-1) / n - (t.sum(-2) ** 2).sum(-1) / n**2
    >>> mine = tl.grow(tl.load("voting"), tl.from_counts(gini), pruner="none")
    >>> mine == tl.grow(tl.load("voting"), "gini", pruner="none")
    True
    """
    return CountMetric(formula)
