"""The answer in words: computed by rules, so that other figures give other sentences."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from treelab.experiment.report.article import listed
from treelab.papers.metric_or_search.cells import MEASURES, UNUSUAL, Cells
from treelab.papers.metric_or_search.spread import (
    BesideOptimal,
    UnderSearch,
    beside_optimal,
    under_searches,
)
from treelab.papers.metric_or_search.variance import Source

ALPHA = 0.05

Decomposed: TypeAlias = tuple[Cells, list[Source]]
"""A table and the parts of its variance."""

Role = Literal["never", "no longer", "only then", "less", "more", "as much"]
"""What becomes of the metric with another search than the greedy one."""

ROLES: dict[Role, str] = {
    "never": "is shown to matter neither to greedy search nor to {search}",
    "no longer": "matters to greedy search, but is not shown to matter to {search}",
    "only then": "is not shown to matter to greedy search, but matters to {search}",
    "less": "still matters to {search}, but less than to greedy search",
    "more": "matters to {search} even more than to greedy search",
    "as much": "matters to {search} as it does to greedy search",
}


def role(greedy: UnderSearch, other: UnderSearch) -> Role:
    """Judge the metric under another search: by Friedman's tests, then by the spreads."""
    mattered, matters = greedy.p < ALPHA, other.p < ALPHA
    if mattered and matters:
        if not other.p_change < ALPHA:
            return "as much"
        return "less" if other.change < 0 else "more"
    if mattered:
        return "no longer"
    return "only then" if matters else "never"


def answers_in_words(tables: Sequence[Cells]) -> tuple[str, ...]:
    """Return the answer in short: for each measure, the search that sees furthest."""
    return tuple(
        _answer([cells for cells in tables if cells.measure == measure], name)
        for measure, name in MEASURES.items()
        if any(cells.measure == measure for cells in tables)
    )


def _answer(tables: Sequence[Cells], name: str) -> str:
    """Say what becomes of the metric; trees of sizes that agree share a sentence."""
    sizes_of: dict[Role, list[str]] = {}
    for cells in tables:
        sizes_of.setdefault(_role(cells), []).append(cells.size)
    search = tables[0].searches[-1]
    parts = [
        f"{ROLES[role].format(search=search)} ({_trees(sizes)})" for role, sizes in sizes_of.items()
    ]
    return f"For {_of(name)}, the metric {'; it '.join(parts)}."


def _trees(sizes: Sequence[str]) -> str:
    """Name trees by their sizes.

    >>> _trees(["free", "depth 4"])
    'free trees and trees of depth 4'
    """
    return listed(f"trees of {s}" if s.startswith("depth") else f"{s} trees" for s in sizes)


def _of(name: str) -> str:
    return "the number of leaves" if name == "leaves" else name


def search_sentence(cells: Cells) -> str:
    """Say how far apart the metrics are under each search."""
    parts = [
        f"{ranged(each, cells.measure)} with {each.search} ({p_text(each.p)})"
        for each in under_searches(cells)
    ]
    what = "the geometric means of the leaves" if cells.measure != "accuracy" else "the means"
    return (
        f"{_capital(cells.name)}: over {len(cells.data)} data sets, {what} of the "
        f"{len(cells.metrics)} metrics differ by up to {', '.join(parts)}."
    )


def ranged(each: UnderSearch, measure: str) -> str:
    """Write a range with its standard error: in points, or as a factor for numbers of leaves."""
    if measure == "accuracy":
        return f"{each.range:.2f} \u00b1 {each.error:.2f} points"
    factor = 2**each.range
    return f"{100 * (factor - 1):.0f} \u00b1 {100 * factor * np.log(2) * each.error:.0f} %"


def variance_sentence(cells: Cells, sources: Sequence[Source]) -> str:
    """Say where the variance lies, and which of metric and search weighs more."""
    found = {source.name: source for source in sources}
    metric, search = found["metric"], found["search"]
    first, second = sorted((metric, search), key=lambda s: s.share, reverse=True)
    return (
        f"{_capital(cells.name)}: {found['data set'].share:.1f} % of the variance lies between "
        f"data sets. Of the rest, the {first.name} explains {first.within:.1f} % "
        f"({p_text(first.permutation)}), the {second.name} {second.within:.1f} % "
        f"({p_text(second.permutation)}); {found['data set x metric'].within:.1f} % are "
        "differences between metrics on single data sets, chance included."
    )


