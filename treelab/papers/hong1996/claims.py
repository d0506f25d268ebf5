"""What the paper says, and by which rules its figures, made anew, are judged.

A ranking *succeeds* in a case if all of X1-X3 rank above all of R1-R10 in at least 95 of 100 draws
of the data, and *fails* if in at most 15. Noise is *not favoured* if its mean score does not depend
on its number of values, and a feature that tells something scores better in 95 of 100 draws.
"""

from collections.abc import Callable, Iterator

import numpy as np

from treelab.experiment.report.article import Statement, judged
from treelab.experiment.report.tables import number
from treelab.experiment.simulation import Answers
from treelab.papers.hong1996.answers import (
    Merits,
    bias_means,
    bias_values,
    group_means,
    most_deceived,
    printed,
    rates,
)
from treelab.papers.hong1996.merits import CASES, FEATURES, MEASURES
from treelab.papers.hong1996.noise import EXPECTED
from treelab.papers.hong1996.tradeoff import fronts
from treelab.protocols import FloatArray

SUCCEEDS, FAILS = 0.95, 0.15
NEAR_CHANCE = 0.02
"""Normalized noise: how far its mean may be from 1."""
Z = 4.0
"""Standard errors: with some hundred comparisons, chance hardly ever gives more."""
CLOSE = 5.0
"""Per cent: ten simulations are 'very close' if they are no further off in 95 of 100 cases."""
ROUNDED = 0.005
"""The paper prints two decimals."""


def statements(answers: Answers) -> list[Statement]:
    """Return the paper's statements, as far as there are answers to judge them by."""
    makers: tuple[Callable[[Answers], Iterator[Statement]], ...] = (
        _of_bias,
        _of_formulas,
        _of_binary,
        _of_success,
        _of_numbers,
        _of_printed,
        _of_balance,
    )
    return [statement for make in makers for statement in make(answers)]


def _of_bias(answers: Answers) -> Iterator[Statement]:
    values = bias_values(answers)
    if not values:
        return
    raw, fair = ("Gini", "gain"), ("nGini", "nH")
    rise = {n: bool(np.ptp(bias_means(answers, n, "noise")) > NEAR_CHANCE) for n in (*raw, *fair)}
    worst = {n: most_deceived(answers, n, demerit=n in fair) for n in (*raw, *fair)}
    yield Statement(
        "section 1", "Gini and entropy favour features of many values",
        judged(rise[n] for n in raw), _bias_evidence(answers, raw, worst),
    )  # fmt: skip
    yield Statement(
        "section 1", "normalized, they no longer do",
        judged(holds for n in fair for holds in (not rise[n], worst[n][1] <= 1 - SUCCEEDS)),
        _bias_evidence(answers, fair, worst),
    )  # fmt: skip
    largest = {n: answers.figures("bias", f"{n} noise", values=values[-1]) for n in ("nGini", "nH")}
    n_cases = answers.of("bias")[0][0].settings["cases"]
    if values[-1] == n_cases:
        yield Statement(
            "section 1",
            "a feature that is different for every case has a normalized merit of one",
            judged(bool((scores == 1).all()) for scores in largest.values()),
            "; ".join(f"{n} {_range(scores)}" for n, scores in largest.items()),
        )


def _bias_evidence(
    answers: Answers, names: tuple[str, ...], worst: dict[str, tuple[int, float]]
) -> str:
    values = bias_values(answers)
    means = "; ".join(f"{n} {_ends(bias_means(answers, n, 'noise'))}" for n in names)
    most = "; ".join(f"{n} {100 * worst[n][1]:.0f} % ({worst[n][0]} values)" for n in names)
    return (
        f"mean score of noise of {values[0]} and {values[-1]} values: {means}; noise preferred to "
        f"a bit that tells in at most: {most}"
    )


def _ends(means: FloatArray) -> str:
    return f"{number(float(means[0]), 3)} and {number(float(means[-1]), 3)}"


def _range(values: FloatArray) -> str:
    return f"from {number(values.min(), 3)} to {number(values.max(), 3)}"


