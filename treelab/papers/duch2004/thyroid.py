"""Questions about the thyroid data (duch2004 section 4, SPEC 3.6)."""

from collections.abc import Sequence
from functools import cache

from treelab import rank
from treelab.experiment.simulation import Settings, Simulation
from treelab.papers.catalog import paper_study
from treelab.papers.duch2004.methods import METHODS
from treelab.papers.duch2004.years import numbered, parted, standardized
from treelab.selection import as_matrix

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
        model = standardized(SVC(C=settings["c"])).fit(as_matrix(train.select(first)), train.y)
        right = model.predict(as_matrix(test.select(first))) == test.y
        found[f"accuracy {size}"] = float(100 * right.mean())
    return found


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