def weight_sentence(found: Sequence[Decomposed]) -> str:
    """Say which of metric and search weighs more, over all sizes of trees."""
    shares = {
        name: [next(s.within for s in sources if s.name == name) for _, sources in found]
        for name in ("metric", "search", "data set x metric")
    }
    ahead = {
        "the metric" if of_metric > of_search else "the search"
        for of_metric, of_search in zip(shares["metric"], shares["search"], strict=True)
    }
    verdict = (
        f"{ahead.pop()} weighs more" if len(ahead) == 1
        else "which of them weighs more depends on the size of the trees"
    )  # fmt: skip
    return (
        f"Of the variance of {_of(MEASURES[found[0][0].measure])} within data sets, the metric "
        f"explains {_extent(shares['metric'])} and the search {_extent(shares['search'])}: "
        f"{verdict}. Differences between metrics on single data sets, which one cross-validation "
        f"cannot tell from chance, make up {_extent(shares['data set x metric'])}."
    )


def _extent(shares: Sequence[float]) -> str:
    """Write from where to where percentages go.

    >>> _extent([1.23, 0.98]), _extent([2.0])
    ('1.0 to 1.2 %', '2.0 %')
    """
    low, high = f"{min(shares):.1f}", f"{max(shares):.1f}"
    return f"{low} %" if low == high else f"{low} to {high} %"


def optimal_sentence(accuracy: Cells, leaves: Cells, share_proven: float) -> str:
    """Say what optimal trees gain over the best other search, and at what size."""
    best = max(beside_optimal(accuracy), key=lambda each: each.mean)
    of_best = next(each for each in beside_optimal(leaves) if each.search == best.search)
    return (
        f"Optimal trees of {accuracy.size} ({100 * share_proven:.0f} % of them proven) have "
        f"{accuracy.optimal.mean():.2f} %, {lead(best)} than those of {best.search}, the best "
        f"other search on average over the metrics ({best.mean:.2f} %), and "
        f"{2 ** leaves.optimal.mean():.1f} leaves against {2**of_best.mean:.1f} (geometric means)."
    )


def lead(each: BesideOptimal) -> str:
    """Write how far optimal trees are ahead or behind."""
    more = "more" if each.lead >= 0 else "less"
    return f"{abs(each.lead):.2f} \u00b1 {each.error:.2f} points {more} ({shown(each.p)})"


def shown(p: float) -> str:
    """Write a P-value, and whether it shows anything."""
    return p_text(p) if p < ALPHA else f"{p_text(p)}, so no difference is shown"


def usual_sentences(tables: Sequence[Cells]) -> tuple[str, ...]:
    """Say whether the answer rests on the unusual metrics, and if so, what it is without them."""
    usual = [cells.without(UNUSUAL) for cells in tables]
    start = f"Without the metrics {' and '.join(UNUSUAL)}, which are unlike the others, the answer "
    changed = [a.name for a, b in zip(tables, usual, strict=True) if _role(a) != _role(b)]
    if not changed:
        return (f"{start}is the same in all {len(tables)} tables.",)
    where = f"changes in {len(changed)} of {len(tables)} tables ({'; '.join(changed)})."
    anew = (f"Without them, {text[:1].lower()}{text[1:]}" for text in answers_in_words(usual))
    return (f"{start}{where}", *anew)


def _role(cells: Cells) -> Role:
    found = under_searches(cells)
    return role(found[0], found[-1])


def p_text(p: float) -> str:
    """Write a P-value.

    >>> p_text(0.0321), p_text(0.00001)
    ('P = 0.032', 'P < 0.0001')
    """
    return f"P = {p:.2g}" if p >= 1e-4 else "P < 0.0001"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
