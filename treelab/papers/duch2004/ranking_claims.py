"""What the paper says of ranking the four Gaussians, judged (duch2004 sections 3 and 5)."""

from collections.abc import Iterator

import numpy as np

from treelab.experiment.report.article import Statement, judged
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.gaussians import IDEAL_RANKING, INDICES
from treelab.papers.duch2004.reading import (
    FREQUENCY,
    WIDTH,
    covers,
    orders,
    rate,
    rates,
    share,
    values,
)
from treelab.papers.duch2004.rules import (
    ALWAYS,
    SIMILAR,
    Judged,
    in_any,
    likely,
    listed,
    span,
)

OF_PAPER = ("MI", "IGR", "GD", "WI", "IMC")


def ranking_claims(answers: Answers) -> Iterator[Statement]:
    """Yield the statements that there are answers to."""
    if covers(answers, "ranking"):
        yield from _of_ranking(answers)
    if covers(answers, "sizes"):
        yield _enough_points(answers)
    if covers(answers, "estimators"):
        yield from _estimators(answers)


def _of_ranking(answers: Answers) -> Iterator[Statement]:
    for index in ("MI", "IGR", "GD"):
        claim = f"{index} ranks ideally, whatever the number of bins"
        yield Statement("section 3", claim, *_ideal(answers, index))
    readings = {"read as class entropy left": "WI", "read literally": "WI joint"}
    yield in_any(
        "section 3",
        "WI ranks ideally, whatever the number of bins",
        {reading: _ideal(answers, index) for reading, index in readings.items()},
    )
    yield _imc(answers)
    yield _cuttings_alike(answers)
    yield _indices_alike(answers)


def _ideal(answers: Answers, index: str) -> Judged:
    found = rates(answers, "ranking", [index], WIDTH)[0]
    return judged(found >= ALWAYS), f"ideal in {span(found)}"


def _imc(answers: Answers) -> Statement:
    """Judge that IMC ranks ideally but for 8 bins, where a copy comes before its original."""
    at = {
        b: orders(answers, "ranking", "IMC", cutting=WIDTH, bins=b)
        for b in values(answers, "ranking", "bins")
    }
    cases = {
        b: [_reversed(order) if b == 8 else order == IDEAL_RANKING for order in found]
        for b, found in at.items()
    }
    ideal = {b: share(found, lambda order: order == IDEAL_RANKING) for b, found in at.items()}
    return Statement(
        "section 3",
        "IMC ranks ideally except with 8 bins, where X2 and X6 are reversed",
        likely(list(cases.values())),
        f"ideal in {listed(ideal)} bins; with 8 bins X6 comes before X2 in "
        f"{100 * share(at.get(8, []), _reversed):.1f} %",
    )


def _reversed(order: str) -> bool:
    return order.index("6") < order.index("2")


def _cuttings_alike(answers: Answers) -> Statement:
    apart = np.abs(
        rates(answers, "ranking", OF_PAPER, WIDTH) - rates(answers, "ranking", OF_PAPER, FREQUENCY)
    )
    return Statement(
        "section 3",
        "Rankings with bins of equal frequency are very similar to those of equal width",
        judged(apart.ravel() <= SIMILAR),
        f"the rates of {', '.join(OF_PAPER)} differ by {100 * apart.max():.0f} points at most",
    )


def _indices_alike(answers: Answers) -> Statement:
    """Judge the first conclusion by all indices there are, not only those of section 3."""
    lowest = rates(answers, "ranking", list(INDICES), WIDTH).min(axis=1)
    poor = [f"{i} ({100 * r:.0f} %)" for i, r in zip(INDICES, lowest, strict=True) if r < ALWAYS]
    return Statement(
        "section 5",
        "The actual index may not be so important (ranking)",
        judged(lowest >= ALWAYS),
        f"{len(INDICES) - len(poor)} of {len(INDICES)} indices rank ideally in at least "
        f"{100 * ALWAYS:.0f} % whatever the number of bins"
        + (f"; not {', '.join(poor)}" if poor else ""),
    )


def _enough_points(answers: Answers) -> Statement:
    sizes = [n for n in values(answers, "sizes", "points") if n >= 1000]
    found = {n: min(rate(answers, "sizes", i, points=n) for i in OF_PAPER[:4]) for n in sizes}
    few = min(values(answers, "sizes", "points"))
    at_few = min(rate(answers, "sizes", i, points=few) for i in OF_PAPER[:4])
    return Statement(
        "section 3",
        "1000 points for each Gaussian remove the artifacts of sampling",
        judged(r >= ALWAYS for r in found.values()),
        f"the lowest rate of {', '.join(OF_PAPER[:4])} is {listed({few: at_few, **found})} points",
    )


OF_ESTIMATORS = {
    "kernel": "Kernel-based approximations of the indices are a useful alternative",
    "fuzzy": "Fuzzy partitioning may be quite useful",
}


def _estimators(answers: Answers) -> Iterator[Statement]:
    """Judge by the ideal rankings of few points: smooth estimates should not be worse than counts.

    Useful is what is ideal more often for some number of bins, and for none much less often.
    """
    bins = values(answers, "estimators", "bins")
    by = {
        way: np.array([rate(answers, "estimators", "MI", estimator=way, bins=b) for b in bins])
        for way in ("counts", *OF_ESTIMATORS)
    }
    for way, claim in OF_ESTIMATORS.items():
        gains = by[way] - by["counts"]
        shown = {n: dict(zip(bins, by[n].tolist(), strict=True)) for n in (way, "counts")}
        yield Statement(
            "section 5",
            claim,
            judged([bool(gains.max() > 0), bool(gains.min() >= -SIMILAR)]),
            f"ranking few points by MI is ideal in {listed(shown[way])} bins, by counts in "
            f"{listed(shown['counts'])}",
        )
