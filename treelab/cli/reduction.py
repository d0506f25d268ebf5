"""What `treelab discretize` and the commands of `treelab reduce` share."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.inputs import check_output
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.evaluate import BeforeAfter

PICTURES = (".svg", ".png", ".pdf")

Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Write the reduced data to this .csv file.")
]
Picture = Annotated[Path | None, typer.Option(help="Draw to this .svg, .png or .pdf file.")]
BeforeAfterCard = Annotated[
    bool, typer.Option("--before-after", help="Cross-validate trees before and after, too.")
]


def cards(compared: "BeforeAfter | None") -> dict[str, Any]:
    """Return learning before and after, as a program wants it."""
    import attrs

    return {} if compared is None else {"before_after": attrs.asdict(compared)}


def check_picture(picture: Path | None, method: str, only: Sequence[str], data: str) -> None:
    """Raise unless a picture can be drawn of what a method finds, and written."""
    if picture is None:
        return
    if method not in only:
        raise ParameterError(f"--picture goes with --method {' or '.join(only)}")
    check_drawing(picture, data)


def check_drawing(picture: Path | None, data: str) -> None:
    """Raise unless a picture can be written."""
    if picture is None:
        return
    check_output(picture, data)
    if picture.suffix not in PICTURES:
        raise ParameterError(f"a picture ends in .svg, .png or .pdf, got {str(picture)!r}")
