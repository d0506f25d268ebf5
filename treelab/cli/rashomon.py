"""`treelab rashomon`: trees that are about as good as the best one."""

from pathlib import Path
from typing import Annotated

import typer

from treelab.cli.inputs import DataName, check_output, metrics_given, split_names, training_data
from treelab.cli.learning import (
    DiscretizerSpec,
    MaxDepth,
    MaxLeaves,
    MetricSpec,
    MinBranch,
    MinCases,
    MissingPolicy,
    SplitsKind,
    learner_of,
)
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Reading, reads_data
from treelab.cli.reduction import Nominal, Numeric, Target, Weights


@reads_data
def rashomon(
    data: DataName,
    metric: MetricSpec = None,
    width: Annotated[
        int | None, typer.Option(help="Trees that the beam keeps, and features looked ahead.")
    ] = None,
    epsilon: Annotated[
        float, typer.Option(help="So much more than the best may a tree cost, in errors per case.")
    ] = 0.01,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B", help="Whose own trees to look for, or all; else the usual ones."
        ),
    ] = None,
    discretizer: DiscretizerSpec = None,
    missing: MissingPolicy = None,
    splits: SplitsKind = None,
    min_cases: MinCases = None,
    min_branch: MinBranch = None,
    max_depth: MaxDepth = None,
    max_leaves: MaxLeaves = None,
    seed: Annotated[int | None, typer.Option(help="For everything that is left to chance.")] = None,
    target: Target = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    weights: Weights = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Draw the trees side by side to this .html file."),
    ] = None,
    json: AsJson = False,
    *,
    reading: Reading,
) -> None:
    """Show the trees met during look-ahead and beam search that are about as good as the best."""
    check_output(output, data)
    from treelab._markup import check_page
    from treelab.multiplicity import rashomon as find

    if output is not None:
        check_page(output)
    learner = learner_of(
        metric=metric, width=width, discretizer=discretizer, missing=missing, splits=splits,
        min_cases=min_cases, min_branch=min_branch, max_depth=max_depth, max_leaves=max_leaves,
        seed=seed,
    )  # fmt: skip
    asked = metrics_given(metrics)
    kinds = split_names(nominal), split_names(numeric)
    cases = training_data(data, target, *kinds, weights, reading)
    found = find(cases, learner, "all" if asked == ["all"] else asked or None, epsilon=epsilon)
    if output is not None:
        found.save(output)
    if json:
        say_json({"data": cases.name} | found.to_dict())
        return
    say(str(found))
    if output is not None:
        say(f"\nsaved to {output}")
