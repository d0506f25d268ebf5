"""Formulas written for a single table: compiled where numba can, called in a loop elsewhere."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from treelab._typing import FloatArray
from treelab.kernels._jit import pointer
from treelab.kernels.cut_scores import scores_of
from treelab.protocols import Formula
from treelab.stats.candidates.blocks import Block

SIGNATURE = "float64(float64[:, ::1])"


class PerTableFormula:
    """A formula over tables (..., value, class) of a function of one table (value, class)."""

    def __init__(self, function: Callable[[FloatArray], float]) -> None:
        self.function = function
        self.__qualname__ = getattr(function, "__qualname__", repr(function))

    @cached_property
    def compiled(self) -> Any:
        """The function as kernels call it, or None where it cannot be compiled."""
        # What numba has compiled already is compiled again, to an address.
        return pointer(getattr(self.function, "py_func", self.function), SIGNATURE)

    def __call__(self, tables: FloatArray) -> FloatArray:
        flat = np.ascontiguousarray(tables, np.float64).reshape(-1, *tables.shape[-2:])
        if self.compiled:
            scores = np.empty(len(flat))
            scores_of(self.compiled, flat, scores)
        else:
            scores = np.array([self.function(table) for table in flat], np.float64)
        return scores.reshape(tables.shape[:-2])

    def scores(self, block: Block) -> FloatArray:
        """Return the formula of a block's candidates."""
        return block.one_by_one(self.compiled) if self.compiled else block.by_tables(self)

    def __getstate__(self) -> dict[str, Any]:
        """Return what can be pickled: not the machine code."""
        return {"function": self.function, "__qualname__": self.__qualname__}


def over_tables(function: Callable[[FloatArray], Any]) -> Formula:
    """Return a formula over tables (..., value, class) of a function that may see one at a time.

    The function is tried on three tables at once, to see which kind it is: not on two, because
    `table[0, 0]` of two tables of two classes would be two numbers as well.
    """
    trial = np.array([[[3.0, 1.0], [1.0, 2.0]], [[2.0, 2.0], [1.0, 4.0]], [[1.0, 2.0], [5.0, 1.0]]])
    if not hasattr(function, "py_func"):
        try:
            if np.shape(function(trial)) == (3,):
                return function
        except Exception:  # noqa: S110  (whatever a function of one table says to three)
            pass
    try:
        float(function(trial[0]))
    except Exception:
        return function  # wrong for either: the node will say so, with the real tables
    return PerTableFormula(function)
