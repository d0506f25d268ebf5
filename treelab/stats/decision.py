"""From the probabilities of the classes to a class: the most probable, or the cheapest."""

import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.kernels.ties import TIE
from treelab.stats.formulas.impurity import majority


def decided(probabilities: FloatArray, costs: FloatArray | None) -> IndexArray:
    """Return the class of each row of probabilities; the first one among equals.

    Without costs the most probable one. With costs (actual class, predicted class) the one of
    minimum expected cost, sum over j of p(j) C(j, i) (Breiman et al. 1984, section 4.4).
    """
    if costs is None:
        return majority(probabilities)
    expected = probabilities @ costs
    enough = expected.min(axis=-1, keepdims=True) + TIE * costs.max()
    return np.asarray((expected <= enough).argmax(axis=-1))
