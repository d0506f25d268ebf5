"""Learners that differ in some of their parameters."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import attrs

from treelab.choosing import Auto
from treelab.errors import ParameterError, UnknownNameError
from treelab.learner import Learner, metric_or_chooser
from treelab.metrics.names import name_of

FIELDS = tuple(field.name for field in attrs.fields(Learner))

USUAL: dict[str, list[Any]] = {
    "metric": ["auto"],
    "pruner": ["pessimistic:cf=0.2,chance=0.5", "pessimistic:cf=0.05,chance=0.5"],
    "min_branch": [2, 5],
    "splits": ["auto", "multiway"],
}
"""What is tried where nothing is said: the usual metrics, two pruners, branches and splits."""

MOST = 10_000
"""No grid has more learners."""


@attrs.frozen
class Candidate:
    """A learner, and those of its parameters that are not the same for all."""

    learner: Learner
    varied: Mapping[str, Any]

    @property
    def name(self) -> str:
        """The parameters that vary, on one line."""
        return ", ".join(f"{name}={name_of(value)}" for name, value in self.varied.items())


def candidates(learner: Learner, options: Mapping[str, Any]) -> tuple[Candidate, ...]:
    """Return a learner for every combination of options, each of which may be a list of choices."""
    for name in options:
        if name not in FIELDS:
            raise UnknownNameError("parameter to tune", name, FIELDS)
    choices = {name: _choices(name, given) for name, given in options.items()}
    varying = [name for name, values in choices.items() if len(values) > 1]
    _check_size(choices)
    made = [dict(zip(choices, values, strict=True)) for values in product(*choices.values())]
    return tuple(
        Candidate(attrs.evolve(learner, **given), {name: given[name] for name in varying})
        for given in made
    )


def by_name(tried: Sequence[Candidate]) -> dict[str, Learner]:
    """Return learners by their names; others of the same name, as of functions, are numbered."""
    found: dict[str, Learner] = {}
    names = [each.name for each in tried]
    for place, each in enumerate(tried):
        before = names[:place].count(each.name)
        found[f"{each.name} ({before + 1})" if before else each.name] = each.learner
    return found


def _check_size(choices: Mapping[str, Sequence[Any]]) -> None:
    size = 1
    for name, values in choices.items():
        if not values:
            raise ParameterError(f"there is nothing to choose from for {name!r}")
        size *= len(values)
    if size > MOST:
        raise ParameterError(f"these are {size:,} learners, and at most {MOST:,} can be tuned")


def _choices(name: str, given: Any) -> list[Any]:
    """Return what an option may be: a list names several, anything else is a single value."""
    several = given if isinstance(given, list) else [given]
    if name != "metric":
        return list(several)
    found: list[Any] = []
    for each in several:
        found += [metric for metric in _metrics(each) if metric not in found]
    return found


def _metrics(given: Any) -> list[Any]:
    """Return the metrics that one stands for: a portfolio, or a table with lists of parameters."""
    if isinstance(given, Mapping) and any(isinstance(value, list) for value in given.values()):
        axes = [value if isinstance(value, list) else [value] for value in given.values()]
        return [dict(zip(given, values, strict=True)) for values in product(*axes)]
    made = metric_or_chooser(given)
    return list(made.portfolio) if isinstance(made, Auto) else [given]
