"""Formulas with options: which one it is depends on them."""

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any

from treelab._typing import FloatArray
from treelab.protocols import Formula
from treelab.stats.formulas.named import NamedFormula


class ParametricFormula(NamedFormula):
    """A formula over tables and options, made by a function of the options.

    `given` makes it for some options, so that a formula that can be evaluated quickly is known
    before there are tables.
    """

    def __init__(self, given: Callable[..., Formula]) -> None:
        super().__init__(given)
        self.given = given
        table = Parameter("table", Parameter.POSITIONAL_ONLY)
        self.__signature__ = Signature([table, *signature(given).parameters.values()])

    def __call__(self, table: FloatArray, /, **options: Any) -> FloatArray:
        return self.given(**options)(table)
