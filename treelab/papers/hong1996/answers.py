"""What the answers say, as numbers that tables, figures and claims share."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from treelab.experiment.simulation import Answers
from treelab.papers.hong1996.merits import CASES, FEATURES, GROUPS, JUDGES, MEASURES
from treelab.protocols import FloatArray

MERGED = {"X1-X3": ("X1-X2", "X3"), "R1-R10": ("R1-R4", "R5-R10")}
"""In case A, where no feature is a number, all X are alike and all R are."""

AS_PRINTED = "smaller class"
"""The variant whose merits are of the printed size."""

OWN_THRESHOLDS = "own thresholds"

Merits = Mapping[str, Mapping[str, float]]
"""A table like Table 2: measure -> feature -> value."""


def groups_of(case: str) -> tuple[str, ...]:
    """Return the groups of features that are alike in a case."""
    return tuple(MERGED) if case == "A" else tuple(GROUPS)


def group_means(answers: Answers, case: str, measure: str, group: str) -> FloatArray:
    """Return the mean of a measure over alike features, for every draw of the data."""
    parts = MERGED.get(group, (group,))
    sizes = [len(FEATURES[GROUPS[part]]) for part in parts]
    found = [answers.figures("merits", f"{measure} {part}", case=case) for part in parts]
    return np.average(found, axis=0, weights=sizes)


def ratios(answers: Answers, part: str, measure: str, **varied: Any) -> FloatArray:
    """Return (least X) / (most R) for every draw: above 1, the ranking succeeds."""
    least = answers.figures(part, f"{measure} least X", **varied)
    return least / answers.figures(part, f"{measure} most R", **varied)


def success(answers: Answers, part: str, measure: str, **varied: Any) -> float:
    """Return in what share of draws all of X1-X3 rank above all of R1-R10; NaN without draws."""
    found = ratios(answers, part, measure, **varied)
    return float((found > 1).mean()) if len(found) else np.nan


def part_of(variant: str, case: str) -> tuple[str, dict[str, str]]:
    """Return the part in which a variant is tried, and what to ask it for."""
    if variant == AS_PRINTED:
        return "merits", {"case": case}
    if variant == OWN_THRESHOLDS:
        return "thresholds", {"case": case}
    return "variants", {"variant": variant, "case": case}


def size_of_merits(answers: Answers, variant: str, case: str) -> float:
    """Return the mean CM0 of X1-X3."""
    if variant == AS_PRINTED:
        return float(group_means(answers, case, "CM0", "X1-X3").mean())
    part, varied = part_of(variant, case)
    return float(answers.figures(part, "CM0 X1-X3", **varied).mean())


def one_draw(answers: Answers, case: str) -> Merits | None:
    """Return all merits of the draw that is shown in full."""
    shown = answers.of("table", case=case)
    if not shown:
        return None
    values = shown[0][1]
    return {m: {f: values[f"{m} {f}"] for f in FEATURES} for m in MEASURES}


def printed(answers: Answers, case: str) -> Merits:
    """Return the paper's Table 2 for a case."""
    table: dict[str, dict[str, float]] = {measure: {} for measure in MEASURES}
    for row in answers.study.printed():
        if row["case"] == case and row["feature"] in FEATURES:
            table[row["measure"]][row["feature"]] = float(row["value"])
    return table


def printed_success(answers: Answers) -> dict[tuple[str, str], bool]:
    """Return whether the paper says that a ranking was successful, by case and measure."""
    return {
        (row["case"], row["measure"]): row["value"] == "yes"
        for row in answers.study.printed()
        if row["feature"] == "successful"
    }


def ranks_well(merits: Mapping[str, float]) -> bool:
    """Tell whether all of X1-X3 have more merit than all of R1-R10."""
    least = min(value for name, value in merits.items() if name.startswith("X"))
    return least > max(value for name, value in merits.items() if name.startswith("R"))


def rates(answers: Answers) -> dict[tuple[str, str], float]:
    """Return the success rate by case and measure, of the cases that have been drawn."""
    found = {(c, m): success(answers, "merits", m, case=c) for c in CASES for m in JUDGES}
    return {key: rate for key, rate in found.items() if np.isfinite(rate)}


def bias_values(answers: Answers) -> list[int]:
    """Return the numbers of values that have been tried on noise."""
    return sorted({question.varied["values"] for question, _ in answers.of("bias")})


def bias_means(answers: Answers, measure: str, feature: str) -> FloatArray:
    """Return the mean score of a feature by its number of values."""
    name = f"{measure} {feature}"
    return np.array([answers.figures("bias", name, values=v).mean() for v in bias_values(answers)])


def deceived(answers: Answers, measure: str, values: int, *, demerit: bool) -> float:
    """Return in what share of draws noise of so many values scores above a bit that tells."""
    noise = answers.figures("bias", f"{measure} noise", values=values)
    signal = answers.figures("bias", f"{measure} signal", values=values)
    return float(((noise < signal) if demerit else (noise > signal)).mean())


def most_deceived(answers: Answers, measure: str, *, demerit: bool) -> tuple[int, float]:
    """Return the number of values with which noise deceives most often, and how often."""
    shares = {v: deceived(answers, measure, v, demerit=demerit) for v in bias_values(answers)}
    return max(shares.items(), key=lambda item: item[1])
