"""Questions about the four Gaussians (duch2004 section 3, SPEC 3.5)."""

from collections.abc import Iterable
from typing import Any

from treelab import Dataset, make, rank, select
from treelab.experiment.simulation import Settings

INDICES = {
    "MI": "gain",
    "IGR": "gain-ratio",
    "GD": "gd",
    "WI": "weighted-information",
    "WI joint": "weighted-information:joint=true",
    "IMC": "imc",
    "SU": "symmetrical-uncertainty",
    "1-D": "mantaras",
    "chi2": "chi2",
    "I(C,X)": "joint-information",
    "P2": "concentration",
}
"""The indices of the paper's section 2 by treelab's names."""

CRITERIA = {**INDICES, "IGR added": "added-gain-ratio", "MIFS": "mifs:beta=0.5"}

SELECTING = ("MI", "IGR", "IGR added", "IMC", "MIFS")
"""What the paper selects by; IGR of sets in both readings (SPEC 12.5)."""

SEARCHED = ("MI", "IGR", "IMC")
"""The indices of sets whose greedy sets are compared with the best of all sets."""

IDEAL_RANKING = "15263748"
IDEAL_SELECTION = "1234"
"""The first four: the copies tell nothing new and may come in any order."""


def ranking(settings: Settings, seed: int) -> dict[str, float]:
    """Rank the features of one data set by every index; a figure is an order (`as_number`)."""
    found = rank(_data(settings, seed), list(INDICES.values()), _cuts(settings))
    return {name: as_number(found[metric].features) for name, metric in INDICES.items()}


def selection(settings: Settings, seed: int) -> dict[str, float]:
    """Add feature after feature, greedily, by every index of sets."""
    data, cuts = _data(settings, seed), _cuts(settings)
    return {name: _added(data, metric, cuts) for name, metric in CRITERIA.items()}


def points(settings: Settings, seed: int) -> dict[str, float]:
    """Add feature after feature by the paper's indices: for few points and many."""
    data, cuts = _data(settings, seed), _cuts(settings)
    return {name: _added(data, CRITERIA[name], cuts) for name in SELECTING}


def greedy(settings: Settings, seed: int) -> dict[str, float]:
    """Return what greedy sets of each size lack to the best of all 255 sets, in % of its index."""
    data, cuts = _data(settings, seed), _cuts(settings)
    found = {}
    for name in SEARCHED:
        path = select(data, INDICES[name], k=len(data.features), discretizer=cuts).path
        for stage in path[1:-1]:
            size = len(stage.features)
            best = select(data, INDICES[name], "exhaustive", k=size, discretizer=cuts).score
            found[f"{name} {size}"] = 100 * (best - stage.score) / best
    return found


def estimates(settings: Settings, seed: int) -> dict[str, float]:
    """Rank by mutual information, its probabilities estimated in one way or another."""
    how: Any = settings["estimator"]
    found = rank(_data(settings, seed), "gain", _cuts(settings), estimator=how)
    return {"MI": as_number(found.features)}


def tree(settings: Settings, seed: int) -> dict[str, float]:
    """Return the features in the order in which a pruned SSV tree uses them."""
    found = select(_data(settings, seed), "ssv", "tree", pruner=settings["pruner"])
    return {"SSV tree": as_number(found.features)}


def as_number(features: Iterable[str]) -> float:
    """Write an order of features as a number: answers are numbers.

    >>> as_number(["X1", "X5", "X2"])
    152.0
    """
    return float("".join(name.removeprefix("X") for name in features))


def as_order(number: float) -> str:
    """Return the numbers of the features, the first one first.

    >>> as_order(152.0)
    '152'
    """
    return str(int(number))


def _added(data: Dataset, metric: str, cuts: str) -> float:
    return as_number(select(data, metric, k=len(data.features), discretizer=cuts).features)


def _data(settings: Settings, seed: int) -> Dataset:
    return make("four-gaussians", cases=4 * settings["points"], seed=seed)


def _cuts(settings: Settings) -> str:
    return f"{settings['cutting']}:{settings['bins']}"
