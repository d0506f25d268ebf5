"""Average sampling on the command line: trees of several samples that vote."""

from typing import TYPE_CHECKING, Any

from treelab.cli.output import percent, say_json, say_table

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset
    from treelab.learner import Learner


def say_average(
    data: "Dataset", learner: "Learner", drawing: dict[str, Any], seed: int, json: bool
) -> None:
    """Print the error of one tree of all cases, and of trees of samples that vote.

    A third of the cases is held out for it.
    """
    from treelab.data.folds import folds_by_content
    from treelab.reduce import average_sampling
    from treelab.reduce.models import error_rate

    held_out = folds_by_content(data, 3, seed) == 0
    test, rest = data.take(held_out), data.take(~held_out)
    vote = average_sampling(rest, learner.fit, **drawing, seed=seed)
    errors = {"one tree of all": error_rate(learner.fit(rest), test)}
    errors[f"a vote of {len(vote.models)}"] = error_rate(vote, test)
    cases = [len(rest), len(vote.samples[0])]
    if json:
        say_json(
            {"method": "average", "seed": seed, "cases": cases, "errors": list(errors.values())}
        )
        return
    rows = zip(errors, cases, map(percent, errors.values()), strict=True)
    say_table(("", "cases a tree", "error"), list(rows))
