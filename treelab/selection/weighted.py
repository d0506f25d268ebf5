"""Weights of cases, for classifiers that follow scikit-learn's contract."""

from typing import Any

import numpy as np

from treelab._typing import FloatArray
from treelab.errors import DataError


def weights_for(classifier: Any, weights: FloatArray) -> dict[str, FloatArray]:
    """Return what `fit` is given besides the cases for their weights to count.

    Nothing if each weighs 1. A classifier that cannot weigh is refused, unless all weigh the same.
    """
    from sklearn.utils.validation import has_fit_parameter

    if np.all(weights == 1):
        return {}
    steps, learns = _last(classifier)
    if has_fit_parameter(learns, "sample_weight"):
        return {"__".join([*steps, "sample_weight"]): weights}
    if np.ptp(weights) > 0:
        name = type(learns).__name__
        raise DataError(f"{name} cannot learn from cases of different weight, as the data have")
    return {}


def _last(classifier: Any) -> tuple[list[str], Any]:
    """Return what learns at the end of a pipeline, or of none, and the steps that lead to it."""
    from sklearn.pipeline import Pipeline

    steps = []
    while isinstance(classifier, Pipeline):
        name, classifier = classifier.steps[-1]
        steps.append(name)
    return steps, classifier
