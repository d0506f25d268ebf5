"""Labels: how values are written, which of them are null, in which order they come, and codes."""

import re
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from treelab._typing import AnyArray

ONE_SPELLING = {str, int, float, bool, bytes}
"""Equal values of one such type are written alike; True and 1, or decimals, may not be."""

_ESCAPE = re.compile(r"\\x[89a-f][0-9a-f]")
"""How a byte is written that is no text."""


def coded(
    values: list[Any], kept: Sequence[object] | None = None
) -> tuple[tuple[str, ...], AnyArray]:
    """Return the labels of values, in natural order or those that are kept, and each one's code.

    A `TypeError` says that some values are lists or records.
    """
    distinct = set(values)  # of 1 and True, which are equal, one is in it
    nulls = {type(value) for value in distinct if is_null(value)}
    is_text = {type(value) for value in distinct if not is_null(value)} == {str}
    types = set(map(type, values)) - (nulls if is_text else {type(None)})
    if len(types) > 1 or not types <= ONE_SPELLING:
        values = [None if is_null(value) else label_of(value) for value in values]
        distinct = set(values)
    labels, codes = labelled(distinct, kept)
    # Whatever has no code is null; `map` keeps the loop over the cases out of Python.
    return labels, np.fromiter(map(codes.get, values, repeat(-1)), np.int32, len(values))


def labelled(
    distinct: Iterable[Any], kept: Sequence[object] | None
) -> tuple[tuple[str, ...], dict[Any, int]]:
    """Return the labels, in natural order or those that are kept, and the code of each value."""
    label = {value: label_of(value) for value in distinct if not is_null(value)}
    if kept is None:
        labels = tuple(in_natural_order(label.values()))
    else:
        labels = tuple(dict.fromkeys(label_of(value) for value in kept if not is_null(value)))
    place = {word: code for code, word in enumerate(labels)}
    return labels, {value: place[word] for value, word in label.items()}


def is_null(value: Any) -> bool:
    """Tell whether a value stands for none."""
    try:
        return value is None or bool(value != value)  # NaN is the only value unequal to itself
    except (TypeError, ArithmeticError):
        return True  # pandas' NA and Decimal's sNaN do not know whether they equal themselves
    except ValueError:
        return False  # an array answers once per element


def label_of(value: object) -> str:
    """Write a value as a label: 1.0 and 1 are the same label."""
    if isinstance(value, float | np.floating) and value.is_integer():
        return str(int(value))
    if isinstance(value, bytes):
        return _text_of(value)
    return str(value)


def _text_of(value: bytes) -> str:
    r"""Write bytes as the text they encode, or with escapes; no two are written alike.

    >>> _text_of("é".encode()), _text_of(b"\xff")
    ('é', '\\xff')
    """
    try:
        text = value.decode()
    except UnicodeDecodeError:
        pass
    else:
        if not _ESCAPE.search(text):
            return text
    # A text that looks escaped is escaped itself, so that it is not taken for those bytes.
    return value.replace(b"\\", b"\\\\").decode(errors="backslashreplace")


def natural_order(label: str) -> tuple[int, float, str]:
    """Sort labels that are numbers by value, before the other labels.

    >>> sorted(["10", "9", "b", "a"], key=natural_order)
    ['9', '10', 'a', 'b']
    """
    word = (1, 0.0, label)
    if label[:1].isalpha():  # also 'nan' and 'inf', which are words here
        return word
    try:
        number = float(label)
    except ValueError:
        return word
    return (0, number, label) if number == number else word


def in_natural_order(labels: Iterable[str]) -> list[str]:
    """Return the distinct labels in natural order."""
    distinct = set(labels)
    numbers = {label for label in distinct if natural_order(label)[0] == 0}
    # Words are sorted without a key, which makes a column of identifiers bearable.
    return sorted(numbers, key=natural_order) + sorted(distinct - numbers)
