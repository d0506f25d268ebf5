"""Memory for large arrays that are made anew at every level of a tree."""

from math import prod
from typing import Any

import numpy as np

from treelab._typing import AnyArray

LARGE = 2**20
"""Smaller arrays, in bytes, cost nothing worth saving."""


class BufferPool:
    """Gives arrays the memory of earlier ones that are gone.

    The system clears every page it hands out, which took a quarter of the time of trees of a
    million cases. What was handed out once is kept for as long as there is a `BufferPool`.
    A tree has a `BufferPool` of its own: one thread asks it for arrays, though any may drop the
    last of them.
    """

    def __init__(self) -> None:
        self._free: list[AnyArray] = []

    def empty(self, shape: tuple[int, ...], dtype: Any) -> AnyArray:
        """Return an array like `numpy.empty`."""
        size = prod(shape) * np.dtype(dtype).itemsize
        if size < LARGE:
            return np.empty(shape, dtype)
        return np.asarray(_Buffer(self._piece(size), self._free, shape, dtype))

    def _piece(self, size: int) -> AnyArray:
        """Return the smallest free piece of memory that is large enough, or a new one."""
        fitting = [k for k, piece in enumerate(self._free) if len(piece) >= size]
        if not fitting:
            # Arrays have grown: the pieces that are there will not be wanted again.
            self._free.clear()
            return np.empty(size, np.uint8)
        return self._free.pop(min(fitting, key=lambda k: len(self._free[k])))


class _Buffer:
    """What arrays in a piece of memory refer to: it is free when the last of them is gone."""

    def __init__(
        self, piece: AnyArray, free: list[AnyArray], shape: tuple[int, ...], dtype: Any
    ) -> None:
        self._piece, self._free = piece, free
        self.__array_interface__ = {
            "version": 3,
            "shape": shape,
            "typestr": np.dtype(dtype).str,
            "data": piece.__array_interface__["data"],
        }

    def __del__(self) -> None:
        self._free.append(self._piece)
