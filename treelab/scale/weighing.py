"""Cases of a scan that count as much more as their class does: weights of classes, and costs.

The weights are those of `treelab.tree.weighting` in memory, to the last bit: the sums of the
classes are exact, and found in a pass of its own for each change.
"""

from collections.abc import Callable
from functools import partial
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from treelab._typing import FloatArray
from treelab.data.class_weight import multiplied, of_classes, scaled
from treelab.data.costs import altered_priors
from treelab.data.readers.table import Options
from treelab.data.schema import Schema
from treelab.learner import Learner
from treelab.scale.facts import exact_sum
from treelab.scale.parts import fitted
from treelab.scale.pieces import Piece
from treelab.stats.stores.engine import Engine

if TYPE_CHECKING:
    from treelab.scale.scanning import Scan

Sums = list[tuple[float, ...]]
"""Of each class, few numbers whose sum is exactly the weight of its cases."""


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
    pieces, common = engine.deal(scan.pieces), (options, schema)
    sums: Sums = engine.total(added_sums, sums_in, pieces, common=common)
    totals = np.array([fsum(each) for each in sums])
    change = partial(multiplied, factors=scaled(factors_of(totals), totals))
    return scan.derived(engine, options, schema, change)


def sums_in(piece: Piece, options: Options, schema: Schema) -> Sums:
    """Return the weights of the classes of a partition."""
    data = fitted(piece, options, schema)
    return [exact_sum(data.weights[data.y == code]) for code in range(schema.target.n_labels)]


def added_sums(one: Sums, other: Sums) -> Sums:
    """Return the weights of the classes of two partitions."""
    return [(*a, *b) for a, b in zip(one, other, strict=True)]
