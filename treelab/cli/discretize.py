"""`treelab discretize`: where methods cut numeric features, as a table and as a picture."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.completion import complete_discretizers
from treelab.cli.inputs import (
    DataName,
    check_output,
    split_names,
    split_specs,
    training_data,
)
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Columns, Reading, reads_cases
from treelab.cli.reduction import PICTURES
from treelab.cli.tables import write_data
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.data.coding import Coding
    from treelab.data.dataset import Dataset


@reads_cases
def discretize(
    data: DataName,
    method: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            autocompletion=complete_discretizers,
            help="Such as mdlp (default), chimerge:alpha=0.05, chimerge:max_intervals=age=3;pay=5 "
            "(by column), chi2-merge:4, ssv:4, kononenko-mdl, greedy:gini, equal-width:5, "
            "equal-frequency:5, bins:5, rounding:10, cuts:2.5;4.7.",
        ),
    ] = None,
    feature: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="Only these numeric columns; a picture is of one."),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="A picture (.svg, .png, .pdf), or the discretized data (.csv)."
        ),
    ] = None,
    json: AsJson = False,
    *,
    columns: Columns,
    reading: Reading,
) -> None:
    """Cut numeric columns into intervals and show what falls into each.

    Several methods are compared; their cut points are drawn under one histogram.
    """
    check_output(output, data)
    from treelab.discretize import discretizer

    specs = split_specs(method) or ["mdlp"]
    methods = {spec: discretizer(spec) for spec in specs}
    _check_aim(output, specs)
    cases = training_data(data, *columns, reading)
    chosen = _chosen(cases, split_names(feature))
    if output is not None and output.suffix != ".csv" and len(chosen) != 1:
        raise ParameterError("a picture shows one column: name it with --feature")
    narrow = cases.select(chosen)
    codings = {spec: each.fit(narrow) for spec, each in methods.items()}
    if output is not None:
        _write(output, cases, chosen, codings, columns.weights)
    if json:
        say_json([_facts(spec, coding, narrow) for spec, coding in codings.items()])
        return
    for spec, coding in codings.items():
        say(f"{methods[spec]}\n{coding.describe(narrow)}\n")
    if output is not None:
        say(f"saved to {output}")


def _check_aim(output: Path | None, specs: Sequence[str]) -> None:
    if output is None or output.suffix in PICTURES:
        return
    if output.suffix != ".csv":
        raise ParameterError(f"-o must end in .svg, .png, .pdf or .csv, got {str(output)!r}")
    if len(specs) > 1:
        raise ParameterError("only one method can discretize the data that are written")


def _chosen(data: "Dataset", given: Sequence[str]) -> list[str]:
    numeric = [column.name for column in data.schema.features if not column.is_nominal]
    for name in given:
        data.schema.index(name)
        if name not in numeric:
            raise ParameterError(f"column {name!r} is nominal; only numeric columns can be cut")
    if not numeric:
        raise ParameterError("the data have no numeric column to cut")
    return list(given) or numeric


def _write(
    output: Path,
    data: "Dataset",
    chosen: Sequence[str],
    codings: dict[str, "Coding"],
    weights: str | None,
) -> None:
    if output.suffix == ".csv":
        (coding,) = codings.values()
        write_data(output, coding.apply(data), weights)
        return
    from treelab.plots import draw_cuts, save

    save(draw_cuts(data, chosen[0], codings), output)


def _facts(spec: str, coding: "Coding", data: "Dataset") -> dict[str, Any]:
    rows = coding.describe(data)
    return {
        "method": spec,
        "features": {
            name: {
                "cuts": points.tolist(),
                "intervals": [
                    {"interval": row.label, "cases": row.cases, "shares": dict(row.shares)}
                    for row in rows
                    if row.feature == name
                ],
            }
            for name, points in coding.cuts.items()
        },
    }
