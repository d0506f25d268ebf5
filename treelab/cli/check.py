"""`treelab check`: columns that are not what they seem."""

from treelab.cli.inputs import DataName, split_names, training_data
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.reading import Reading, reads_data
from treelab.cli.reduction import Nominal, Numeric, Target, Weights


@reads_data
def check(
    data: DataName,
    target: Target = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    weights: Weights = None,
    json: AsJson = False,
    *,
    reading: Reading,
) -> None:
    """Look at the columns of data: what is suspicious, and the option that settles it.

    Findings are no failure: the exit code is 0.
    """
    from treelab.checking import check as checked
    from treelab.data.doubts import without_doubts

    kinds = split_names(nominal), split_names(numeric)
    # A target of numbers is what is looked for here, and reported.
    reading = reading._replace(target_is_class=True)
    with without_doubts():
        cases = training_data(data, target, *kinds, weights, reading)
    found = checked(cases)
    if json:
        say_json(found.to_dict())
    else:
        say(str(found))
