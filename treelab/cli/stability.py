"""`treelab stability`: how much trees change over bootstrap samples."""

from pathlib import Path
from typing import Annotated

import typer

from treelab.cli.inputs import DataName, metrics_given, split_names, training_data
from treelab.cli.learning import (
    DiscretizerSpec,
    MaxDepth,
    MaxLeaves,
    MinBranch,
    MinCases,
    MissingPolicy,
    PrunerSpec,
    SearchKind,
    SearchWidth,
    SplitsKind,
    learner_of,
)
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Reading, reads_data
from treelab.cli.reduction import Nominal, Numeric, Target, Weights, check_drawing


@reads_data
def stability(
    data: DataName,
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="One or several, or all; else the usual ones."),
    ] = None,
    samples: Annotated[int, typer.Option(help="How many samples are drawn.")] = 50,
    seed: Annotated[int, typer.Option(help="For everything that is left to chance.")] = 0,
    discretizer: DiscretizerSpec = None,
    pruner: PrunerSpec = None,
    missing: MissingPolicy = None,
    splits: SplitsKind = None,
    search: SearchKind = None,
    width: SearchWidth = None,
    min_cases: MinCases = None,
    min_branch: MinBranch = None,
    max_depth: MaxDepth = None,
    max_leaves: MaxLeaves = None,
    target: Target = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    weights: Weights = None,
    plot: Annotated[Path | None, typer.Option(help="Draw to this .svg, .png or .pdf file.")] = None,
    json: AsJson = False,
    *,
    reading: Reading,
) -> None:
    """Show how much the tree of each metric changes when the cases are drawn again."""
    check_drawing(plot, data)
    from treelab.multiplicity import stability as compare

    learner = learner_of(
        discretizer=discretizer, pruner=pruner, missing=missing, splits=splits, search=search,
        width=width, min_cases=min_cases, min_branch=min_branch, max_depth=max_depth,
        max_leaves=max_leaves, seed=seed,
    )  # fmt: skip
    asked = metrics_given(metric)
    kinds = split_names(nominal), split_names(numeric)
    cases = training_data(data, target, *kinds, weights, reading)
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
