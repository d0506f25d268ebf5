"""Leaves that predict another class because somebody said so.

The probabilities of such a leaf are those of its cases, but the class that would be predicted and
the one that was said have exchanged theirs: how sure the leaf is stays as it was. Where that is not
enough, for equal shares or because of costs, the class is raised by as much as it takes, and by a
tenth of what is left then, so that no rounding decides. Every program that a tree is written for
decides by these probabilities, and so says the same.
"""

import numpy as np

from treelab._typing import FloatArray, IntArray
from treelab.kernels.ties import TIE
from treelab.stats.decision import decided

FURTHER = 0.1
"""What is added to the least that makes a class win, as a share of what is left."""


def relabelled_probabilities(
    probabilities: FloatArray, labels: IntArray, costs: FloatArray | None
) -> FloatArray:
    """Return probabilities (node, class) by which the labels are predicted; -1 for no label.

    >>> given = np.array([[0.7, 0.2, 0.1], [0.5, 0.5, 0.0]])
    >>> relabelled_probabilities(given, np.array([1, 1]), None)
    array([[0.2 , 0.7 , 0.1 ],
           [0.45, 0.55, 0.  ]])
    """
    nodes = np.flatnonzero(labels >= 0)
    found, wanted = probabilities.copy(), labels[nodes]
    winners = decided(found[nodes], costs)
    found[nodes, wanted], found[nodes, winners] = found[nodes, winners], found[nodes, wanted]
    lost = np.flatnonzero(decided(found[nodes], costs) != wanted)
    found[nodes[lost]] = _raised(found[nodes[lost]], wanted[lost], costs)
    return found


def _raised(probabilities: FloatArray, labels: IntArray, costs: FloatArray | None) -> FloatArray:
    """Return probabilities in which the labels have as much more as makes them win.

    As a mixture with certainty of the label: what it wins over each other class by changes from
    `now` to `sure` in proportion.
    """
    n_classes = probabilities.shape[1]
    costs = 1.0 - np.eye(n_classes) if costs is None else costs
    places = np.arange(len(labels))
    expected = probabilities @ costs
    now = expected - expected[places, labels][:, None]
    sure = costs[labels] - costs[labels, labels][:, None]
    # A class that costs as little as the label itself, even if the label is certain, is not beaten.
    is_behind = (now <= TIE * costs.max()) & (sure > now)
    is_behind[places, labels] = False
    gain = np.where(is_behind, sure - now, 1.0)
    least = np.where(is_behind, -now / gain, 0.0).clip(0.0, 1.0).max(axis=1)
    share = (least + FURTHER * (1.0 - least))[:, None]
    return np.asarray((1.0 - share) * probabilities + share * np.eye(n_classes)[labels])
