"""The parameters of a learner as plain data, as a model file holds them.

*setting*  a number, a word or nothing; a metric, discretizer or pruner by its name, as a text or
           as a table {"name": name, parameter: value, ...}; one that no name can stand for, a
           function of one's own, as {"repr": how it is written}, which is for people only.
"""

from collections.abc import Mapping
from math import inf
from typing import Any, get_args

import attrs

from treelab.data.class_weight import class_weight
from treelab.data.constraints import constraints
from treelab.data.costs import costs
from treelab.data.cut_rule import cut_rule
from treelab.errors import ParameterError, UnknownNameError, check_choice, check_number, shown
from treelab.stats.stores.context import SplitStrategy
from treelab.stats.stores.nodes import Missing
from treelab.tree.grow import Unseen
from treelab.tree.stop import Stop

KINDS = {
    "metric": "metric",
    "cut_metric": "metric",
    "discretizer": "discretizer",
    "pruner": "pruner",
    "probabilities": "probabilities",
    "search": "search",
}
"""The settings that name something, and what."""

_OPTIONAL = ("discretizer", "pruner", "bins")
_STOP = tuple(field.name for field in attrs.fields(Stop))
_WORDS = {
    "missing": Missing,
    "splits": SplitStrategy,
    "unseen": Unseen,
}
_WHOLE = {"bins": 2, "width": 1, "seed": -inf}
"""Words and whole numbers, with their least value."""

DEEPEST = 20
"""So often a metric may be a parameter of another: what is written must not exhaust the stack."""

READ = {"class_weight": class_weight, "costs": costs, "constraints": constraints}
"""Settings that are values of their own, and what reads them from plain data; left out if None."""

NAMES = (*KINDS, *_STOP, *_WORDS, *_WHOLE, "cuts", *READ)


def check_values(given: Mapping[str, Any]) -> None:
    """Raise unless the settings that name nothing are what they may be."""
    Stop(**{name: given[name] for name in _STOP if name in given})
    for name, words in _WORDS.items():
        if name in given:
            check_choice(name, given[name], get_args(words))
    for name, least in _WHOLE.items():
        if name in given and not (given[name] is None and name in _OPTIONAL):
            check_number(name, given[name], least, whole=True)
    if "cuts" in given:
        cut_rule(given["cuts"])
    for name, read in READ.items():
        read(given.get(name))


def check_settings(given: Any) -> None:
    """Raise unless a value read from a file is settings, or how a learner is written.

    Whether a name stands for anything is not asked: the package that knows it may be elsewhere.
    """
    if not isinstance(given, Mapping):
        raise ParameterError(f"settings are an object, got {shown(given)}")
    if _is_written(given):
        return
    for name in given:
        if name not in NAMES:
            raise UnknownNameError("setting", name, NAMES)
    check_values(given)
    for name in KINDS:
        if name in given:
            _check_name(name, given[name])


def _check_name(setting: str, given: Any) -> None:
    if isinstance(given, str) or (given is None and setting in _OPTIONAL):
        return
    if not isinstance(given, Mapping):
        raise ParameterError(f"{setting} must be a name or an object with one, got {shown(given)}")
    if not (_is_written(given) or isinstance(given.get("name"), str)):
        raise ParameterError(f"{setting} must be an object with a name, got {shown(given)}")
    _check_nesting(setting, given, DEEPEST)


def _check_nesting(setting: str, value: Any, levels: int) -> None:
    if not isinstance(value, list | Mapping):
        return
    if not levels:
        raise ParameterError(f"{setting} is nested more than {DEEPEST} times")
    for inner in value.values() if isinstance(value, Mapping) else value:
        _check_nesting(setting, inner, levels - 1)


def _is_written(given: Mapping[str, Any]) -> bool:
    return len(given) == 1 and isinstance(given.get("repr"), str)


def as_text(settings: Mapping[str, Any]) -> str:
    """Write settings as the call that makes the learner.

    >>> as_text({"metric": {"name": "relieff", "k": 5}, "pruner": None, "bins": 7})
    "Learner(metric=metric('relieff', k=5), pruner=None, bins=7)"
    """
    if not settings or _is_written(settings):
        return str(settings.get("repr", ""))
    parts = (f"{name}={_written(KINDS.get(name, ''), value)}" for name, value in settings.items())
    return f"Learner({', '.join(parts)})"


def _written(kind: str, value: Any) -> str:
    if not isinstance(value, Mapping):
        return repr(value)
    if _is_written(value):
        return str(value["repr"])
    if kind == "probabilities" or not isinstance(value.get("name"), str):
        return repr(dict(value))  # 'lambda' is no keyword of a call
    # Within a metric or a discretizer, what has a name is a metric.
    given = (f", {k}={_written('metric', v)}" for k, v in value.items() if k != "name")
    return f"{kind}({value['name']!r}{''.join(given)})"
