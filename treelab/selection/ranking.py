"""`Ranking`: features in the order of their scores; `Rankings`: several, side by side."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np
import scipy  # whose `stats` is loaded when it is needed: it takes half a second

from treelab._markup import Table, notebook_html
from treelab._text import aligned
from treelab._typing import FloatArray, IndexArray
from treelab.data.frames_out import frame_of
from treelab.errors import ParameterError
from treelab.kernels.ties import TIE

if TYPE_CHECKING:
    from treelab.selection.stability import Stability


@attrs.frozen(eq=False)
class Ranking:
    """Features, the best first.

    Parameters
    ----------
    metric
        What they are ranked by.
    features
        Their names; equals stand in the order of the data.
    scores
        Their scores, larger being better; NaN, at the end, where the metric cannot judge.
    ranks
        Their places from 1 on; equals share the best of their places.
    stability
        How often each feature keeps its place in bootstrap samples, if that was asked for.
    """

    metric: str
    features: tuple[str, ...]
    scores: FloatArray
    ranks: IndexArray
    stability: "Stability | None" = None

    @classmethod
    def of(cls, metric: str, names: Sequence[str], scores: FloatArray) -> "Ranking":
        """Rank features by their scores."""
        order, ranks = places(scores)
        return cls(metric, tuple(names[f] for f in order), scores[order], ranks[order])

    @property
    def ties(self) -> tuple[tuple[str, ...], ...]:
        """The features that share a place, by place."""
        starts = [*np.flatnonzero(np.diff(self.ranks, prepend=0)), len(self.ranks)]
        groups = (self.features[low:high] for low, high in pairwise(starts))
        return tuple(group for group in groups if len(group) > 1)

    @property
    def weights(self) -> dict[str, float]:
        """The scores as scaling factors of the features (duch2004 section 5), the best being 1.

        What scores 0 or less, or cannot be judged, weighs nothing.
        """
        worth = np.maximum(np.nan_to_num(self.scores), 0.0)
        if not worth.max() > 0:
            raise ParameterError(
                f"no feature scores above 0 by {self.metric!r}: its scores are no weights"
            )
        return dict(zip(self.features, (worth / worth.max()).tolist(), strict=True))

    def __getitem__(self, feature: str) -> float:
        """Return the score of a feature."""
        return float(self.scores[self.features.index(feature)])

    def __len__(self) -> int:
        return len(self.features)

    def top(self, k: int) -> tuple[str, ...]:
        """Return the k best features."""
        return self.features[:k]

    def columns(self) -> dict[str, Any]:
        """Return the table by columns."""
        table: dict[str, Any] = {
            "feature": np.array(self.features),
            "score": self.scores,
            "rank": self.ranks,
        }
        if self.stability is None:
            return table
        return table | {"keeps its place": self.stability.kept}

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the table as a frame of the given library: 'pandas', 'polars' or 'pyarrow'."""
        return frame_of(self.columns(), backend)

    def _table(self) -> Table:
        heads = ["rank", "feature", self.metric]
        rows = [
            [str(rank), feature, f"{score:.6g}"]
            for rank, feature, score in zip(self.ranks, self.features, self.scores, strict=True)
        ]
        if self.stability is not None:
            heads.append("keeps its place")
            for row, share in zip(rows, self.stability.kept, strict=True):
                row.append(f"{100 * share:.0f} %")
        return heads, rows, [True, False, True, True][: len(heads)]

    def __str__(self) -> str:
        heads, rows, to_the_right = self._table()
        return aligned([heads, *rows], to_the_right)

    def __repr__(self) -> str:
        first = f", first {self.features[0]!r}" if self.features else ""
        return f"<Ranking of {len(self)} features by {self.metric}{first}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return notebook_html("", self._table())


