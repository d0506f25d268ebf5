"""Formulas made of formulas, each of which is evaluated in its quickest way."""

from collections.abc import Callable

import attrs

from treelab._typing import FloatArray
from treelab.protocols import Formula
from treelab.stats.blocks import Block, scores_of


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

    def scores(self, block: Block) -> FloatArray:
        """Return the formula of a block's candidates, each part in its quickest way."""
        return self.combine(*(scores_of(part, block) for part in self.parts))
