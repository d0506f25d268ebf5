"""Questions of sections 3.2.1 and 3.2.2 on the iris data: a numeric outcome, other axes."""

import numpy as np
from scipy.spatial.distance import pdist

from treelab import Dataset, load
from treelab.experiment.simulation import Settings
from treelab.protocols import FloatArray
from treelab.reduce import embedding, features, principal_components

OUTCOME = "petal width"
SETTLED = 4
"""Further digits depend on where an iteration stops."""


def outcome(_settings: Settings, _seed: int) -> dict[str, float]:
    """Judge features by a number: Pearson's R, and means in three intervals of it."""
    iris = load("iris")
    found: dict[str, float] = {}
    for method, text in (("correlation", "R({})"), ("means", "test of {}")):
        judged = features(iris, method, outcome=OUTCOME)
        found |= {text.format(name): score for name, score in judged.scores.items()}
    return found


def axes(_settings: Settings, _seed: int) -> dict[str, float]:
    """Place the iris data on two axes: how much of the variance of distances is lost."""
    iris = load("iris")
    found = {
        "residual of scaling": embedding(iris, "mds").residual,
        "residual of Isomap, by its paths": embedding(iris, "isomap").residual,
        "residual of two components": _lost(iris, two_components(iris)),
        "residual of Isomap, by straight distances": _lost(
            iris, embedding(iris, "isomap").coordinates
        ),
    }
    for distance in ("manhattan", "maximum"):
        placed = embedding(iris, "mds", distance=distance)
        found[f"residual of scaling, {distance} distances"] = placed.residual
    return {name: round(float(value), SETTLED) for name, value in found.items()}


def two_components(data: Dataset) -> FloatArray:
    """Return the cases on their first two principal components."""
    pca = principal_components(data, 0.95)
    return pca.scores(np.column_stack([data[name] for name in pca.features]))[:, :2]


def _lost(data: Dataset, placed: FloatArray) -> float:
    values = np.column_stack([data[name] for name in data.features])
    straight = pdist((values - values.mean(axis=0)) / values.std(axis=0))
    return 1 - float(np.corrcoef(straight, pdist(placed))[0, 1]) ** 2
