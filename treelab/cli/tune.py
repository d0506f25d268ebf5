"""`treelab tune`: the learner that does best on data, as a line to paste."""

from typing import Annotated, Any

import typer

from treelab.cli.inputs import DataName, split_names, split_specs, training_data
from treelab.cli.learning import (
    DiscretizerSpec,
    MaxDepth,
    MaxLeaves,
    MinCases,
    MissingPolicy,
    SearchKind,
    SearchWidth,
    learner_of,
)
from treelab.cli.output import AsJson, say, say_json, watched
from treelab.cli.reading import Columns, Reading, reads_cases
from treelab.errors import ParameterError

Choices = list[str] | None


@reads_cases
def tune(
    data: DataName,
    metric: Annotated[
        Choices, typer.Option(metavar="A,B", help="Metrics, or a portfolio: auto, auto:pi.")
    ] = None,
    pruner: Annotated[Choices, typer.Option(metavar="A,B", help="Pruners to choose from.")] = None,
    min_branch: Annotated[
        Choices, typer.Option(metavar="2,5", help="Least cases of a branch, to choose from.")
    ] = None,
    splits: Annotated[
        Choices, typer.Option(metavar="A,B", help="Of auto, multiway, binary and subset.")
    ] = None,
    folds: Annotated[int, typer.Option(help="The number of inner folds.")] = 5,
    within: Annotated[
        float, typer.Option(help="Standard errors that a smaller tree may cost; 0: none.")
    ] = 1.0,
    max_cases: Annotated[
        int, typer.Option(help="Judge by a random part of so many cases at most; 0: by all.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="For everything that is left to chance.")] = 0,
    discretizer: DiscretizerSpec = None,
    missing: MissingPolicy = None,
    search: SearchKind = None,
    width: SearchWidth = None,
    min_cases: MinCases = None,
    max_depth: MaxDepth = None,
    max_leaves: MaxLeaves = None,
    json: AsJson = False,
    *,
    columns: Columns,
    reading: Reading,
) -> None:
    """Choose metric, pruner, branches and splits for data by inner folds.

    Of the learners within a standard error of the most accurate the one of the smallest trees.
    """
    from treelab.tuning import tune as tuned

    learner = learner_of(
        discretizer=discretizer, missing=missing, search=search, width=width, min_cases=min_cases,
        max_depth=max_depth, max_leaves=max_leaves, seed=seed,
    )  # fmt: skip
    asked: dict[str, list[Any]] = {
        "metric": split_specs(metric),
        "pruner": split_specs(pruner),
        "min_branch": [_number(each) for each in split_names(min_branch)],
        "splits": split_names(splits),
    }
    cases = training_data(data, *columns, reading)
    found = tuned(
        cases, learner, folds=folds, within=within, max_cases=max_cases or None, seed=seed,
        watch=lambda judged, total: watched(judged, total, "learners"),
        **{name: choices for name, choices in asked.items() if choices},
    )  # fmt: skip
    if json:
        say_json({"data": cases.name} | found.to_dict())
        return
    say(str(found))
    say(f"treelab train {data} {found.command}".rstrip())


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        raise ParameterError(f"--min-branch must be numbers, got {text!r}") from None
    return int(number) if number.is_integer() else number
