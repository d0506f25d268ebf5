"""From a formula over one table to a metric over a node."""

from collections.abc import Hashable, Mapping
from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.errors import ParameterError
from treelab.protocols import FeatureScores, Formula, NodeView, PairScheme, Scores


@attrs.frozen(repr=False)
class CountMetric:
    """A metric that judges each candidate by its own table.

    Where values are missing and have no branch of their own, the table holds the known cases
    only, and the score is lowered by the share of unknown ones; for a score of at least 0 that
    is C4.5's multiplication by the share of known cases (SPEC 6.4): a feature known for half of
    the cases tells half as much.

    Parameters
    ----------
    formula
        The quantity of the paper, from tables (..., value, class) to numbers (...).
    name
        The name it is registered by, if any.
    parameters
        What else the formula is given.
    score
        What ranks the tables, larger being better; None for the formula itself.
    """

    formula: Formula
    name: str | None = None
    parameters: Mapping[str, Any] = attrs.field(factory=dict, hash=False)
    score: Formula | None = None

    def raw(self, tables: FloatArray) -> FloatArray:
        """Return the quantity of the paper, in its own direction."""
        return self.formula(tables, **self.parameters)

    def of_tables(self, tables: FloatArray) -> FloatArray:
        """Return the scores of tables (..., value, class)."""
        return (self.score or self.formula)(tables, **self.parameters)

    def __call__(self, node: NodeView) -> Scores:
        scores = node.counts.map(self.of_tables)
        return np.asarray(scores - (1.0 - node.counts.known) * np.abs(scores))

    def __repr__(self) -> str:
        if self.name is None:
            return f"from_counts({getattr(self.formula, '__qualname__', self.formula)})"
        given = "".join(f", {key}={value!r}" for key, value in self.parameters.items())
        return f"metric({self.name!r}{given})"


def from_counts(formula: Formula) -> CountMetric:
    """Make a metric of a function from tables (..., value, class) to scores (...).

    Parameters
    ----------
    formula
        Takes an array of tables, any number of leading axes, and returns one score per table,
        larger being better.

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


@attrs.frozen
class PairMetric:
    """A metric that judges each feature as a whole, by what pairs of cases say of it."""

    scheme: PairScheme = attrs.field()
    formula: Formula

    @scheme.validator
    def _check(self, _attribute: Any, scheme: Any) -> None:
        absent = [name for name in ("ramp", "bins", "tables") if not hasattr(scheme, name)]
        if absent:
            raise ParameterError(f"a pair scheme needs {', '.join(absent)}, got {scheme!r}")
        if not isinstance(scheme, Hashable):
            raise ParameterError(f"a pair scheme must be hashable, got {scheme!r}")

    def __call__(self, node: NodeView) -> FeatureScores:
        return FeatureScores(self.formula(node.pairs(self.scheme)))


def from_pairs(scheme: PairScheme, formula: Formula) -> PairMetric:
    """Make a metric of a pair scheme and a function of its tables.

    Parameters
    ----------
    scheme
        Which pairs of cases count, with what weight: `AllPairs`, `Nearest` or `Contextual` of
        `treelab.metrics`, or any hashable object with `ramp`, `bins` and `tables(pairs)`, see
        `treelab.protocols.PairScheme`.
    formula
        Takes the tables (feature, value of i, class of i, differs, other class), which sum the
        weights of the pairs (i, j), and returns one score per feature, larger being better.

    Examples
    --------
    How much more do the three nearest of other classes differ than those of the own class?

    >>> import treelab as tl
    >>> def contrast(tables):
    ...     differs = tables[..., 1, :].sum(axis=(1, 2))
    ...     return differs[:, 1] - differs[:, 0]
    >>> mine = tl.from_pairs(tl.metrics.Nearest(k=3, missing="expected"), contrast)
    >>> data = tl.load("voting")
    >>> tl.grow(data, mine) == tl.grow(data, tl.metric("relieff", k=3))
    True
    """
    return PairMetric(scheme, formula)
