"""What a study comes to, in words: computed from its figures, never typed."""

from collections.abc import Sequence

import numpy as np
import scipy  # whose `stats` is loaded when it is needed: it takes half a second

from treelab._text import count
from treelab.evaluate import wins
from treelab.experiment.report.article import FEW, listed
from treelab.experiment.report.tables import TEST_NAMES
from treelab.experiment.summary import ALL, Summary, Tested

OVER_SETS = ("wilcoxon", "sign", "nemenyi")
"""Tests over all data sets, the one to conclude from first (Benavoli, Corani and Mangili 2016)."""


def conclusion(summary: Summary) -> tuple[str, ...]:
    """Return who is ahead and by how much, what of it is shown, wins and losses, sizes of trees."""
    summary = summary.contest
    if not summary.complete.any():
        return ("Nothing can be concluded yet: no data set has results of all learners.",)
    sentences = [_ahead(summary)]
    if len(summary.learners) > 1:
        sentences += [_shown(summary), _on_single_sets(summary), _wins(summary), _same(summary)]
    return tuple(sentence for sentence in (*sentences, _sizes(summary)) if sentence)


def _ahead(summary: Summary) -> str:
    """Say which learners have the highest accuracy, and how far behind the next ones are."""
    exact = summary.averages()
    means = np.round(exact, 2)
    levels = np.unique(means)[::-1]
    leaders, best = _at(summary, means, levels[0]), f"{levels[0]:.2f} %"
    where = f"{_where(summary)}, {listed(leaders)}"
    if len(summary.learners) == 1:
        return f"{where} has an accuracy of {best}."
    if len(levels) == 1:
        return f"{where} are level at {best}."
    verb = "is ahead with" if len(leaders) == 1 else "are ahead with"
    second = listed(_at(summary, means, levels[1]))
    gap = exact[means == levels[0]].max() - exact[means == levels[1]].max()
    lead = f"{gap:.2f} points more than {second} ({levels[1]:.2f} %)"
    last = ""
    if len(levels) > 2:
        names = _at(summary, means, levels[-1])
        comes = "comes" if len(names) == 1 else "come"
        last = f"; {listed(names)} {comes} last ({levels[-1]:.2f} %)"
    return f"{where} {verb} {best}, {lead}{last}."


def _where(summary: Summary) -> str:
    names = np.array(summary.data)[summary.complete]
    return f"On {names[0]}" if len(names) == 1 else f"On average over {len(names)} data sets"


def _at(summary: Summary, means: np.ndarray, level: float) -> list[str]:
    return [name for name, mean in zip(summary.learners, means, strict=True) if mean == level]


def _shown(summary: Summary) -> str:
    """Say which differences are significant: over all data sets, or on the only one."""
    tested = _decisive(summary)
    if not tested:
        return "No test of pairs of learners was made that could show whether this is chance."
    alpha = summary.study.alpha
    found = [t for t in tested if (p := t.corrected_p) is not None and p < alpha]
    by = f"{TEST_NAMES[tested[0].test]}{_correction(tested)}"
    if not found:
        what = "No difference" if tested[0].scope != ALL else "Over all data sets no difference"
        return f"{what} is shown: {_nothing(summary, tested, by)}."
    if len(found) > FEW:
        pairs = f"{len(found)} of {len(tested)} pairs of learners"
        return f"By {_the(by)}, {pairs} differ (P < {alpha:g})."
    claims = [f"{' is better than '.join(_order(summary, t))} (P = {_brief(t)})" for t in found]
    rest = len(tested) - len(found)
    more = f"; {count(rest, 'other pair')} {'differs' if rest == 1 else 'differ'} not significantly"
    return f"By {_the(by)}, {listed(claims)}{more if rest else ''}."


def _decisive(summary: Summary) -> list[Tested]:
    """Return the tests of all pairs to conclude from."""
    if summary.complete.sum() == 1:
        return [t for t in summary.tested if t.test == summary.study.marking_test]
    for test in OVER_SETS:
        if found := [t for t in summary.tested if t.scope == ALL and t.test == test]:
            return found
    return []


def _correction(tested: Sequence[Tested]) -> str:
    if len(tested) == 1 or tested[0].test == "nemenyi":  # which is corrected by itself
        return ""
    return f" with Holm's correction for {len(tested)} pairs"


def _nothing(summary: Summary, tested: Sequence[Tested], by: str) -> str:
    """Say how near the tests came, or why they cannot show anything."""
    alpha, n = summary.study.alpha, int(summary.complete.sum())
    least = len(tested) * 2.0 ** (1 - n)
    if tested[0].test in ("wilcoxon", "sign") and least >= alpha:
        return f"they are too few, for {_the(by)} cannot give less than P = {min(least, 1.0):.2g}"
    known = [t for t in tested if t.corrected_p is not None]
    if not known:
        return f"all folds differ by the same amount, so {_the(by)} has no P-value"
    nearest = min(known, key=lambda t: t.corrected_p or 0.0)
    if len(tested) == 1:
        return f"the P-value of {_the(by)} is {_brief(nearest)}"
    whose = f"{nearest.first} and {nearest.second}"
    return f"the smallest P-value of {_the(by)} is {_brief(nearest)} ({whose})"


