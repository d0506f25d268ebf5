"""Cases on few axes that keep their distances: scaling and Isomap (kantardzic2011 3.2.2).

Both are scikit-learn's. An embedding places the cases it was made of, and no others.
"""

import warnings
from typing import Literal, get_args

import attrs
import numpy as np
import scipy  # whose parts are loaded when they are needed

from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.data.order import content_order
from treelab.data.schema import Column, Schema
from treelab.errors import DataError, ParameterError, check_choice, check_number
from treelab.reduce.correlation import pearson
from treelab.reduce.judged import matrix, numeric_names
from treelab.stats.units import unit_of

Embedder = Literal["mds", "isomap"]
EMBEDDERS: tuple[Embedder, ...] = get_args(Embedder)
Distance = Literal["euclidean", "manhattan", "maximum"]
DISTANCES: dict[Distance, Literal["euclidean", "cityblock", "chebyshev"]] = {
    "euclidean": "euclidean", "manhattan": "cityblock", "maximum": "chebyshev",
}  # fmt: skip
NEIGHBOURS = 5
LEAST, MOST = 1e-150, 1e150
"""The squares of such numbers are numbers."""
MOST_CASES = 5_000
"""Of which all distances are held at once."""


@attrs.frozen(eq=False)
class Embedding:
    """Coordinates (case, axis) of cases, and how well they keep the distances.

    `residual` is 1 - R^2 of the distances on the axes with those to be kept, which for Isomap are
    the lengths of paths from neighbour to neighbour: 0 where none is lost. `parts` is the number of
    parts that neighbours alone would leave apart; Isomap joins them where they are nearest.
    """

    method: Embedder
    features: tuple[str, ...]
    coordinates: FloatArray
    residual: float
    parts: int = 1

    def apply(self, data: Dataset) -> Dataset:
        """Return the cases described by the axes; nominal features stay."""
        if len(data) != len(self.coordinates):
            raise DataError(
                f"an embedding places only the {len(self.coordinates)} cases it was made of, "
                f"got {len(data)}"
            )
        others = [name for name in data.features if name not in self.features]
        axes = tuple(Column(f"axis {i + 1}") for i in range(self.coordinates.shape[1]))
        schema = Schema((*axes, *data.schema.select(others).features), data.schema.target)
        columns = [*self.coordinates.T, *(data[name] for name in others)]
        return Dataset.of(schema, columns, data.y, data.weights, data.name, len(data))


def embedding(
    data: Dataset,
    method: Embedder = "mds",
    k: int = 2,
    *,
    distance: Distance = "euclidean",
    neighbours: int = NEIGHBOURS,
    standardize: bool = True,
) -> Embedding:
    """Place cases on few axes so that their distances stay as they are, as far as they can.

    Parameters
    ----------
    data
        The cases, without missing numbers; nominal features take no part.
    method
        'mds': metric multidimensional scaling, by stress majorization from where the eigenvectors
        place the cases; 'isomap': distances along
        the shortest paths between neighbours, scaled by their eigenvectors.
    k
        How many axes; fewer than there are numeric features.
    distance
        'euclidean', 'manhattan' or 'maximum'.
    neighbours
        Of each case, for Isomap.
    standardize
        Whether features are divided by their standard deviations first.

    Examples
    --------
    >>> import treelab as tl
    >>> found = embedding(tl.load("iris"), "isomap")
    >>> found.coordinates.shape, found.residual < 0.05
    ((150, 2), True)
    """
    check_choice("method", method, EMBEDDERS)
    check_choice("distance", distance, DISTANCES)
    check_number("neighbours", neighbours, 1, whole=True)
    names = tuple(numeric_names(data))
    check_number("k", k, 1, whole=True)
    _check_size(data, len(names), k)
    order = content_order(data)
    apart = scipy.spatial.distance.squareform(
        scipy.spatial.distance.pdist(
            _scaled(matrix(data, names)[order], standardize), DISTANCES[distance]
        )
    )
    if method == "mds":
        placed, kept, parts = _by_stress(apart, k), apart, 1
    else:
        placed, kept, parts = _by_paths(apart, k, neighbours)
    coordinates = np.empty_like(placed)
    coordinates[order] = _turned(placed)
    pairs = np.triu_indices(len(data), 1)
    residual = 1 - pearson(scipy.spatial.distance.pdist(placed), kept[pairs]) ** 2
    return Embedding(method, names, coordinates, float(residual), parts)


def _check_size(data: Dataset, features: int, k: int) -> None:
    if features <= k:
        raise ParameterError(f"k must be below the number of numeric features, {features}, got {k}")
    if not k < len(data) <= MOST_CASES:
        raise DataError(
            f"an embedding on {k} axes needs more than {k} and at most {MOST_CASES:,} cases, got "
            f"{len(data):,}: take a sample first"
        )


def _scaled(values: FloatArray, standardize: bool) -> FloatArray:
    if not standardize:
        largest = np.abs(values).max(initial=0.0)
        if largest and not LEAST < largest < MOST:
            raise DataError(f"the distances of numbers up to {largest:g} need standardize=True")
        return values
    values = values / unit_of(values)
    spread = values.std(axis=0)
    return np.asarray((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _by_stress(apart: FloatArray, k: int) -> FloatArray:
    from sklearn.manifold import smacof

    if not apart.any():  # all cases are alike
        return np.zeros((len(apart), k))
    # From the eigenvectors, which are right for distances of a plane; chance has no part.
    placed, *_ = smacof(
        apart, n_components=k, init=_by_eigenvectors(apart, k), n_init=1, max_iter=300, eps=1e-9,
        normalized_stress=False,
    )  # fmt: skip
    return np.asarray(placed)


def _by_eigenvectors(apart: FloatArray, k: int) -> FloatArray:
    """Return classical scaling: the first axes of the centred squares of the distances."""
    square = apart**2
    rows = square.mean(axis=0)
    values, vectors = np.linalg.eigh(-(square - rows[:, None] - rows + square.mean()) / 2)
    return np.asarray(vectors[:, ::-1][:, :k] * np.sqrt(np.maximum(values[::-1][:k], 0.0)))


def _by_paths(apart: FloatArray, k: int, neighbours: int) -> tuple[FloatArray, FloatArray, int]:
    from sklearn.manifold import Isomap

    if neighbours >= len(apart):
        raise ParameterError(
            f"neighbours must be below the number of cases, {len(apart)}, got {neighbours}"
        )
    isomap = Isomap(n_neighbors=neighbours, n_components=k, metric="precomputed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a graph in parts is told as such
        placed = isomap.fit_transform(apart)
    parts, _ = scipy.sparse.csgraph.connected_components(
        isomap.nbrs_.kneighbors_graph(n_neighbors=neighbours)
    )
    return np.asarray(placed), np.asarray(isomap.dist_matrix_), int(parts)


def _turned(placed: FloatArray) -> FloatArray:
    """Turn the axes as principal components: what lies where is otherwise left to chance."""
    centred = placed - placed.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    largest = np.abs(axes).argmax(axis=1)
    signs = np.sign(axes[np.arange(len(axes)), largest])
    return np.asarray(centred @ (axes * signs[:, None]).T)
