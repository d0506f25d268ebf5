"""Formulas made of formulas, each of which is evaluated in its quickest way."""

from collections.abc import Callable
from functools import cache

import attrs

from treelab._typing import FloatArray
from treelab.protocols import Formula
from treelab.stats.candidates.blocks import Block, quickest, scores_of
from treelab.stats.formulas.named import NamedFormula


class OfClasses(NamedFormula):
    """A formula over tables that depends on the number of classes, made by a function of it."""

    def __init__(self, given: Callable[[int], Formula]) -> None:
        super().__init__(given)
        self.given = cache(given)

    def __call__(self, tables: FloatArray) -> FloatArray:
        return self.given(tables.shape[-1])(tables)

    def of_tables(self, tables: FloatArray) -> FloatArray:
        """Return the formula of tables (table, branch, class)."""
        return quickest(self.given(tables.shape[-1]))(tables)

    def scores(self, block: Block) -> FloatArray:
        """Return the formula of a block's candidates."""
        return scores_of(self.given(block.n_classes), block)


@attrs.frozen
class Composed:
    """A formula over tables that combines what others give.

    Parameters
    ----------
    combine
        From what each part gives, number by number, to scores.
    parts
        Formulas over tables.
    """

    combine: Callable[..., FloatArray]
    parts: tuple[Formula, ...]

    def __call__(self, tables: FloatArray) -> FloatArray:
        return self.combine(*(part(tables) for part in self.parts))

    def of_tables(self, tables: FloatArray) -> FloatArray:
        """Return the formula of tables (table, branch, class), each part in its quickest way."""
        return self.combine(*(quickest(part)(tables) for part in self.parts))

    def scores(self, block: Block) -> FloatArray:
        """Return the formula of a block's candidates, each part in its quickest way."""
        return self.combine(*(scores_of(part, block) for part in self.parts))
