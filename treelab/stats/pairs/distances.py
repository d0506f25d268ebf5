"""Pairs weighted by a function of one's own: what it says of the distances that occur."""

from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from treelab._typing import FloatArray
from treelab.errors import ParameterError, shown
from treelab.kernels import pairs as kernels

DIGITS = 12
"""Distances that differ by less are equal (SPEC 0.2, rule 7)."""


def distances_that_occur(data: kernels.Cases, tiles: list[tuple[int, int]]) -> FloatArray:
    """Return the distances of all pairs of cases, each once, ascending.

    Of nominal features they are whole numbers, all of which are given.
    """
    if (data.kind == kernels.NOMINAL).all() and (data.gap < 0).all():
        return np.arange(len(data.kind) + 1.0)
    found = np.empty(0)
    for start, stop in tiles:
        apart = np.empty((len(data.y), stop - start))
        kernels.tile_distances(data, start, stop, apart)
        found = np.union1d(found, np.round(apart, DIGITS))
    return found


def weight_by(decay: Callable[[float], float], distance: float) -> float:
    """Return the weight a function gives a distance, or say what is wrong with it."""
    try:
        given = decay(distance)
        weight = float(given)
    except Exception as error:  # whatever somebody's function may raise
        problem = f"decay({distance:g}) raised {type(error).__name__}: {error}"
    else:
        if isfinite(weight) and weight >= 0:
            return weight
        problem = f"decay({distance:g}) is {shown(given)}"
    raise ParameterError(
        f"decay must be a finite number of at least 0 at every distance, but {problem}"
    )


def shown_decay(decay: Any) -> str:
    """Write the name of a decay, or that of a function."""
    return repr(decay) if isinstance(decay, str) else getattr(decay, "__qualname__", repr(decay))
