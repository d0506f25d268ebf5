"""Formulas that are objects, and yet bear the name of the function they are made of."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Any, cast


class NamedFormula:
    """Takes name and documentation from a function, and is pickled by that name, as functions are.

    >>> from math import log2
    >>> NamedFormula(log2).__name__
    'log2'
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(cast(Callable[..., Any], self), function)
        del self.__dict__["__wrapped__"]  # it is called with tables, which the function may not be

    def __reduce__(self) -> str:
        return str(self.__qualname__)  # type: ignore[attr-defined]
