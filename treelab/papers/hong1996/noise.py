"""Questions of sections 1 to 3: what measures give for noise of few values and of many."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from warnings import catch_warnings

import numpy as np

from treelab import Column, Dataset, Normalized, make, metric, rank
from treelab.data.synth.draw import below, chance, some_of, source
from treelab.data.synth.table import BITS, Part, counted, together
from treelab.errors import DataWarning
from treelab.experiment.simulation import Settings
from treelab.metrics import (
    entropy,
    expected_entropy,
    expected_entropy_24,
    expected_entropy_26,
    expected_gini,
    of_classes,
    over_permuted_classes,
    over_shuffled_features,
    sum_of_squares,
)
from treelab.papers.hong1996.merits import root
from treelab.protocols import FloatArray, IndexArray, SplitMetric

SCORES: Mapping[str, tuple[SplitMetric, float]] = {
    "Gini": (metric("gini"), 1.0),
    "gain": (metric("gain"), 1.0),
    "gain ratio": (metric("gain-ratio"), 1.0),
    "nGini": (metric("normalized-gini"), -1.0),
    "nH": (metric("normalized-entropy"), -1.0),
    "nGain": (Normalized("gain"), 1.0),
}
"""Measures of sections 1 and 2; -1: the paper's quantity is a demerit, treelab's is negated."""


def bias(settings: Settings, seed: int) -> dict[str, float]:
    """Score noise of some number of values, beside a bit that is right with some probability.

    *noise*   values dealt out at random, all equally often.
    *split*   the bit, each of its values split at random until there are as many values.
    *signal*  the bit itself.
    """
    n, values = settings["cases"], settings["values"]
    rng = source(seed, "hong1996", "bias")
    y = below(rng, 2, n)
    signal = np.where(chance(rng, settings["right"], n), y, 1 - y)
    noise = some_of(rng, n, n) * values // n
    split = np.lexsort((some_of(rng, n, n), signal)).argsort() * values // n
    data = _nominal({"noise": (noise, values), "split": (split, values), "signal": (signal, 2)}, y)
    return {
        f"{name} {feature}": sign * rank(data, judge)[feature]
        for name, (judge, sign) in SCORES.items()
        for feature in data.features
    }


def _nominal(columns: Mapping[str, tuple[IndexArray, int]], y: IndexArray) -> Dataset:
    parts: list[Part] = [
        (Column(name, counted(n_values)), codes) for name, (codes, n_values) in columns.items()
    ]
    return together("bias", parts, y, BITS)


def formulas(settings: Settings, seed: int) -> dict[str, float]:
    """Set the formula for what chance gives beside the mean of many permutations.

    'z' is the largest difference of all features in standard errors of that mean; 'off' is by how
    many per cent the means of ten permutations each are off the formula, on average and at most
    in 95 of 100 cases.
    """
    expected, draws = EXPECTED[settings["of"]](settings, seed)
    errors = draws.std(axis=0, ddof=1) / np.sqrt(len(draws))
    tens = draws[: len(draws) // 10 * 10].reshape(-1, 10, draws.shape[1]).mean(axis=1)
    off = 100 * np.abs(tens / expected - 1)
    return {
        "z": float(np.max(np.abs(draws.mean(axis=0) - expected) / errors)),
        "off": float(off.mean()),
        "off at most": float(np.quantile(off, 0.95)),
    }


def _gains(name: str, settings: Settings, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return the expected gain by formula, and the gain with the classes permuted."""
    node = root(_several_values(settings["cases"], seed), seed)
    expected = Normalized(name, expectation="exact").compared(node).expected
    return expected, over_permuted_classes(metric(name), node, settings["rounds"])


