"""Cut points given by hand."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import ClassVar

import attrs
import numpy as np

from treelab.data.checks import check_dataset
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, check_number

Points = Sequence[float]


def _numbers(given: object) -> object:
    """Return what was given, text such as '2.5;4.75' or a lone number as a list of numbers."""
    if isinstance(given, int | float) and not isinstance(given, bool):
        check_number("a cut", given, -inf)
        return (float(given),)
    if not isinstance(given, str):
        return given
    try:
        return tuple(float(word) for word in given.replace(";", " ").split())
    except ValueError:
        raise ParameterError(f"cuts must be numbers such as '2.5;4.75', got {given!r}") from None


@attrs.frozen
class Cuts:
    """The cut points somebody chose.

    Parameters
    ----------
    cuts
        Ascending numbers for each feature by name; or numbers, or text such as '2.5;4.75', for
        every numeric feature.
    """

    supervised: ClassVar[bool] = False
    cuts: Mapping[str, Points] | Points | str = attrs.field(converter=_numbers)

    def fit(self, data: Dataset) -> Coding:
        """Return the cut points of the features they are given for."""
        check_dataset(data)
        if isinstance(self.cuts, Mapping):
            for name in self.cuts:
                data.schema.index(name)
            cuts = {name: np.asarray(points) for name, points in self.cuts.items()}
        else:
            numeric = [column.name for column in data.schema.features if not column.is_nominal]
            cuts = dict.fromkeys(numeric, np.asarray(self.cuts))
        return Coding(cuts).on(data.schema)
