"""How commands read data files: the options all of them share."""

import csv
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import typer

from treelab.cli.inputs import split_names
from treelab.cli.options import takes
from treelab.errors import ParameterError

Target = Annotated[str | None, typer.Option(help="The column of classes; else the last one.")]
Nominal = Annotated[
    list[str] | None, typer.Option(metavar="A,B", help="Columns to read as labels.")
]
Numeric = Annotated[
    list[str] | None, typer.Option(metavar="A,B", help="Columns to read as numbers.")
]
Weights = Annotated[str | None, typer.Option(metavar="COLUMN", help="The column of case weights.")]
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


def reading_of(
    drop: Drop = None,
    missing_marks: MissingMarks = None,
    decimal: Decimal = None,
    delimiter: Delimiter = None,
    encoding: Encoding = None,
    no_header: NoHeader = False,
    target_is_class: TargetIsClass = False,
    max_bytes: MaxBytes = None,
) -> Reading:
    """Return what options say about a file."""
    return Reading(
        tuple(split_names(drop)), _marks(missing_marks), decimal, delimiter, encoding,
        False if no_header else None, target_is_class or None, max_bytes,
    )  # fmt: skip


class Columns(NamedTuple):
    """What the user says about columns, in the order in which `training_data` takes it."""

    target: str | None = None
    nominal: Sequence[str] = ()
    numeric: Sequence[str] = ()
    weights: str | None = None


def columns_of(
    target: Target = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    weights: Weights = None,
) -> Columns:
    """Return what options say about columns."""
    return Columns(target, split_names(nominal), split_names(numeric), weights)


reads_data = takes(reading=reading_of)
reads_cases = takes(columns=columns_of, reading=reading_of)


def _marks(given: Sequence[str] | None) -> tuple[str, ...] | None:
    """Return the marks in lists such as '?,-9'; the empty field is one, too, as in ',?'."""
    if given is None:
        return None
    fields = csv.reader(given, skipinitialspace=True)
    return tuple(mark.strip() for line in fields for mark in line or [""])
