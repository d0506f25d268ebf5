"""What machine code is made of: the function, all that it calls, and the values that it reads.

Numba forgets the machine code of a function when its file changes. What the function calls, or a
number that it reads, may stand in another file, and the machine code holds these as they were.
"""

from collections.abc import Iterator
from enum import Enum, EnumType
from hashlib import blake2b
from operator import attrgetter
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np

LIBRARIES = {"numpy", "numba", "math", "cmath", "builtins"}
"""Numba has its own code for what these contain; its version is a part of every key."""

PLAIN = int | float | complex | str | bytes | slice | Enum | np.dtype | None
"""What is written as it is, bool being a kind of int."""


def made_of(function: Any) -> str:
    """Return a digest that changes whenever the machine code of a function, compiled or not, would.

    >>> def twice(x):
    ...     return FACTOR * x
    >>> twice.__globals__["FACTOR"] = 2
    >>> before = made_of(twice)
    >>> twice.__globals__["FACTOR"] = 3
    >>> made_of(twice) == before
    False
    """
    words: list[str] = []
    _describe(function, [], words, set())
    return blake2b("\n".join(words).encode(), digest_size=16).hexdigest()


def _describe(thing: Any, names: list[str], words: list[str], seen: set[int]) -> None:
    """Add words that tell a function with all it refers to, or a value.

    Of a module that is what bears one of the names, which a function takes from somewhere.
    """
    if isinstance(thing, ModuleType):
        _describe_module(thing, names, words, seen)
    elif (function := _function_of(thing)) is not None:
        _describe_function(function, words, seen)
        words.append(repr(getattr(thing, "targetoptions", "")))
    elif isinstance(thing, tuple | list):  # perhaps of functions
        words.append(f"{len(thing)} things")
        for each in thing:
            _describe(each, names, words, seen)
    else:
        words.append(_value(thing))


def _describe_module(
    module: ModuleType, names: list[str], words: list[str], seen: set[int]
) -> None:
    if id(module) in seen or _is_library(module.__name__):
        words.append(module.__name__)
        return
    seen.add(id(module))
    for name in names:
        _describe(getattr(module, name, None), names, words, seen)
    seen.remove(id(module))  # another function takes other things from it


def _describe_function(function: FunctionType, words: list[str], seen: set[int]) -> None:
    if id(function) in seen or _is_library(function.__module__):
        words.append(function.__qualname__)
        return
    seen.add(id(function))
    code = function.__code__
    words += _words(code)
    names = sorted(_names(code))
    cells = (cell.cell_contents for cell in function.__closure__ or ())
    seen_by_name = (function.__globals__.get(name) for name in names)
    for thing in (*(function.__defaults__ or ()), *cells, *seen_by_name):
        _describe(thing, names, words, seen)


def _is_library(module: str | None) -> bool:
    return (module or "").split(".")[0] in LIBRARIES


def _function_of(thing: Any) -> FunctionType | None:
    """Return the function in Python that is compiled for a thing that can be called."""
    for place in ("py_func", "_pyfunc", "_dispatcher.py_func", "gufunc_builder.py_func"):
        try:
            thing = attrgetter(place)(thing)
            break
        except AttributeError:
            continue
    return thing if isinstance(thing, FunctionType) else None


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
    """Tell a value that numba takes in as it is; of all else, its name, or what kind it is of."""
    if isinstance(thing, tuple | list):
        return f"({', '.join(map(_value, thing))})"
    if isinstance(thing, frozenset):
        return f"{{{', '.join(sorted(map(_value, thing)))}}}"
    if isinstance(thing, np.ndarray):
        return f"{thing.dtype!r}{thing.shape}{blake2b(thing.tobytes()).hexdigest()}"
    if isinstance(thing, EnumType):
        return repr([*thing.__members__.values()])
    if isinstance(thing, np.generic):
        return f"{thing.dtype!r} {thing!r}"  # numpy 1 writes a number of its own as Python does
    if isinstance(thing, PLAIN):
        return repr(thing)
    if isinstance(thing, numba.types.Type):
        return repr(thing)
    named = thing if hasattr(thing, "__name__") else type(thing)  # np.sqrt, math.log; an object
    name = getattr(named, "__qualname__", named.__name__)
    return f"{getattr(named, '__module__', '')}.{name}{getattr(named, '_fields', '')}"
