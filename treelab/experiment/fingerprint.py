"""What a learner is, as text that changes whenever it may learn otherwise."""

import sys
from types import BuiltinFunctionType, FunctionType
from typing import Any
from uuid import uuid4

import attrs

# A function of somebody's own may change without a sign: its results serve this session only.
_SESSION = uuid4().hex


def fingerprint(thing: Any) -> str:
    """Describe a value made of plain values, attrs objects and functions of known packages.

    >>> fingerprint({"k": 3, "ties": ("shared", None)})
    "{'k': 3, 'ties': ('shared', None)}"
    """
    if thing is None or isinstance(thing, bool | int | float | str):
        return repr(thing)
    if isinstance(thing, tuple | list):
        return f"({', '.join(map(fingerprint, thing))})"
    if isinstance(thing, dict):
        items = sorted((fingerprint(key), fingerprint(value)) for key, value in thing.items())
        return "{" + ", ".join(f"{key}: {value}" for key, value in items) + "}"
    if isinstance(thing, type | FunctionType | BuiltinFunctionType) or _found_by_name(thing):
        return _named(thing)
    if attrs.has(type(thing)):
        fields = {f.name: getattr(thing, f.name) for f in attrs.fields(type(thing))}
        return f"{_named(type(thing))}{fingerprint(fields)}"
    return f"{_named(type(thing))} {thing!r} {_SESSION}"


def _found_by_name(thing: Any) -> bool:
    """Tell whether an object is known to its module by name, as a formula of sums is."""
    name, module = getattr(thing, "__qualname__", ""), sys.modules.get(thing.__module__)
    return thing is getattr(module, name, None)


def _named(thing: Any) -> str:
    """Name a class or function with the version of its package; one of nobody's, by session."""
    name = f"{thing.__module__}.{thing.__qualname__}"
    package = thing.__module__.split(".")[0]
    if package == "treelab" and "<" not in name:  # its version is a part of every key
        return name
    version = getattr(sys.modules.get(package), "__version__", None)
    if version is None or "<" in name:
        return f"{name} {_SESSION}"
    return f"{name}@{version}"
