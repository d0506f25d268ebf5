"""Things that can be had by name: `name`, `name:value` or `name:key=value,key=value`.

The same as plain data is a table {"name": name, key: value, ...}, as files hold it.

Numbers with a slash between them, `theta=0/0/0/1`, are a list. A value may itself be such a text,
`normalized:relieff:k=5,summary=z`: what follows it belongs to the outer thing where that has such a
parameter, else to the inner one.
"""

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from importlib.metadata import EntryPoint, entry_points
from inspect import Parameter, signature
from math import isfinite
from typing import Any, Generic, TypeVar

import attrs
import numpy as np

from treelab._zeros import one_zero
from treelab.errors import ParameterError, UnknownNameError, shown

Thing = TypeVar("Thing")
Spec = str | Mapping[str, Any]
"""What names a thing: a text, or a table with its name and parameters."""


class Registry(Generic[Thing]):
    """Factories by name; packages of other people join through an entry-point group.

    `parts` is the registry of what parameters may be; without it, this one.
    """

    def __init__(self, kind: str, group: str, parts: "Registry[Any] | None" = None) -> None:
        self.kind, self.group = kind, group
        self.parts: Registry[Any] = parts or self
        self._factories: dict[str, Callable[..., Thing]] = {}
        self._accepted: dict[str, Mapping[str, Parameter]] = {}

    def add(self, name: str, factory: Callable[..., Thing]) -> None:
        """Make a factory known by a name, which must be new."""
        if name in self._factories:
            raise ParameterError(f"there is already a {self.kind} named {name!r}")
        self._factories[name] = factory

    def names(self) -> list[str]:
        """Return all names, sorted."""
        return sorted({*self._factories, *self._points})

    def factory(self, name: str) -> Callable[..., Thing]:
        """Return what makes the thing of that name."""
        try:
            if name not in self._factories:
                self._factories[name] = self._loaded(self._points[name])
            return self._factories[name]
        except (KeyError, TypeError):
            known = [*self._factories, *self._points]
            raise UnknownNameError(self.kind, name, known) from None

    def make(self, spec: Spec, **parameters: Any) -> Thing:
        """Return the thing a specification such as 'equal-width:10' names."""
        if isinstance(spec, Mapping):
            return self._of_table(spec, parameters)
        name, _, text = str(spec).partition(":")
        factory = self.factory(name)
        accepted = self._accepted.get(name) or _spelt(signature(factory).parameters)
        self._accepted[name] = accepted
        known = [p for p in accepted if not p.startswith("_")]
        given = {**_parse(text, known), **parameters}
        if given and not known:
            got = text or ", ".join(given)
            raise ParameterError(f"{self.kind} {name!r} has no parameters, got {got!r}")
        for parameter in given:
            if parameter not in known:
                raise UnknownNameError("parameter", parameter, known, of=f"{self.kind} {name!r}")
        for parameter in known:
            if parameter not in given and _is_needed(accepted[parameter]):
                raise ParameterError(f"{self.kind} {name!r} needs a value for {parameter!r}")
        return factory(**{accepted[parameter].name: value for parameter, value in given.items()})

    def _of_table(self, table: Mapping[str, Any], parameters: dict[str, Any]) -> Thing:
        if "repr" in table:
            raise ParameterError(
                f"the {self.kind} {table['repr']} has no name by which a file could keep it: "
                f"give the {self.kind} itself"
            )
        given = {key: value for key, value in table.items() if key != "name"}
        if not isinstance(table.get("name"), str) or not all(isinstance(key, str) for key in given):
            raise ParameterError(
                f"a {self.kind} is a name or a table with one, such as {{'name': ...}}, "
                f"got {shown(table)}"
            )
        return self.make(table["name"], **given, **parameters)

    def describe(self, thing: object) -> dict[str, Any] | None:
        """Return the table that `make` makes an equal thing of; None where there is no such table.

        A thing may have such a table of its own, `table`.
        """
        own = getattr(thing, "table", None)
        if isinstance(own, Mapping) and own.get("name") in self._factories:
            # Somebody may have given another thing the same name.
            return self._plain_table(own) if self.make(own) == thing else None
        for name, factory in self._factories.items():
            if factory is type(thing) and attrs.has(type(thing)):
                return self._plain_table({"name": name, **_fields(thing)})
        return None

    def _plain_table(self, table: Mapping[str, Any]) -> dict[str, Any] | None:
        try:
            return {key: self._plain(value) for key, value in table.items()}
        except TypeError:
            return None

    def _plain(self, value: Any) -> Any:
        """Return a value as JSON has it; TypeError where it has none."""
        value = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
        if value is None or isinstance(value, bool | int | str):
            return value
        if isinstance(value, float) and isfinite(value):
            return one_zero(value)
        if isinstance(value, list | tuple):
            return [self._plain(each) for each in value]
        if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
            return {key: self._plain(each) for key, each in value.items()}
        described = self.parts.describe(value)
        if described is None:
            raise TypeError
        return described

    @cached_property
    def _points(self) -> Mapping[str, EntryPoint]:
        """What other packages offer, the first of each name; it is loaded when it is asked for."""
        return {point.name: point for point in reversed([*entry_points(group=self.group)])}

    def _loaded(self, point: EntryPoint) -> Callable[..., Thing]:
        """Return what an entry point offers; a broken one is told when it is asked for."""
        try:
            factory: Callable[..., Thing] = point.load()
        except Exception as error:  # whatever somebody else's package may raise
            problem = f"{self.kind} {point.name!r} cannot be loaded from {point.value}: {error}"
            return partial(_refuse, problem)
        return factory