def _order(summary: Summary, t: Tested) -> tuple[str, str]:
    """Return the better and the worse of two, by what the test looked at."""
    if t.scope != ALL:
        is_first = t.difference > 0
    elif t.test == "nemenyi":
        is_first = (t.statistic or 0.0) < 0  # a difference of mean ranks
    else:
        d = _differences(summary, t.first, t.second)
        sizes = scipy.stats.rankdata(np.abs(d)) if t.test == "wilcoxon" else 1.0
        is_first = bool((np.sign(d) * sizes).sum() > 0)
    return (t.first, t.second) if is_first else (t.second, t.first)


def _differences(summary: Summary, first: str, second: str) -> np.ndarray:
    """Return the differences on the complete data sets, accuracies being as printed."""
    scores = np.round(summary.accuracy[summary.complete], 2)
    return scores[:, summary.learners.index(first)] - scores[:, summary.learners.index(second)]


def _on_single_sets(summary: Summary) -> str:
    """Say on which of several data sets some learners differ."""
    n, test = int(summary.complete.sum()), summary.study.marking_test
    tested = [t for t in summary.tested if t.test == test]
    if n == 1 or not tested:
        return ""
    alpha = summary.study.alpha
    found = [t for t in tested if (p := t.corrected_p) is not None and p < alpha]
    pairs = [t for t in tested if t.scope == tested[0].scope]
    by = f"By the {TEST_NAMES[tested[0].test]}{_correction(pairs)}"
    if not found:
        return f"{by}, no two learners differ on any single data set."
    sets = list(dict.fromkeys(t.scope for t in found))
    if len(summary.learners) == 2:
        better = [_order(summary, t)[0] for t in found]
        each = [f"{name} is better on {better.count(name)}" for name in summary.learners]
        return f"{by}, {' and '.join(each)} of {n} data sets."
    which = f": {', '.join(sets)}" if len(sets) <= FEW else ""
    return f"{by}, some learners differ on {len(sets)} of {n} data sets{which}."


def _wins(summary: Summary) -> str:
    """Count wins, ties and losses of the leader against others."""
    if summary.complete.sum() == 1:
        return ""
    means = summary.averages()
    order = [summary.learners[place] for place in np.argsort(-np.round(means, 2), kind="stable")]
    leader, others = order[0], order[1:]
    others = others if len(others) <= FEW else others[:1]
    duels: dict[str, list[str]] = {}
    for other in others:
        duels.setdefault(_duel(summary, leader, other), []).append(other)
    parts = [f"{duel} against {listed(names)}" for duel, names in duels.items()]
    return f"{leader} has {'; '.join(parts)}."


def _duel(summary: Summary, first: str, second: str) -> str:
    d = _differences(summary, first, second)
    found = wins(d, np.zeros(len(d)))
    wins_and_ties = f"{count(found.wins, 'win')}, {count(found.ties, 'tie')}"
    return f"{wins_and_ties} and {count(found.losses, 'loss', 'losses')}"


def _same(summary: Summary) -> str:
    """Name learners that have the same accuracy in every fold there is of both."""
    cube = summary.results.cube("accuracy")[summary.complete]
    kinds: dict[bytes, list[str]] = {}
    for place, name in enumerate(summary.learners):
        kinds.setdefault(cube[:, place].tobytes(), []).append(name)
    alike = [names for names in kinds.values() if len(names) > 1]
    if not alike:
        return ""
    return f"{'; '.join(map(listed, alike))} have the same accuracy in every fold."


def _sizes(summary: Summary) -> str:
    """Say how large the trees are."""
    if "leaves" not in summary.study.record:
        return ""
    means = summary.mean("leaves")[summary.complete].mean(axis=0)
    known = [(float(m), n) for m, n in zip(means, summary.learners, strict=True) if np.isfinite(m)]
    if not known:
        return ""
    if len(known) <= FEW:
        return f"Leaves on average: {', '.join(f'{name} {mean:.1f}' for mean, name in known)}."
    (low, small), (high, large) = min(known), max(known)
    return f"Trees have from {low:.1f} ({small}) to {high:.1f} leaves ({large}) on average."


def _the(test: str) -> str:
    """Put the article before a test, unless it is somebody's."""
    return test if test[0].isupper() else f"the {test}"


def _brief(t: Tested) -> str:
    p = t.corrected_p or 0.0
    return f"{p:.2g}" if p >= 1e-4 else "less than 0.0001"
