"""`treelab predict`: the classes a saved tree gives to new cases."""

import csv
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.inputs import DataName, ModelName, check_output, new_data, split_names
from treelab.cli.learning import Probabilities
from treelab.cli.output import AsJson, as_json, count, note, percent
from treelab.cli.reading import Reading, reads_data
from treelab.cli.scanning import (
    EngineName,
    MemoryLimit,
    Scheduler,
    Workers,
    check_resources,
    is_scanned,
    predict_scanned,
    scanned_data,
)
from treelab.cli.tables import free_name, written
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab._typing import FloatArray
    from treelab.data.dataset import Dataset
    from treelab.tree.model import Tree


@reads_data
def predict(
    model: ModelName,
    data: DataName,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file.")
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the probability of each class.")
    ] = False,
    keep: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="Columns of the data to write beside the predictions."),
    ] = None,
    probabilities: Probabilities = None,
    engine: EngineName = None,
    scheduler: Scheduler = None,
    workers: Workers = None,
    memory_limit: MemoryLimit = None,
    json: AsJson = False,
    *,
    reading: Reading,
) -> None:
    """Predict the classes of cases, as CSV.

    The data need not have the target; if they do, the accuracy is told on standard error. Of a
    folder or a pattern of files, predictions are written as Parquet, a file for each partition,
    into the folder of --output.
    """
    resources = {"scheduler": scheduler, "workers": workers, "memory_limit": memory_limit}
    check_resources(resources, engine)
    kept = split_names(keep)
    if is_scanned(data, engine):
        if kept:
            raise ParameterError("--keep needs all cases in one memory: leave out --engine")
        scanned = scanned_data(data, {}, reading, engine, resources)
        predict_scanned(scanned, model, output, proba, probabilities, json)
        return
    check_output(output, model, data)
    from treelab._files import write_text
    from treelab.tree.model import Tree

    tree = Tree.load(model)
    if probabilities is not None:
        tree = tree.with_probabilities(probabilities)
    cases = new_data(data, tree, reading=reading, as_labels=kept)
    labels = tree.predict(cases).tolist()
    shares = tree.predict_proba(cases) if proba else None
    accuracy = _accuracy(cases, tree, labels)
    columns = {name: written(cases, name) for name in kept}
    if json:
        text = _json(tree, labels, shares, accuracy, columns)
    else:
        text = _csv(tree, labels, shares, columns)
    if output is None:
        sys.stdout.write(text)
    else:
        write_text(output, text)
    if accuracy is not None:
        right, known = accuracy
        note(f"accuracy {percent(right / known)} ({right} of {count(known, 'case')})")


def _accuracy(data: "Dataset", tree: "Tree", predicted: list[str]) -> tuple[int, int] | None:
    """Return how many cases are predicted rightly, of how many of known class, if there are any."""
    known = data.y >= 0
    if data.target != tree.schema.target.name or not known.any():
        return None
    right = [p == label for p, label in zip(predicted, data.labels.tolist(), strict=True)]
    return int(known[right].sum()), int(known.sum())


def _csv(
    tree: "Tree", labels: list[str], shares: "FloatArray | None", kept: dict[str, list[str]]
) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    columns: dict[str, list[Any]] = {**kept, free_name("prediction", kept): labels}
    if shares is not None:
        for label, share in zip(tree.classes, shares.T.tolist(), strict=True):
            columns[free_name(f"p({label})", columns)] = share
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return text.getvalue()


def _json(
    tree: "Tree",
    labels: list[str],
    shares: "FloatArray | None",
    accuracy: tuple[int, int] | None,
    kept: dict[str, list[str]],
) -> str:
    facts: dict[str, Any] = {"target": tree.schema.target.name, "predictions": labels}
    if kept:
        facts["kept"] = kept
    if shares is not None:
        facts |= {"classes": list(tree.classes), "probabilities": shares.tolist()}
    facts["accuracy"] = accuracy and accuracy[0] / accuracy[1]
    return as_json(facts) + "\n"
