"""Section 5: which bias is better."""

from treelab.papers.kononenko1995.answers import Found
from treelab.papers.kononenko1995.questions import MEASURES
from treelab.papers.kononenko1995.rules import INFORMATIVE_K, Judged, Section

conclusions = Section("5")

OTHERS = tuple(m for m in MEASURES if m not in ("MDL", "MDL'", "WE (m = 2)", "P(chi2)", "P(G)"))
"""Those of the paper but for the tests, which tell no attribute from a better one."""


@conclusions
def mdl_is_stable(found: Found) -> Judged:
    """The bias of MDL is stable: in no scenario does it rise with the number of values."""
    ways = {str(seen): seen.curve.tendency for seen in found.curves(("MDL",))}
    return Judged({name: way in ("falls", "level") for name, way in ways.items()})


@conclusions
def mdl_bias_is_better(found: Found) -> Judged:
    """The bias of MDL seems to be better than that of other measures (informative attributes)."""
    cases, told = {}, []
    for own in found.curves(("MDL",), INFORMATIVE_K):
        where = own.scenario, own.classes
        bias = {m: abs(found.curve(m, *where).factor - 1) for m in OTHERS}
        least = min(bias, key=lambda m: bias[m])
        ours = abs(own.curve.factor - 1)
        for measure, other in bias.items():
            cases[f"{measure} {own.scenario} C = {own.classes}"] = bool(ours < other)
        told.append(f"{100 * ours:.0f} % ({least} {100 * bias[least]:.0f} %)")
    evidence = (
        "how much the mean changes from the fewest values to the most, in brackets the least of "
        f"the others: {', '.join(told)}"
    )
    return Judged(cases, "comparisons", evidence)
