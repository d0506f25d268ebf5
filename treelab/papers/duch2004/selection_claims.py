"""What the paper says of selection from the four Gaussians, judged (duch2004 sections 3 and 5)."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from treelab.experiment.report.article import Statement, judged
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.gaussians import IDEAL_SELECTION, SEARCHED, SELECTING
from treelab.papers.duch2004.reading import (
    WIDTH,
    commonest,
    covers,
    orders,
    rates,
    share,
    values,
)
from treelab.papers.duch2004.rules import (
    ALWAYS,
    NEVER,
    SIMILAR,
    Judged,
    Rates,
    in_any,
    likely,
    listed,
    percent,
)
from treelab.protocols import FloatArray

TREE = "12637"
"""The features that the paper's SSV tree selected."""

READINGS = {"MI(C;F) / H(F)": "IGR", "added MI / H(X)": "IGR added"}
"""IGR of sets, which the paper does not define."""

NEAR = 1.0
"""Greedy sets whose index is within so many % of the best are as good."""

Orders = dict[str, dict[int, list[str]]]
"""By index and number of bins, an order a data set."""


def selection_claims(answers: Answers) -> Iterator[Statement]:
    """Yield the statements that there are answers to."""
    if covers(answers, "selection"):
        yield from _of_selection(answers)
    if covers(answers, "greedy"):
        yield _greedy_enough(answers)
    if covers(answers, "tree"):
        yield _tree(answers)


def _of_selection(answers: Answers) -> Iterator[Statement]:
    bins = values(answers, "selection", "bins")
    found = rates(answers, "selection", SELECTING, WIDTH)
    by_index = {
        index: dict(zip(bins, row.tolist(), strict=True))
        for index, row in zip(SELECTING, found, strict=True)
    }
    made = {
        index: {b: orders(answers, "selection", index, cutting=WIDTH, bins=b) for b in bins}
        for index in SELECTING
    }
    yield _ends_fail(made, by_index)
    yield _best_at_24(made, by_index)
    yield _gain_ratio(made, by_index)
    yield _copies_at_32(made)
    yield _imc_at_24(made["IMC"], by_index["IMC"])
    yield _battiti(made, by_index)
    yield _bins_matter(by_index)


def n_right(order: str) -> int:
    """Return how many features are right before the first wrong one: 4 at most."""
    pairs = zip(order, IDEAL_SELECTION, strict=False)
    return next((i for i, (ours, ideal) in enumerate(pairs) if ours != ideal), len(IDEAL_SELECTION))


def is_right(order: str) -> bool:
    """Tell whether the first four are X1, X2, X3, X4 in this order."""
    return n_right(order) == len(IDEAL_SELECTION)


def _ends_fail(made: Orders, found: dict[str, Rates]) -> Statement:
    ends = {i: {b: r for b, r in row.items() if b in (4, 32)} for i, row in found.items()}
    wrong = [[not is_right(o) for o in made[i][b]] for i, row in ends.items() for b in row]
    return Statement(
        "section 3",
        "Selection: partitions into 4 and 32 parts always lead to errors",
        likely(wrong),
        _by_index(ends),
    )


def _best_at_24(made: Orders, found: dict[str, Rates]) -> Statement:
    """Judge that no other number of bins has more features right, index by index."""
    best = [
        [max(each) == each[list(by_bins).index(24)] for each in _n_right_by_bins(by_bins)]
        for by_bins in made.values()
    ]
    shares = ", ".join(f"{i} {100 * np.mean(b):.0f} %" for i, b in zip(made, best, strict=True))
    return Statement(
        "section 3",
        "Selection: 24 parts give the most accurate result",
        likely(best),
        f"no other partition has more of the first four right in: {shares}; {_by_index(found)}",
    )


def _n_right_by_bins(by_bins: dict[int, list[str]]) -> list[list[int]]:
    rows = zip(*by_bins.values(), strict=False)
    return [[n_right(order) for order in row] for row in rows]


def _gain_ratio(made: Orders, found: dict[str, Rates]) -> Statement:
    def read(index: str) -> Judged:
        right = [[is_right(o) for o in made[index][b]] for b in (8, 16, 24) if b in made[index]]
        return likely(right), f"the ideal order comes in {listed(found[index])} bins"

    return in_any(
        "section 3",
        "Selection: IGR(C;F) orders correctly with 8, 16 and 24 bins",
        {reading: read(index) for reading, index in READINGS.items()},
    )


