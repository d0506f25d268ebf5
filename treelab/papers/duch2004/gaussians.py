"""Questions about the four Gaussians (duch2004 section 3, SPEC 3.5)."""

from collections.abc import Iterable

from treelab.data.dataset import Dataset
from treelab.data.synth import make
from treelab.experiment.simulation import Settings
from treelab.selection import rank, select

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

CRITERIA = {**INDICES, "MIFS": "mifs:beta=0.5"}

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
    return {
        name: as_number(select(data, metric, k=len(data.features), discretizer=cuts).features)
        for name, metric in CRITERIA.items()
    }


def tree(settings: Settings, seed: int) -> dict[str, float]:
    """Return the features in the order in which an SSV tree uses them."""
    return {"SSV tree": as_number(select(_data(settings, seed), "ssv", "tree").features)}


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


def _data(settings: Settings, seed: int) -> Dataset:
    return make("four-gaussians", cases=4 * settings["points"], seed=seed)


def _cuts(settings: Settings) -> str:
    return f"{settings['cutting']}:{settings['bins']}"