def _impurities(name: str, settings: Settings, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return E{I(C|F)} by formula, and I(C|F) = I(C) - gain with the classes permuted."""
    node = root(_several_values(settings["cases"], seed), seed)
    p = node.class_counts / node.class_counts.sum()
    whole = float(entropy(p)) if name == "gain" else float(1.0 - sum_of_squares(p))
    expected, draws = _gains(name, settings, seed)
    return whole - expected, whole - draws


def _random_merits(settings: Settings, seed: int) -> tuple[FloatArray, FloatArray]:
    """Return RM1 by eq. 35, and CM1 of each feature when its values are shuffled."""
    node = root(make("rannum", cases=settings["cases"], seed=seed), seed)
    judge = metric("contextual-merit-1", ties="first")
    expected = Normalized(judge, expectation="exact").compared(node).expected
    return expected, over_shuffled_features(judge, node, settings["rounds"])


# An impurity is what the paper divides; the gain, a small difference of impurities, varies more.
EXPECTED: Mapping[str, Callable[[Settings, int], tuple[FloatArray, FloatArray]]] = {
    "Gini, eq. 16": partial(_impurities, "gini"),
    "entropy, exact": partial(_impurities, "gain"),
    "Gini gain, eq. 16": partial(_gains, "gini"),
    "entropy gain, exact": partial(_gains, "gain"),
    "CM1, eq. 35": _random_merits,
}


def _several_values(n: int, seed: int) -> Dataset:
    """Return noise of 2, 5, 20 and 50 values, beside a class of three."""
    rng = source(seed, "hong1996", "formulas")
    columns = {f"F{v}": (some_of(rng, n, n) * v // n, v) for v in (2, 5, 20, 50)}
    parts: list[Part] = [(Column(name, counted(v)), codes) for name, (codes, v) in columns.items()]
    return together("values", parts, below(rng, 3, n), counted(3))


MARGINS: Mapping[str, tuple[Sequence[int], Sequence[int]]] = {
    "N=600, C=2, 2 equal values": ([300] * 2, [300] * 2),
    "N=600, C=2, 10 equal values": ([300] * 2, [60] * 10),
    "N=600, C=2, 40 equal values": ([300] * 2, [15] * 40),
    "N=600, C=10, 40 equal values": ([60] * 10, [15] * 40),
    "N=600, C=2, 200 values of 3": ([300] * 2, [3] * 200),
    "N=600, C=5, all different": ([120] * 5, [1] * 600),
    "N=100, classes 80, 15, 5; values 50, 30, 10, 5, 3, 1, 1": (
        [80, 15, 5],
        [50, 30, 10, 5, 3, 1, 1],
    ),
    "N=1000, classes 950, 50; 20 equal values": ([950, 50], [50] * 20),
    "N=20, C=2, values 10 and 10": ([10, 10], [10, 10]),
    "N=20, C=2, values 1 and 19": ([10, 10], [1, 19]),
}
"""Frequencies of classes and of values."""


def margins(settings: Settings, seed: int) -> dict[str, float]:  # noqa: ARG001  (no chance in it)
    """Return what is expected by the exact sum and by eqs. 16, 24 and 26, for given margins."""
    table = table_of(*MARGINS[settings["margins"]])
    found = {
        "H(C)": entropy(of_classes(table)),
        "exact": expected_entropy(table),
        "eq. 24": expected_entropy_24(table),
        **{f"eq. 26, A={a}": expected_entropy_26(table, a) for a in (5, 10, 20)},
        "Gini, eq. 16": expected_gini(table),
    }
    return {name: float(value) for name, value in found.items()}


def table_of(classes: Sequence[int], values: Sequence[int]) -> FloatArray:
    """Return a table (value, class) of given margins, filled from one corner to the other."""
    of_case = np.repeat(np.arange(len(values)), values), np.repeat(np.arange(len(classes)), classes)
    table = np.zeros((len(values), len(classes)))
    np.add.at(table, of_case, 1.0)
    return table


def binary(settings: Settings, seed: int) -> dict[str, float]:
    """Tell (1 or 0) whether normalization leaves binary features in their order."""
    data = make("exor", cases=settings["cases"], seed=seed)
    by_gini, by_gain = rank(data, "gini").features, rank(data, "gain").features
    with catch_warnings(action="ignore", category=DataWarning):  # there are no identifiers here
        printed = metric("normalized-entropy", expectation="eq24")
    return {
        "Gini, eq. 16": float(rank(data, "normalized-gini").features == by_gini),
        "entropy, eq. 24": float(rank(data, printed).features == by_gain),
        "entropy, exact": float(rank(data, "normalized-entropy").features == by_gain),
    }
