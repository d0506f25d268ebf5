"""Trees and edits for the tests of editing."""

import numpy as np

from treelab.data.coded import ANY_NUMBER
from treelab.editing import Split
from treelab.editing.applying import path_of


def inner_nodes(tree):
    """Return the nodes that are no leaves."""
    return [node for node in tree.nodes if not node.is_leaf]


def own_split(node, below="grow"):
    """Return the edit that asks for the split a node has already."""
    tree = node.tree
    return Split(path_of(tree, node.number), node.feature, _by(node), below)


def _by(node):
    if node.threshold == ANY_NUMBER:
        return "known"
    if node.threshold is not None:
        return node.threshold
    labels, n = node.column.labels, len(node.children)
    groups = [[labels[c] for c in np.flatnonzero(node.branch_of == b)] for b in range(n)]
    if node.tree.missing == "branch":
        groups[node.missing_branch].append(None)
    return groups


def naive_counts(tree, data):
    """Return the class weights of every node, by sending each case down by hand."""
    counts = np.zeros((tree.n_nodes, len(tree.classes)))
    rows = np.flatnonzero((data.y >= 0) & (data.weights > 0))
    waiting = [(0, [(row, data.weights[row]) for row in rows])]
    while waiting:
        number, cases = waiting.pop()
        for row, weight in cases:
            counts[number, data.y[row]] += weight
        node = tree.nodes[number]
        if node.is_leaf:
            continue
        parts, lost = [[] for _ in node.children], []
        for row, weight in cases:
            branch = _branch(node, data, row)
            if branch is None:
                lost.append((row, weight))
            elif branch >= 0:
                parts[branch].append((row, weight))
        known = [sum(weight for _, weight in part) for part in parts]
        for part, share in zip(parts, known, strict=True):
            part += [(row, weight * share / sum(known)) for row, weight in lost if share]
        waiting += [(c.number, part) for c, part in zip(node.children, parts, strict=True)]
    return counts


def _branch(node, data, row):
    """Return the branch of a case: None where it goes down all of them, -1 where it stops."""
    place = int(node.tree.feature[node.number])
    value = data.columns[place][row]
    if value == -1 if data.schema.features[place].is_nominal else np.isnan(value):
        if node.tree.missing == "fractional":
            return None
        return -1 if node.missing_branch is None else node.missing_branch
    if node.threshold is not None:
        return int(value > node.threshold)
    if node.is_cut:
        value = np.searchsorted(node.tree.coding.cuts[node.feature], value, side="right")
    return int(node.branch_of[int(value)])
