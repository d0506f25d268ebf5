"""The article of the bias laboratory."""

from functools import partial

from treelab.experiment.report.article import Article, Drawing, Section
from treelab.experiment.simulation import Answers
from treelab.laboratory.bias_result import Bias
from treelab.laboratory.drawings import Panel, draw_panels
from treelab.laboratory.draws import SIGNAL
from treelab.laboratory.judging import FEW_TRIALS, TRIALS
from treelab.laboratory.scenarios import SCENARIOS
from treelab.laboratory.tables import (
    SURE,
    choice_tables,
    comparison_tables,
    kind,
    mean_tables,
    percent,
)


def to_article(answers: Answers) -> Article:
    """Return what metrics make of the number of values."""
    found = Bias(answers)
    sections = (
        Section("What was asked, and what came out", (ASKED,), facts=tuple(verdicts(found))),
        Section("Choices and tendencies", tables=comparison_tables(found)),
        Section("Figures", (DRAWN,), figures=drawings(found)),
        Section("Means", tables=tuple(mean_tables(found))),
        Section("How it was made", facts=tuple(_facts(found))),
    )
    there = tuple(section for section in sections if not section.is_empty)
    headline = next(iter(choice_tables(found)), None)
    return Article(answers.study.title, answers.study.citation, answers.state, there, headline)


ASKED = (
    "Attributes are drawn that differ in their number of values only, and metrics score them side "
    "by side. Where all attributes are noise, an unbiased metric gives all of them the same mean "
    "score and chooses each equally often, also where values are missing or an attribute is "
    "numeric. Where all are equally informative, it gives them the same score, too. And where an "
    "attribute of two values is slightly informative, that is chosen."
)
DRAWN = (
    "The mean score by the number of values; an unbiased metric draws level lines. Bars are two "
    "standard errors long in either direction. A numeric attribute stands at the right."
)


def drawings(found: Bias) -> tuple[Drawing, ...]:
    """Return a figure for each metric, a panel for each scenario."""
    shown = {metric: _panels(found, metric) for metric in found.metrics}
    return tuple(
        Drawing(f"bias-{place}", f"Mean of {metric}.", partial(draw_panels, metric, panels))
        for place, (metric, panels) in enumerate(shown.items(), 1)
        if panels
    )


def _panels(found: Bias, metric: str) -> list[Panel]:
    return [
        Panel(
            scenario,
            {c: found.curve(metric, scenario, c) for c in classes},
            {c: found.numeric(metric, scenario, c) for c in classes},
        )
        for scenario in found.scenarios
        if not SCENARIOS[scenario].has_signal and (classes := found.classes(metric, scenario))
    ]


def verdicts(found: Bias) -> list[tuple[str, str]]:
    """Say of each metric how it chooses among noise attributes, and beside a signal."""
    noise = kind(found, lambda rule: rule.is_noise)
    signals = kind(found, lambda rule: rule.has_signal)
    said = {
        metric: [_choice(found, metric, name) for name in noise if found.classes(metric, name)]
        + [_picked(found, metric, name) for name in signals if found.classes(metric, name)]
        for metric in found.metrics
    }
    return [(metric, "; ".join(parts)) for metric, parts in said.items() if parts]


def _choice(found: Bias, metric: str, scenario: str) -> str:
    classes = found.classes(metric, scenario)
    unequal = [c for c in classes if found.p_equal(metric, c, scenario) < SURE]
    if not unequal:
        return f"{scenario}: no bias is seen"
    shares = found.chosen(metric, unequal[0], scenario)
    favourite = max(shares, key=lambda name: shares[name])
    return (
        f"{scenario}: chooses unequally (for {_listed(unequal)} classes; for {unequal[0]}, "
        f"{favourite} in {percent(shares[favourite])} %, fair: {percent(1 / len(shares))} %)"
    )


def _picked(found: Bias, metric: str, scenario: str) -> str:
    """Say how often the slightly informative attribute is chosen."""
    picked = [found.chosen(metric, c, scenario)[SIGNAL] for c in found.classes(metric, scenario)]
    ends = dict.fromkeys([percent(min(picked)), percent(max(picked))])
    return f"{scenario}: chooses the informative one in {' to '.join(ends)} %"


def _listed(numbers: list[int]) -> str:
    return " and ".join(map(str, numbers)) if len(numbers) < 3 else ", ".join(map(str, numbers))


def _facts(found: Bias) -> list[tuple[str, str]]:
    settings = found.part.settings
    trials = {int(told["trials"]) for told in found.places.values()}
    return [
        ("Cases", f"{settings['cases']:,}"),
        (
            "Trials",
            f"{' or '.join(f'{n:,}' for n in sorted(trials, reverse=True))}; if nothing is said "
            f"{TRIALS:,} for metrics that judge tables, {FEW_TRIALS} where whole data are seen: "
            "by other metrics, and where values are missing or numeric",
        ),
        ("Seed", str(settings.get("seed", 0))),
        ("Made with", "; ".join(found.answers.environments())),
    ]
