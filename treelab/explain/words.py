"""Candidates in the words of the data."""

import numpy as np

from treelab._typing import IntArray
from treelab.data.coded import ANY_NUMBER
from treelab.stats.candidates.splits import Splits
from treelab.stats.stores.node import InMemoryNode
from treelab.stats.stores.nodes import Children
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.recorder import maps, thresholds

By = str | float | tuple[tuple[str | None, ...], ...]
"""What a split asks of its feature."""


def in_words(tree: Tree, view: InMemoryNode, split: Splits) -> tuple[str, tuple[float, ...]]:
    """Return what a split asks, and the weight of each of its branches."""
    parts = view.batch.split(split, tree.missing)
    sizes = tuple(parts.counts.sum(axis=1).tolist())
    labels = _stump(tree, view, split, parts).branch_labels
    if not split.is_grouping[0] or len(labels) == 2:
        return labels[0], sizes
    feature = tree.features[split.feature[0]]
    return f"{feature} = each {'interval' if feature in tree.coding else 'value'}", sizes


def _stump(tree: Tree, view: InMemoryNode, split: Splits, parts: Children) -> Node:
    """Return the root of a tree with a single test, which can say its branches."""
    threshold, branch_of = _test(view, split)
    n = len(parts.counts)
    leaves = np.full(n, -1, np.int32)
    stump = Tree(
        schema=tree.schema,
        coding=tree.coding,
        missing=tree.missing,
        feature=np.append(split.feature.astype(np.int32), leaves),
        threshold=np.append(threshold, np.full(n, np.nan)),
        first_child=np.append(0, np.full(n + 1, n)),
        children=np.arange(1, n + 1),
        first_code=np.append(0, np.full(n + 1, len(branch_of))),
        branch_of=branch_of,
        missing_branch=np.append(parts.missing_branch.astype(np.int32), leaves),
        counts=np.vstack([view.class_counts, parts.counts]),
        scores=np.full(n + 1, np.nan),
    )
    return stump.root


def _test(view: InMemoryNode, split: Splits) -> tuple[float, IntArray]:
    context = view.context
    return float(thresholds(split, context)[0]), maps(split, context)[1]


def as_asked(tree: Tree, view: InMemoryNode, split: Splits) -> By:
    """Return a split as an edit asks for it: by a threshold, or by groups of values.

    'each' is a branch for each value, 'known' known against missing values; None in a group is the
    missing value, where that has a branch.
    """
    threshold, branch_of = _test(view, split)
    if not np.isnan(threshold):
        return "known" if threshold == ANY_NUMBER else threshold
    words = tree.coding.column(tree.schema.features[split.feature[0]]).words
    pairs: list[tuple[str | None, int]] = [*zip(words, branch_of.tolist(), strict=True)]
    if split.is_grouping[0] and view.context.missing_is_value:
        pairs.append((None, int(split.maps[split.first_map[0] + len(branch_of)])))
    groups = tuple(
        tuple(word for word, branch in pairs if branch == number)
        for number in range(max(branch for _, branch in pairs) + 1)
    )
    is_each = len(groups) > 2 and all(len(group) == 1 for group in groups)
    return "each" if is_each else groups


def place_of_test(node: Node, view: InMemoryNode) -> int | None:
    """Return the candidate that is the node's own test; None where pruning moved it there."""
    places = np.flatnonzero(view.counts.feature == node.tree.feature[node.number])
    if node.threshold is not None and len(places):
        # Of thousands of cuts only those at the threshold are worth a closer look.
        cuts = thresholds(view.counts.splits(places), view.context)
        places = places[cuts == node.threshold]
    for place in places:
        if _is_test(node, view, view.counts.splits(np.array([place]))):
            return int(place)
    return None


def _is_test(node: Node, view: InMemoryNode, split: Splits) -> bool:
    threshold, branch_of = _test(view, split)
    tree, number = node.tree, node.number
    return (
        np.array_equal(threshold, tree.threshold[number], equal_nan=True)
        and np.array_equal(branch_of, node.branch_of)
        # Where missing values go is known once the cases are parted.
        and view.batch.split(split, tree.missing).missing_branch[0] == tree.missing_branch[number]
    )
