"""What learns from a data set: a function that makes a model of it, or an object with a `fit`."""

from collections.abc import Callable
from typing import Any

from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, shown


def fit_of(learner: Any, *needed: str) -> Callable[[Dataset], Any]:
    """Return the function that makes models, each of which has all that is needed of it.

    scikit-learn's `fit` is refused: it takes no data set. So is a class in place of a learner.
    """
    fit = getattr(learner, "fit", learner)
    is_class = isinstance(learner, type) and fit is not learner
    if not callable(fit) or is_class or hasattr(learner, "get_params"):
        raise ParameterError(
            "expected a Learner, or a function that makes a model of a data set, got "
            f"{shown(learner)}"
        )

    def made(data: Dataset) -> Any:
        model = fit(data)
        for name in needed:
            if not hasattr(model, name):
                problem = f"expected a model with {name!r}, the learner gave {shown(model)}"
                raise ParameterError(problem)
        return model

    return made
