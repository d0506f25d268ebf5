"""From a formula over one table to a metric over a node."""

from collections.abc import Hashable, Mapping
from functools import partial
from typing import Any

import attrs

from treelab._typing import FloatArray
from treelab.errors import LARGEST, ParameterError, check_function, check_number
from treelab.metrics.options import ParametricFormula
from treelab.protocols import Closeness, FeatureScores, Formula, NodeView, PairScheme, Scores
from treelab.stats.formulas.impurity import total
from treelab.stats.formulas.per_table import over_tables
from treelab.stats.formulas.permutation import over_permuted_classes
from treelab.stats.formulas.uninformed import shrunk, uninformed


@attrs.frozen(repr=False)
class CountMetric:
    """A metric that judges each candidate by its own table.

    Where values are missing and have no branch of their own, the table holds the known cases
    only, and the score is shrunk by the share of unknown ones towards that of no information
    (SPEC 12.1): a feature known for half of the cases tells half as much. Where no information
    scores 0 that is C4.5's multiplication by the share of known cases (SPEC 6.4).

    Parameters
    ----------
    formula
        The quantity of the paper, from tables (..., value, class) to numbers (...).
    name
        The name it is registered by, if any.
    parameters
        What else the formula is given.
    score
        What ranks the tables in place of the formula, larger being better.
    lower_is_better
        Whether the formula is negated to make a score of it.
    expectation
        What the formula gives on average when the classes are permuted; it may look at the margins
        of the tables only, and is given the same parameters.
    approximation
        The same, but cheaper and not exact.
    signed
        Whether by chance the formula may be above 0 as well as below: `Normalized` then refuses a
        ratio.
    uninformed
        What ranks a table without information, n_ij = n_i n_j / n, where that is one number
        whatever the margins, at least for many cases; None: it is computed where it is needed.
    """

    formula: Formula
    name: str | None = None
    parameters: Mapping[str, Any] = attrs.field(factory=dict, hash=False)
    score: Formula | None = None
    lower_is_better: bool = False
    expectation: Formula | None = None
    approximation: Formula | None = None
    signed: bool = False
    uninformed: float | None = None

    by_level = True

    def raw(self, tables: FloatArray) -> FloatArray:
        """Return the quantity of the paper, in its own direction."""
        return self.formula(tables, **self.parameters)

    @property
    def ranks(self) -> Formula:
        """What ranks tables, in its own direction; a formula of sums stays one, which is fast."""
        return self._given(self.score or self.formula)

    def _given(self, formula: Formula) -> Formula:
        if isinstance(formula, ParametricFormula):
            return formula.given(**self.parameters)
        return partial(formula, **self.parameters) if self.parameters else formula

    def of_tables(self, tables: FloatArray) -> FloatArray:
        """Return the scores of tables (..., value, class)."""
        return -self.ranks(tables) if self.lower_is_better else self.ranks(tables)

    def of_known(self, tables: FloatArray, class_counts: FloatArray) -> FloatArray:
        """Return the scores of tables of the known cases of nodes of given classes."""
        known = total(tables) / class_counts.sum(axis=-1)
        given = self._uninformed
        none = uninformed(given, tables, class_counts) if callable(given) else (given, given)
        found = shrunk(self.ranks(tables), known, *none)
        return -found if self.lower_is_better else found

    def __call__(self, node: NodeView) -> Scores:
        found = penalize_missing(self.quantity(node), node, self._uninformed)
        return -found if self.lower_is_better else found

    @property
    def _uninformed(self) -> float | Formula:
        return self.ranks if self.uninformed is None else self.uninformed

    def quantity(self, node: NodeView) -> Scores:
        """Return what `Normalized` compares with chance, see `protocols.HasExpectation`."""
        return node.counts.map(self.ranks)

    @property
    def expectations(self) -> tuple[Closeness, ...]:
        """How closely it knows its mean by chance."""
        formulas: dict[Closeness, Formula | None] = {
            "exact": self.expectation,
            "approximate": self.approximation,
        }
        return tuple(how for how, formula in formulas.items() if formula is not None)

    def expected(self, node: NodeView, how: Closeness) -> Scores | None:
        formula = self.expectation if how == "exact" else self.approximation
        return None if formula is None else node.counts.map(self._given(formula))

    def null_samples(self, node: NodeView, rounds: int) -> FloatArray:
        return over_permuted_classes(self.quantity, node, rounds)

    @property
    def table(self) -> dict[str, Any] | None:
        """Its name and parameters, if it has a name."""
        return None if self.name is None else {"name": self.name, **self.parameters}

    def __repr__(self) -> str:
        if self.name is None:
            return f"from_counts({getattr(self.formula, '__qualname__', self.formula)})"
        given = "".join(f", {key}={value!r}" for key, value in self.parameters.items())
        return f"metric({self.name!r}{given})"


def penalize_missing(scores: Scores, node: NodeView, without: float | Formula) -> Scores:
    """Shrink scores by the share of unknown cases towards those of no information (SPEC 12.1).

    `without` is what no information scores, or the formula that says so.
    """
    counts = node.counts
    if counts.all_known:
        return scores
    none = counts.uninformed(without) if callable(without) else (without, without)
    return shrunk(scores, counts.known, *none)


def from_counts(
    formula: Formula,
    expectation: Formula | None = None,
    approximation: Formula | None = None,
    uninformed: float | None = None,
) -> CountMetric:
    """Make a metric of a function from tables (..., value, class) to scores (...).

    Parameters
    ----------
    formula
        Takes an array of tables, any number of leading axes, and returns one score per table,
        larger being better. A function of one table (value, class) will do as well: numba compiles
        it if it can, which is fast.
    expectation
        What the formula gives on average when the classes are permuted, for `Normalized`: again a
        function of tables, which looks at their margins only. None: permutations are drawn.
    approximation
        The same, not exact.
    uninformed
        What the formula gives for a table without information, n_ij = n_i n_j / n, where that is
        one number whatever the margins, as the 0 of the gain is. None: it is computed for every
        candidate where values are missing, which takes longer.

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
    check_function("formula", formula)
    for name, given in (("expectation", expectation), ("approximation", approximation)):
        if given is not None:
            check_function(name, given)
    if uninformed is not None:
        check_number("uninformed", uninformed, -LARGEST, LARGEST)
    return CountMetric(
        over_tables(formula), expectation=expectation, approximation=approximation,
        uninformed=uninformed,
    )  # fmt: skip


@attrs.frozen
class PairMetric:
    """A metric that judges each feature as a whole, by what pairs of cases say of it."""

    scheme: PairScheme = attrs.field()
    formula: Formula = attrs.field(repr=lambda formula: getattr(formula, "__qualname__", "?"))

    judges_features = True

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
    check_function("formula", formula)
    return PairMetric(scheme, formula)
