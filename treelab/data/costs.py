"""What mistakes cost: a matrix by the labels of the classes, actual by predicted.

Trees take account of it in two places (Breiman, Friedman, Olshen and Stone 1984, section 4.4).
Growing and pruning see *altered priors*: a case of class j counts C(j), the sum over all classes i
of the cost of predicting i, which for two classes makes the fewest errors the least cost. The class
of a leaf is the one of minimum expected cost, sum over j of p(j) C(j, i), by the shares of the
cases as they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab._zeros import one_zero
from treelab.errors import DataError, ParameterError, UnknownNameError, check_number, shown

Entry = tuple[str, str, float]

APART = 1e9
"""Beside classes that cost so much more, rounding would leave the cases of a class no weight."""


@attrs.frozen
class Costs:
    """The costs of predicting a class for another one; 0 for the class itself.

    Parameters
    ----------
    entries
        Actual class, predicted class, cost; between different classes all are given, the others
        are 0 where nothing is said.
    """

    entries: tuple[Entry, ...]

    @property
    def plain(self) -> dict[str, dict[str, float]]:
        """The same as plain data: the costs by the actual and then the predicted class."""
        result: dict[str, dict[str, float]] = {}
        for actual, predicted, cost in self.entries:
            result.setdefault(actual, {})[predicted] = cost
        return result

    def matrix(self, classes: Sequence[str]) -> FloatArray:
        """Return the costs (actual class, predicted class) of classes in their order."""
        found, known = self.plain, {label for entry in self.entries for label in entry[:2]}
        for label in sorted(known - set(classes)):
            if set(classes) - known:
                raise UnknownNameError("class in costs", label, classes)
        matrix = np.zeros((len(classes), len(classes)))
        for row, actual in enumerate(classes):
            for column, predicted in enumerate(classes):
                if predicted in found.get(actual, {}):
                    matrix[row, column] = found[actual][predicted]
                elif row != column:
                    raise ParameterError(
                        f"costs must say what it costs to predict {predicted!r} for a case of "
                        f"class {actual!r}"
                    )
        return matrix


def costs(given: Any) -> Costs | None:
    """Return costs as a value: of {actual: {predicted: cost}}, or of a frame with such rows.

    >>> costs({"ill": {"well": 5}, "well": {"ill": 1}}).entries
    (('ill', 'well', 5.0), ('well', 'ill', 1.0))
    """
    if given is None or isinstance(given, Costs):
        return given
    rows = given.to_dict(orient="index") if hasattr(given, "to_dict") else given
    if not isinstance(rows, Mapping) or not all(isinstance(row, Mapping) for row in rows.values()):
        raise ParameterError(
            "costs must be a dictionary {actual class: {predicted class: cost}} or a frame with "
            f"the actual classes as its index, got {shown(given)}"
        )
    entries = [(str(a), str(p), cost) for a, row in rows.items() for p, cost in row.items()]
    for actual, predicted, cost in entries:
        check_number(f"the cost of predicting {predicted!r} for {actual!r}", cost, 0)
        if actual == predicted and cost > 0:
            raise ParameterError(
                f"the right prediction must cost 0, but that of {actual!r} costs {cost!r}"
            )
    return Costs(
        tuple((actual, predicted, one_zero(float(cost))) for actual, predicted, cost in entries)
    )


def altered_priors(matrix: FloatArray) -> FloatArray:
    """Return how much more a case of each class counts: C(j), the sum of the costs of its row."""
    costs_something = matrix.any(axis=1)
    if not costs_something.all():
        raise DataError(
            "every class must cost something where another one is predicted, but mistakes with "
            f"class number {int(np.argmin(costs_something)) + 1} are free"
        )
    # Only ratios count: powers of two change no digit, and no sum overflows.
    weights = np.ldexp(matrix, -np.frexp(matrix.max())[1]).sum(axis=1)
    if weights.max() > APART * weights.min():
        raise DataError(
            f"mistakes with one class may cost at most {APART:.0e} times those with another one, "
            f"but class {np.argmin(weights) + 1} costs less beside class {np.argmax(weights) + 1}"
        )
    return np.asarray(weights)


def mean_cost(matrix: FloatArray, confusion: FloatArray) -> float:
    """Return the cost of a case on average, given the weights (actual class, predicted class)."""
    return float((matrix * confusion).sum() / confusion.sum())
