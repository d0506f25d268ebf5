"""`treelab pi`: the four cases of a feature by distance."""

from pathlib import Path
from typing import Annotated

import typer

from treelab.cli.inputs import DataName, training_data
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Columns, Reading, reads_cases
from treelab.cli.reduction import check_drawing


@reads_cases
def pi(
    data: DataName,
    feature: Annotated[str, typer.Option(help="The feature to look at.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Draw to this .svg, .png or .pdf file.")
    ] = None,
    max_cases: Annotated[
        int, typer.Option(help="Look at the pairs of so many random cases at most; 0: of all.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="For the choice of these cases.")] = 0,
    json: AsJson = False,
    *,
    columns: Columns,
    reading: Reading,
) -> None:
    """Show the pairs of cases that a feature's score is made of, by distance: what alpha does."""
    check_drawing(output, data)
    from treelab.metrics.pi_cases import pi_cases

    cases = training_data(data, *columns, reading)
    found = pi_cases(cases, feature, max_cases=max_cases or None, seed=seed)
    if output is not None:
        from treelab.plots import draw_pi_cases, save

        save(draw_pi_cases(found), output)
    if json:
        facts = {"pairs": found.pairs.tolist(), "agreement": found.agreement.tolist()}
        say_json({"data": cases.name, "feature": feature} | facts)
        return
    say(str(found))
    if output is not None:
        say(f"\nsaved to {output}")
