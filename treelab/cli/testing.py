"""Cross-validation on the command line, and how its result is told."""

from typing import TYPE_CHECKING, Any

from treelab.cli.output import percent, watched

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset
    from treelab.evaluate import CrossValidation
    from treelab.learner import Learner
    from treelab.scale.scanning import Scanned


def cross_validated(
    data: "Dataset | Scanned", learner: "Learner", folds: int, quiet: bool
) -> "CrossValidation":
    """Cross-validate, with a bar of progress unless nothing is to be said."""
    from treelab.evaluate import cross_validate

    if quiet:
        return cross_validate(data, learner.fit, folds, learner.seed)
    return cross_validate(
        data, learner.fit, folds, learner.seed, lambda results: watched(results, folds, "folds")
    )


def tested_line(tested: "CrossValidation") -> tuple[str, str]:
    """Return what folds gave, in words."""
    accuracy = f"{percent(tested.accuracy)} (sd {percent(tested.deviation)})"
    return f"{len(tested.folds)}-fold accuracy", f"{accuracy}, {tested.leaves:.1f} leaves"


def tested_facts(tested: "CrossValidation", seed: int) -> dict[str, Any]:
    """Return what folds gave, as JSON has it."""
    return {
        "folds": len(tested.folds),
        "seed": seed,
        "accuracy": tested.accuracy,
        "deviation": tested.deviation,
        "leaves": tested.leaves,
        "depth": tested.depth,
        "accuracies": tested.of("accuracy").tolist(),
    }
