"""`treelab rank`: features in the order of what metrics say of them."""

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.completion import complete_metrics
from treelab.cli.inputs import DataName, metrics_given, training_data
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Columns, Reading, reads_cases
from treelab.cli.reduction import check_drawing

if TYPE_CHECKING:
    from treelab._typing import FloatArray
    from treelab.selection import Ranking, Rankings


@reads_cases
def rank(
    data: DataName,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            autocompletion=complete_metrics,
            help="One or several; gain (default), see `treelab metrics`.",
        ),
    ] = None,
    discretizer: Annotated[
        str | None, typer.Option(help="Cuts numbers into intervals first, such as ssv:8.")
    ] = None,
    case: Annotated[
        int | None, typer.Option(metavar="ROW", min=0, help="Rank for this case, counted from 0.")
    ] = None,
    for_class: Annotated[
        str | None, typer.Option(metavar="LABEL", help="Rank for this class against all others.")
    ] = None,
    estimator: Annotated[
        str,
        typer.Option(help="Probabilities of numbers: counts, kernel (densities) or fuzzy (bins)."),
    ] = "counts",
    bootstrap: Annotated[
        int, typer.Option(help="Draw so many samples to see who keeps its place.")
    ] = 0,
    seed: Annotated[int, typer.Option(help="For everything that is left to chance.")] = 0,
    plot: Annotated[Path | None, typer.Option(help="Draw to this .svg, .png or .pdf file.")] = None,
    json: AsJson = False,
    *,
    columns: Columns,
    reading: Reading,
) -> None:
    """Rank the features; several metrics are compared."""
    check_drawing(plot, data)
    from treelab.selection import rank as ranked

    specs: Any = metrics_given(metric) or ["gain"]
    settings: Any = {
        "case": case, "for_class": for_class, "estimator": estimator, "bootstrap": bootstrap,
        "seed": seed,
    }  # fmt: skip
    cases = training_data(data, *columns, reading)
    asked = specs[0] if len(specs) == 1 else specs
    found: Ranking | Rankings = ranked(cases, asked, discretizer, **settings)
    if plot is not None:
        from treelab.plots import draw_ranking, save

        save(draw_ranking(found), plot)
    if json:
        say_json({"data": cases.name} | _facts(found))
        return
    say(str(found))
    if plot is not None:
        say(f"\nsaved to {plot}")


def _facts(found: "Ranking | Rankings") -> dict[str, Any]:
    from treelab.selection import Ranking

    if isinstance(found, Ranking):
        return {"rankings": [_one(found)]}
    return {
        "rankings": [_one(ranking) for ranking in found.values()],
        "kendall": _rows(found.kendall),
        "spearman": _rows(found.spearman),
    }


def _one(ranking: "Ranking") -> dict[str, Any]:
    facts = {
        "metric": ranking.metric,
        "features": list(ranking.features),
        "scores": _plain(ranking.scores),
        "ranks": ranking.ranks.tolist(),
        "ties": [list(tied) for tied in ranking.ties],
    }
    if ranking.stability is None:
        return facts
    return facts | {"keeps_its_place": ranking.stability.kept.tolist()}


def _plain(numbers: "FloatArray") -> list[float | None]:
    return [number if isfinite(number) else None for number in numbers.tolist()]


def _rows(matrix: "FloatArray") -> list[list[float | None]]:
    return [_plain(row) for row in matrix]
