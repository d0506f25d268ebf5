"""Principal components with the retained-variance rule (kantardzic2011 3.5, SPEC 4.5)."""

from collections.abc import Sequence

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.data.order import by_content
from treelab.data.schema import Column, Schema
from treelab.errors import DataError, ParameterError, check_number
from treelab.reduce.correlation import weighted_covariance
from treelab.reduce.judged import matrix, numeric_names
from treelab.stats.stores.node import n_cases
from treelab.stats.units import unit_of


@attrs.frozen(eq=False)
class PrincipalComponents:
    """Directions of largest variance: `components` (component, feature), the largest first.

    `kept` is the smallest number m of components whose share R(m) of the variance reaches what
    is to be retained.
    """

    features: tuple[str, ...]
    mean: FloatArray
    scale: FloatArray
    eigenvalues: FloatArray
    components: FloatArray
    kept: int
    retain: float

    @property
    def ratios(self) -> FloatArray:
        """R(m): the share of the variance that the first m components retain."""
        return retained_ratios(self.eigenvalues)

    def scores(self, values: FloatArray) -> FloatArray:
        """Return the kept components of cases (case, feature)."""
        unit = unit_of(self.scale[None])  # a power of 2, so that nothing is rounded
        with np.errstate(over="ignore", invalid="ignore"):
            centred = (values / unit - self.mean / unit) / (self.scale / unit)
            found = np.asarray(centred @ self.components[: self.kept].T)
        if not np.isfinite(found).all():
            raise DataError("the numbers are too large for components of what they were made of")
        return found

    def apply(self, data: Dataset) -> Dataset:
        """Return the same cases described by the kept components; nominal features stay."""
        scores = self.scores(matrix(data, self.features))
        others = [name for name in data.features if name not in self.features]
        named = tuple(Column(f"component {i + 1}") for i in range(self.kept))
        schema = Schema((*named, *data.schema.select(others).features), data.schema.target)
        columns = [*scores.T, *(data[name] for name in others)]
        return Dataset.of(schema, columns, data.y, data.weights, data.name, len(data))


def principal_components(
    data: Dataset,
    retain: float = 0.95,
    *,
    standardize: bool = True,
    features: Sequence[str] | None = None,
) -> PrincipalComponents:
    """Find the directions in which the cases vary most.

    Parameters
    ----------
    data
        The cases, without missing numbers.
    retain
        Keep the fewest components whose variances are at least this share of all.
    standardize
        Whether to divide features by their standard deviations first, as differing scales ask
        for: the components of the correlation matrix.
    features
        Which numeric features; None for all.

    Examples
    --------
    >>> import treelab as tl
    >>> pca = principal_components(tl.load("iris"))
    >>> pca.kept, pca.eigenvalues.round(4).tolist()
    (2, [2.9108, 0.9212, 0.1474, 0.0206])
    """
    check_number("retain", retain, 0)
    if not 0 < retain <= 1:
        raise ParameterError(f"retain must lie above 0 and be at most 1, got {retain!r}")
    names = tuple(numeric_names(data) if features is None else features)
    data = by_content(data)
    values, n = matrix(data, names), n_cases(data.weights)
    if n < 2 or not names:
        raise DataError("principal components need at least one numeric feature and two cases")
    weights = data.weights * (n / data.weights.sum())
    mean = (weights / n) @ values
    unit = unit_of(values)
    covariance = weighted_covariance(values / unit, weights, ddof=1)
    deviation = np.sqrt(np.diag(covariance))
    constant = np.ptp((values / unit)[weights > 0], axis=0) == 0
    scale = np.where(constant | (not standardize), 1.0 / unit, deviation)
    with np.errstate(all="ignore"):
        covariance, scale = covariance / np.outer(scale, scale), scale * unit
    if not (np.isfinite(covariance).all() and np.isfinite(scale).all()):
        raise DataError("the numbers are too large: their variances are no numbers")
    eigenvalues, vectors = np.linalg.eigh(covariance)
    # eigh sorts upwards; rounding may leave a variance of 0 slightly negative.
    eigenvalues, components = np.maximum(eigenvalues[::-1], 0.0), vectors[:, ::-1].T
    if not eigenvalues.sum():
        raise DataError("all cases are alike, so there is no direction in which they vary")
    kept = int(np.argmax(retained_ratios(eigenvalues) >= retain - 1e-12)) + 1
    parts = names, mean, scale, eigenvalues, _upright(components)
    return PrincipalComponents(*parts, kept, retain)


def retained_ratios(eigenvalues: FloatArray) -> FloatArray:
    """Return R(m) = (sum of the first m eigenvalues) / (sum of all)."""
    return np.asarray(np.cumsum(eigenvalues) / np.sum(eigenvalues))


def _upright(components: FloatArray) -> FloatArray:
    """Turn each component so that its largest part, the first among equals, is positive."""
    size = np.abs(components)
    largest = (size >= size.max(axis=1, keepdims=True) - 1e-9).argmax(axis=1)
    signs = np.sign(components[np.arange(len(components)), largest])
    return np.asarray(components * signs[:, None])
