"""What requests say that several of them have in common."""

from typing import Any

from treelab.errors import ParameterError, check_number, shown


def path_of(asked: dict[str, Any]) -> tuple[int, ...]:
    """Return the path that a request names."""
    given = asked.get("path", [])
    if not isinstance(given, list) or not all(isinstance(step, int) for step in given):
        raise ParameterError(f"path must be a list of branch numbers, got {shown(given)}")
    return tuple(given)


def folds_of(asked: dict[str, Any]) -> tuple[int, int]:
    """Return the number of folds and the seed that a request names."""
    folds, seed = asked.get("folds", 10), asked.get("seed", 0)
    check_number("folds", folds, 2, 1000, whole=True)
    check_number("seed", seed, 0, whole=True)
    return folds, seed
