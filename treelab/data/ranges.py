"""Numbers in units of their range."""

import numpy as np

from treelab._typing import FloatArray


def in_units(numbers: FloatArray, width: float) -> FloatArray:
    """Return numbers, none of which is too far for it, in units of a width.

    >>> in_units(np.array([0.0, 5e-324]), 5e-324).tolist()
    [0.0, 1.0]
    """
    # numpy 1 divides whole vectors: it warns of the ones that fill them up, which may overflow.
    with np.errstate(over="ignore"):
        return numbers / width
