"""Options that several commands have: written once, and given to each of them as one thing."""

import inspect
from collections.abc import Callable
from functools import update_wrapper
from typing import Any

Command = Callable[..., None]


def takes(**groups: Callable[..., Any]) -> Callable[[Command], Command]:
    """Give a command groups of options.

    A group is a function whose parameters are options; what it makes of those that the user gives
    is passed to the command by the name of the group.
    """
    options = {name: inspect.signature(group).parameters for name, group in groups.items()}

    def decorate(command: Command) -> Command:
        def run(**given: Any) -> None:
            made = {
                name: group(**{option: given.pop(option) for option in options[name]})
                for name, group in groups.items()
            }
            command(**given, **made)

        own = inspect.signature(command).parameters
        shown = [
            each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for several in (own, *options.values())
            for each in several.values()
            if each.name not in groups
        ]
        update_wrapper(run, command)
        # What typer looks at.
        run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
        run.__annotations__ = {each.name: each.annotation for each in shown}
        return run

    return decorate
