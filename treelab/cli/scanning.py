"""Commands on data that stay where they are: patterns, folders, and --engine."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab._text import weight_text
from treelab.cli.output import count, note, say, say_facts, say_json, told
from treelab.cli.testing import cross_validated, tested_facts, tested_line
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.cli.reading import Reading
    from treelab.evaluate import CrossValidation
    from treelab.learner import Learner
    from treelab.scale.scanning import Scanned
    from treelab.tree.model import Tree

EngineName = Annotated[
    str | None,
    typer.Option(
        metavar="local|dask",
        help="Leave the data where they are: local reads a partition at a time.",
    ),
]
Scheduler = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="A Dask scheduler, tcp://host:8786.")
]
Workers = Annotated[
    int | None, typer.Option(min=1, help="Dask workers to start here, without a scheduler.")
]
MemoryLimit = Annotated[
    str | None, typer.Option(metavar="SIZE", help="Memory of each of these workers, such as 2GB.")
]


def is_scanned(given: str, engine: str | None) -> bool:
    """Tell whether data are to stay where they are: said so, a folder, a pattern, a database."""
    from treelab.data.readers import is_data_file

    if engine is not None or given.startswith("duckdb:///"):
        return True
    if is_data_file(given):
        return False
    is_pattern = any(mark in given for mark in "*?[")
    return is_pattern or (Path(given).is_dir() and any(mark in given for mark in "/."))


def scanned_data(
    given: str,
    said: dict[str, Any],
    reading: "Reading",
    engine: str | None,
    resources: dict[str, Any],
) -> "Scanned":
    """Return the description of data that stay where they are."""
    from treelab.scale import scan

    return scan(given, **said, **reading.options, engine=engine or "local", **resources)


def check_resources(resources: dict[str, Any], engine: str | None) -> None:
    """Raise where workers are asked for that nobody needs."""
    for name, value in resources.items():
        if value is not None and engine != "dask":
            raise ParameterError(f"--{name.replace('_', '-')} is for --engine dask")


def train_scanned(
    data: "Scanned",
    given: str,
    learner: "Learner",
    folds: int | None,
    output: Path | None,
    json: bool,
    quiet: bool,
) -> None:
    """Grow a tree of data that stay where they are, save it and say what it is."""
    import attrs

    from treelab.tree.show import text

    try:
        with told() as progress:
            tree = learner.fit(attrs.evolve(data, progress=None if quiet else progress))
        tested = None if folds is None else cross_validated(data, learner, folds, quiet)
    except KeyboardInterrupt:
        note("Interrupted: no tree was grown, and nothing written.")
        raise
    if output is not None:
        tree.save(output)
    if json:
        say_json(_facts(given, tree, tested, learner.seed, output))
    elif not quiet:
        say(text(tree, min(tree.depth, 6)))
        say("")
        say_facts(_said(tree, tested, output))


def predict_scanned(
    data: "Scanned",
    model: Path,
    output: Path | None,
    proba: bool,
    probabilities: str | None,
    json: bool,
) -> None:
    """Write what a tree predicts of data that stay where they are, a file for each partition."""
    import attrs

    from treelab.tree.model import Tree

    if output is None or json:
        raise ParameterError(
            "predictions of partitions are written as Parquet: name a folder with --output, "
            "without --json"
        )
    tree = Tree.load(model)
    if probabilities is not None:
        tree = tree.with_probabilities(probabilities)
    with told() as progress:
        paths = attrs.evolve(data, progress=progress).predict(tree, output, proba)
    say(f"{count(len(paths), 'file')} written to {output}")


def _said(
    tree: "Tree", tested: "CrossValidation | None", output: Path | None
) -> list[tuple[str, str]]:
    leaves = count(tree.n_leaves, "leaf", "leaves")
    facts = [
        ("made by", tree.learner),
        ("size", f"{leaves}, {count(tree.n_nodes, 'node')}, depth {tree.depth}"),
        ("weight of cases", weight_text(tree.counts[0].sum())),
    ]
    facts += [] if tested is None else [tested_line(tested)]
    return facts if output is None else [*facts, ("saved to", str(output))]


def _facts(
    given: str, tree: "Tree", tested: "CrossValidation | None", seed: int, output: Path | None
) -> dict[str, Any]:
    return {
        "data": given,
        "weight": float(tree.counts[0].sum()),
        "target": tree.schema.target.name,
        "classes": list(tree.classes),
        "learner": tree.learner,
        "leaves": tree.n_leaves,
        "nodes": tree.n_nodes,
        "depth": tree.depth,
        "cross_validation": tested and tested_facts(tested, seed),
        "model": output and str(output),
    }
