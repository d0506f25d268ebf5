"""PMML, run by pypmml where it is installed; it brings PMML4S, which needs Java."""

from typing import Any

import numpy as np

from treelab.writers.cases import UNSEEN
from treelab.writers.export_tree import ExportTree
from treelab.writers.runners.answers import Answers, Case, Cases, NoEngineError, unseen_label


def run(content: str, form: ExportTree, cases: Cases) -> Answers:
    """Return the probabilities of the model and its predicted class."""
    try:
        from pypmml import Model
    except ImportError:
        problem = "there is no engine of PMML here: pip install pypmml, which needs Java"
        raise NoEngineError(problem) from None
    model = Model.fromString(content)
    given: list[Any] = [model.predict(_known(form, case)) for case in cases]
    names = [f"probability({label})" for label in form.classes]
    shares = np.array([[row[name] for name in names] for row in given], dtype=float)
    best = shares.argmax(axis=1)
    labels = [_predicted(row, form.classes[b]) for row, b in zip(given, best, strict=True)]
    return Answers("pypmml", labels, shares)


def _predicted(row: dict[str, Any], most_probable: str) -> str:
    """Return the class an engine names, under `predicted_...`, or the most probable one."""
    return str(next((v for k, v in row.items() if k.startswith("predicted")), most_probable))


def _known(form: ExportTree, case: Case) -> Case:
    """Return the values that are there: a field that is not given is missing."""
    unseen = {column.name: unseen_label(column) for column in form.features}
    known = {name: value for name, value in case.items() if value is not None}
    return {name: unseen[name] if v == UNSEEN else v for name, v in known.items()}
