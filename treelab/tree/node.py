"""`Node`: a cursor into a tree, for people to look at."""

from typing import TYPE_CHECKING

import attrs
import numpy as np

from treelab._typing import FloatArray, IntArray
from treelab.data.schema import Column

if TYPE_CHECKING:
    from treelab.tree.model import Tree


@attrs.frozen
class Node:
    """A node of a tree, to look at."""

    tree: "Tree" = attrs.field(repr=False)
    number: int

    @property
    def is_leaf(self) -> bool:
        return bool(self.tree.feature[self.number] < 0)

    @property
    def column(self) -> Column | None:
        """The feature tested here, intervals as labels; None at a leaf."""
        if self.is_leaf:
            return None
        return self.tree.coding.column(self.tree.schema.features[self.tree.feature[self.number]])

    @property
    def feature(self) -> str | None:
        """The name of the feature tested here; None at a leaf."""
        return None if self.column is None else self.column.name

    @property
    def is_cut(self) -> bool:
        """Whether the feature tested here was cut into intervals before the tree grew."""
        return self.feature is not None and self.feature in self.tree.coding

    @property
    def threshold(self) -> float | None:
        """The largest number that goes left; None where values are sent to branches by name."""
        threshold = float(self.tree.threshold[self.number])
        return None if np.isnan(threshold) else threshold

    @property
    def children(self) -> tuple["Node", ...]:
        first, last = self.tree.first_child[self.number : self.number + 2]
        return tuple(Node(self.tree, int(n)) for n in self.tree.children[first:last])

    @property
    def branch_of(self) -> IntArray:
        """The branch of each code of the tested feature; -1 where a value has none."""
        first, last = self.tree.first_code[self.number : self.number + 2]
        return self.tree.branch_of[first:last]

    @property
    def missing_branch(self) -> int | None:
        """The branch of missing values; None where they have no branch of their own."""
        branch = int(self.tree.missing_branch[self.number])
        return None if branch < 0 else branch

    @property
    def counts(self) -> FloatArray:
        """The weight of each class."""
        return np.asarray(self.tree.counts[self.number])

    @property
    def weight(self) -> float:
        return float(self.counts.sum())

    @property
    def score(self) -> float:
        return float(self.tree.scores[self.number])

    @property
    def probabilities(self) -> FloatArray:
        """The probability of each class."""
        return np.asarray(self.tree.class_probabilities[self.number])

    @property
    def label(self) -> str:
        """The class that is predicted here."""
        return self.tree.classes[int(self.tree.winners[self.number])]

    @property
    def is_relabelled(self) -> bool:
        """Whether somebody said which class is predicted here."""
        labels = self.tree.relabelled
        return labels is not None and bool(labels[self.number] >= 0)

    @property
    def errors(self) -> float:
        """The weight of the cases of other classes."""
        return self.weight - float(self.counts[self.tree.winners[self.number]])

    @property
    def branch_labels(self) -> tuple[str, ...]:
        """What leads to each child, in the words of the data."""
        from treelab.tree.show import branch_labels

        return branch_labels(self)
