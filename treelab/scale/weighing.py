"""Cases of a scan that count as much more as their class does: weights of classes, and costs.

The weights are those of `treelab.tree.weighting` in memory, to the last bit: the sums that they
take are exact, and found in a pass of its own each.
"""

from collections.abc import Callable
from math import fsum
from typing import TYPE_CHECKING

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.class_weight import of_classes
from treelab.data.costs import altered_priors
from treelab.data.dataset import Dataset
from treelab.data.readers.table import Options
from treelab.data.schema import Schema
from treelab.data.weights import relative
from treelab.learner import Learner
from treelab.scale.facts import exact_sum
from treelab.scale.parts import fitted
from treelab.scale.pieces import Piece
from treelab.stats.stores.engine import Engine

if TYPE_CHECKING:
    from treelab.scale.scanning import Scan

Sums = list[tuple[float, ...]]
"""Of each class, few numbers whose sum is exactly the weight of its cases."""


@attrs.frozen(eq=False)
class Weighing:
    """Multiplies the weights of cases by the factor of their class, and all by another number."""

    factors: FloatArray
    scale: float = 1.0

    def __call__(self, data: Dataset) -> Dataset:
        known, weights = data.y >= 0, data.weights.copy()  # those without a class teach nothing
        weights[known] = data.weights[known] * self.factors[data.y[known]] * self.scale
        return data.reweighted(weights)


def weighed(scan: "Scan", engine: Engine, learner: Learner) -> "Scan":
    """Return the cases with the weights that they have for a learner."""
    given, costs = learner.class_weight, learner.costs
    if given is None and costs is None:
        return scan
    options, schema, *_ = scan.columns(engine)
    classes = schema.target.labels or ()
    if given is not None:
        scan = _reweighted(
            scan, engine, options, schema, lambda totals: of_classes(given, classes, totals)
        )
    if costs is not None:
        priors = altered_priors(costs.matrix(classes))
        scan = _reweighted(scan, engine, options, schema, lambda _: priors)
    return scan


def _reweighted(
    scan: "Scan",
    engine: Engine,
    options: Options,
    schema: Schema,
    factors_of: Callable[[FloatArray], FloatArray],
) -> "Scan":
    """Return the cases that weigh as much more as their class does; the total stays."""

    def sums(change: Weighing) -> Sums:
        common = options, schema, change
        found: Sums = engine.total(added_sums, sums_in, engine.deal(scan.pieces), common=common)
        return found

    before = sums(Weighing(np.ones(schema.target.n_labels)))
    totals = np.array([fsum(each) for each in before])
    factors = factors_of(totals)
    weighs = totals * factors > 0
    if weighs.any():
        factors = relative(factors, weighs)
    change = Weighing(factors)
    if len(set(factors[weighs])) > 1:
        there = fsum(x for own, counts in zip(before, weighs, strict=True) if counts for x in own)
        change = Weighing(factors, there / fsum(x for own in sums(change) for x in own))
    return scan.derived(engine, options, schema, change)


def sums_in(piece: Piece, options: Options, schema: Schema, change: Weighing) -> Sums:
    """Return the weights of the classes of a partition after a change."""
    data = change(fitted(piece, options, schema))
    return [exact_sum(data.weights[data.y == code]) for code in range(schema.target.n_labels)]


def added_sums(one: Sums, other: Sums) -> Sums:
    """Return the weights of the classes of two partitions."""
    return [(*a, *b) for a, b in zip(one, other, strict=True)]
