"""Candidates in the words of the data."""

import attrs
import numpy as np

from treelab.stats.candidates import Cut, Grouping
from treelab.stats.view import View
from treelab.tree.draft import Draft, freeze
from treelab.tree.model import Node, Tree
from treelab.tree.partition import Rule, carry_out, part, rule_of


def in_words(tree: Tree, view: View, split: Cut | Grouping) -> tuple[str, tuple[float, ...]]:
    """Return what a split asks, and the weight of each of its branches."""
    rule, cases = carry_out(view, split, tree.missing)
    sizes = tuple(float(weights.sum()) for _, weights in cases)
    labels = _stump(tree, view, rule, len(cases)).branch_labels
    if isinstance(split, Cut) or len(labels) == 2:
        return labels[0], sizes
    feature = tree.features[split.feature]
    return f"{feature} = each {'interval' if feature in tree.coding else 'value'}", sizes


def _stump(tree: Tree, view: View, rule: Rule, n_branches: int) -> Node:
    """Return the root of a tree with a single test, which can say its branches."""
    test = {field.name: getattr(rule, field.name) for field in attrs.fields(Rule)}
    children = [Draft(view.class_counts) for _ in range(n_branches)]
    root = Draft(view.class_counts, children=children, **test)
    return freeze(root, tree.schema, tree.coding, tree.missing).root


def place_of_test(node: Node, view: View) -> int | None:
    """Return the candidate that is the node's own test; None where pruning moved it there."""
    for place in np.flatnonzero(view.counts.feature == node.tree.feature[node.number]):
        if _is_test(node, view, view.counts.split(int(place))):
            return int(place)
    return None


def _is_test(node: Node, view: View, split: Cut | Grouping) -> bool:
    rule = rule_of(split, view.space.coded.axes[split.feature])
    tree, number = node.tree, node.number
    return (
        np.array_equal(rule.threshold, tree.threshold[number], equal_nan=True)
        and np.array_equal(rule.branch_of, node.branch_of)
        # Where missing values go is known once the cases are parted.
        and part(view, split, tree.missing)[1] == tree.missing_branch[number]
    )
