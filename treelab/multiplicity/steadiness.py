"""`TreeStability`: how much trees change over samples, a row for each metric."""

from collections.abc import Iterator, Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from treelab._markup import notebook_html
from treelab._text import aligned
from treelab._typing import FloatArray, IndexArray
from treelab.data.frames_out import frame_of
from treelab.errors import UnknownNameError
from treelab.multiplicity.counting import counted
from treelab.tree.model import Tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

HEADS = ("metric", "root", "same root", "same features", "same predictions", "leaves", "all cases")
FLUSH_RIGHT = (False, False, True, True, True, True, True)


@attrs.frozen(eq=False)
class MetricStability:
    """How the trees of samples differ from the tree of all cases, by one metric.

    `sample_roots`, `jaccard`, `agreement` and `leaves` have an entry a sample: the feature tested
    first, what the sets of features have in common, the share of the cases for which the same class
    is predicted, and the size.
    """

    metric: str
    tree: Tree = attrs.field(repr=False)
    sample_roots: tuple[str | None, ...] = attrs.field(repr=False)
    jaccard: FloatArray = attrs.field(repr=False)
    agreement: FloatArray = attrs.field(repr=False)
    leaves: IndexArray = attrs.field(repr=False)

    @property
    def root(self) -> str | None:
        """The feature that the tree of all cases tests first; None where it is a leaf."""
        return self.tree.root.feature

    @property
    def roots(self) -> dict[str | None, int]:
        """In how many samples each feature was tested first, the most frequent first."""
        return counted(self.sample_roots, self.tree.features)

    @property
    def same_root(self) -> float:
        """The share of the samples whose tree tests the same feature first."""
        return self.roots.get(self.root, 0) / len(self.sample_roots)

    @property
    def same_features(self) -> float:
        """The mean over the samples of the Jaccard index of the features that are tested."""
        return float(self.jaccard.mean())

    @property
    def same_predictions(self) -> float:
        """The mean over the samples of the share of cases with the same prediction."""
        return float(self.agreement.mean())

    @property
    def mean_leaves(self) -> float:
        return float(self.leaves.mean())

    @property
    def spread_leaves(self) -> float:
        """The standard deviation of the number of leaves."""
        return float(self.leaves.std(ddof=1))

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the tree in plain values."""
        return {
            "metric": self.metric,
            "root": self.root,
            "roots": [{"feature": name, "samples": times} for name, times in self.roots.items()],
            "same_root": self.same_root,
            "same_features": self.same_features,
            "same_predictions": self.same_predictions,
            "leaves": self.mean_leaves,
            "leaves_deviation": self.spread_leaves,
            "leaves_of_all_cases": self.tree.n_leaves,
        }


@attrs.frozen(eq=False, repr=False)
class TreeStability(Mapping[str, MetricStability]):
    """How much trees change over bootstrap samples: a mapping from metric to `MetricStability`.

    Made by `treelab.stability`.
    """

    of_metrics: Mapping[str, MetricStability]
    samples: int
    seed: int

    def __getitem__(self, metric: str) -> MetricStability:
        if metric not in self.of_metrics:
            raise UnknownNameError("metric", metric, self.of_metrics)
        return self.of_metrics[metric]

    def __iter__(self) -> Iterator[str]:
        return iter(self.of_metrics)

    def __len__(self) -> int:
        return len(self.of_metrics)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the trees in plain values, ready for JSON."""
        rows = [each.to_dict() for each in self.values()]
        return {"samples": self.samples, "seed": self.seed, "metrics": rows}

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return a row a metric as a frame of the given library: 'pandas', 'polars', 'pyarrow'."""
        rows = [each.to_dict() | {"root": each.root or ""} for each in self.values()]
        names = [name for name in rows[0] if name != "roots"]
        return frame_of({name: np.array([row[name] for row in rows]) for name in names}, backend)

    # For people

    @property
    def heading(self) -> str:
        """What was done."""
        return f"trees of {self.samples:,} bootstrap samples beside the tree of all cases"

    def rows(self) -> list[list[str]]:
        """Return the cells of the table, a row a metric."""
        return [_row(each) for each in self.values()]

    def __str__(self) -> str:
        return f"{self.heading}\n\n{aligned([HEADS, *self.rows()], FLUSH_RIGHT)}"

    def __repr__(self) -> str:
        return f"<TreeStability: {', '.join(self)}; {self.samples:,} samples>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return notebook_html(self.heading, (HEADS, self.rows(), FLUSH_RIGHT))

    def draw(self) -> "Figure":
        """Return a picture: how often root, features and predictions are the same, and sizes."""
        from treelab.multiplicity.picture import draw_stability

        return draw_stability(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the picture to an .svg, .png or .pdf file."""
        from treelab.plots.canvas import check_format, save

        check_format(path)
        save(self.draw(), path)


def _row(each: MetricStability) -> list[str]:
    return [
        each.metric, each.root or "-", _percent(each.same_root), _percent(each.same_features),
        _percent(each.same_predictions), f"{each.mean_leaves:.1f} ± {each.spread_leaves:.1f}",
        f"{each.tree.n_leaves:,}",
    ]  # fmt: skip


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
