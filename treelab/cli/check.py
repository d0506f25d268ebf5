"""`treelab check`: columns that are not what they seem."""

from treelab.cli.inputs import DataName, training_data
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Columns, Reading, reads_cases


@reads_cases
def check(
    data: DataName,
    json: AsJson = False,
    *,
    columns: Columns,
    reading: Reading,
) -> None:
    """Look at the columns of data: what is suspicious, and the option that settles it.

    Findings are no failure: the exit code is 0.
    """
    from treelab.checking import check as checked
    from treelab.data.doubts import without_doubts

    # A target of numbers is what is looked for here, and reported.
    reading = reading._replace(target_is_class=True)
    with without_doubts():
        cases = training_data(data, *columns, reading)
    found = checked(cases)
    if json:
        say_json(found.to_dict())
    else:
        say(str(found))
