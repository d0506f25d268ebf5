"""`ScannedCases`: what pruners ask cases that stay where they are."""

from collections.abc import Iterable
from functools import partial

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.coded import fixed
from treelab.scale.axes import Description
from treelab.scale.distinct import counted_distinct
from treelab.scale.pieces import Piece
from treelab.scale.signatures import Column, Signatures, added_signatures, signatures_of
from treelab.scale.summaries import Points
from treelab.stats.stores.partitioned import PartitionedStore
from treelab.tree.model import Tree
from treelab.tree.prune.dealt import DealtCases


@attrs.frozen(eq=False)
class ScannedCases:
    """The cases of a scan, a `treelab.tree.prune.dealt.CasesElsewhere`."""

    store: PartitionedStore
    pieces: Iterable[Piece]
    found: Description

    def n_distinct(self, tested: set[int]) -> FloatArray:
        """Return how many values each numeric feature has, or of others whether more than one."""
        features, numbers = self.found.schema.features, self.found.numbers
        many = [
            features[f].name
            for f in sorted(tested - {-1})
            if not isinstance(numbers.get(features[f].name, _NOTHING), Points)
        ]
        counts = {name: len(each.values) if isinstance(each, Points) else 2
                  for name, each in numbers.items()}  # fmt: skip
        if many:
            counts |= counted_distinct(self.store.engine, self.pieces, self.found, many)
        distinct = np.array([counts.get(column.name, 0) for column in features], np.float64)
        alone = [f not in tested for f in range(len(features))]
        return np.where(alone, np.clip(distinct, 1, 2), distinct)

    def dealt(self, tree: Tree) -> DealtCases:
        """Return the cases, those that the tree cannot tell apart as one."""
        context, tested = self.store.context, np.unique(tree.feature[tree.feature >= 0])
        columns = tuple(Column.of(tree, int(f), context.axes[f]) for f in tested)
        common = columns, tree.missing == "fractional"
        add = partial(added_signatures, columns=columns, fractional=common[1])
        cases: Signatures = self.store.engine.total(
            add, signatures_of, self.store.parts, common=common
        )
        column = np.full(len(context.axes) + 1, -1)
        column[tested] = np.arange(len(tested))
        values = np.full((len(columns), max((len(c.values) for c in columns), default=0)), np.nan)
        for row, each in zip(values, columns, strict=True):
            row[: len(each.values)] = each.values
        rows = np.arange(len(cases.y))
        matrix = np.ascontiguousarray(cases.places.T)
        return DealtCases(matrix, values, column, fixed(cases.y), rows, cases.weights, context.unit)


_NOTHING = Points(np.empty(0), np.empty(0))
