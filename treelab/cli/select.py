"""`treelab select`: search for a set of features."""

from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.completion import complete_metrics
from treelab.cli.inputs import DataName, check_output, metric_given, training_data
from treelab.cli.output import AsJson, counted, say, say_json
from treelab.cli.reading import Columns, Reading, reads_cases
from treelab.cli.reduction import Output
from treelab.cli.tables import write_data
from treelab.errors import ParameterError, check_choice

if TYPE_CHECKING:
    from treelab.selection import Selection

WRAPPERS = ("knn", "svm", "tree")


@reads_cases
def select(
    data: DataName,
    metric: Annotated[
        str | None,
        typer.Option(
            autocompletion=complete_metrics,
            help="gain-ratio (default) or another metric, mifs, mrmr, cfs, gd, added-gain-ratio.",
        ),
    ] = None,
    wrapper: Annotated[
        str | None, typer.Option(help="Judge by cross-validating knn, svm or tree instead.")
    ] = None,
    search: Annotated[
        str,
        typer.Option(
            help="greedy, backward, floating, best-first, beam, exhaustive, tree or tree-beam."
        ),
    ] = "greedy",
    k: Annotated[
        int | None, typer.Option("-k", help="How many; else as many as improve the score.")
    ] = None,
    threshold: Annotated[float | None, typer.Option(help="Stop when a set scores as much.")] = None,
    width: Annotated[int, typer.Option(help="How many sets or trees a beam keeps.")] = 5,
    pruner: Annotated[
        str, typer.Option(help="Prunes the tree of tree and tree-beam, such as pessimistic.")
    ] = "none",
    discretizer: Annotated[
        str | None, typer.Option(help="Cuts numbers into intervals first; else ssv:8.")
    ] = None,
    folds: Annotated[int, typer.Option(help="For --wrapper.")] = 5,
    seed: Annotated[int, typer.Option(help="For everything that is left to chance.")] = 0,
    output: Output = None,
    json: AsJson = False,
    *,
    columns: Columns,
    reading: Reading,
) -> None:
    """Search for the set of features that tells most about the class."""
    check_output(output, data)
    from treelab.selection import select as selected

    judge = _judge(metric, wrapper)
    cases = training_data(data, *columns, reading)
    with counted("sets judged:") as watch:
        found = selected(
            cases, judge, search, k, discretizer=discretizer, threshold=threshold, width=width,
            pruner=pruner, folds=folds, seed=seed, watch=watch,
        )  # fmt: skip
    if output is not None:
        write_data(output, found.apply(cases), columns.weights)
    if json:
        say_json({"data": cases.name} | _facts(found))
        return
    say(str(found))
    if output is not None:
        say(f"saved to {output}")


def _judge(metric: str | None, wrapper: str | None) -> Any:
    if wrapper is None:
        return metric_given(metric or "gain-ratio")
    check_choice("--wrapper", wrapper, WRAPPERS)
    if metric is not None:
        raise ParameterError("--metric and --wrapper both say what judges a set: give one of them")
    return _model(wrapper)


def _model(name: str) -> Any:
    """Return a learner; classifiers that measure distances see standardized numbers."""
    if name == "tree":
        from treelab.learner import Learner

        return Learner()
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    return make_pipeline(StandardScaler(), KNeighborsClassifier() if name == "knn" else SVC())


def _facts(found: "Selection") -> dict[str, Any]:
    return {
        "criterion": found.criterion,
        "search": found.search,
        "features": list(found.features),
        "score": _plain(found.score),
        "judged": found.n_judged,
        "path": [
            {"features": list(stage.features), "score": _plain(stage.score)} for stage in found.path
        ],
    }


def _plain(score: float) -> float | None:
    return score if isfinite(score) else None
