"""What parameters are called elsewhere, so that who comes from there is told the name here."""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from treelab.errors import ParameterError

Given = ParamSpec("Given")
Result = TypeVar("Result")

SKLEARN = {
    "criterion": "metric, such as metric='gini' or metric='gain' for entropy",
    "splitter": "search, which is 'greedy' for splitter='best'",
    "max_leaf_nodes": "max_leaves",
    "min_samples_leaf": "min_branch",
    "min_samples_split": "min_cases",
    "min_weight_fraction_leaf": "min_branch, a weight and no share",
    "random_state": "seed",
    "ccp_alpha": "pruner, such as pruner='cost-complexity:alpha=0.01'",
    "monotonic_cst": "constraints, such as constraints=treelab.Constraints(monotone={'x0': 1})",
    "max_features": "not there: treelab.Constraints(never=[...]) leaves features out",
    "min_impurity_decrease": "pruner, which removes splits that are not worth it",
}
"""Parameters of scikit-learn's DecisionTreeClassifier, and what they are here."""


def hinted(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Let a function say what a parameter is called that scikit-learn calls otherwise."""

    @wraps(function)
    def called(*given: Given.args, **named: Given.kwargs) -> Result:
        check_names(named)
        return function(*given, **named)

    return called


def check_names(named: dict[str, Any]) -> None:
    """Raise if one of the names is a parameter of scikit-learn's trees only."""
    for name in named:
        if name in SKLEARN:
            raise ParameterError(f"there is no parameter {name!r}: here it is {SKLEARN[name]}")
