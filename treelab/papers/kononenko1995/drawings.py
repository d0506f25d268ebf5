"""Figures 1 to 10, (a) and (b) side by side; and what the paper only tells of."""

from functools import partial

import attrs

from treelab.experiment.report.article import Drawing
from treelab.laboratory import Panel, draw_panels
from treelab.papers.kononenko1995.answers import Found

TITLES = {
    "irrelevant": "uniform, irrelevant",
    "informative": "informative, k = 1",
    "slightly": "slightly informative",
}


@attrs.frozen
class Plan:
    """A figure: its name, the measure, what the paper says of it and the scenario of (b)."""

    name: str
    measure: str
    text: str
    second: str = "informative"


FIGURES = (
    Plan("figure-1", "Gain", "Figure 1: information gain, in bits"),
    Plan("figure-2", "Gini", "Figure 2: Gini"),
    Plan("figure-3", "Relevance", "Figure 3: Relevance"),
    Plan("figure-4", "Relief", "Figure 4: Relief"),
    Plan("figure-5", "GainR", "Figure 5: gain ratio"),
    Plan("figure-6", "MDL'", "Figure 6: MDL', in bits per case"),
    Plan("figure-7", "MDL", "Figure 7: MDL, in bits per case"),
    Plan("figure-8", "WE", "Figure 8: weight of evidence, Laplace estimate"),
    Plan("figure-9", "P(chi2)", "Figure 9: P(chi2)", "slightly"),
    Plan("figure-10", "P(G)", "Figure 10: P(G)", "slightly"),
)
MORE_FIGURES = (
    Plan("distance", "1-D", "1-D, said to be very similar to the gain ratio"),
    Plan("gini-prime", "Gini'", "Gini', said to be practically identical to Gini"),
    Plan("evidence-m", "WE (m = 2)", "Weight of evidence by the m-estimate, m = 2"),
)


def drawings(found: Found, plans: tuple[Plan, ...]) -> tuple[Drawing, ...]:
    """Return those figures of which there is something to draw."""
    made = ((plan, panels(found, plan)) for plan in plans)
    return tuple(
        Drawing(plan.name, _caption(plan, shown), partial(draw_panels, plan.measure, shown))
        for plan, shown in made
        if shown
    )


def panels(found: Found, plan: Plan) -> list[Panel]:
    """Return the panels of a figure that have curves."""
    scenarios = [name for name in ("irrelevant", plan.second) if name in found.scenarios]
    return [
        Panel(
            TITLES[scenario],
            {c: found.curve(plan.measure, scenario, c) for c in found.classes(scenario)},
        )
        for scenario in scenarios
    ]


def _caption(plan: Plan, shown: list[Panel]) -> str:
    titles = ", ".join(f"({'ab'[place]}) {panel.title}" for place, panel in enumerate(shown))
    return f"{plan.text}; {titles}."
