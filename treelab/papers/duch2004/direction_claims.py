"""What the paper expects of further work, judged (duch2004 sections 4 and 5)."""

from collections.abc import Iterator

import numpy as np

from treelab.experiment.report.article import Statement, judged
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.reading import NUMBERS, covers, curves, places, values
from treelab.papers.duch2004.rules import in_all
from treelab.papers.duch2004.thyroid_claims import EQUAL, middle_mean
from treelab.papers.duch2004.years import NUMERIC

COSTLIER = 1.1
"""Times that differ by less are the same but for the machine."""

FIRST = 4
"""So many features of a class are its important ones."""


def direction_claims(answers: Answers) -> Iterator[Statement]:
    """Yield the statements that there are answers to."""
    if covers(answers, "directions"):
        yield _dropping(answers)
    if covers(answers, "cuttings"):
        yield _entropy(answers)
    if covers(answers, "classes"):
        yield _by_class(answers)
    if covers(answers, "weights"):
        yield _weights(answers)


def _dropping(answers: Answers) -> Statement:
    mean = {method: middle_mean(row) for method, row in curves(answers, "directions").items()}
    kinds = dict.fromkeys(method.partition(",")[0] for method in mean)
    pairs = {kind: (mean[f"{kind}, forward"], mean[f"{kind}, backward"]) for kind in kinds}
    return in_all(
        "section 4",
        "Dropping features instead of adding them would be a better approach",
        {
            kind: (
                judged([bool(back > forth + EQUAL), bool(back > forth - EQUAL)]),
                f"mean accuracy of 3 to 10 features {back:.2f} % by dropping, "
                f"{forth:.2f} % by adding",
            )
            for kind, (forth, back) in pairs.items()
        },
    )


def told_by(answers: Answers, cutting: str, bins: int) -> float:
    """Return what all numeric features tell of the test cases, one by one, in bits together."""
    figures = [
        answers.figures("cuttings", f"MI {n}", cutting=cutting, bins=bins).mean() for n in NUMERIC
    ]
    return float(np.sum(figures))


def milliseconds(answers: Answers, cutting: str, bins: int) -> float:
    """Return how long the cutting takes."""
    return float(answers.figures("cuttings", "milliseconds", cutting=cutting, bins=bins).min())


def _entropy(answers: Answers) -> Statement:
    bins = values(answers, "cuttings", "bins")
    told = {c: [told_by(answers, c, b) for b in bins] for c in ("entropy", "equal-width", "SSV")}
    times = [milliseconds(answers, "entropy", b) / milliseconds(answers, "SSV", b) for b in bins]
    better = [a > b for a, b in zip(told["entropy"], told["equal-width"], strict=True)]
    said = "; ".join(f"{c} {', '.join(f'{t:.2f}' for t in row)}" for c, row in told.items())
    return Statement(
        "section 5",
        "Entropy-based discretization is better than naive bins, but more costly than SSV",
        judged([*better, *(t > COSTLIER for t in times)]),
        f"bits that the numeric features tell of the test cases, with {', '.join(map(str, bins))} "
        f"bins: {said}; entropy takes {', '.join(f'{t:.1f}' for t in times)} times as long as SSV",
    )


def _by_class(answers: Answers) -> Statement:
    best = {
        label: [NUMBERS[f] for f in np.argsort(places(answers, "classes", label=label)[0])[:FIRST]]
        for label in values(answers, "classes", "label")
    }
    sets = [frozenset(found) for found in best.values()]
    return Statement(
        "section 5",
        "Different sets of features may be important for separation of different classes",
        judged(sets.count(own) == 1 for own in sets),
        f"the first {FIRST} by gain ratio, of one class against the others: "
        + "; ".join(f"class {label}: {' '.join(map(str, f))}" for label, f in best.items()),
    )


def _weights(answers: Answers) -> Statement:
    near = values(answers, "weights", "neighbours")
    found = {
        index: [
            float(answers.figures("weights", "accuracy", index=index, neighbours=k).mean())
            for k in near
        ]
        for index in values(answers, "weights", "index")
    }
    plain = found.pop("none")
    gains = [a - b for row in found.values() for a, b in zip(row, plain, strict=True)]
    said = "; ".join(
        f"{name} {', '.join(f'{a:.2f}' for a in row)} %"
        for name, row in {"unweighted": plain, **found}.items()
    )
    return Statement(
        "section 5",
        "Ranking indices may be used for feature weighting",
        judged(gain > EQUAL for gain in gains),
        f"test accuracy of {', '.join(map(str, near))} nearest neighbours on all features: {said}",
    )
