"""`treelab reduce values`: fewer different numbers."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.inputs import DataName, check_output, split_names, training_data
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Columns, Reading, reads_cases
from treelab.cli.reduction import BeforeAfterCard, Output, cards
from treelab.cli.tables import as_csv, write_data

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset
    from treelab.evaluate import BeforeAfter, Reduced


@reads_cases
def values(
    data: DataName,
    method: Annotated[
        str, typer.Option(help="mean, median, mode, boundaries, rounding or labels.")
    ] = "mean",
    discretizer: Annotated[
        str | None, typer.Option(help="Makes the bins; else ten of equal frequency.")
    ] = None,
    most: Annotated[int, typer.Option(help="How many values rounding may leave.")] = 100,
    labels: Annotated[
        list[str] | None, typer.Option(metavar="A,B", help="Words for the bins, the lowest first.")
    ] = None,
    before_after: BeforeAfterCard = False,
    output: Output = None,
    json: AsJson = False,
    *,
    columns: Columns,
    reading: Reading,
) -> None:
    """Replace numbers by what stands for their bin, by rounded ones or by words, as CSV.

    --before-after shows what that does to trees, instead of the data.
    """
    check_output(output, data)
    from treelab.reduce import values as reduced

    cases = training_data(data, *columns, reading)
    words: Any = {"discretizer": discretizer, "most": most, "labels": split_names(labels)}
    card = _compared(cases, method, words) if before_after else None
    found = reduced(cases, method, **words)
    if output is not None:
        write_data(output, found, columns.weights)
    if json:
        facts = {"data": cases.name, "method": method, "values": _counts(cases, found)}
        say_json(facts | cards(card))
        return
    if card is not None:
        say(str(card))
    elif output is None:
        sys.stdout.write(as_csv(found, columns.weights))
    if output is not None:
        before, after = (sum(each) for each in zip(*_counts(cases, found).values(), strict=True))
        say(f"{before:,} different numbers became {after:,}; saved to {output}")


def _compared(data: "Dataset", method: str, words: dict[str, Any]) -> "BeforeAfter":
    from treelab.evaluate import Reduced, before_after
    from treelab.learner import Learner
    from treelab.reduce import values as reduced
    from treelab.reduce.values import labelling

    def reduce(cases: "Dataset") -> "Dataset | Reduced":
        found = reduced(cases, method, **words)
        if method != "labels":
            return found
        return Reduced(found, labelling(cases, words["labels"], words["discretizer"]))

    return before_after(data, reduce, Learner())


def _counts(before: "Dataset", after: "Dataset") -> dict[str, list[int]]:
    """Return how many different values each number had, and has."""
    from treelab.reduce.values import n_values

    names = [column.name for column in before.schema.features if not column.is_nominal]
    return {name: [n_values(before[name]), n_values(after[name])] for name in names}
