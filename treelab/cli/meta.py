"""`treelab meta`: what data are like, in numbers."""

from typing import Annotated

import typer

from treelab.cli.inputs import DataName, training_data
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Columns, Reading, reads_cases


@reads_cases
def meta(
    data: DataName,
    max_cases: Annotated[
        int, typer.Option(help="Look at the pairs of so many random cases at most; 0: of all.")
    ] = 1000,
    seed: Annotated[int, typer.Option(help="For the choice of these cases.")] = 0,
    json: AsJson = False,
    *,
    columns: Columns,
    reading: Reading,
) -> None:
    """Describe data by numbers: sizes, entropies, and how pairs of cases agree by distance."""
    from treelab.characteristics import meta as described

    cases = training_data(data, *columns, reading)
    found = described(cases, max_cases=max_cases or None, seed=seed)
    if json:
        say_json({"data": cases.name} | found.to_dict())
    else:
        say(str(found))
