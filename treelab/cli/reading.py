"""How commands read data files: the options all of them share."""

import csv
import inspect
from collections.abc import Callable, Sequence
from functools import update_wrapper
from typing import Annotated, Any, NamedTuple

import typer

from treelab.cli.inputs import split_names
from treelab.errors import ParameterError

Drop = Annotated[list[str] | None, typer.Option(metavar="A,B", help="Columns to leave out.")]
MissingMarks = Annotated[
    list[str] | None,
    typer.Option(
        metavar="A,B", help="Fields that mean missing; `usual` adds those that do without this."
    ),
]
Decimal = Annotated[
    str | None, typer.Option(metavar="MARK", help="The decimal mark: a point or a comma.")
]
Delimiter = Annotated[
    str | None, typer.Option(metavar="CHAR", help="Between fields: a character, tab or space.")
]
Encoding = Annotated[
    str | None, typer.Option(metavar="NAME", help="Of a text file, such as latin-1; else UTF-8.")
]
NoHeader = Annotated[bool, typer.Option("--no-header", help="The first row holds no names.")]
TargetIsClass = Annotated[
    bool,
    typer.Option("--target-is-class", help="Take a target of many numbers for classes."),
]
MaxBytes = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="What a file may hold, unpacked; else 1 GiB or 100 times its size.",
    ),
]


class Reading(NamedTuple):
    """What the user says about a file, named as in `treelab.read`; None where nothing is said."""

    drop: tuple[str, ...] = ()
    missing_marks: tuple[str, ...] | None = None
    decimal: str | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    target_is_class: bool | None = None
    max_bytes: int | None = None

    @property
    def options(self) -> dict[str, Any]:
        """What is said, as keywords of `treelab.read`."""
        return {name: value for name, value in self._asdict().items() if value not in (None, ())}

    def check_only_drops(self, given: str, what: str) -> None:
        """Raise if something is said that makes sense for files only."""
        for name in self.options:
            if name not in ("drop", "target_is_class"):
                flag = "no-header" if name == "header" else name.replace("_", "-")
                raise ParameterError(f"--{flag} is for files, but {given!r} is {what} data set")


def reads_data(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of `Reading`; it is called with all of them in `reading`."""

    def run(
        *given: Any,
        drop: Drop = None,
        missing_marks: MissingMarks = None,
        decimal: Decimal = None,
        delimiter: Delimiter = None,
        encoding: Encoding = None,
        no_header: NoHeader = False,
        target_is_class: TargetIsClass = False,
        max_bytes: MaxBytes = None,
        **others: Any,
    ) -> None:
        command(
            *given,
            reading=Reading(
                tuple(split_names(drop)), _marks(missing_marks), decimal, delimiter, encoding,
                False if no_header else None, target_is_class or None, max_bytes,
            ),
            **others,
        )  # fmt: skip

    shown = [
        each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for function in (command, run)
        for each in inspect.signature(function).parameters.values()
        if each.name not in ("reading", "given", "others")
    ]
    update_wrapper(run, command)
    # What typer looks at.
    run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in shown}
    return run


def _marks(given: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the marks in lists such as '?,-9'; the empty field is one, too, as in ',?'."""
    if given is None:
        return None
    fields = csv.reader(given, skipinitialspace=True)
    return tuple(mark.strip() for line in fields for mark in line or [""])
