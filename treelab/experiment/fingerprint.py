"""What a learner is, as text that changes whenever it may learn otherwise.

*thing of one's own*  a function or object whose content no name tells: each is another one.
"""

import sys
from collections.abc import Iterable
from itertools import count
from operator import attrgetter
from typing import Any
from uuid import uuid4

import attrs
import numpy as np

_SESSION = uuid4().hex
_NUMBERS = count()
_OWN: dict[int, tuple[int, object]] = {}
"""Numbers of things of one's own by address; a thing that is kept lends its address to no other."""


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
    name, kind = _known_name(thing), _known_name(type(thing))
    if name is None and kind is not None and attrs.has(type(thing)):
        fields = {f.name: getattr(thing, f.name) for f in attrs.fields(type(thing))}
        return f"{kind}{fingerprint(fields)}"
    return name or _numbered(thing)


def for_one_run(fingerprints: Iterable[str]) -> list[str]:
    """Return the fingerprints, those with things of one's own made unlike all of other runs.

    Such a thing may change without a sign, as what a function reads elsewhere does.
    """
    run = uuid4().hex
    return [f"{text} {run}" if _SESSION in text else text for text in fingerprints]


def _known_name(thing: Any) -> str | None:
    """Name what can be found by its name, with the version of its package; None if it cannot."""
    module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
    if isinstance(thing, np.ufunc):  # which say neither before numpy 2.2
        module, name = "numpy", thing.__name__
    if not (isinstance(module, str) and isinstance(name, str)) or module == "__main__":
        return None
    try:
        found = attrgetter(name)(sys.modules.get(module))
    except AttributeError:
        return None
    package = module.split(".")[0]
    version = getattr(sys.modules.get(package), "__version__", None)
    if found is not thing or version is None:
        return None
    # The version of treelab is a part of every key.
    return f"{module}.{name}" if package == "treelab" else f"{module}.{name}@{version}"


def _numbered(thing: Any) -> str:
    """Name a thing of one's own by a number that no other has in this session."""
    number, _ = _OWN.setdefault(id(thing), (next(_NUMBERS), thing))
    named = thing if hasattr(thing, "__qualname__") else type(thing)
    return f"{named.__module__}.{named.__qualname__} {number} {_SESSION}"