def _of_formulas(answers: Answers) -> Iterator[Statement]:
    asked = [name for name in EXPECTED if answers.of("formulas", of=name)]
    if not asked:
        return
    z = {name: answers.figures("formulas", "z", of=name).max() for name in asked}
    yield Statement(
        "eqs. 16, 22, 35", "the mean over all permutations has a formula",
        judged(value < Z for value in z.values()),
        "at most so many standard errors off: " + _listed(z, 1),
    )  # fmt: skip
    off = {name: answers.figures("formulas", "off at most", of=name).mean() for name in asked}
    yield Statement(
        "section 1", "an average of several simulations is close to the full average most times",
        judged(value <= CLOSE for value in off.values()),
        "means of ten, in 95 of 100 cases at most so many % off: " + _listed(off, 2),
    )  # fmt: skip


def _listed(values: dict[str, float], digits: int) -> str:
    return "; ".join(f"{name} {number(value, digits)}" for name, value in values.items())


def _of_binary(answers: Answers) -> Iterator[Statement]:
    asked = answers.of("binary")
    if asked:
        share = {name: answers.figures("binary", name).mean() for name in asked[0][1]}
        as_printed = {n: s for n, s in share.items() if not n.endswith("exact")}
        yield Statement(
            "section 2", "normalization does not change the order of binary features",
            judged(value == 1 for value in as_printed.values()),
            "same order, share of draws: " + _listed(share, 2),
        )  # fmt: skip


def _of_success(answers: Answers) -> Iterator[Statement]:
    found = rates(answers)
    said = {
        "A": (("CM0", "NCM0", "CM1", "NCM1"), ()),
        "B": (("NCM0", "NCM1"), ("CM0", "CM1")),
        "C": (("NCM0", "NCM1"), ("CM0", "CM1")),
    }
    for case, (winners, losers) in said.items():
        if (case, "CM0") not in found:
            continue
        holds = [found[case, m] >= SUCCEEDS for m in winners]
        holds += [found[case, m] <= FAILS for m in losers]
        claim = f"in case {case}, {_words(winners)} succeed"
        claim += f", {_words(losers)} do not" if losers else ""
        evidence = _listed({m: 100 * found[case, m] for m in (*losers, *winners)}, 1)
        yield Statement("section 4", claim, judged(holds), f"success in % of draws: {evidence}")


def _words(names: tuple[str, ...]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]])


def _of_numbers(answers: Answers) -> Iterator[Statement]:
    shares = {}
    for case in ("B", "C"):
        for measure in ("CM0", "CM1"):
            means = {g: group_means(answers, case, measure, g) for g in ("X1-X2", "X3", "R1-R4")}
            rest = group_means(answers, case, measure, "R5-R10")
            if len(rest):
                above = (means["X3"] > means["X1-X2"]) & (means["R1-R4"] > rest)
                shares[f"{case} {measure}"] = float(above.mean())
    if shares:
        yield Statement(
            "section 4", "features made numbers have more merit than those that are not",
            judged(share >= SUCCEEDS for share in shares.values()),
            "X3 above X1, X2 and R1-R4 above R5-R10, share of draws: " + _listed(shares, 2),
        )  # fmt: skip


def _of_balance(answers: Answers) -> Iterator[Statement]:
    """Judge whether there is anything to balance: more than one feature on the Pareto front."""
    found = fronts(answers)
    if found:
        yield Statement(
            "section 5",
            "ranking must balance how much better than random with how much power to begin with",
            judged(len(best) > 1 for best in found.values()),
            "Pareto fronts of CM1 and NCM1, one draw: "
            + "; ".join(f"{case} {' '.join(best)}" for case, best in found.items()),
        )


def _of_printed(answers: Answers) -> Iterator[Statement]:
    """Check the printed table against itself: NCM = CM / RM, within what rounding may do."""
    wrong = [
        f"{case} {feature} N{merit}"
        for case in CASES
        for feature in FEATURES
        for merit in MEASURES[::3]
        if not _is_ratio(printed(answers, case), merit, feature)
    ]
    n = 2 * len(CASES) * len(FEATURES)
    yield Statement(
        "Table 2", "NCM0 = CM0 / RM0 and NCM1 = CM1 / RM1", judged([not wrong, len(wrong) < n]),
        f"{n - len(wrong)} of the {n} printed ratios fit the printed merits"
        + (f", but not {', '.join(wrong)}" if wrong else ""),
    )  # fmt: skip


def _is_ratio(table: Merits, merit: str, feature: str) -> bool:
    found, chance = table[merit][feature], table[merit.replace("CM", "RM")][feature]
    low, high = (found - ROUNDED) / (chance + ROUNDED), (found + ROUNDED) / (chance - ROUNDED)
    return low - ROUNDED <= table[f"N{merit}"][feature] <= high + ROUNDED
