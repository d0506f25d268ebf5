"""Questions of sections 3.6 and 3.7: fewer values of a feature."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.stats import chi2
from scipy.stats.contingency import expected_freq

from treelab import Coding, Dataset, discretizer, load, smooth
from treelab.discretize import (
    Borders,
    By,
    Move,
    bin_error,
    border_moves,
    interval_chi2,
    representatives,
    round_to_power,
)
from treelab.experiment.simulation import Settings
from treelab.papers.kantardzic2011.data import (
    BINNED,
    MOVED,
    PROBLEM_3,
    PROBLEM_4,
    PROBLEM_12,
    TABLE_3_6,
    data_of,
)
from treelab.protocols import FloatArray


def bins(_settings: Settings, _seed: int) -> dict[str, float]:
    """Smooth by bins and move their borders: section 3.6, problems 5a and 12."""
    points, mass = _profile(BINNED)
    start = border_moves(points, mass, 3, "mode")[0]
    found = {f"size of bin {i}": float(len(b)) for i, b in enumerate(start.bins(points, mass), 1)}
    places = start.whole_groups(mass)
    coding = Coding({"f": (points[places - 1] + points[places]) / 2})
    data = data_of({"f": sorted(BINNED)})
    for by in ("mode", "mean", "boundaries"):
        smoothed = smooth(data, coding, by)["f"]
        found |= {f"value {i} by {by}": float(v) for i, v in enumerate(smoothed, 1)}
    found |= _descent(MOVED, "mode", "group", "moved")
    found |= _descent(MOVED, "mode", "single", "moved singly")
    found |= {f"ER as told, step {i}": e for i, e in enumerate(_told_errors())}
    exact = discretizer("bins", bins=3, by="mode").fit(data_of({"f": MOVED}))
    found["least ER there is"] = _error(MOVED, exact.cuts["f"], "mode")
    found |= _descent(PROBLEM_12, "median", "group", "problem 12")
    found |= _two_bins(PROBLEM_3.select(["I3"]), "mean")
    found |= _two_bins(PROBLEM_4.select(["X2"]), "boundaries")
    return found | _fullest()


def _two_bins(data: Dataset, by: By) -> dict[str, float]:
    (feature,) = data.features
    coding = discretizer("bins", bins=2, by=by).fit(data)
    found = {f"cut of {feature}": float(coding.cuts[feature][0])}
    found[f"ER of {feature}"] = _error(data[feature], coding.cuts[feature], by)
    values = np.unique(smooth(data, coding, by)[feature])
    return found | {f"{by} {i} of {feature}": float(v) for i, v in enumerate(values, 1)}


def _descent(values: Sequence[float], by: By, move: Move, name: str) -> dict[str, float]:
    points, mass = _profile(values)
    steps = border_moves(points, mass, 3, by, move)
    found = {f"ER {name}, step {i}": step.error for i, step in enumerate(steps)}
    found[f"steps {name}"] = float(len(steps) - 1)
    for i, part in enumerate(steps[-1].bins(points, mass), 1):
        where, weight = _profile(part)
        found[f"{by} of bin {i} {name}"] = float(representatives(where, weight, by)[0])
        found[f"size of bin {i} {name}"] = float(len(part))
    return found


def _told_errors() -> Iterator[float]:
    """Yield ER of the moves the book tells: two elements to the first bin, one to the second."""
    points, mass = _profile(MOVED)
    for borders in ([3, 6], [4, 6], [5, 6], [5, 7]):
        parts = Borders(np.array(borders, float), 0.0).bins(points, mass)
        yield sum(bin_error(*_profile(part), "mode") for part in parts)


def _error(values: Any, cuts: FloatArray, by: By) -> float:
    """Return the error of bins between cuts."""
    parts = np.searchsorted(cuts, np.sort(values), side="right")
    return sum(bin_error(*_profile(np.sort(values)[parts == p]), by) for p in np.unique(parts))


def _profile(values: Any) -> tuple[FloatArray, FloatArray]:
    points, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    return points, counts.astype(float)


def rounding(_settings: Settings, _seed: int) -> dict[str, float]:
    """Round numbers: the example of section 3.6, problem 5b, and a feature of many values."""
    found = {f"1453, k={k}": _rounded(1453, k) for k in (1, 2, 3)}
    found |= {"-1457, k=1": _rounded(-1457, 1), "-1455, k=1": _rounded(-1455, 1)}
    for data in (PROBLEM_3, PROBLEM_4.select(["X1", "X2"])):
        for name in data.features:
            found[f"values of {name}"] = float(len(np.unique(data[name])))
            for k in (0, 1):
                found[f"values of {name}, k={k}"] = float(
                    len(np.unique(round_to_power(data[name], k)))
                )
    amounts = load("credit-german").select(["credit_amount"])
    found["credit amounts"] = float(len(np.unique(amounts["credit_amount"])))
    for k in (1, 2, 3):
        found[f"credit amounts, k={k}"] = float(
            len(np.unique(round_to_power(amounts["credit_amount"], k)))
        )
    cuts = discretizer("rounding", values=100).fit(amounts).cuts["credit_amount"]
    found["credit amounts, at most 100"] = float(len(cuts) + 1)
    return found


def _left(values: FloatArray, name: str, powers: Sequence[int]) -> dict[str, float]:
    """Return how many different values are left after rounding."""
    return {f"{name}, k={k}": float(len(np.unique(round_to_power(values, k)))) for k in powers}


def _rounded(value: float, power: int) -> float:
    return float(round_to_power(np.array([float(value)]), power)[0])


def chimerge(_settings: Settings, _seed: int) -> dict[str, float]:
    """Merge intervals: Tables 3.6 to 3.9 and problem 6."""
    found = {"threshold": float(chi2.isf(0.1, 1))}
    for table, pair in PAIRS.items():
        found[f"chi2 of {table}"] = interval_chi2(*pair)
        for (i, j), e in np.ndenumerate(expected_freq(pair)):
            found[f"E{i + 1}{j + 1} of {table}"] = float(e)
    found |= _cuts(TABLE_3_6)
    steps = list(merging(TABLE_3_6))
    for i, (_, counts) in enumerate(steps[:-1], 1):
        found[f"least chi2, merger {i}"] = min(interval_chi2(a, b) for a, b in pairwise(counts))
    last = list(pairwise(steps[-1][1]))
    found |= {f"chi2 left, pair {i}": interval_chi2(a, b) for i, (a, b) in enumerate(last, 1)}
    found["steps like Table 3.8"] = float(
        sum(PAIRS["Table 3.8"] == (a, b) for _, counts in steps for a, b in pairwise(counts))
    )
    found |= _cuts(PROBLEM_3) | _cuts(PROBLEM_3, empty="floor", text=" (Kerber)")
    limited = discretizer("chimerge", max_intervals={"I1": 3, "I2": 2}).fit(PROBLEM_3).cuts
    return found | {f"intervals of {n}, limited": len(p) + 1.0 for n, p in limited.items()}


PAIRS = {
    "Table 3.7": ([1, 0], [1, 0]),
    "Table 3.8": ([2, 1], [2, 0]),
    "Table 3.9": ([4, 1], [1, 3]),
}
"""The class counts of two neighbouring intervals."""


def merging(data: Dataset) -> Iterator[tuple[FloatArray, list[list[int]]]]:
    """Yield cuts and class counts of the intervals, merger by merger, until ChiMerge stops."""
    (feature,) = data.features
    final = len(discretizer("chimerge", alpha=0.1).fit(data).cuts[feature]) + 1
    for number in range(len(np.unique(data[feature])), final - 1, -1):
        coding = discretizer("chi2-merge", bins=number).fit(data)
        codes = coding.codes(feature, data[feature])
        counts = np.zeros((number, len(data.classes)), int)
        np.add.at(counts, (codes, data.y), 1)
        yield coding.cuts[feature], counts.tolist()


def _cuts(data: Dataset, *, empty: str = "0.1", text: str = "") -> dict[str, float]:
    cuts = discretizer("chimerge", alpha=0.1, empty=empty).fit(data).cuts
    found = {f"intervals of {name}{text}": len(points) + 1.0 for name, points in cuts.items()}
    for name, points in cuts.items():
        found |= {f"cut {i} of {name}{text}": float(p) for i, p in enumerate(points, 1)}
    return found


def _fullest() -> dict[str, float]:
    """Answer problem 13 with the most uneven data: how full and how empty bins can be."""
    apart = [*(place / 1000 for place in range(99)), 100.0]
    copied = [*(place // 20 / 1000 for place in range(99)), 100.0]
    spread = [float(place) for place in range(100)]
    tied = [*range(9), *[9.0] * 20, *range(10, 81)]
    width, height = "equal-width", "equal-frequency"
    found = {
        "a": max(_filled(apart, width)), "b": min(_filled(apart, width)),
        "c": max(_filled(spread, height)), "d": min(_filled(spread, height)),
        "e": max(_filled(copied, width)), "f": max(_filled(tied, height)),
    }  # fmt: skip
    return {f"problem 13 {letter}": count for letter, count in found.items()}


def _filled(values: Sequence[float], method: str) -> list[float]:
    """Return how many values are in each of ten bins; bins that a cut would not part are empty."""
    data = data_of({"v": values})
    codes = discretizer(method, bins=10).fit(data).codes("v", data["v"])
    counts = np.bincount(codes).tolist()
    return [float(count) for count in counts] + [0.0] * (10 - len(counts))
