"""`treelab train`: grow a tree, show it, test it, save it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab._text import weight_text
from treelab.cli.choices import (
    ClassWeightSpec,
    ConstraintsFile,
    CostsFile,
    FeatureCost,
    First,
    Monotone,
    Never,
    class_weight_of,
    constraints_of,
    costs_of,
)
from treelab.cli.inputs import DataName, check_output, new_data, training_data
from treelab.cli.learning import (
    MetricSpec,
    Probabilities,
    PrunerSpec,
    SearchKind,
    SearchWidth,
    grows_trees,
    learner_of,
)
from treelab.cli.measures import measured, say_measures
from treelab.cli.output import AsJson, count, percent, say, say_facts, say_json
from treelab.cli.reading import Columns, Reading, reads_cases
from treelab.cli.scanning import (
    EngineName,
    MemoryLimit,
    Scheduler,
    Workers,
    check_resources,
    is_scanned,
    scanned_data,
    train_scanned,
)
from treelab.cli.testing import cross_validated, tested_facts, tested_line
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset
    from treelab.evaluate import Assessment, CrossValidation
    from treelab.tree.metric_choice import MetricChoice
    from treelab.tree.model import Tree
    from treelab.tree.optimal.optimum import Optimum

SEEN = "on the cases it was grown from (--folds 10 or --test DATA measures it on others)"

MANY_LINES = 60
"""A tree of more lines is shown to a depth that fits."""


# What is not given is left to `Learner`, whose defaults are the only ones.
@reads_cases
@grows_trees
def train(
    data: DataName,
    preset: Annotated[
        str | None, typer.Option(help="Trees as of c45 or j48; other options change it.")
    ] = None,
    metric: MetricSpec = None,
    pruner: PrunerSpec = None,
    bins: Annotated[
        int | None, typer.Option(help="Try the borders of so many bins only, not every cut.")
    ] = None,
    cuts: Annotated[
        str | None, typer.Option(help="Thresholds of numbers: all, or c45 for C4.5's.")
    ] = None,
    unseen: Annotated[
        str | None, typer.Option(help="Labels new to a test: stop, or rest with --splits binary.")
    ] = None,
    cut_metric: Annotated[
        str | None, typer.Option(help="Finds the cut where the metric judges whole features.")
    ] = None,
    search: SearchKind = None,
    width: SearchWidth = None,
    probabilities: Probabilities = None,
    class_weight: ClassWeightSpec = None,
    costs: CostsFile = None,
    first: First = None,
    never: Never = None,
    monotone: Monotone = None,
    feature_cost: FeatureCost = None,
    constraints: ConstraintsFile = None,
    seed: Annotated[int | None, typer.Option(help="For everything that is left to chance.")] = None,
    folds: Annotated[
        int | None, typer.Option(help="Test by cross-validation with so many folds, such as 10.")
    ] = None,
    test: Annotated[
        str | None, typer.Option(metavar="DATA", help="Test on these data, too.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Save the tree to this file.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Write a page with all about it.")
    ] = None,
    engine: EngineName = None,
    scheduler: Scheduler = None,
    workers: Workers = None,
    memory_limit: MemoryLimit = None,
    json: AsJson = False,
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet", "-q", help="Print errors and warnings only, and JSON if asked for."
        ),
    ] = False,
    *,
    growing: dict[str, Any],
    columns: Columns,
    reading: Reading,
) -> None:
    """Grow a decision tree and show how good it is."""
    _check_files(output, report, [data] if test is None else [data, test])
    from treelab.data.folds import check_folds

    learner = learner_of(
        preset,
        metric=metric, pruner=pruner, bins=bins, cuts=cuts, unseen=unseen, cut_metric=cut_metric,
        search=search, width=width, seed=seed, probabilities=probabilities,
        class_weight=class_weight_of(class_weight), costs=costs_of(costs),
        constraints=constraints_of(first, never, monotone, feature_cost, constraints),
        **growing,
    )  # fmt: skip
    resources = {"scheduler": scheduler, "workers": workers, "memory_limit": memory_limit}
    check_resources(resources, engine)
    if is_scanned(data, engine):
        _check_scannable({"test": test, "report": report})
        scanned = scanned_data(data, columns._asdict(), reading, engine, resources)
        train_scanned(scanned, data, learner, folds, output, json, quiet)
        return
    cases = training_data(data, *columns, reading)
    if folds is not None:
        check_folds(folds, int((cases.y >= 0).sum()))
    tree = learner.fit(cases)
    tested = None if folds is None else cross_validated(cases, learner, folds, quiet)
    if output is not None:
        tree.save(output)
    others = None if test is None else new_data(test, tree, columns.weights, reading)
    on, found = _assessed(cases, tree, tested, others)
    if report is not None:
        _write_report(report, tree, cases, found, on, data)
    if json:
        facts = _facts(cases, tree, tested, learner.seed, output)
        say_json(facts | measured(tree, found, on))
    elif not quiet:
        _say(cases, tree, tested, output, report)
        say_measures(tree, found, on)


def _check_files(output: Path | None, report: Path | None, read: list[str]) -> None:
    """Raise, before the work begins, if a file cannot be written or should not be."""
    from treelab._markup import check_page

    for path in (output, report):
        check_output(path, *read)
    if report is not None:
        check_page(report)


def _check_scannable(options: dict[str, Any]) -> None:
    """Raise if an option is given that data which stay where they are do not allow."""
    for name, value in options.items():
        if value is not None:
            raise ParameterError(f"--{name} needs all cases in one memory: leave out --engine")


def _assessed(
    data: "Dataset", tree: "Tree", tested: "CrossValidation | None", others: "Dataset | None"
) -> "tuple[str, Assessment]":
    """Return on which cases the tree is measured, and how good it is there.

    On other data if there are any, else on the cases that folds have held out; only where neither
    is there, on those that it was grown from.
    """
    from treelab.evaluate import assess

    if others is not None:
        return f"on the {count(len(others), 'case')} of the test data", assess(tree, others)
    if tested is not None:
        return f"on cases held out in {len(tested.folds)} folds", tested.assessment
    return SEEN, assess(tree, data)


def _write_report(
    path: Path, tree: "Tree", data: "Dataset", found: "Assessment", on: str, given: str
) -> None:
    import shlex
    import sys

    from treelab._files import write_text
    from treelab.experiment.report.model_page import model_page

    call = " ".join(["treelab", *map(shlex.quote, sys.argv[1:])])
    write_text(path, model_page(tree, data, found, on, call, given))


def _say(
    data: "Dataset",
    tree: "Tree",
    tested: "CrossValidation | None",
    output: Path | None,
    report: Path | None,
) -> None:
    from treelab.tree.show import text

    shown = _depth_that_fits(tree)
    say(text(tree, shown))
    if shown < tree.depth:
        first = "" if output else "save it with -o model.json, then "
        say(f"(down to depth {shown}; for all of it {first}treelab show {output or 'model.json'})")
    say("")
    right, cases = _right(data, tree)
    leaves = count(tree.n_leaves, "leaf", "leaves")
    size = f"{leaves}, {count(tree.n_nodes, 'node')}, depth {tree.depth}"
    facts = [
        ("made by", tree.learner),
        ("size", size),
        (
            "training accuracy",
            f"{percent(right / cases)} ({weight_text(right)} of {weight_text(cases)} cases)",
        ),
    ]
    if tree.metric_choice is not None:
        facts.append(("metric chosen", str(tree.metric_choice)))
    if tree.optimum is not None:
        facts.append(("search", f"{tree.optimum}{_pruned(tree)}"))
    if tested is not None:
        facts.append(tested_line(tested))
    if output is not None:
        facts.append(("saved to", str(output)))
    if report is not None:
        facts.append(("report", str(report)))
    say_facts(facts)


def _pruned(tree: "Tree") -> str:
    same = tree.optimum is None or tree.n_leaves == tree.optimum.n_leaves
    return "" if same else "; pruned after that"


def _depth_that_fits(tree: "Tree") -> int:
    """Return the largest depth to which the tree has not too many lines, but at least 1."""
    if tree.n_nodes <= MANY_LINES:
        return tree.depth
    depths = range(1, tree.depth + 1)
    return max((d for d in depths if (tree.depths <= d).sum() <= MANY_LINES), default=1)


def _right(data: "Dataset", tree: "Tree") -> tuple[float, float]:
    """Return the weight of the training cases predicted rightly, and of all of known class."""
    known = data.take(data.y >= 0)
    right = tree.predict(known) == known.labels
    return float(known.weights[right].sum()), float(known.weights.sum())


def _facts(
    data: "Dataset",
    tree: "Tree",
    tested: "CrossValidation | None",
    seed: int,
    output: Path | None,
) -> dict[str, Any]:
    right, cases = _right(data, tree)
    return {
        "data": data.name,
        "cases": len(data),
        "target": data.target,
        "classes": list(data.classes),
        "learner": tree.learner,
        "leaves": tree.n_leaves,
        "nodes": tree.n_nodes,
        "depth": tree.depth,
        "training_accuracy": right / cases,
        "optimum": tree.optimum and _optimum_facts(tree.optimum),
        "metric_choice": tree.metric_choice and _choice_facts(tree.metric_choice),
        "cross_validation": tested and tested_facts(tested, seed),
        "model": output and str(output),
    }


def _choice_facts(choice: "MetricChoice") -> dict[str, Any]:
    import attrs

    return attrs.asdict(choice)


def _optimum_facts(optimum: "Optimum") -> dict[str, Any]:
    import attrs

    return {**attrs.asdict(optimum), "cost": optimum.cost, "gap": optimum.gap}
