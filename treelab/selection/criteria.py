"""What a set of features is worth: criteria by name, and any metric over tables.

A criterion is told the problem and returns a function from sets to scores, larger being better.
"""

import math
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Protocol, runtime_checkable

import attrs
import numpy as np

from treelab._registry import Registry
from treelab._typing import FloatArray
from treelab.data.coded import Coded
from treelab.data.dataset import Dataset
from treelab.data.weights import summable
from treelab.errors import ParameterError, UnknownNameError, check_number
from treelab.metrics import metric as find_metric
from treelab.metrics import metric_names
from treelab.protocols import Discretizer, FeatureScores, SplitMetric
from treelab.selection.coding import check_all_cut, fitted, only_codes
from treelab.selection.joint_codes import Cells, Subset
from treelab.stats.candidates.blocks import real_numbers
from treelab.stats.formulas.impurity import entropy, of_classes, of_values, ratio
from treelab.stats.stores.in_memory import root_node

Worth = Callable[[Subset], float]


@attrs.frozen(eq=False)
class Problem:
    """The cases to select features for, and how their numbers are cut for criteria over tables."""

    data: Dataset
    discretizer: str | Discretizer | None

    @cached_property
    def cells(self) -> Cells:
        coding = fitted(self.data, self.discretizer)
        check_all_cut(self.data, coding)
        coded = only_codes(Coded.of(self.data, coding))
        return Cells(attrs.evolve(coded, weights=summable(coded.weights)))


@runtime_checkable
class Criterion(Protocol):
    """Says what sets of features of a problem are worth."""

    def on(self, problem: Problem, /) -> Worth: ...


@attrs.frozen
class OfTable:
    """A metric on the table of the set: its features together are one feature of many values."""

    metric: SplitMetric

    def on(self, problem: Problem) -> Worth:
        """Return the score of the tables of sets."""
        cells = problem.cells
        of_tables = getattr(self.metric, "of_tables", None)
        if of_tables is None:
            return lambda subset: _score_at_root(self.metric, cells, subset)
        return lambda subset: float(of_tables(cells.table(subset)[None])[0])


def _score_at_root(metric: SplitMetric, cells: Cells, subset: Subset) -> float:
    """Return what a metric says of a node whose only feature is the cell."""
    number, n = cells.numbering(subset)
    axis = attrs.evolve(cells.coded.axes[0], kind="nominal", n_codes=n)
    codes = number.astype(np.uint32)[None, :]
    codes.flags.writeable = False
    one = attrs.evolve(cells.coded, codes=codes, axes=(axis,))
    given = metric(root_node(one, splits="multiway"))
    if isinstance(given, FeatureScores):
        raise ParameterError(
            f"{metric!r} judges features by pairs of cases, which sets of features have no part in"
        )
    given = real_numbers("a metric", given)
    if given.ndim != 1:
        raise ParameterError(f"a metric must return a row of scores, got shape {given.shape}")
    return float(given[0]) if len(given) else np.nan


class Information:
    """Entropies of single features and pairs, in bits, each computed once."""

    def __init__(self, cells: Cells) -> None:
        self.cells = cells
        self.h = lru_cache(None)(self._entropy)
        self.about_class = lru_cache(None)(self._about_class)
        self.of_set = lru_cache(None)(self._of_set)
        self.h_class = float(entropy(of_classes(cells.table(()))))

    def shared(self, i: int, j: int) -> float:
        """Return I(X_i; X_j)."""
        pair = (min(i, j), max(i, j))
        return self.h((i,)) if i == j else self.h((i,)) + self.h((j,)) - self.h(pair)

    def _entropy(self, subset: Subset) -> float:
        return float(entropy(of_values(self.cells.table(subset))))

    def _about_class(self, feature: int) -> float:
        """Return I(C; X)."""
        return self.of_set(frozenset((feature,)))

    def _of_set(self, features: frozenset[int]) -> float:
        """Return I(C; F) of a set: its tuples of values are the values of one feature."""
        table = self.cells.table(tuple(sorted(features)))
        return float(self.h_class + entropy(of_values(table)) - entropy(table.ravel()))


@attrs.frozen
class Mifs:
    """Battiti's mutual information feature selection (duch2004 section 3, SPEC 3.4).

    sum_i I(C; X_i) - beta sum_{i<j} I(X_i; X_j), so that one more feature i adds
    I(C; X_i) - beta sum_s I(X_i; X_s).
    """

    beta: float = 0.5

    def on(self, problem: Problem) -> Worth:
        """Return the sum for sets."""
        check_number("beta", self.beta, 0)
        known = Information(problem.cells)

        def worth(subset: Subset) -> float:
            return sum(map(known.about_class, subset)) - self.beta * _redundancy(known, subset)

        return worth


@attrs.frozen
class Mrmr:
    """Most relevance, least redundancy (Peng, Long and Ding 2005).

    mean_i I(C; X_i) - mean_ij I(X_i; X_j). Greedy search adds the feature with the largest
    I(C; X_i) - mean_s I(X_i; X_s), as the paper does.
    """

    def on(self, problem: Problem) -> Worth:
        """Return the difference of the means for sets."""
        return MrmrWorth(Information(problem.cells))