def _copies_at_32(made: Orders) -> Statement:
    def read(index: str) -> Judged:
        found = made[index].get(32, [])
        before = [[_comes_before(*pair)(o) for o in found] for pair in (("7", "3"), ("8", "4"))]
        first, second = (100 * np.mean(each) for each in before)
        return likely(before), (
            f"X7 before X3 in {first:.0f} %, X8 before X4 in {second:.0f} %, most frequent "
            f"{commonest(found, 4)}"
        )

    return in_any(
        "section 3",
        "Selection: with 32 bins IGR finds the copies of X3 and X4 more important",
        {reading: read(index) for reading, index in READINGS.items()},
    )


def _comes_before(first: str, second: str) -> Callable[[str], bool]:
    return lambda order: order.index(first) < order.index(second)


def _has_copies(order: str) -> bool:
    return bool(set(order[:4]) & set("5678"))


def _imc_at_24(made: dict[int, list[str]], row: Rates) -> Statement:
    cases = [[(is_right if b == 24 else _has_copies)(o) for o in o_] for b, o_ in made.items()]
    copies = {b: share(found, _has_copies) for b, found in made.items()}
    return Statement(
        "section 3",
        "Selection: IMC(F) works well with 24 bins and takes copies with others",
        likely(cases),
        f"the ideal order comes in {listed(row)} bins; a copy among the first four in "
        f"{listed(copies)} bins",
    )


def _battiti(made: Orders, found: dict[str, Rates]) -> Statement:
    """Judge that on one data set both are right, or both wrong, with each number of bins."""
    alike = [
        [is_right(one) == is_right(other) for one, other in zip(a, b, strict=False)]
        for a, b in zip(made["MIFS"].values(), made["IMC"].values(), strict=True)
    ]
    return Statement(
        "section 3",
        "Selection: Battiti's MIFS is very similar to IMC(F)",
        likely(alike),
        "both are right, or both wrong, in "
        + listed(dict(zip(made["IMC"], map(np.mean, alike), strict=True)))
        + f" bins; {_by_index({i: found[i] for i in ('MIFS', 'IMC')})}",
    )


def _bins_matter(found: dict[str, Rates]) -> Statement:
    apart = {i: max(row.values()) - min(row.values()) for i, row in found.items()}
    return Statement(
        "section 5",
        "Discretization is very important; naive bins may give unpredictable results (selection)",
        judged(d > SIMILAR for d in apart.values()),
        "from the worst to the best number of bins the rate of the ideal order rises by "
        + ", ".join(f"{100 * d:.0f} points ({i})" for i, d in apart.items()),
    )


TINY = 1e-9
"""Sets that lack no more, in %, differ by rounding."""


def _greedy_enough(answers: Answers) -> Statement:
    """Judge the question of section 1 by all 255 sets: what greedy ones lack."""
    lacks = {
        index: np.array([lack(answers, index, size) for size in range(2, 8)]) for index in SEARCHED
    }
    said = ", ".join(
        f"{index} {100 * np.mean(each <= TINY):.0f} % (the others lack {each.max():.1f} % at most)"
        for index, each in lacks.items()
    )
    return Statement(
        "section 1",
        "Greedy search is sufficient for finding optimal sets (asked), as all sets show",
        judged(bool(np.mean(each <= NEAR) >= ALWAYS) for each in lacks.values()),
        f"greedy sets of 2 to 7 features are the best of all sets of their size in: {said}; "
        f"within {NEAR:g} % of the best: "
        + ", ".join(f"{i} {100 * np.mean(each <= NEAR):.0f} %" for i, each in lacks.items()),
    )


def lack(answers: Answers, index: str, size: int, **varied: Any) -> FloatArray:
    """Return what greedy sets of a size lack to the best ones, in %."""
    return answers.figures("greedy", f"{index} {size}", **varied)


def _tree(answers: Answers) -> Statement:
    found = orders(answers, "tree", "SSV tree")
    exact = [order.startswith(TREE) for order in found]
    same = [set(order[:5]) == set(TREE) for order in found]
    others = [set(order) == set(TREE) for order in found]
    return Statement(
        "section 3",
        "An SSV tree selects X1, X2, X6, X3 and X7 as the top-most features, removing all others",
        judged(bool(np.mean(each) > NEVER) for each in (exact, same, others)),
        f"in this order in {100 * np.mean(exact):.0f} %, in any in {100 * np.mean(same):.0f} %, "
        f"without others in {100 * np.mean(others):.0f} %; most frequent: {commonest(found, 5)}",
    )


def _by_index(found: dict[str, Rates]) -> str:
    bins = next(iter(found.values()))
    rows = "; ".join(f"{index} {percent(row.values())} %" for index, row in found.items())
    return f"the ideal order comes with {', '.join(map(str, bins))} bins in: {rows}"