def _spelt(parameters: Mapping[str, Parameter]) -> Mapping[str, Parameter]:
    """Return parameters as they are written: `lambda_` is Python's way to say 'lambda'."""
    return {name.removesuffix("_"): parameter for name, parameter in parameters.items()}


def _fields(thing: Any) -> dict[str, Any]:
    """Return what a thing was made of, but for functions that are the default."""
    fields = [field for field in attrs.fields(type(thing)) if field.init]
    given = {field: getattr(thing, field.name) for field in fields}
    return {
        field.alias.removesuffix("_"): value
        for field, value in given.items()
        if not (callable(value) and value is field.default)
    }


def _is_needed(parameter: Parameter) -> bool:
    gathers = parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return parameter.default is Parameter.empty and not gathers


def _refuse(_problem: str) -> Any:
    raise ParameterError(_problem)


def _parse(text: str, known: list[str]) -> dict[str, Any]:
    """Read 'key=value,...'; a value without a key belongs to the first parameter."""
    given: dict[str, Any] = {}
    for key, value in _pairs(text, known):
        if key in given and key in known:
            why = f": {value!r} has no name, and so is {key!r}" if value in text.split(",") else ""
            raise ParameterError(f"parameter {key!r} is given twice in {shown(text)}{why}")
        given[key] = _value(value)
    return given


def _pairs(text: str, known: list[str]) -> list[tuple[str, str]]:
    """Return keys and values; a thing inside the text keeps what only it can have."""
    pairs: list[tuple[str, str]] = []
    inner = None
    for part in filter(None, text.split(",")):
        key, found, value = (word.strip() for word in part.partition("="))
        if inner is not None and found and key not in known:
            pairs[inner] = (pairs[inner][0], f"{pairs[inner][1]},{part.strip()}")
            continue
        if not found or ":" in key:
            key, value = (known or [""])[0], part.strip()
        if ":" in value:
            inner = len(pairs)
        pairs.append((key, value))
    return pairs


def _value(text: str) -> Any:
    words = {"true": True, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    numbers = tuple(_number(piece) for piece in text.split("/"))
    if any(number is None for number in numbers):
        return text
    return numbers if len(numbers) > 1 else numbers[0]


def _number(text: str) -> float | None:
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return None
