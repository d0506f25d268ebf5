"""`Rashomon`: trees that are about equally good, and what they have in common."""

from collections.abc import Container, Iterable, Mapping
from functools import cached_property
from os import PathLike
from typing import Any

import attrs
import numpy as np

from treelab._files import write_text
from treelab._text import aligned, count
from treelab.data.frames_out import frame_of
from treelab.multiplicity.counting import counted
from treelab.tree.model import Tree
from treelab.tree.prune.price import PRICE

ROWS = 20
"""So many trees are listed in a text; the others are counted."""

HEADS = ("tree", "price", "errors", "leaves", "depth", "root", "other features", "met by")
FLUSH_RIGHT = tuple(head in ("tree", "price", "errors", "leaves", "depth") for head in HEADS)


@attrs.frozen(eq=False)
class RashomonTree:
    """A tree, what it costs, and which searches or metrics have met it."""

    tree: Tree = attrs.field(repr=False)
    price: float
    sources: tuple[str, ...]

    @property
    def errors(self) -> float:
        """The pessimistic errors alone, without the price of the leaves."""
        return self.price - PRICE * self.n_leaves

    @property
    def n_leaves(self) -> int:
        return self.tree.n_leaves

    @property
    def root(self) -> str | None:
        """The feature that is tested first; None for a tree that is a leaf."""
        return self.tree.root.feature

    @property
    def features(self) -> tuple[str, ...]:
        """The features that are tested, in the order of the data."""
        return tuple(self.tree.features[place] for place in self.tree.tested)

    def to_dict(self) -> dict[str, Any]:
        """Return what is known of the tree in plain values."""
        return {
            "price": self.price,
            "errors": self.errors,
            "leaves": self.n_leaves,
            "depth": self.tree.depth,
            "root": self.root,
            "features": list(self.features),
            "met_by": list(self.sources),
        }


@attrs.frozen
class MetricTree:
    """What a metric's own tree costs, how large it is, and its place in the set; None: outside."""

    price: float
    n_leaves: int
    place: int | None


@attrs.frozen(eq=False, repr=False)
class Rashomon:
    """Trees within epsilon of the best, the cheapest first; made by `treelab.rashomon`.

    Parameters
    ----------
    trees
        Each with its price, its size and who has met it.
    metrics
        The greedy tree of every metric that was asked: its price and its place among the trees.
    epsilon
        By how much a tree may cost more than the best, in errors per case.
    cases
        The weight of the cases.
    n_met
        How many different trees were met, within epsilon or not.
    """

    trees: tuple[RashomonTree, ...]
    metrics: Mapping[str, MetricTree]
    epsilon: float
    cases: float
    n_met: int

    @property
    def n(self) -> int:
        """How many trees are within epsilon of the best."""
        return len(self.trees)

    @property
    def best(self) -> RashomonTree:
        return self.trees[0]

    @cached_property
    def features_of_some(self) -> dict[str, int]:
        """How many of the trees use each feature, the most used first."""
        used = (feature for each in self.trees for feature in each.features)
        return counted(used, self.best.tree.features)

    @property
    def features_of_all(self) -> tuple[str, ...]:
        """The features that all trees use."""
        return tuple(name for name, times in self.features_of_some.items() if times == self.n)

    @cached_property
    def roots(self) -> dict[str | None, int]:
        """How many of the trees test each feature first, the most frequent first."""
        return counted((each.root for each in self.trees), self.best.tree.features)

    @property
    def metrics_within(self) -> tuple[str, ...]:
        """The metrics whose own trees are among them."""
        return tuple(name for name, own in self.metrics.items() if own.place is not None)

    # As plain data

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the trees themselves in plain values, ready for JSON."""
        return {
            "n": self.n,
            "n_met": self.n_met,
            "epsilon": self.epsilon,
            "cases": self.cases,
            "features_of_all": list(self.features_of_all),
            "features_of_some": self.features_of_some,
            "roots": [{"feature": name, "trees": times} for name, times in self.roots.items()],
            "metrics": {name: attrs.asdict(own) for name, own in self.metrics.items()},
            "trees": [each.to_dict() for each in self.trees],
        }

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return a row a tree as a frame of the given library: 'pandas', 'polars' or 'pyarrow'."""
        columns = {
            "price": np.array([each.price for each in self.trees]),
            "errors": np.array([each.errors for each in self.trees]),
            "leaves": np.array([each.n_leaves for each in self.trees]),
            "depth": np.array([each.tree.depth for each in self.trees]),
            "root": np.array([each.root or "" for each in self.trees]),
            "features": np.array([", ".join(each.features) for each in self.trees]),
            "met by": np.array([", ".join(each.sources) for each in self.trees]),
        }
        return frame_of(columns, backend)

    # For people

    @property
    def heading(self) -> str:
        """How many trees there are, and within what."""
        met = count(self.n_met, "tree")
        within = f"{self.epsilon:g} errors a case ({self.epsilon * self.cases:.3g} errors)"
        return f"{self.n:,} of {met} met cost at most {within} more than the best"

    @property
    def remarks(self) -> list[str]:
        """What the trees have in common, a sentence each."""
        some = ((name, times) for name, times in self.features_of_some.items() if times < self.n)
        return [
            f"used by all: {', '.join(self.features_of_all) or 'no feature'}",
            f"used by some: {_with_times(some) or 'no other'}",
            f"tested first: {_with_times(self.roots.items())}",
            f"metrics whose tree is among them: {self._own_trees(within=True) or 'none'}",
            f"whose tree costs more: {self._own_trees(within=False) or 'none'}",
        ]

    def _own_trees(self, *, within: bool) -> str:
        own = ((name, own) for name, own in self.metrics.items() if bool(own.place) is within)
        return ", ".join(f"{name} ({_place(each)})" for name, each in own)

    def rows(self, most: int) -> list[list[str]]:
        """Return the cells of the table of the first so many trees.

        Of their features those are named that not all trees use.
        """
        of_all = self.features_of_all
        return [_row(place, each, of_all) for place, each in enumerate(self.trees[:most], 1)]

    def __str__(self) -> str:
        table = aligned([HEADS, *self.rows(ROWS)], FLUSH_RIGHT)
        more = [f"... and {self.n - ROWS:,} more"] if self.n > ROWS else []
        return "\n".join([f"{self.heading}\n", table, *more, "", *self.remarks])

    def __repr__(self) -> str:
        return f"<Rashomon: {self.heading}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook: the table, and the first trees side by side."""
        from treelab.multiplicity.page import fragment

        return fragment(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a page, with the trees drawn side by side, to an .html file."""
        from treelab._markup import check_page
        from treelab.multiplicity.page import page

        check_page(path)
        write_text(path, page(self))


def _row(place: int, each: RashomonTree, of_all: Container[str]) -> list[str]:
    others = [name for name in each.features if name not in of_all]
    return [
        str(place), f"{each.price:.2f}", f"{each.errors:.2f}", f"{each.n_leaves:,}",
        str(each.tree.depth), each.root or "-", ", ".join(others) or "-", ", ".join(each.sources),
    ]  # fmt: skip


def _with_times(features: Iterable[tuple[str | None, int]]) -> str:
    return ", ".join(f"{name or 'nothing'} ({times:,})" for name, times in features)


def _place(own: MetricTree) -> str:
    return f"{own.price:.2f}" if own.place is None else f"tree {own.place}"
