"""Questions about the thyroid data (duch2004 section 4, SPEC 3.6)."""

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from treelab._random import stream
from treelab.data.bundled import load
from treelab.data.dataset import Dataset
from treelab.experiment.simulation import Settings, Simulation
from treelab.papers.catalog import paper_study
from treelab.selection import rank, select
from treelab.selection.wrapper import as_matrix

DATA = "ann-thyroid"
INDICES = {"MI": "gain", "IGR": "gain-ratio", "IGn": "normalized-gain"}


def information(settings: Settings, seed: int) -> dict[str, float]:
    """Return what every feature tells about the class of the training cases (Figure 1)."""
    train = parted(settings, seed)[0]
    found = rank(train, list(INDICES.values()), f"{settings['cutting']}:{settings['bins']}")
    return {
        f"{index} {number}": found[metric][name]
        for index, metric in INDICES.items()
        for number, name in numbered(train).items()
    }


def places(settings: Settings, seed: int) -> dict[str, float]:
    """Return the place of every feature by a method (Table 1).

    Features that a method leaves out share the places behind the others.
    """
    train = parted(settings, seed)[0]
    order = METHODS[settings["method"]](train, settings, seed)
    behind = (len(order) + 1 + len(train.features)) / 2
    return {
        f"place {number}": order.index(name) + 1.0 if name in order else behind
        for number, name in numbered(train).items()
    }


def table(settings: Settings, seed: int) -> dict[str, float]:
    """Return the places by a method, and the accuracy along them (Table 1, Figure 2)."""
    found = places(settings, seed)
    # Those that share a place come in the order of their numbers, for sorting is stable.
    order = sorted(range(1, len(found) + 1), key=lambda number: found[f"place {number}"])
    return found | accuracies(order, settings, seed)


def printed(settings: Settings, seed: int) -> dict[str, float]:
    """Return the accuracy along a ranking as the paper prints it."""
    return accuracies(_printed()[settings["method"]], settings, seed)


def accuracies(order: Sequence[int], settings: Settings, seed: int) -> dict[str, float]:
    """Return the test accuracy, in %, of an SVM on the first feature, the first two, ..."""
    from sklearn.svm import SVC

    train, test = parted(settings, seed)
    names = [train.features[number - 1] for number in order]
    found = {}
    for size in range(1, len(names) + 1):
        first = names[:size]
        model = _standardized(SVC(C=settings["c"])).fit(as_matrix(train.select(first)), train.y)
        right = model.predict(as_matrix(test.select(first))) == test.y
        found[f"accuracy {size}"] = float(100 * right.mean())
    return found


def parted(settings: Settings, seed: int) -> tuple[Dataset, Dataset]:
    """Return training and test cases: as many of each class as the settings say, by chance."""
    data = load(DATA)
    train, test = [], []
    for label, for_train, for_test in zip(
        data.classes, settings["train"], settings["test"], strict=True
    ):
        of_class = np.flatnonzero(data.labels == label)
        shuffled = of_class[stream(seed, "duch2004", label).permutation(len(of_class))]
        train.append(shuffled[:for_train])
        test.append(shuffled[for_train : for_train + for_test])
    return data.take(np.concatenate(train)), data.take(np.concatenate(test))


def numbered(data: Dataset) -> dict[int, str]:
    """Return the features by the numbers that the paper uses."""
    return dict(enumerate(data.features, start=1))


def by_knn(train: Dataset, settings: Settings, seed: int) -> list[str]:
    """Drop feature after feature, always the one that the nearest neighbours miss least."""
    from sklearn.neighbors import KNeighborsClassifier

    # The distances of a k-d tree are computed pair by pair: ties do not hang on rounding.
    model = _standardized(KNeighborsClassifier(settings["neighbours"], algorithm="kd_tree"))
    found = select(train, model, "backward", k=1, folds=settings["folds"], seed=seed)
    sets = [set(stage.features) for stage in found.path]
    dropped = [(more - fewer).pop() for more, fewer in pairwise(sets)]
    return [*found.features, *reversed(dropped)]


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
        return list(select(train, "ssv", search, width=settings["width"]).features)

    return by_tree


Method = Callable[[Dataset, Settings, int], list[str]]

METHODS: dict[str, Method] = {
    "kNN": by_knn,
    "BA": by_mifs,
    "IGR": _by_index("gain-ratio"),
    "MI": _by_index("gain"),
    "SSV BFS": _by_tree("tree"),
    "SSV beam": _by_tree("tree-beam"),
}


@cache
def _printed() -> dict[str, list[int]]:
    paper = paper_study("duch2004")
    assert isinstance(paper, Simulation)
    return printed_rankings(paper)


def printed_rankings(paper: Simulation) -> dict[str, list[int]]:
    """Return the rows of the paper's Table 1: numbers of features by method."""
    rows: dict[str, list[int]] = {}
    for line in paper.printed():
        if line["item"] == "table 1":
            rows.setdefault(line["method"], []).append(int(line["value"]))
    return rows


def _standardized(model: Any) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    return make_pipeline(StandardScaler(), model)
