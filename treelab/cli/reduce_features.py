"""`treelab reduce features`: judge the features, keep the good ones."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.inputs import DataName, check_output, training_data
from treelab.cli.output import AsJson, count, say, say_facts, say_json, say_table
from treelab.cli.reading import Columns, Reading, reads_cases
from treelab.cli.reduction import BeforeAfterCard, Output, Picture, cards, check_picture
from treelab.cli.tables import write_data

if TYPE_CHECKING:
    from treelab.cli.feature_methods import Method
    from treelab.data.dataset import Dataset


@reads_cases
def features(
    data: DataName,
    method: Annotated[
        str,
        typer.Option(
            help="means, correlation, elimination, relief, entropy, dm, pca, mds or isomap."
        ),
    ] = "means",
    threshold: Annotated[
        float | None, typer.Option(help="What a feature must score; of pca: what to retain.")
    ] = None,
    k: Annotated[
        int | None, typer.Option("-k", help="Keep the k best instead; of mds, isomap: axes.")
    ] = None,
    fill: Annotated[
        str | None,
        typer.Option(help="Fill missing numbers in by mean, median or nearest (case) first."),
    ] = None,
    outcome: Annotated[
        str | None,
        typer.Option(metavar="COLUMN", help="A numeric outcome in place of a class."),
    ] = None,
    classes: Annotated[
        int | None,
        typer.Option(help="Intervals of the outcome, where classes are needed; else 3."),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(help="entropy: a constant alpha; relief: the chance to keep noise."),
    ] = None,
    m: Annotated[
        int | None, typer.Option("-m", help="relief: cases, drawn at random, that are asked.")
    ] = None,
    neighbours: Annotated[int | None, typer.Option(help="isomap: of each case; else 5.")] = None,
    part: Annotated[
        float | None,
        typer.Option(help="Judge such a part of the cases; enlarge it until another one agrees."),
    ] = None,
    before_after: BeforeAfterCard = False,
    picture: Picture = None,
    seed: Annotated[int, typer.Option(help="For -m and --part.")] = 0,
    output: Output = None,
    json: AsJson = False,
    *,
    columns: Columns,
    reading: Reading,
) -> None:
    """Judge the features and keep the good ones.

    --picture draws how much variance the components of pca have, or where mds and isomap place
    the cases.
    """
    from treelab.cli.feature_methods import AXES, Method, compared, found_by

    check_output(output, data)
    check_picture(picture, method, AXES, data)
    options = {"classes": classes, "alpha": alpha, "m": m, "neighbours": neighbours}
    asked = Method(method, threshold, k, fill, outcome, part, seed, options)
    cases = _cases(data, columns, asked, reading)
    card = compared(asked, cases) if before_after else None
    found = found_by(asked, cases, picture)
    if output is not None:
        write_data(output, found.reduced, columns.weights)
    if json:
        facts = {"data": cases.name, "method": method, "fill": fill}
        say_json(facts | found.facts() | cards(card))
        return
    rows = [(name, f"{score:.6g}", "kept" * (name in found.kept)) for name, score in found.scores]
    say_table((found.what, found.score, ""), rows)
    kept = count(len(found.reduced.features) - (outcome is not None), "feature")
    if card is not None:
        say(f"\n{card}\n")
    facts_said = [("kept", kept), *found.notes.items(), ("filled in", _said(cases, asked))]
    say_facts([*facts_said, ("saved to", output)])


def _cases(given: str, columns: Columns, asked: "Method", reading: Reading) -> "Dataset":
    """Return the cases; a file with an outcome has no class unless one is named."""
    from treelab.data.readers import is_data_file

    if asked.outcome is not None and columns.target is None and is_data_file(given):
        columns = columns._replace(target="")
    return training_data(given, *columns, reading)


def _said(data: "Dataset", asked: "Method") -> Any:
    """Say what was filled in, if anything was."""
    from treelab.reduce import filling

    if asked.fill is None:
        return None
    found = filling(data, asked.fill, but=asked.outcome)
    return str(found) if found.holes else None