@attrs.frozen
class MrmrWorth:
    """The difference of the means, and that of one more feature."""

    known: Information

    def __call__(self, subset: Subset) -> float:
        relevance = sum(map(self.known.about_class, subset))
        pairs = sum(self.known.shared(i, j) for i in subset for j in subset)
        return relevance / max(len(subset), 1) - pairs / max(len(subset), 1) ** 2

    def step(self, subset: Subset, feature: int) -> float:
        """Return what one more feature is worth beside those chosen."""
        shared = sum(self.known.shared(feature, other) for other in subset)
        return self.known.about_class(feature) - shared / max(len(subset), 1)


@attrs.frozen
class AddedGainRatio:
    """The gain ratio of the feature that is added (duch2004 section 3, SPEC 12.5).

    Greedy search adds the feature with the largest (I(C; F, X) - I(C; F)) / H(X): the information
    it adds per bit of its own. A set is worth I(C; F) / sum_i H(X_i). MI(C; F) / H(F), the metric
    'gain-ratio' on sets, prefers features that add little entropy, such as noisy copies.
    """

    def on(self, problem: Problem) -> Worth:
        """Return the ratio for sets."""
        return AddedWorth(Information(problem.cells))


@attrs.frozen
class AddedWorth:
    """Information about the class per bit of the features, and that of one more feature."""

    known: Information

    def __call__(self, subset: Subset) -> float:
        bits = sum(self.known.h((f,)) for f in subset)
        return _per_bit(self.known.of_set(frozenset(subset)), bits)

    def step(self, subset: Subset, feature: int) -> float:
        """Return what one more feature adds, per bit of its own."""
        before = self.known.of_set(frozenset(subset))
        more = self.known.of_set(frozenset((*subset, feature))) - before
        return _per_bit(more, self.known.h((feature,)))


@attrs.frozen
class Cfs:
    """Correlation-based feature selection (Hall 2000): k u_c / sqrt(k + k (k - 1) u_f).

    u_c is the mean symmetrical uncertainty of the features with the class, u_f with each other.
    """

    def on(self, problem: Problem) -> Worth:
        """Return the merit of sets."""
        known = Information(problem.cells)

        def worth(subset: Subset) -> float:
            with_class = sum(
                _alike(known.about_class(f), known.h((f,)), known.h_class) for f in subset
            )
            among = sum(
                _alike(known.shared(i, j), known.h((i,)), known.h((j,)))
                for i in subset
                for j in subset
                if i < j
            )
            return with_class / math.sqrt(max(len(subset) + 2 * among, 1))

        return worth


@attrs.frozen
class Gd:
    """The distance of a set from the class, negated: D' T+ D (duch2004 reference 11, SPEC 3.2).

    D_i = H(C|X_i) + H(X_i|C), T_ij = I(X_i; X_j), T+ its Moore-Penrose inverse. It compares sets
    of the same size, so give k. A feature of one value has no GD.
    """

    def on(self, problem: Problem) -> Worth:
        """Return the negated distance of sets."""
        known = Information(problem.cells)

        def worth(subset: Subset) -> float:
            if not subset or min(known.h((f,)) for f in subset) <= 1e-12:
                return np.nan
            apart = np.array(
                [known.h_class + known.h((f,)) - 2 * known.about_class(f) for f in subset]
            )
            shared = np.array([[known.shared(i, j) for j in subset] for i in subset])
            return -float(apart @ np.linalg.pinv(shared, hermitian=True) @ apart)

        return worth


CRITERIA: Registry[Criterion] = Registry("criterion", "treelab.criteria")
CRITERIA.add("mifs", Mifs)
CRITERIA.add("mrmr", Mrmr)
CRITERIA.add("added-gain-ratio", AddedGainRatio)
CRITERIA.add("cfs", Cfs)
CRITERIA.add("gd", Gd)


def criterion(spec: str | SplitMetric | Criterion) -> Criterion:
    """Return a criterion by name, of any metric, or itself."""
    if not isinstance(spec, str):
        return spec if isinstance(spec, Criterion) else OfTable(find_metric(spec))
    name = spec.partition(":")[0]
    if name in CRITERIA.names():
        return CRITERIA.make(spec)
    if name not in metric_names():
        raise UnknownNameError("metric or criterion", name, CRITERIA.names() + metric_names())
    return OfTable(find_metric(spec))


def _redundancy(known: Information, subset: Subset) -> float:
    return sum(known.shared(i, j) for p, i in enumerate(subset) for j in subset[:p])


def _per_bit(told: float, bits: float) -> float:
    return float(ratio(np.asarray(told), np.asarray(bits)))


def _alike(shared: float, first: float, second: float) -> float:
    """Return the symmetrical uncertainty."""
    both: FloatArray = np.asarray(first + second)
    return float(ratio(np.asarray(2 * shared), both))