@attrs.frozen(eq=False)
class Rankings(Mapping[str, Ranking]):
    """What several metrics say of the same features; a mapping from metric to `Ranking`."""

    features: tuple[str, ...]
    rankings: Mapping[str, Ranking]

    def __getitem__(self, metric: str) -> Ranking:
        return self.rankings[metric]

    def __iter__(self) -> Any:
        return iter(self.rankings)

    def __len__(self) -> int:
        return len(self.rankings)

    @property
    def ranks(self) -> IndexArray:
        """The place of each feature, in the order of the data, by each metric."""
        return np.array(
            [[r.ranks[r.features.index(f)] for r in self.values()] for f in self.features]
        )

    @property
    def spearman(self) -> FloatArray:
        """The rank correlations of Spearman between the metrics."""
        mean_ranks = np.apply_along_axis(scipy.stats.rankdata, 0, self.ranks)
        return _matrix(mean_ranks, _pearson)

    @property
    def kendall(self) -> FloatArray:
        """Kendall's tau-b between the metrics."""
        return _matrix(self.ranks, lambda a, b: float(scipy.stats.kendalltau(a, b).statistic))

    def columns(self) -> dict[str, Any]:
        """Return the table by columns: score and rank by each metric, a row a feature."""
        table: dict[str, Any] = {"feature": np.array(self.features)}
        for name, ranking in self.items():
            table[name] = np.array([ranking[feature] for feature in self.features])
            table[f"{name} rank"] = self.ranks[:, list(self).index(name)]
        return table

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the table as a frame of the given library: 'pandas', 'polars' or 'pyarrow'."""
        return frame_of(self.columns(), backend)

    def _scores(self) -> Table:
        heads = ["feature", *self]
        rows = [
            [
                name,
                *(
                    f"{self[metric][name]:.4g} #{rank}"
                    for metric, rank in zip(self, row, strict=True)
                ),
            ]
            for name, row in zip(self.features, self.ranks, strict=True)
        ]
        rows.sort(key=lambda row: self.ranks[self.features.index(row[0])].mean())
        return heads, rows, [False] + [True] * len(self)

    def _correlations(self) -> Table:
        heads = ["Kendall / Spearman", *self]
        both = np.where(np.tri(len(self), dtype=bool), self.spearman, self.kendall)
        rows = [
            [name, *("" if i == j else f"{both[i, j]:.2f}" for j in range(len(self)))]
            for i, name in enumerate(self)
        ]
        return heads, rows, [False] + [True] * len(self)

    def __str__(self) -> str:
        tables = (self._scores(), self._correlations())
        return "\n\n".join(aligned([heads, *rows], right) for heads, rows, right in tables)

    def __repr__(self) -> str:
        return f"<Rankings of {len(self.features)} features by {', '.join(self)}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return notebook_html("", self._scores(), self._correlations())


def places(scores: FloatArray) -> tuple[IndexArray, IndexArray]:
    """Return the features from the best to the worst, and the place of each; equals share it.

    NaN comes last. Scores that differ by rounding only are equal.
    """
    judged = np.where(np.isnan(scores), -np.inf, scores)
    order = np.argsort(-judged, kind="stable")
    ranks = np.ones(len(scores), np.int64)
    first = 0
    for place in range(1, len(order)):
        if not same(judged[order[first]], judged[order[place]]):
            first = place
        ranks[order[place]] = first + 1
    return np.lexsort((np.arange(len(scores)), ranks)), ranks


def same(a: float, b: float) -> bool:
    """Tell whether two scores are equal but for rounding."""
    if not (isfinite(a) and isfinite(b)):
        return a == b
    return abs(a - b) <= TIE * max(1.0, abs(a), abs(b))


def _matrix(columns: Any, correlation: Any) -> FloatArray:
    n = columns.shape[1]
    found = np.eye(n)
    for i in range(n):
        for j in range(i):
            found[i, j] = found[j, i] = _guarded(columns[:, i], columns[:, j], correlation)
    return found


def _guarded(a: Any, b: Any, correlation: Any) -> float:
    """Return a correlation; NaN where one of the columns is constant."""
    return np.nan if np.ptp(a) == 0 or np.ptp(b) == 0 else correlation(a, b)


def _pearson(a: FloatArray, b: FloatArray) -> float:
    return float(np.corrcoef(a, b)[0, 1])
