"""`treelab render`: a saved tree as a picture."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.inputs import ModelName, check_output, new_data
from treelab.cli.reading import Reading, reads_data
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.tree.model import Tree


@reads_data
def render(
    model: ModelName,
    output: Annotated[Path, typer.Option("--output", "-o", help="A .svg, .png or .pdf file.")],
    max_depth: Annotated[
        int | None, typer.Option(min=0, help="Draw the tree down to this depth only.")
    ] = None,
    max_nodes: Annotated[
        int, typer.Option(min=1, help="Draw so many nodes; the lightest subtrees are collapsed.")
    ] = 80,
    style: Annotated[str, typer.Option(help="class-bars, plain or print.")] = "class-bars",
    legend: Annotated[bool, typer.Option(help="Explain the colours.")] = True,
    case: Annotated[
        str | None,
        typer.Option(metavar="DATA:ROW", help="Show the path of one case; rows count from 1."),
    ] = None,
    *,
    reading: Reading,
) -> None:
    """Draw a saved tree."""
    check_output(output, model)
    from treelab.plots.canvas import check_format
    from treelab.tree.model import Tree
    from treelab.writers import export

    kind = check_format(output)
    tree = Tree.load(model)
    values = None if case is None else _case(tree, case, reading)
    options: dict[str, Any] = {
        "max_depth": max_depth,
        "max_nodes": max_nodes,
        "style": style,
        "legend": legend,
    }
    export(tree, kind, output, case=values, **options)


def _case(tree: "Tree", given: str, reading: Reading) -> dict[str, Any]:
    """Return the values of the case 'file.csv:3'."""
    from treelab.writers.cases import cases_of

    name, _, row = given.rpartition(":")
    if not name or not row.isdecimal():
        raise ParameterError(f"--case is DATA:ROW, as in 'new.csv:1', got {given!r}")
    data = new_data(name, tree, reading=reading)
    if not 1 <= int(row) <= len(data):
        raise ParameterError(f"{name} has rows 1 to {len(data)}, got {row}")
    return cases_of(tree, data.take([int(row) - 1]))[0]
