"""`SplitContext`: what is common to all nodes of a growing tree, wherever their cases lie."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain
from math import fsum
from typing import Literal

import attrs
import numpy as np

from treelab._typing import BoolArray, IndexArray
from treelab.data.coded import ANY_CUT, Axis, Coded, Kind
from treelab.data.cut_rule import CutRule
from treelab.data.weights import is_integral, unit_of
from treelab.kernels.cuts import ROUNDING, CutLimits

SplitStrategy = Literal["auto", "multiway", "binary", "subset"]
SplitKind = Literal["cut", "multiway", "binary", "subset"]

KINDS_OF: dict[SplitStrategy, dict[Kind, SplitKind]] = {
    "auto": {"numeric": "cut", "interval": "multiway", "nominal": "subset"},
    "multiway": {"numeric": "cut", "interval": "multiway", "nominal": "multiway"},
    "binary": {"numeric": "cut", "interval": "cut", "nominal": "binary"},
    "subset": {"numeric": "cut", "interval": "subset", "nominal": "subset"},
}
"""What `splits` means for each kind of feature."""

FEW_BRANCHES = 128
"""The numbers of so many branches fit into a byte."""

FEW_CODES = 256
"""Features of so many codes get a histogram at every node; the others stay sorted."""

FEW_CASES = 2**12
"""Of so few cases all features stay sorted: most entries of histograms would be empty."""


@attrs.frozen(eq=False)
class FeatureGroup:
    """Features that are split in the same way, with their numbers of codes (missing not one)."""

    kind: SplitKind
    features: IndexArray
    n_codes: IndexArray

    @cached_property
    def offsets(self) -> IndexArray:
        """Where the codes of each feature, and one for missing, start in a tall table."""
        return np.concatenate([[0], np.cumsum(self.n_codes + 1)])


@attrs.frozen(eq=False)
class SplitContext:
    """The axes of the features and the kinds of splits.

    With `missing_is_value`, missing values get a branch of their own. A candidate leaves at least
    two branches of `min_branch` cases, and a cut keeps to the rule of `cuts`. `n_training` is the
    weight of all cases to learn from.
    """

    axes: tuple[Axis, ...]
    n_classes: int
    n_training: float
    splits: SplitStrategy = "auto"
    missing_is_value: bool = False
    min_branch: float = attrs.field(default=0.0, converter=float)
    seed: int = 0
    cuts: CutRule = ANY_CUT

    @classmethod
    def of(
        cls,
        parts: Sequence[Coded],
        splits: SplitStrategy,
        missing_is_value: bool,
        min_branch: float,
        seed: int,
    ) -> "SplitContext":
        """Return the context of coded data in one or several parts of the same axes."""
        first = parts[0]
        return cls(
            first.axes, first.n_classes, total_weight(parts), splits, missing_is_value, min_branch,
            seed, first.cuts,
        )  # fmt: skip

    @cached_property
    def grouped(self) -> tuple[FeatureGroup, ...]:
        """The features that are not cut, by the kind of their splits."""
        kinds = [kind for kind in dict.fromkeys(self._kinds) if kind != "cut"]
        return tuple(self._group(kind, np.flatnonzero(self._kinds == kind)) for kind in kinds)

    @cached_property
    def presorted(self) -> FeatureGroup:
        """The features that are cut and have many codes, or few cases."""
        return self._group("cut", np.flatnonzero(self._is_cut & ~self._is_histogrammed))

    @cached_property
    def histogrammed(self) -> FeatureGroup:
        """The features that are cut and have few codes and many cases."""
        return self._group("cut", np.flatnonzero(self._is_cut & self._is_histogrammed))

    @cached_property
    def groups(self) -> tuple[FeatureGroup, ...]:
        """All features, as they are judged one group after the other."""
        return (self.presorted, self.histogrammed, *self.grouped)

    def _group(self, kind: SplitKind, features: IndexArray) -> FeatureGroup:
        return FeatureGroup(kind, features, self.n_codes[features])

    @cached_property
    def cut_limits(self) -> tuple[CutLimits, CutLimits]:
        """What cuts of the presorted features and of the others must keep to."""
        return self._limits(self.presorted), self._limits(self.histogrammed)

    def _limits(self, group: FeatureGroup) -> CutLimits:
        axes, nothing = [self.axes[f] for f in group.features], np.empty(0, np.int64)
        least, rule = max(self.min_branch - ROUNDING, 0.0), self.cuts
        share, most = rule.side_share / max(self.n_classes, 1), float(rule.side_most)
        if not rule.apart:
            return CutLimits(least, share, most, nothing, nothing)
        firsts = np.cumsum([0, *(axis.n_codes for axis in axes)])
        follows = np.concatenate([nothing, *(axis.follows(rule) for axis in axes)])
        return CutLimits(least, share, most, follows, firsts)

    @cached_property
    def few_branches(self) -> bool:
        """Whether no split can have so many branches that their numbers do not fit into a byte."""
        return bool((self.n_codes[~self._is_cut] < FEW_BRANCHES).all())

    @cached_property
    def n_codes(self) -> IndexArray:
        return np.array([axis.n_codes for axis in self.axes], dtype=np.int64)

    @cached_property
    def n_values(self) -> IndexArray:
        """The number of labels or intervals of each feature, used or not; 0 for a numeric one."""
        is_numeric = [axis.kind == "numeric" for axis in self.axes]
        return np.where(is_numeric, 0, self.n_codes)

    @cached_property
    def unit(self) -> float:
        """What all weights are multiples of; see `data.weights.on_grid`."""
        return unit_of(self.n_training)

    @cached_property
    def _kinds(self) -> IndexArray:
        kinds = KINDS_OF[self.splits]
        return np.array([kinds[axis.kind] for axis in self.axes], dtype=object)

    @cached_property
    def _is_cut(self) -> IndexArray:
        return np.asarray(self._kinds == "cut")

    @property
    def _is_histogrammed(self) -> BoolArray:
        return (self.n_codes <= FEW_CODES) & (self.n_training > FEW_CASES)


def total_weight(parts: Iterable[Coded]) -> float:
    """Return the weight of all cases to learn from; their order leaves no trace."""
    weights = [coded.weights[coded.to_learn_from] for coded in parts]
    if all(map(is_integral, weights)):
        return float(sum(part.sum() for part in weights))
    return fsum(chain.from_iterable(weights))
