"""What the paper says of the thyroid data, and the rules by which that is judged."""

from collections.abc import Iterator

from treelab._typing import FloatArray
from treelab.experiment.report.article import Statement, judged
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.reading import NUMERIC, WIDTH, covers, curves, most_told, told, values
from treelab.papers.duch2004.thyroid import INDICES

LIMIT = 0.4
TWICE = 2.0
NEARLY = 0.9
"""The share of what 32 bins tell that is as good as all of it."""

EQUAL = 0.1
"""Accuracies that differ by no more points count as equal: three of 3428 test cases."""

PRINTED = ("kNN", "BA", "IGR", "SSV BFS", "SSV beam")

Curves = dict[str, FloatArray]


def thyroid_claims(answers: Answers) -> Iterator[Statement]:
    """Yield the statements of section 4 that there are answers to."""
    if covers(answers, "information"):
        yield from _of_information(answers)
    for part, whose in (("table", "our rankings"), ("printed", "the printed rankings")):
        if covers(answers, part):
            found = curves(answers, part)
            yield from _of_accuracy({method: found[method] for method in PRINTED}, whose)


def _of_information(answers: Answers) -> Iterator[Statement]:
    bins = values(answers, "information", "bins")
    yield _grows(answers, bins)
    yield _limited(answers, bins)
    yield _doubled(answers, bins)
    yield _few_bins(answers, bins)


def _grows(answers: Answers, bins: list[int]) -> Statement:
    grown = {
        index: sum(
            told(answers, index, f, WIDTH, max(bins)) > told(answers, index, f, WIDTH, min(bins))
            for f in NUMERIC
        )
        for index in INDICES
    }
    return Statement(
        "section 4",
        "IGR, and all other indices, grow with the number of bins (equal width)",
        judged(n == len(NUMERIC) for n in grown.values()),
        f"from {min(bins)} to {max(bins)} bins "
        + ", ".join(f"{index} grows for {n}" for index, n in grown.items())
        + f" of {len(NUMERIC)} numeric features",
    )


def _limited(answers: Answers, bins: list[int]) -> Statement:
    most = {index: max(most_told(answers, index, WIDTH, b) for b in bins) for index in INDICES}
    return Statement(
        "section 4",
        f"The index of the most important feature never reaches {LIMIT:g} (equal width)",
        judged(m < LIMIT for m in most.values()),
        "largest: " + ", ".join(f"{index} {m:.3f}" for index, m in most.items()),
    )


def _doubled(answers: Answers, bins: list[int]) -> Statement:
    times = {
        b: most_told(answers, "MI", "ssv", b) / most_told(answers, "MI", WIDTH, b) for b in bins
    }
    return Statement(
        "section 4",
        "SSV bins give mutual information that is twice as large",
        judged(t >= TWICE for t in times.values()),
        "times as large, by bins: " + ", ".join(f"{b}: {t:.1f}" for b, t in times.items()),
    )


def _few_bins(answers: Answers, bins: list[int]) -> Statement:
    most = most_told(answers, "MI", "ssv", max(bins))
    shares = {b: most_told(answers, "MI", "ssv", b) / most for b in bins if b <= 6}
    return Statement(
        "section 4",
        "SSV bins have a high information content even if they are only 4 or 6",
        judged(s >= NEARLY for s in shares.values()),
        ", ".join(f"{b} bins tell {100 * s:.0f} %" for b, s in shares.items())
        + f" of what {max(bins)} bins tell",
    )


def _of_accuracy(found: Curves, whose: str) -> Iterator[Statement]:
    yield _knn_best(found, whose)
    yield _ssv_at_six(found, whose)
    yield _information_late(found, whose)
    yield _battiti_poor(found, whose)


def _knn_best(found: Curves, whose: str) -> Statement:
    sizes = (3, 4, 5)
    best = {s: max(row[s - 1] for row in found.values()) for s in sizes}
    return Statement(
        "section 4",
        f"The kNN wrapper's sets of 3 to 5 features are the most accurate ({whose})",
        judged(found["kNN"][s - 1] >= best[s] - EQUAL for s in sizes),
        "; ".join(f"{s}: kNN {found['kNN'][s - 1]:.2f} %, best {_best(found, s)}" for s in sizes),
    )


def _ssv_at_six(found: Curves, whose: str) -> Statement:
    ssv, knn = found["SSV BFS"][5], found["kNN"][5]
    return Statement(
        "section 4",
        f"With 6 features SSV's set is better than the kNN wrapper's ({whose})",
        judged([bool(ssv > knn)]),
        f"SSV BFS {ssv:.2f} %, kNN {knn:.2f} %",
    )


def _information_late(found: Curves, whose: str) -> Statement:
    gaps = {s: max(row[s - 1] for row in found.values()) - found["IGR"][s - 1] for s in (3, 4)}
    return Statement(
        "section 4",
        f"IGR is not able to find good sets of 3 and 4 features ({whose})",
        judged(gap > EQUAL for gap in gaps.values()),
        "; ".join(f"{s}: IGR {gap:.2f} points below {_best(found, s)}" for s, gap in gaps.items()),
    )


def _battiti_poor(found: Curves, whose: str) -> Statement:
    middle = {method: float(row[2:10].mean()) for method, row in found.items()}
    others = {method: mean for method, mean in middle.items() if method != "BA"}
    return Statement(
        "section 4",
        f"Battiti's method leaves out important features ({whose})",
        judged(middle["BA"] < mean - EQUAL for mean in others.values()),
        "mean accuracy of 3 to 10 features: "
        + ", ".join(f"{method} {mean:.2f} %" for method, mean in middle.items()),
    )


def _best(found: Curves, size: int) -> str:
    method = max(found, key=lambda name: found[name][size - 1])
    return f"{method} {found[method][size - 1]:.2f} %"
