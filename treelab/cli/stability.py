"""`treelab stability`: how much trees change over bootstrap samples."""

from pathlib import Path
from typing import Annotated, Any

import typer

from treelab.cli.inputs import DataName, metrics_given, training_data
from treelab.cli.learning import (
    PrunerSpec,
    SearchKind,
    SearchWidth,
    grows_trees,
    learner_of,
)
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Columns, Reading, reads_cases
from treelab.cli.reduction import check_drawing


@reads_cases
@grows_trees
def stability(
    data: DataName,
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="One or several, or all; else the usual ones."),
    ] = None,
    samples: Annotated[int, typer.Option(help="How many samples are drawn.")] = 50,
    seed: Annotated[int, typer.Option(help="For everything that is left to chance.")] = 0,
    pruner: PrunerSpec = None,
    search: SearchKind = None,
    width: SearchWidth = None,
    plot: Annotated[Path | None, typer.Option(help="Draw to this .svg, .png or .pdf file.")] = None,
    json: AsJson = False,
    *,
    growing: dict[str, Any],
    columns: Columns,
    reading: Reading,
) -> None:
    """Show how much the tree of each metric changes when the cases are drawn again."""
    check_drawing(plot, data)
    from treelab.multiplicity import stability as compare

    learner = learner_of(pruner=pruner, search=search, width=width, seed=seed, **growing)
    asked = metrics_given(metric)
    cases = training_data(data, *columns, reading)
    how = {"samples": samples, "seed": seed}
    found = compare(cases, learner, "all" if asked == ["all"] else asked or None, **how)
    if plot is not None:
        found.save(plot)
    if json:
        say_json({"data": cases.name} | found.to_dict())
        return
    say(str(found))
    if plot is not None:
        say(f"\nsaved to {plot}")
