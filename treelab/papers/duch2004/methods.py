"""The methods of the paper's Table 1, and those beside them: orders of the thyroid features."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from treelab import Dataset, Selection, rank, select
from treelab.experiment.simulation import Settings
from treelab.papers.duch2004.years import standardized


def by_knn(train: Dataset, settings: Settings, seed: int) -> list[str]:
    """Drop feature after feature, always the one that the nearest neighbours miss least."""
    found = select(
        train, _neighbours(settings), "backward", k=1, folds=settings["folds"], seed=seed
    )
    return _dropped(found)


def by_knn_forward(train: Dataset, settings: Settings, seed: int) -> list[str]:
    """Add feature after feature, always the one with which the neighbours are best."""
    k = len(train.features)
    found = select(train, _neighbours(settings), k=k, folds=settings["folds"], seed=seed)
    return list(found.features)


def _neighbours(settings: Settings) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    # The distances of a k-d tree are computed pair by pair: ties do not hang on rounding.
    return standardized(KNeighborsClassifier(settings["neighbours"], algorithm="kd_tree"))


def _dropped(found: Selection) -> list[str]:
    """Return the features of a backward search: the last one first, then those dropped before."""
    sets = [set(stage.features) for stage in found.path]
    dropped = [(more - fewer).pop() for more, fewer in pairwise(sets)]
    return [*found.features, *reversed(dropped)]


def by_sets(train: Dataset, settings: Settings, _seed: int) -> list[str]:
    """Add feature after feature by the mutual information of the set."""
    k, cuts = len(train.features), f"ssv:{settings['bins']}"
    return list(select(train, "gain", k=k, discretizer=cuts).features)


def by_sets_backward(train: Dataset, settings: Settings, _seed: int) -> list[str]:
    """Drop feature after feature by the mutual information of the set that is left."""
    cuts = f"ssv:{settings['bins']}"
    return _dropped(select(train, "gain", "backward", k=1, discretizer=cuts))


def by_mifs(train: Dataset, settings: Settings, _seed: int) -> list[str]:
    """Battiti's order: what a feature tells less what it shares with those before it."""
    spec = f"mifs:beta={settings['beta']}"
    cuts = f"ssv:{settings['bins']}"
    return list(select(train, spec, k=len(train.features), discretizer=cuts).features)


def _by_index(metric: str) -> "Method":
    def by_index(train: Dataset, settings: Settings, _seed: int) -> list[str]:
        return list(rank(train, metric, f"ssv:{settings['bins']}").features)

    return by_index


def _by_tree(search: str) -> "Method":
    def by_tree(train: Dataset, settings: Settings, _seed: int) -> list[str]:
        how: Any = {"width": settings["width"], "pruner": settings["pruner"]}
        return list(select(train, "ssv", search, **how).features)

    return by_tree


Method = Callable[[Dataset, Settings, int], list[str]]

METHODS: dict[str, Method] = {
    "kNN": by_knn,
    "BA": by_mifs,
    "IGR": _by_index("gain-ratio"),
    "MI": _by_index("gain"),
    "SSV BFS": _by_tree("tree"),
    "SSV beam": _by_tree("tree-beam"),
    "MI of sets, forward": by_sets,
    "MI of sets, backward": by_sets_backward,
    "kNN, forward": by_knn_forward,
    "kNN, backward": by_knn,
}
