"""Nodes by their paths: the numbers of the branches from the root, as in '0.2.1'."""

from collections.abc import Sequence
from operator import index

from treelab.errors import ParameterError

ROOT = "root"


def write_path(path: Sequence[int]) -> str:
    """Write a path.

    >>> write_path((0, 2, 1)), write_path(())
    ('0.2.1', 'root')
    """
    return ".".join(map(str, path)) or ROOT


def read_path(path: str | Sequence[int]) -> tuple[int, ...]:
    """Read a path: numbers, or a text such as '0.2.1'; the root is '' or 'root'.

    >>> read_path("0.2.1"), read_path("root"), read_path([1])
    ((0, 2, 1), (), (1,))
    """
    try:
        if isinstance(path, str):
            return () if path in ("", ROOT) else tuple(map(int, path.split(".")))
        return tuple(map(index, path))
    except (TypeError, ValueError):
        raise ParameterError(
            f"a node is named by branch numbers such as '0.2.1', or by {ROOT!r}, got {path!r}"
        ) from None


def branches_in_words(labels: Sequence[str]) -> str:
    """Say which branches a node has, in the words of the data."""
    words = [f"{number} ({label})" for number, label in enumerate(labels)]
    more = ", ..." if len(words) > 8 else ""
    return f"has branches {', '.join(words[:8])}{more}" if words else "is a leaf"
