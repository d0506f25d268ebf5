"""What the paper says of the thyroid data, and the rules by which that is judged."""

from collections.abc import Callable, Iterator

from treelab.experiment.report.article import Statement, judged
from treelab.experiment.simulation import Answers
from treelab.papers.duch2004.reading import (
    NUMBERS,
    WIDTH,
    accuracy,
    covers,
    curves,
    most_told,
    n_same,
    places,
    told,
    values,
)
from treelab.papers.duch2004.rules import Judged, in_all, in_any
from treelab.papers.duch2004.thyroid import INDICES, printed_rankings
from treelab.papers.duch2004.years import NUMERIC
from treelab.protocols import FloatArray

LIMIT = 0.4
TWICE = 2.0
NEARLY = 0.9
"""The share of what 32 bins tell that is as good as all of it."""

EQUAL = 0.1
"""Accuracies that differ by no more points count as equal: three of 3428 test cases."""

OF_BATTITI = ("BA", "MI")
"""Battiti's row, and the one beside IGR that the paper does not print."""

PRINTED = ("kNN", "BA", "IGR", "SSV BFS", "SSV beam")

Curves = dict[str, FloatArray]


def thyroid_claims(answers: Answers) -> Iterator[Statement]:
    """Yield the statements of section 4 that there are answers to."""
    if covers(answers, "information"):
        yield from _of_information(answers)
    if covers(answers, "table"):
        yield _of_table(answers)
    rankings = {"our rankings": "table", "the printed rankings": "printed"}
    found = {whose: _paper_curves(answers, part) for whose, part in rankings.items()}
    yield from _of_accuracy({whose: each for whose, each in found.items() if each})
    if covers(answers, "beta") and covers(answers, "table"):
        yield _small_beta(answers)


def _paper_curves(answers: Answers, part: str) -> Curves:
    if not covers(answers, part):
        return {}
    found = curves(answers, part)
    return {method: found[method] for method in PRINTED}


def _of_table(answers: Answers) -> Statement:
    """Judge the rows of Table 1 place by place."""
    printed = printed_rankings(answers.study)
    same = {m: n_same(places(answers, "table", method=m), printed[m]) for m in PRINTED}
    n = len(NUMBERS)
    return Statement(
        "Table 1",
        "The features come in the order that the table prints",
        judged(s == n for s in same.values()),
        ", ".join(f"{m} {s} of {n} places" for m, s in same.items())
        + f"; the row called IGR is the gain ratio (mutual information has "
        f"{n_same(places(answers, 'table', method='MI'), printed['IGR'])} of {n} places)",
    )


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
    return in_any(
        "section 4",
        f"The index of the most important feature never reaches {LIMIT:g} (equal width)",
        {index: (judged([m < LIMIT]), f"largest {m:.3f}") for index, m in most.items()},
    )


def _doubled(answers: Answers, bins: list[int]) -> Statement:
    def read(index: str) -> Judged:
        times = {
            b: most_told(answers, index, "ssv", b) / most_told(answers, index, WIDTH, b)
            for b in bins
        }
        said = ", ".join(f"{t:.1f}" for t in times.values())
        words = f"{said} times as large with {', '.join(map(str, times))} bins"
        return judged(t >= TWICE for t in times.values()), words

    return in_any(
        "section 4",
        "SSV bins give mutual information that is twice as large",
        {index: read(index) for index in ("MI", "IGR")},
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


Rule = Callable[[Curves], Judged]


def _of_accuracy(found: dict[str, Curves]) -> Iterator[Statement]:
    rules: dict[str, Rule] = {
        "The kNN wrapper's sets of 3 to 5 features are the most accurate": _knn_best,
        "With 6 features SSV's set is better than the kNN wrapper's": _ssv_at_six,
        "IGR is not able to find good sets of 3 and 4 features": _information_late,
        "Battiti's method leaves out important features": _battiti_poor,
    }
    for claim, rule in rules.items() if found else ():
        yield in_all("section 4", claim, {whose: rule(each) for whose, each in found.items()})


def _knn_best(found: Curves) -> Judged:
    sizes = (3, 4, 5)
    best = {s: max(row[s - 1] for row in found.values()) for s in sizes}
    return judged(found["kNN"][s - 1] >= best[s] - EQUAL for s in sizes), ", ".join(
        f"{s} features kNN {found['kNN'][s - 1]:.2f} %, best {_best(found, s)}" for s in sizes
    )


def _ssv_at_six(found: Curves) -> Judged:
    """Judge that it is better; if it is neither better nor worse by what counts, in part."""
    ahead = found["SSV BFS"][5] - found["kNN"][5]
    return judged([bool(ahead > EQUAL), bool(ahead > -EQUAL)]), (
        f"SSV BFS {found['SSV BFS'][5]:.2f} %, kNN {found['kNN'][5]:.2f} %"
    )


def _information_late(found: Curves) -> Judged:
    gaps = {s: max(row[s - 1] for row in found.values()) - found["IGR"][s - 1] for s in (3, 4)}
    return judged(gap > EQUAL for gap in gaps.values()), ", ".join(
        f"{s} features IGR {gap:.2f} points below {_best(found, s)}" for s, gap in gaps.items()
    )


def _battiti_poor(found: Curves) -> Judged:
    middle = {method: middle_mean(row) for method, row in found.items()}
    others = {method: mean for method, mean in middle.items() if method != "BA"}
    return judged(middle["BA"] < mean - EQUAL for mean in others.values()), (
        "mean accuracy of 3 to 10 features "
        + ", ".join(f"{method} {mean:.2f} %" for method, mean in middle.items())
    )


def _small_beta(answers: Answers) -> Statement:
    """Judge by the accuracy of small sets: below that of all other methods for every beta."""
    others = {m: middle_mean(c) for m, c in curves(answers, "table").items() if m not in OF_BATTITI}
    least = min(others, key=lambda method: others[method])
    by_beta = {
        beta: middle_mean(accuracy(answers, "beta", beta=beta).mean(axis=0))
        for beta in values(answers, "beta", "beta")
    }
    return Statement(
        "section 4",
        "Battiti's method leaves out important features even for small values of beta",
        judged(mean < others[least] - EQUAL for mean in by_beta.values()),
        "mean accuracy of 3 to 10 features with beta "
        + ", ".join(f"{beta:g}: {mean:.2f} %" for beta, mean in by_beta.items())
        + f"; the least of the others, {least}: {others[least]:.2f} %",
    )


def middle_mean(row: FloatArray) -> float:
    """Return the mean accuracy of sets of 3 to 10 features, where the methods differ."""
    return float(row[2:10].mean())


def _best(found: Curves, size: int) -> str:
    method = max(found, key=lambda name: found[name][size - 1])
    return f"{method} {found[method][size - 1]:.2f} %"
