"""The paper in short, and what came out."""

from treelab.experiment.report.article import Statement
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.reading import (
    NUMBERS,
    WIDTH,
    agreement,
    counted,
    covers,
    curves,
    most_told,
    n_same,
    places,
    rates,
    values,
)
from treelab.papers.duch2004.rules import kept, span
from treelab.papers.duch2004.thyroid import printed_rankings


def in_short(answers: Answers, said: list[Statement]) -> tuple[str, ...]:
    """Return what the paper claims, and what came out."""
    claims = (
        "The paper claims that most indices rank features alike, that selection depends on how "
        "numbers are cut into bins, that bins by separability (SSV) tell twice as much as bins of "
        "equal width, and that a kNN wrapper and SSV trees find the best small sets of features of "
        "the thyroid data."
    )
    found = [
        *_short_ranking(answers),
        *_short_selection(answers),
        *_short_information(answers),
        *_short_table(answers),
        *_short_accuracy(answers),
    ]
    if said:
        found.append(f"Of {len(said)} statements that can be put to the test, {kept(said)}.")
    return (claims, " ".join(found)) if found else (claims,)


def _short_ranking(answers: Answers) -> list[str]:
    if not covers(answers, "ranking"):
        return []
    good = rates(answers, "ranking", ["MI", "IGR", "GD", "WI"], WIDTH)
    joint = rates(answers, "ranking", ["WI joint"], WIDTH)
    return [
        f"On the four Gaussians MI, IGR, GD and WI rank ideally in {span(good)} of "
        f"{counted(answers, 'ranking', 'data set')}; WI read literally in {span(joint)}."
    ]


def _short_selection(answers: Answers) -> list[str]:
    if not covers(answers, "selection"):
        return []
    ratio, added, mifs = (
        rates(answers, "selection", [index], WIDTH) for index in ("IGR", "IGR added", "MIFS")
    )
    return [
        f"Greedy selection by IGR finds X1, X2, X3, X4 in {span(ratio)} of the data sets, by the "
        f"gain ratio of what a feature adds in {span(added)}, by Battiti's MIFS in {span(mifs)}, "
        "depending on the number of bins."
    ]


def _short_information(answers: Answers) -> list[str]:
    if not covers(answers, "information"):
        return []
    bins = values(answers, "information", "bins")
    width, ssv = (max(most_told(answers, "MI", c, b) for b in bins) for c in (WIDTH, "ssv"))
    return [
        f"On the thyroid data the most important feature tells up to {width:.2f} bits with bins "
        f"of equal width and up to {ssv:.2f} with SSV bins."
    ]


def _short_table(answers: Answers) -> list[str]:
    printed = printed_rankings(answers.study)
    found = {
        method: places(answers, "table", method=method)
        for method in values(answers, "table", "method")
        if method in printed
    }
    if not found:
        return []
    same = {method: n_same(each, printed[method]) for method, each in found.items()}
    alike = {m: agreement(each, printed[m])[:, 0].mean() for m, each in found.items()}
    n = len(NUMBERS)
    words = ", ".join(f"{m} {same[m]} ({alike[m]:.2f})" for m in found)
    return [
        f"Our rankings of its features have the feature of Table 1 in so many of {n} places (in "
        f"brackets Spearman's correlation): {words}."
    ]


def _short_accuracy(answers: Answers) -> list[str]:
    found = curves(answers, "table")
    if not found:
        return []
    best = max(found, key=lambda method: found[method].max())
    size = int(found[best].argmax()) + 1
    return [
        f"The best test accuracy of the SVM is {found[best].max():.2f} %, on the first {size} "
        f"features by {best}."
    ]
