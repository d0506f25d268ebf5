"""What the paper says of selection from the four Gaussians, judged (duch2004 sections 3 and 5)."""

from collections.abc import Callable, Iterator

from treelab.experiment.report.article import Statement, judged
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.reading import (
    WIDTH,
    commonest,
    covers,
    orders,
    rates,
    share,
    values,
)
from treelab.papers.duch2004.rules import MOSTLY, NEVER, SIMILAR, Rates, listed, percent

SELECTING = ("MI", "IGR", "IMC", "MIFS")
TREE = "12637"
"""The features that the paper's SSV tree selected."""


def selection_claims(answers: Answers) -> Iterator[Statement]:
    """Yield the statements that there are answers to."""
    if covers(answers, "selection"):
        yield from _of_selection(answers)
    if covers(answers, "tree"):
        yield _tree(answers)


def _of_selection(answers: Answers) -> Iterator[Statement]:
    bins = values(answers, "selection", "bins")
    found = rates(answers, "selection", SELECTING, WIDTH)
    by_index = {
        index: dict(zip(bins, row.tolist(), strict=True))
        for index, row in zip(SELECTING, found, strict=True)
    }
    yield _ends_fail(by_index)
    yield _best_at_24(by_index)
    yield _gain_ratio(by_index["IGR"])
    yield _copies_at_32(answers)
    yield _imc_at_24(answers, by_index["IMC"])
    yield _battiti(by_index)
    yield _bins_matter(by_index)


def _ends_fail(found: dict[str, Rates]) -> Statement:
    ends = {i: {b: r for b, r in row.items() if b in (4, 32)} for i, row in found.items()}
    return Statement(
        "section 3",
        "Selection: partitions into 4 and 32 parts always lead to errors",
        judged(r <= NEVER for row in ends.values() for r in row.values()),
        _by_index(ends),
    )


def _best_at_24(found: dict[str, Rates]) -> Statement:
    return Statement(
        "section 3",
        "Selection: 24 parts give the most accurate result",
        judged(row.get(24, 0.0) == max(row.values()) > 0 for row in found.values()),
        _by_index(found),
    )


def _gain_ratio(row: Rates) -> Statement:
    return Statement(
        "section 3",
        "Selection: IGR(C;F) orders correctly with 8, 16 and 24 bins",
        judged(r > MOSTLY for b, r in row.items() if b in (8, 16, 24)),
        f"the ideal order comes in {listed(row)} bins",
    )


def _copies_at_32(answers: Answers) -> Statement:
    found = orders(answers, "selection", "IGR", cutting=WIDTH, bins=32)
    before = {
        copy: share(found, _comes_before(copy, first)) for first, copy in (("3", "7"), ("4", "8"))
    }
    return Statement(
        "section 3",
        "Selection: with 32 bins IGR finds the copies of X3 and X4 more important",
        judged(r > MOSTLY for r in before.values()),
        f"X7 before X3 in {100 * before['7']:.0f} %, X8 before X4 in {100 * before['8']:.0f} %; "
        f"most frequent: {commonest(found, 4)}",
    )


def _comes_before(first: str, second: str) -> Callable[[str], bool]:
    return lambda order: order.index(first) < order.index(second)


def _imc_at_24(answers: Answers, row: Rates) -> Statement:
    copies = {
        b: share(
            orders(answers, "selection", "IMC", cutting=WIDTH, bins=b),
            lambda order: bool(set(order[:4]) & set("5678")),
        )
        for b in row
    }
    return Statement(
        "section 3",
        "Selection: IMC(F) works well with 24 bins and takes copies with others",
        judged([row.get(24, 0.0) > MOSTLY, *(r > MOSTLY for b, r in copies.items() if b != 24)]),
        f"the ideal order comes in {listed(row)} bins; a copy among the first four in "
        f"{listed(copies)} bins",
    )


def _battiti(found: dict[str, Rates]) -> Statement:
    apart = {b: abs(r - found["IMC"][b]) for b, r in found["MIFS"].items()}
    return Statement(
        "section 3",
        "Selection: Battiti's MIFS is very similar to IMC(F)",
        judged(d <= SIMILAR for d in apart.values()),
        _by_index({i: found[i] for i in ("MIFS", "IMC")}),
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


def _tree(answers: Answers) -> Statement:
    found = orders(answers, "tree", "SSV tree")
    exact = share(found, lambda order: order.startswith(TREE))
    same = share(found, lambda order: set(order[:5]) == set(TREE))
    return Statement(
        "section 3",
        "An SSV tree selects X1, X2, X6, X3 and X7 as the top-most features",
        judged([exact > MOSTLY, same > MOSTLY]),
        f"in this order in {100 * exact:.0f} %, in any in {100 * same:.0f} %; most frequent: "
        f"{commonest(found, 5)}",
    )


def _by_index(found: dict[str, Rates]) -> str:
    bins = next(iter(found.values()))
    rows = "; ".join(f"{index} {percent(row.values())} %" for index, row in found.items())
    return f"the ideal order comes with {', '.join(map(str, bins))} bins in: {rows}"
