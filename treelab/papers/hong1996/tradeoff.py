"""What the paper ends with: how much better than random, against how much power to begin with."""

from typing import TYPE_CHECKING, Any

from treelab.experiment.report.article import Drawing
from treelab.experiment.report.tables import Cell, Table
from treelab.experiment.simulation import Answers
from treelab.papers.hong1996.answers import Merits, one_draw
from treelab.papers.hong1996.merits import CASES, FEATURES
from treelab.plots import GREY, WIDTH, colour, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POWER, BETTER = "CM1", "NCM1"
"""The merit itself, and the merit over what chance gives."""


def front(merits: Merits, features: tuple[str, ...] = FEATURES) -> tuple[str, ...]:
    """Return the features than which no other has as much of both and more of one.

    >>> merits = {"CM1": {"a": 2.0, "b": 1.0, "c": 0.5}, "NCM1": {"a": 1.0, "b": 3.0, "c": 2.0}}
    >>> front(merits, ("a", "b", "c"))
    ('b', 'a')
    """
    order = sorted(features, key=lambda f: (-merits[BETTER][f], -merits[POWER][f]))
    found: list[str] = []
    for feature in order:
        if not any(_beats(merits, other, feature) for other in found):
            found.append(feature)
    return tuple(found)


def _beats(merits: Merits, one: str, other: str) -> bool:
    pairs = [(merits[m][one], merits[m][other]) for m in (POWER, BETTER)]
    return all(a >= b for a, b in pairs) and any(a > b for a, b in pairs)


def fronts(answers: Answers) -> dict[str, tuple[str, ...]]:
    """Return the front of every case that is shown in full."""
    shown = {case: one_draw(answers, case) for case in CASES}
    return {case: front(merits) for case, merits in shown.items() if merits is not None}


def front_table(answers: Answers) -> Table:
    """Return the features on the fronts, the most better than random first."""
    rows = tuple((Cell(case), Cell(" ".join(found))) for case, found in fronts(answers).items())
    caption = (
        "The Pareto front of one draw: features than which no other is both more powerful (CM1) "
        "and more above chance (NCM1), the most above chance first."
    )
    return Table(caption, ("case", "features"), rows, is_prose=True)


def tradeoff_drawing(answers: Answers) -> Drawing:
    """Draw power against what is better than random, the front as a line."""
    caption = (
        "What the paper says has to be balanced: the power of a feature (CM1) and how much better "
        "than random it is (NCM1), one draw; X1-X3 filled, R1-R10 open, the Pareto front as a line."
    )
    return Drawing("trade-off", caption, lambda: _planes(answers))


def _planes(answers: Answers) -> "Figure":
    cases = fronts(answers)
    figure = new_figure(WIDTH, 2.9)
    panels = figure.subplots(1, len(cases), sharey=True, squeeze=False)[0]
    for axes, (case, best) in zip(panels, cases.items(), strict=True):
        axes.axhline(1, color=GREY, linewidth=1)
        _plane(axes, one_draw(answers, case) or {}, best)
        axes.set_title(f"case {case}", loc="left", fontsize=10)
        axes.set_xlabel("CM1")
    panels[0].set_ylabel("NCM1")
    return figure


def _plane(axes: Any, merits: Merits, best: tuple[str, ...]) -> None:
    power, better = merits[POWER], merits[BETTER]
    axes.plot([power[f] for f in best], [better[f] for f in best], color=colour(1), linewidth=1)
    for feature in FEATURES:
        filled = colour(0) if feature.startswith("X") else "none"
        axes.scatter(power[feature], better[feature], s=18, color=filled, edgecolors=colour(0))
        if feature in best or feature.startswith("X"):
            place = (power[feature], better[feature])
            axes.annotate(feature, place, (3, 3), textcoords="offset points", fontsize=8)
