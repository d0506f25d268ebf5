"""What classes count, what mistakes cost and what a tree has to keep to, as options."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab._files import read_text
from treelab.cli.inputs import split_names
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.data.constraints import Constraints

ClassWeightSpec = Annotated[
    str | None, typer.Option(metavar="balanced|A=2,B=1", help="What the cases of a class count.")
]
CostsFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="What mistakes cost: CSV, a row for each actual class, a column each."
    ),
]
First = Annotated[
    list[str] | None,
    typer.Option(metavar="A,B", help="The feature that the root tests, then those below it."),
]
Never = Annotated[
    list[str] | None, typer.Option(metavar="A,B", help="Features that are not tested.")
]
Monotone = Annotated[
    list[str] | None,
    typer.Option(metavar="A=1,B=-1", help="The second class gets likelier (1) or not (-1) with A."),
]
FeatureCost = Annotated[
    list[str] | None,
    typer.Option(metavar="A=5", help="What it costs to know a feature; else 1 (CS-ID3)."),
]
ConstraintsFile = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="TOML with first, never, monotone and cost, instead."),
]


def class_weight_of(given: str | None) -> Any:
    """Return what --class-weight says."""
    if given is None or given == "balanced":
        return given
    return _numbers("--class-weight", [given])


def costs_of(path: Path | None) -> dict[str, dict[str, str | float]] | None:
    """Read a matrix of costs with labels: a row for each actual class, a column each predicted."""
    if path is None:
        return None
    rows = [row for row in csv.reader(_text("--costs", path).splitlines()) if any(row)]
    if len(rows) < 2 or len({len(row) for row in rows}) > 1:
        raise ParameterError(
            f"--costs: {path} must be a table with the predicted classes in its first row and an "
            "actual class at the beginning of each other"
        )
    predicted = [name.strip() for name in rows[0][1:]]
    where = f"--costs: {path}"
    return {
        row[0].strip(): {
            label: _number(where, cost) for label, cost in zip(predicted, row[1:], strict=True)
        }
        for row in rows[1:]
    }


def constraints_of(
    first: Sequence[str] | None,
    never: Sequence[str] | None,
    monotone: Sequence[str] | None,
    cost: Sequence[str] | None,
    path: Path | None,
) -> "Constraints | None":
    """Return what the options on constraints say; those of a file, with what the others change."""
    from treelab.data.constraints import constraints

    said: dict[str, Any] = {
        "first": split_names(first),
        "never": split_names(never),
        "monotone": _ways(_numbers("--monotone", monotone)),
        "cost": _numbers("--feature-cost", cost),
    }
    given = {name: value for name, value in said.items() if value}
    return constraints(_toml(path) | given)


def _toml(path: Path | None) -> dict[str, Any]:
    import tomllib

    if path is None:
        return {}
    try:
        return tomllib.loads(_text("--constraints", path))
    except tomllib.TOMLDecodeError as error:
        raise ParameterError(f"--constraints: {path} is not TOML: {error}") from None


def _text(option: str, path: Path) -> str:
    try:
        return read_text(path, "utf-8-sig")
    except (OSError, UnicodeDecodeError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise ParameterError(f"{option}: cannot read {path}: {why}") from None


def _numbers(option: str, words: Sequence[str] | None) -> dict[str, float]:
    """Return numbers by name, of lists such as 'a=2,b=1'."""
    found = {}
    for word in split_names(words):
        name, sign, number = word.rpartition("=")
        if not sign:
            raise ParameterError(f"{option} must be NAME=NUMBER, got {word!r}")
        found[name.strip()] = _number(f"{option} of {name.strip()!r}", number)
    return found


def _number(where: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"{where}: expected a number, got {text.strip()!r}") from None


def _ways(given: dict[str, float]) -> dict[str, float]:
    """Return directions as whole numbers, where they are."""
    return {name: int(way) if way == int(way) else way for name, way in given.items()}
