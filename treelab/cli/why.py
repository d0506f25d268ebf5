"""`treelab why`: what metrics say of every way to split a node."""

import csv
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from treelab.cli.completion import complete_metrics
from treelab.cli.inputs import DataName, ModelName, metrics_given, new_data
from treelab.cli.output import AsJson, say, say_json, say_table
from treelab.cli.reading import Reading, reads_data
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.explain import Why


@reads_data
def why(
    model: ModelName,
    data: DataName,
    node: Annotated[
        str, typer.Option(metavar="PATH", help="The node, such as 0.2; see `show --paths`.")
    ] = "root",
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            autocompletion=complete_metrics,
            help="Metrics to ask, or all; else the tree's and some more.",
        ),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Every candidate, not the best of each feature.")
    ] = False,
    top: Annotated[
        int | None, typer.Option("--top", "-n", min=1, help="So many candidates only.")
    ] = None,
    weights: Annotated[
        str | None, typer.Option(metavar="COLUMN", help="The column of case weights.")
    ] = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Print CSV and nothing else.")] = False,
    json: AsJson = False,
    *,
    reading: Reading,
) -> None:
    """Tell why a node is split as it is: every candidate, judged by every metric.

    DATA are the data the tree was grown from.
    """
    if as_csv and json:
        raise ParameterError("--csv and --json exclude each other")
    from treelab.explain import why as explain
    from treelab.tree.model import Tree

    tree = Tree.load(model)
    asked = metrics_given(metrics)
    answer = explain(
        tree,
        node,
        "all" if asked == ["all"] else asked or None,
        new_data(data, tree, weights, reading),
        candidates="all" if every else "best",
    )
    answer = answer if top is None else answer.top(top)
    if json:
        say_json(answer.to_dict())
    elif as_csv:
        _write_csv(answer)
    else:
        _say(answer)


def _say(answer: "Why") -> None:
    say(f"{answer.heading}\n")
    for heads, rows in answer.tables():
        say_table(heads, rows)
        say("")
    for remark in answer.remarks:
        say(remark)


def _write_csv(answer: "Why") -> None:
    table = answer.columns()
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*table.values(), strict=True))
