"""Checks of what a model file says, each told in one sentence."""

import sys
from collections.abc import Set
from typing import Any

import numpy as np

from treelab._typing import FloatArray
from treelab.errors import ModelFileError


def expect(holds: bool, problem: str) -> None:
    """Raise unless something holds."""
    if not holds:
        raise ModelFileError(f"damaged model: {problem}")


def check_entries(
    what: str, value: Any, required: Set[str], optional: Set[str] = frozenset()
) -> None:
    """Raise unless a value is an object with these entries."""
    expect(isinstance(value, dict), f"{what} is no object")
    for name in sorted(required - value.keys()):
        expect(False, f"{what} has no {name!r}")
    for name in sorted(value.keys() - required - optional):
        expect(False, f"{what} has an unknown entry {name!r}")


def items(value: Any, what: str) -> list[Any]:
    """Return a list."""
    expect(isinstance(value, list), f"{what} are no list")
    return list(value)


def numbers(values: Any, what: str) -> FloatArray:
    """Return a list of numbers as an array."""
    found = [number(value, f"one of the {what}") for value in items(values, what)]
    return np.array(found, dtype=np.float64)


def number(value: Any, what: str) -> float:
    """Return a finite number."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # JSON knows neither NaN nor infinity, but 1e999 is read as one.
    expect(is_number and abs(value) <= sys.float_info.max, f"{what} is no number")
    return float(value)


def whole(value: Any, least: int, below: int) -> int:
    """Return a whole number within limits."""
    fits = is_whole(value) and least <= value < below
    expect(fits, f"there is no whole number from {least} to {below - 1} where one is needed")
    return int(value)


def is_whole(value: Any) -> bool:
    """Tell whether a value is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)
