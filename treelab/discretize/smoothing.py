"""Values replaced by what stands for their bin."""

import numpy as np

from treelab._typing import AnyArray, FloatArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.errors import check_choice
from treelab.stats.bins import BY, By, representatives


def smooth(data: Dataset, coding: Coding, by: By = "mean") -> Dataset:
    """Replace every value by what stands for its interval; missing values stay missing.

    Parameters
    ----------
    data
        The cases.
    coding
        The intervals; features it does not cut stay as they are.
    by
        'mean', 'median', 'mode' (the smallest among equals) or 'boundaries' (the nearer end of
        the values in the interval, the lower among equals), of the cases of the interval
        (kantardzic2011 3.6, SPEC 4.6).

    Examples
    --------
    >>> import treelab as tl
    >>> iris = tl.load("iris")
    >>> coding = tl.discretizer("equal-width", bins=3).fit(iris)
    >>> np.unique(tl.smooth(iris, coding)["petal length"]).round(2).tolist()
    [1.46, 4.29, 5.63]
    """
    check_choice("by", by, BY)
    coding.check_numeric(data)
    columns = [
        _smoothed(coding, name, values, data.weights, by) if name in coding else values
        for name, values in zip(data.features, data.columns, strict=True)
    ]
    return Dataset.of(data.schema, columns, data.y, data.weights, data.name, len(data))


def _smoothed(
    coding: Coding, name: str, values: FloatArray, weights: FloatArray, by: By
) -> AnyArray:
    smoothed = values.copy()
    codes = coding.codes(name, values)
    for code in np.unique(codes[codes >= 0]):
        here = codes == code
        order = np.lexsort((weights[here], values[here]))  # that of the rows leaves no trace
        points, place = np.unique(values[here][order], return_inverse=True)
        mass = np.asarray(np.bincount(place, weights[here][order], len(points)), np.float64)
        found = _of_weighty(points, mass, by)
        smoothed[here] = found[np.searchsorted(points, values[here])]
    return smoothed


def _of_weighty(points: FloatArray, mass: FloatArray, by: By) -> FloatArray:
    """Return what stands for each point; those without weight do not count, if others do."""
    has = mass > 0
    if not has.any():
        return representatives(points, np.ones(len(points)), by)
    found = representatives(points[has], mass[has], by)
    if by != "boundaries":
        return np.full(len(points), found[0])
    low, high = points[has][[0, -1]]
    return np.asarray(np.where(points - low <= high - points, low, high))
