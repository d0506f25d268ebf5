"""Section 3: the attributes, and what does not matter."""

from treelab.papers.kononenko1995.answers import Found
from treelab.papers.kononenko1995.questions import MEASURES
from treelab.papers.kononenko1995.rules import Judged, Section

scenarios = Section("3")


@scenarios
def gains_as_printed(found: Found) -> Judged:
    """The gains of informative attributes of two values are as printed."""
    cases, told = {}, []
    for row in found.answers.study.printed():
        place = row["scenario"], int(row["classes"]), int(row["values"])
        if row["measure"] == "Gain" and place in found.cells:
            ours = found.figure("Gain", place)
            gap = abs(ours - float(row["printed"]))
            cases[f"{place[0]} C = {place[1]}"] = gap <= float(row["within"])
            told.append(f"{ours:.3f} ({row['printed']})")
    return Judged(cases, "gains", f"ours and, in brackets, the paper's: {', '.join(told)} bits")


@scenarios
def k_hardly_matters(found: Found) -> Judged:
    """The biases are not very sensitive to k (0, 1 and 2)."""
    return Judged(_same_way(found, {"informative": ("informative-2", "informative-0")}))


@scenarios
def distributions_do_not_matter(found: Found) -> Judged:
    """The biases do not depend on the distributions of classes and of values."""
    others = {
        "irrelevant": ("skewed-values", "skewed-classes", "skewed-both"),
        "informative": ("informative-skewed-classes",),
    }
    return Judged(_same_way(found, others))


def _same_way(found: Found, others: dict[str, tuple[str, ...]]) -> dict[str, bool]:
    """Tell whether each measure goes the same way in other scenarios as in the usual one."""
    ways = {
        (seen.measure, seen.classes, seen.scenario): seen.curve.tendency
        for seen in found.curves(tuple(MEASURES))
    }
    return {
        f"{measure} {other} C = {classes}": ways[measure, classes, other] == way
        for (measure, classes, scenario), way in ways.items()
        for other in others.get(scenario, ())
        if (measure, classes, other) in ways
    }
