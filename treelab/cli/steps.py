"""`treelab steps`: how a tree grows and is pruned, or how a method works, as a page."""

from pathlib import Path
from typing import Annotated, Any

import typer

from treelab.cli.inputs import DataName, check_output, split_names, training_data
from treelab.cli.learning import (
    MetricSpec,
    PrunerSpec,
    grows_trees,
    learner_of,
)
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Columns, Reading, reads_cases
from treelab.errors import ParameterError


@reads_cases
@grows_trees
def steps(
    data: DataName,
    method: Annotated[
        str | None,
        typer.Option(help="Instead of a tree: chimerge, chimerge:alpha=0.05, bins:4 or relief."),
    ] = None,
    feature: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="The column a method cuts; two to draw relief by."),
    ] = None,
    metric: MetricSpec = None,
    pruner: PrunerSpec = None,
    held_out: Annotated[
        float | None,
        typer.Option(help="Hold out this share of the cases and draw their errors, too."),
    ] = None,
    most: Annotated[int | None, typer.Option(min=1, help="So many steps at most.")] = None,
    seed: Annotated[int | None, typer.Option(help="For everything that is left to chance.")] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the page with its slider to this .html file."),
    ] = None,
    json: AsJson = False,
    *,
    growing: dict[str, Any],
    columns: Columns,
    reading: Reading,
) -> None:
    """Show step by step how a tree grows and is pruned, or how a method works."""
    check_output(output, data)
    from treelab._markup import check_page

    if output is not None:
        check_page(output)
    of_tree = {"metric": metric, "pruner": pruner, **growing}
    names = split_names(feature)
    _check(method, names, {**of_tree, "held_out": held_out})
    cases = training_data(data, *columns, reading)
    limits = {} if most is None else {"most": most}
    if method is None:
        from treelab.teaching import steps as of

        found: Any = of(learner_of(seed=seed, **of_tree), cases, held_out=held_out, **limits)
    else:
        found = _of_method(cases, method, names, seed or 0, limits)
    if output is not None:
        found.save(output)
    if json:
        say_json({"data": cases.name} | found.to_dict())
        return
    say(found.heading if output is not None and method else str(found))
    if output is not None:
        say(f"\nsaved to {output}")


def _check(method: str | None, names: list[str], of_tree: dict[str, Any]) -> None:
    """Raise where options of trees and of methods are mixed."""
    if method is None:
        if names:
            raise ParameterError("--feature goes with --method: a tree chooses its features")
        return
    for name, value in of_tree.items():
        if value is not None:
            option = name.replace("_", "-")
            raise ParameterError(f"--{option} is for trees: it does not go with --method {method}")


def _of_method(cases: Any, spec: str, names: list[str], seed: int, limits: dict[str, Any]) -> Any:
    from treelab.teaching import steps_of

    feature = names[0] if len(names) == 1 else names or None
    return steps_of(spec, cases, feature, seed=seed, **limits)
