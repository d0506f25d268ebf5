"""`treelab importances`: which features a saved tree owes its knowledge to."""

from pathlib import Path
from typing import Annotated

import typer

from treelab.cli.inputs import ModelName, check_output, new_data
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Reading, reads_data
from treelab.errors import ParameterError


@reads_data
def importances(
    model: ModelName,
    data: Annotated[
        str | None,
        typer.Argument(metavar="[DATA]", help="Held-out cases, or those it was grown from."),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            metavar="gain|permutation|corrected",
            help="Permutation: of held-out cases; corrected for chance: of the training cases.",
        ),
    ] = "gain",
    repeats: Annotated[int, typer.Option(min=1, help="How often chance deals anew.")] = 10,
    seed: Annotated[int, typer.Option(help="For what chance deals.")] = 0,
    weights: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of case weights.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Draw them to this .svg, .png or .pdf file.")
    ] = None,
    json: AsJson = False,
    *,
    reading: Reading,
) -> None:
    """Show how important the features are to a tree: by gain, by permutation, or beyond chance."""
    check_output(plot, model, *([] if data is None else [data]))
    from treelab.explain import importances as asked
    from treelab.tree.model import Tree

    if plot is not None:
        from treelab.plots.canvas import check_format

        check_format(plot)
    tree = Tree.load(model)
    if data is None and by in ("permutation", "corrected"):
        raise ParameterError(f"--by {by} needs cases: treelab importances MODEL DATA --by {by}")
    cases = None if data is None else new_data(data, tree, weights, reading)
    found = asked(tree, cases, by, repeats=repeats, seed=seed)  # type: ignore[arg-type]
    if plot is not None:
        from treelab.plots import draw_importances, save

        save(draw_importances(found), plot)
    if json:
        say_json({"by": found.by, "importances": found.to_dict()})
        return
    say(f"{found.what}\n\n{found}")
    if plot is not None:
        say(f"\nsaved to {plot}")
