"""Figures of the article, from the answers: rates over data sets, means over splits."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from treelab import Ranking, Rankings
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.gaussians import IDEAL_RANKING, IDEAL_SELECTION, as_order
from treelab.protocols import FloatArray

NUMBERS = tuple(range(1, 22))
"""The features of the thyroid data, as the paper numbers them."""

OF_SETS = ("selection", "points")
"""The parts that select; the others rank."""

WIDTH, FREQUENCY = "equal-width", "equal-frequency"


def values(answers: Answers, part: str, name: str) -> list[Any]:
    """Return what a setting was in the questions of a part that have been answered."""
    return list(dict.fromkeys(question.varied[name] for question, _ in answers.of(part)))


def covers(answers: Answers, part: str) -> bool:
    """Tell whether every combination of a part has an answer: its figures can be compared."""
    asked = next((p for p in answers.study.parts if p.name == part), None)
    return asked is not None and all(answers.of(part, **c) for c in asked.combinations())


def n_seeds(answers: Answers, part: str) -> int:
    """Return how many data sets or splits a part has answers for."""
    return len({question.seed for question, _ in answers.of(part)})


def counted(answers: Answers, part: str, thing: str) -> str:
    """Say how many: '1 split', '200 data sets'."""
    n = n_seeds(answers, part)
    return f"{n} {thing}{'' if n == 1 else 's'}"


def orders(answers: Answers, part: str, index: str, **varied: Any) -> list[str]:
    """Return the orders of the Gaussians' features by an index, one a data set."""
    return [as_order(number) for number in answers.figures(part, index, **varied)]


def is_ideal(part: str) -> Callable[[str], bool]:
    """Return the test of an order: all of a ranking, the first four of a selection."""
    ideal = IDEAL_SELECTION if part in OF_SETS else IDEAL_RANKING
    return lambda order: order.startswith(ideal)


def share(found: Sequence[str], is_so: Callable[[str], bool]) -> float:
    """Return the share of orders of which something is so; NaN of none."""
    return float(np.mean([is_so(order) for order in found])) if found else np.nan


def rate(answers: Answers, part: str, index: str, **varied: Any) -> float:
    """Return the share of data sets in which an index orders the features ideally."""
    return share(orders(answers, part, index, **varied), is_ideal(part))


def rates(answers: Answers, part: str, indices: Sequence[str], cutting: str) -> FloatArray:
    """Return the rates (index, bins) of a way to cut."""
    bins = values(answers, part, "bins")
    return np.array(
        [[rate(answers, part, i, cutting=cutting, bins=b) for b in bins] for i in indices]
    )


def rates_by_points(answers: Answers, index: str) -> FloatArray:
    """Return the rates (points, bins) of selection by an index."""
    sizes, bins = values(answers, "points", "points"), values(answers, "points", "bins")
    return np.array(
        [[rate(answers, "points", index, points=n, bins=b) for b in bins] for n in sizes]
    )


def commonest(found: Sequence[str], length: int) -> str:
    """Return the most frequent beginning of orders, in words.

    >>> commonest(["1526", "1526", "1234"], 3)
    'X1 X5 X2'
    """
    if not found:
        return ""
    begin = Counter(order[:length] for order in found).most_common(1)[0][0]
    return " ".join(f"X{number}" for number in begin)


def told(answers: Answers, index: str, number: int, cutting: str, bins: int) -> float:
    """Return what a feature of the thyroid data tells, the mean over the splits."""
    found = answers.figures("information", f"{index} {number}", cutting=cutting, bins=bins)
    return float(found.mean()) if len(found) else np.nan


def most_told(answers: Answers, index: str, cutting: str, bins: int) -> float:
    """Return what the most important feature tells."""
    return max(told(answers, index, number, cutting, bins) for number in NUMBERS)


def places(answers: Answers, part: str, **varied: Any) -> FloatArray:
    """Return the places (split, feature) by a method."""
    found = [answers.figures(part, f"place {number}", **varied) for number in NUMBERS]
    return np.column_stack(found)


def accuracy(answers: Answers, part: str, **varied: Any) -> FloatArray:
    """Return the accuracies (split, number of features) along the rankings of a method."""
    found = [answers.figures(part, f"accuracy {size}", **varied) for size in NUMBERS]
    return np.column_stack(found)


def curves(answers: Answers, part: str) -> dict[str, FloatArray]:
    """Return the mean accuracy by number of features for every method there is."""
    methods = values(answers, part, "method")
    return {method: accuracy(answers, part, method=method).mean(axis=0) for method in methods}


def n_same(found: FloatArray, printed: Sequence[int]) -> int:
    """Return in how many places our ranking and the printed one have the same feature.

    Features that share a place are at none of their own.
    """
    theirs = np.array([printed.index(number) + 1.0 for number in NUMBERS])
    return int((found == theirs).all(axis=0).sum())


def agreement(found: FloatArray, printed: Sequence[int]) -> FloatArray:
    """Return Spearman's and Kendall's correlation (split, 2) of places with a printed ranking."""
    names = [str(number) for number in NUMBERS]
    theirs = np.array([printed.index(number) + 1.0 for number in NUMBERS])
    both = [
        Rankings(
            tuple(names),
            {"ours": Ranking.of("ours", names, -row), "paper": Ranking.of("paper", names, -theirs)},
        )
        for row in found
    ]
    return np.array([[pair.spearman[0, 1], pair.kendall[0, 1]] for pair in both])
