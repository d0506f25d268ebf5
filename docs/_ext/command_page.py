"""The command line, from its own help."""

from collections.abc import Iterator
from typing import Any

import typer

from treelab.cli.app import app

INTRODUCTION = """\
Command line
============

``treelab COMMAND --help`` prints what is said here. DATA is a file, the name of a bundled data
set, or ``make:GENERATOR,...`` for data made to order. Results go to standard output, notes and
progress to standard error; ``--json`` prints a result for other programs. Exit codes: 0 done, 1
the work failed, 2 the call was wrong, 130 interrupted.

"""


def pages() -> dict[str, str]:
    """Return the page of all commands."""
    return {"commands.rst": INTRODUCTION + "\n".join(_section(*command) for command in commands())}


def commands() -> Iterator[tuple[str, Any]]:
    """Yield every command with its full name, such as `treelab reduce cases`."""
    yield from _below("treelab", typer.main.get_command(app))


def _below(name: str, group: Any) -> Iterator[tuple[str, Any]]:
    for word, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from _below(f"{name} {word}", command)
        else:
            yield f"{name} {word}", command


def _section(name: str, command: Any) -> str:
    context = typer.Context(command, info_name=name)
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    example = (command.epilog or "").removeprefix("Example: ")
    parts = [
        f"{name}\n{'-' * len(name)}\n",
        f"{command.help}\n",
        f".. code-block:: text\n\n   {usage}\n",
        f"Example:\n\n.. code-block:: sh\n\n   {example}\n" if example else "",
        f".. program:: {name}\n",
        *(_option(*record) for record in _records(command, context)),
    ]
    return "\n".join(parts)


def _records(command: Any, context: Any) -> list[tuple[str, str]]:
    """Return how each parameter is written, and what it means, as the help has it."""
    found = [parameter.get_help_record(context) for parameter in command.params]
    return [record for record in found if record]


def _option(written: str, meaning: str) -> str:
    return f".. option:: {written.replace(' / ', ', ')}\n\n   {_escaped(meaning)}\n"


def _escaped(text: str) -> str:
    r"""Return a plain text that means the same in reStructuredText; `code` stays code.

    >>> _escaped("a* | `treelab metrics` n_")
    'a\\* \\| ``treelab metrics`` n\\_'
    """
    for mark in "\\*|_":
        text = text.replace(mark, f"\\{mark}")
    text = text.replace("://", "\\://")  # an address to type, not to follow
    parts = text.split("`")
    return "".join(
        p if i % 2 == 0 else f"``{p.replace(chr(92), '')}``" for i, p in enumerate(parts)
    )
