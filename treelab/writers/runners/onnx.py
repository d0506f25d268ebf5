"""ONNX, run by onnxruntime."""

from typing import Any

import numpy as np

from treelab.data.schema import Column
from treelab.writers.export_tree import ExportTree
from treelab.writers.runners.answers import Answers, Cases, NoEngineError, numbers, texts


def run(content: bytes, form: ExportTree, cases: Cases) -> Answers:
    """Return the outputs of the model."""
    try:
        import onnxruntime
    except ImportError:
        raise NoEngineError("onnxruntime is not here: pip install onnxruntime") from None
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    given = {column.name: _input(column, cases) for column in form.features}
    labels, shares = session.run(None, given)
    engine = f"onnxruntime {onnxruntime.__version__}"
    return Answers(engine, labels.tolist(), np.asarray(shares, dtype=float))


def _input(column: Column, cases: Cases) -> Any:
    values = texts(column, cases, "") if column.has_labels else numbers(column, cases)
    return values[:, None]
