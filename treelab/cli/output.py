"""What commands print: results on standard output, everything else on standard error."""

import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Annotated, Any, TypeVar

import typer

from treelab._text import aligned, json_text, visible
from treelab._text import count as count
from treelab._text import percent as percent
from treelab.errors import DataWarning

Item = TypeVar("Item")
Row = Sequence[object]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]


def say(text: str) -> None:
    """Print a result for people."""
    sys.stdout.write(f"{_visible(text)}\n")


def note(text: str) -> None:
    """Print something that is no result, so that it does no harm where it cannot be printed."""
    with suppress(OSError):
        sys.stderr.write(f"{_visible(text)}\n")


@contextmanager
def warnings_noted() -> Iterator[None]:
    """Print warnings about data as notes of one line, each once."""
    told: set[str] = set()
    usual = warnings.showwarning

    def show(message: Any, category: type[Warning], *rest: Any, **more: Any) -> None:
        if not issubclass(category, DataWarning):
            usual(message, category, *rest, **more)
        elif (text := " ".join(str(message).split())) not in told:
            told.add(text)
            note(f"warning: {text}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", DataWarning)
        warnings.showwarning = show
        yield


def say_json(value: Any) -> None:
    """Print a result for programs."""
    sys.stdout.write(f"{as_json(value)}\n")


def as_json(value: Any) -> str:
    """Return the JSON text of a result."""
    return json_text(value, indent=1)


def say_table(heads: Sequence[str], rows: Sequence[Row]) -> None:
    """Print a table: drawn to fit on a terminal, elsewhere plain and never cut."""
    numbers = [all(isinstance(row[place], int) for row in rows) for place in range(len(heads))]
    cells = [[str(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _draw(heads, cells, numbers)
    else:
        say(aligned([heads, *cells], numbers))


def say_facts(facts: Iterable[tuple[str, object]]) -> None:
    """Print what is known, a line each; the empty is left out."""
    known = [(name, str(value)) for name, value in facts if value not in (None, "", ())]
    width = max((len(name) for name, _ in known), default=0)
    for name, value in known:
        say(f"{name:{width}}  {value}")


def as_word(value: object) -> str:
    """Return a parameter as one writes it.

    >>> as_word(None), as_word(True), as_word((1, 0.5)), as_word(print)
    ('none', 'true', '1+0.5', 'print')
    """
    if isinstance(value, tuple):
        return "+".join(map(str, value))
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return str(getattr(value, "__name__", value))


def watched(items: Iterable[Item], total: int, what: str) -> Iterable[Item]:
    """Return the items, with a progress bar if somebody sees it."""
    if not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, what, total, console=Console(stderr=True), transient=True)


@contextmanager
def counted(what: str) -> Iterator[Callable[[int], None]]:
    """Give something to tell a growing number to, which is shown if somebody sees it."""
    with told(what) as show:
        yield lambda number: show(f"{what} {number:,}")


@contextmanager
def told(what: str = "") -> Iterator[Callable[[str], None]]:
    """Give something to tell what is being done to, which is shown if somebody sees it."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.status import Status

    with Status(what, console=Console(stderr=True)) as status:
        yield status.update


def _visible(text: str) -> str:
    return "\n".join(map(visible, text.split("\n")))


def _draw(heads: Sequence[str], rows: Sequence[Sequence[str]], numbers: Sequence[bool]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for place, (head, number) in enumerate(zip(heads, numbers, strict=True)):
        style = "bold" if place == 0 else None
        table.add_column(visible(head), justify="right" if number else "left", style=style)
    for row in rows:
        table.add_row(*map(visible, row))
    # Brackets in cells are intervals, not markup.
    Console(markup=False, highlight=False, emoji=False).print(table)
