"""`treelab regions`: where in the plane of two features a saved tree predicts which class."""

from pathlib import Path
from typing import Annotated

import typer

from treelab.cli.inputs import DataName, ModelName, check_output, new_data, split_names
from treelab.cli.output import say
from treelab.cli.reading import Reading, reads_data


@reads_data
def regions(
    model: ModelName,
    data: DataName,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="The picture: an .svg, .png or .pdf file.")
    ],
    features: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="Two numeric columns; else the most important ones."),
    ] = None,
    weights: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of case weights.")
    ] = None,
    *,
    reading: Reading,
) -> None:
    """Draw which class a tree predicts where, in the plane of two numeric features."""
    check_output(output, model, data)
    from treelab.plots import regions as found_in
    from treelab.plots.canvas import check_format
    from treelab.tree.model import Tree

    check_format(output)
    tree = Tree.load(model)
    names = split_names(features)
    found = found_in(tree, new_data(data, tree, weights, reading), names or None)
    found.save(output)
    say(f"{found.features[0]} and {found.features[1]}: saved to {output}")
