"""What machine code is made of: the function, all that it calls, and the values that it reads.

Numba forgets the machine code of a function when its file changes. What the function calls, or a
number that it reads, may stand in another file, and the machine code holds these as they were.
"""

from collections.abc import Callable, Iterator
from hashlib import blake2b
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

LIBRARIES = {"numpy", "numba", "math", "cmath", "builtins"}
"""Numba has its own code for what these contain; its version is a part of every key."""


def made_of(function: Callable[..., object]) -> str:
    """Return a digest that changes whenever the machine code of a function would.

    >>> def twice(x):
    ...     return FACTOR * x
    >>> twice.__globals__["FACTOR"] = 2
    >>> before = made_of(twice)
    >>> twice.__globals__["FACTOR"] = 3
    >>> made_of(twice) == before
    False
    """
    words: list[str] = []
    _describe(function, words, set())
    return blake2b("\n".join(words).encode(), digest_size=16).hexdigest()


def _describe(thing: Any, words: list[str], seen: set[int]) -> None:
    """Add words that tell a function with all it refers to, or a value."""
    function = getattr(thing, "py_func", thing)
    if not isinstance(function, FunctionType):
        words.append(_value(thing))
        return
    if id(function) in seen or function.__module__.split(".")[0] in LIBRARIES:
        words.append(function.__qualname__)
        return
    seen.add(id(function))
    code = function.__code__
    words += _words(code)
    words.append(repr(function.__defaults__))
    for cell in function.__closure__ or ():
        _describe(cell.cell_contents, words, seen)
    names = sorted(_names(code))
    for name in names:
        _describe_global(function.__globals__.get(name), names, words, seen)


def _describe_global(thing: Any, names: list[str], words: list[str], seen: set[int]) -> None:
    """Describe what a name stands for; of a module, what the function may take from it."""
    if not isinstance(thing, ModuleType):
        _describe(thing, words, seen)
    elif thing.__name__.split(".")[0] not in LIBRARIES:
        for name in names:
            _describe(getattr(thing, name, None), words, seen)


def _words(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _words(constant)
        else:
            yield _value(constant)


def _names(code: CodeType) -> set[str]:
    inner = (part for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*map(_names, inner))


def _value(thing: Any) -> str:
    """Tell a value that numba takes in as it is; of all else, what kind of thing it is."""
    if isinstance(thing, tuple | list):
        return f"({', '.join(map(_value, thing))})"
    if isinstance(thing, frozenset):
        return f"{{{', '.join(sorted(map(_value, thing)))}}}"
    if isinstance(thing, np.ndarray):
        return f"{thing.dtype.str}{thing.shape}{blake2b(thing.tobytes()).hexdigest()}"
    if thing is None or isinstance(thing, bool | int | float | complex | str | bytes | np.generic):
        return repr(thing)
    kind = thing if isinstance(thing, type) else type(thing)
    return f"{kind.__module__}.{kind.__qualname__}{getattr(kind, '_fields', '')}"
