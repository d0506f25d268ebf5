"""`treelab rashomon`: trees that are about as good as the best one."""

from pathlib import Path
from typing import Annotated, Any

import typer

from treelab.cli.inputs import DataName, check_output, metrics_given, training_data
from treelab.cli.learning import (
    MetricSpec,
    grows_trees,
    learner_of,
)
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Columns, Reading, reads_cases


@reads_cases
@grows_trees
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
    seed: Annotated[int | None, typer.Option(help="For everything that is left to chance.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Draw the trees side by side to this .html file."),
    ] = None,
    json: AsJson = False,
    *,
    growing: dict[str, Any],
    columns: Columns,
    reading: Reading,
) -> None:
    """Show the trees met during look-ahead and beam search that are about as good as the best."""
    check_output(output, data)
    from treelab._markup import check_page
    from treelab.multiplicity import rashomon as find

    if output is not None:
        check_page(output)
    learner = learner_of(metric=metric, width=width, seed=seed, **growing)
    asked = metrics_given(metrics)
    cases = training_data(data, *columns, reading)
    found = find(cases, learner, "all" if asked == ["all"] else asked or None, epsilon=epsilon)
    if output is not None:
        found.save(output)
    if json:
        say_json({"data": cases.name} | found.to_dict())
        return
    say(str(found))
    if output is not None:
        say(f"\nsaved to {output}")
