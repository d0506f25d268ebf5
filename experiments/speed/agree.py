"""Whether two trees are the same, but for ties.

Where several tests are worth exactly as much, treelab takes the first feature and scikit-learn
the one that chance puts first; below, the trees have nothing in common. So both are walked from
the root. The same test: walk on. Another test: it must be worth as much, and the walk ends
there. A leaf in one tree only, or a test that is worth more, and the trees are not equal.
"""

from typing import Any

import numpy as np

TIE = 1e-9  # both add up logarithms of up to a million cases, in a different order


def same_tree(ours: Any, theirs: Any) -> dict[str, Any]:
    """Compare a tree of treelab with one of scikit-learn, both by the gain in bits."""
    tree = theirs.tree_
    same, ties, front = 0, 0, [(0, 0)]
    while front:
        i, j = front.pop()
        children = ours.children[ours.first_child[i] : ours.first_child[i + 1]]
        pair = tree.children_left[j], tree.children_right[j]
        if len(children) == 0 and pair[0] < 0:
            same += 1
        elif len(children) == 0 or pair[0] < 0 or abs(ours.scores[i] - _gain(tree, j)) > TIE:
            return {"equal": False, "nodes": [ours.n_nodes, tree.node_count]}
        elif _same_test(ours, i, children[0], tree, j, pair[0]):
            same += 1
            front += zip(children, pair, strict=True)
        else:
            ties += 1
    return {"equal": True, "nodes": [ours.n_nodes, tree.node_count], "same": same, "ties": ties}


def _gain(tree: Any, node: int) -> float:
    """Return the gain of a test of scikit-learn's, from the entropies it keeps."""
    below = [tree.children_left[node], tree.children_right[node]]
    shares = tree.weighted_n_node_samples[below] / tree.weighted_n_node_samples[node]
    return float(tree.impurity[node] - shares @ tree.impurity[below])


def _same_test(ours: Any, i: int, left: int, tree: Any, j: int, other_left: int) -> bool:
    """Tell whether two tests part the same cases alike: by one feature, as many to the left."""
    return bool(
        ours.feature[i] == tree.feature[j]
        and round(ours.counts[left].sum()) == tree.n_node_samples[other_left]
    )


def same_size(ours: Any, theirs: Any) -> dict[str, Any]:
    """Tell the sizes of treelab's tree and YDF's, which are the same but for ties."""
    return {"nodes": [ours.n_nodes, int(theirs.num_nodes())]}


def same_value(ours: Any, theirs: Any) -> dict[str, Any]:
    """Tell whether two trees of treelab, or two arrays, are equal."""
    return {"equal": bool(np.all(ours == theirs))}
