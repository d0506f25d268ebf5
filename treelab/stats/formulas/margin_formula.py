"""Formulas that know a table by its margins: what chance gives is one.

For a given class margin such a formula is a sum over values of a number that depends on how many
cases a value has. The cuts of all features at a node share these numbers: they are computed once
for each size, and looked up.
"""

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from treelab._threads import in_parallel
from treelab._typing import FloatArray, IndexArray
from treelab.protocols import Formula
from treelab.stats.candidates.blocks import Block
from treelab.stats.formulas.impurity import n_log_n
from treelab.stats.formulas.named import NamedFormula

Fill: TypeAlias = Callable[[FloatArray, IndexArray, FloatArray, tuple[int, int], FloatArray], None]
"""A kernel like `kernels.by_size.entropy_by_size`."""

PART = 2**12
"""Class margins are shared out to threads in parts of about so many sizes."""


class MarginFormula(NamedFormula):
    """A formula over tables that sums up over values what their sizes give; made by `by_size`."""

    def __init__(self, fill: Fill, formula: Formula) -> None:
        super().__init__(formula)
        self.fill, self.formula = fill, formula

    def __call__(self, tables: FloatArray) -> FloatArray:
        return self.formula(tables)

    def scores(self, block: Block) -> FloatArray:
        """Return the formula of a block's candidates: looked up where counts are whole."""
        return block.by_sizes(self.of_sizes) if block.whole else block.by_tables(self)

    def of_sizes(self, classes: FloatArray) -> tuple[IndexArray, FloatArray]:
        """Return what branches of all sizes give; `classes` (margin, class) are whole numbers.

        Those of margin i begin at the i'th place returned.
        """
        lengths = classes.sum(axis=1).astype(np.int64) + 1
        firsts = np.concatenate([[0], np.cumsum(lengths)])
        x_log_x = _x_log_x(int(lengths.max(initial=1) - 1).bit_length())
        values = np.empty(firsts[-1])
        in_parallel(lambda span: self.fill(classes, firsts, x_log_x, span, values), _spans(firsts))
        return firsts[:-1], values


@cache
def _x_log_x(bits: int) -> FloatArray:
    """Return x log2 x of all numbers of so many bits; what is made is never changed."""
    return n_log_n(np.arange(2.0**bits))


def _spans(firsts: IndexArray) -> list[tuple[int, int]]:
    """Return the first margin of each part, and the one behind its last."""
    parts = np.arange(0, firsts[-1] + PART, PART)
    return list(
        pairwise(np.unique(np.searchsorted(firsts, parts).clip(max=len(firsts) - 1)).tolist())
    )


def by_size(fill: Fill) -> Callable[[Formula], MarginFormula]:
    """Say of a formula over tables by which kernel it is known for branches of every size."""

    def make(formula: Formula) -> MarginFormula:
        return MarginFormula(fill, formula)

    return make
