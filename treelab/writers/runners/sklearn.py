"""The scikit-learn tree or pipeline, called in memory."""

from typing import Any

import numpy as np

from treelab.errors import MissingExtraError
from treelab.writers.export_tree import ExportTree
from treelab.writers.runners.answers import Answers, Cases, numbers, texts


def run(content: Any, form: ExportTree, cases: Cases) -> Answers:
    """Return what `predict` and `predict_proba` of the object give."""
    import sklearn

    frame = _frame(form, cases)
    labels = [str(label) for label in content.predict(frame).tolist()]
    shares = np.asarray(content.predict_proba(frame), dtype=float)
    return Answers(f"scikit-learn {sklearn.__version__}", labels, shares)


def _frame(form: ExportTree, cases: Cases) -> Any:
    try:
        import pandas
    except ModuleNotFoundError:
        raise MissingExtraError("a frame of scikit-learn", "pandas", "frames") from None
    columns = {
        c.name: texts(c, cases, np.nan) if c.has_labels else numbers(c, cases)
        for c in form.features
    }
    return pandas.DataFrame(columns, index=range(len(cases)))
