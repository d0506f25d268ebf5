"""The article of the bias laboratory."""

from functools import partial
from math import isfinite

from treelab.experiment.report.article import Article, Drawing, Section
from treelab.experiment.report.tables import Cell, Table, number
from treelab.experiment.simulation import Answers
from treelab.laboratory.bias_result import Bias
from treelab.laboratory.drawings import Panel, draw_panels
from treelab.laboratory.draws import SIGNAL
from treelab.laboratory.judging import FEW_TRIALS, TRIALS
from treelab.laboratory.scenarios import SCENARIOS

NOISE = "irrelevant"
SURE = 0.001
"""Choices less likely than this by equal chances are called unequal."""


def to_article(answers: Answers) -> Article:
    """Return what metrics make of the number of values."""
    found = Bias(answers)
    noise = choice_table(found)
    tables = tuple(table for table in (noise, signal_table(found), way_table(found)) if table)
    sections = (
        Section("What was asked, and what came out", (ASKED,), facts=tuple(_verdicts(found))),
        Section("Choices and tendencies", tables=tables),
        Section("Figures", (DRAWN,), figures=drawings(found)),
        Section("Means", tables=tuple(mean_tables(found))),
        Section("How it was made", facts=tuple(_facts(found))),
    )
    there = tuple(section for section in sections if not section.is_empty)
    return Article(answers.study.title, answers.study.citation, answers.state, there, noise)


ASKED = (
    "Attributes are drawn that differ in their number of values only, and metrics score them side "
    "by side. Where all attributes are noise, an unbiased metric gives all of them the same mean "
    "score and chooses each equally often. Where all are equally informative, it gives them the "
    "same score, too. And where an attribute of two values is slightly informative, that is chosen."
)
DRAWN = (
    "The mean score by the number of values; an unbiased metric draws level lines. Bars are two "
    "standard errors long in either direction."
)


def _places(found: Bias, scenario: str) -> list[tuple[str, int]]:
    return [(m, c) for m in found.metrics for c in found.classes(m, scenario)]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def chance(p: float) -> str:
    """Write a P-value."""
    return "< 0.0001" if p < 1e-4 else number(p, 4)


def brief(value: float) -> str:
    """Write a figure of any size, or a dash for none."""
    return f"{value:.3g}" if isfinite(value) else number(value)


def choice_table(found: Bias) -> Table | None:
    """Return how often each noise attribute is chosen."""
    rows = []
    for metric, c in _places(found, NOISE):
        p = found.p_equal(metric, c)
        shares = [Cell(_percent(share)) for share in found.chosen(metric, c).values()]
        cells = [Cell(str(c)), *shares, Cell(chance(p), emphasis="far" if p < SURE else "")]
        rows.append((Cell(metric), *cells, *_signal_cell(found, metric, c)))
    if not rows:
        return None
    heads = ("metric", "classes", *(f"V = {v}" for v in found.values), "P equal")
    text = (
        "How often each of the noise attributes is chosen, in % of the trials, and how likely that "
        "is if all have the same chance"
    )
    if SIGNAL in found.scenarios:
        heads, text = (*heads, "signal"), f"{text}; signal: how often the informative one is chosen"
    return Table(f"{text}.", heads, tuple(rows))


def _signal_cell(found: Bias, metric: str, classes: int) -> list[Cell]:
    if SIGNAL not in found.scenarios:
        return []
    if (metric, SIGNAL, classes) not in found.places:
        return [Cell(number(float("nan")))]
    return [Cell(_percent(found.chosen(metric, classes, SIGNAL)[SIGNAL]))]


def signal_table(found: Bias) -> Table | None:
    """Return how often noise scores above a slightly informative attribute."""
    rows = tuple(
        (Cell(m), Cell(str(c)), *(Cell(_percent(x)) for x in found.above_signal(m, c).values()))
        for m, c in _places(found, SIGNAL)
    )
    caption = (
        "How often each noise attribute scores above the slightly informative attribute of two "
        "values, in % of the trials."
    )
    heads = ("metric", "classes", *(f"V = {v}" for v in found.values))
    return Table(caption, heads, rows) if rows else None


def way_table(found: Bias) -> Table | None:
    """Return which way the mean score goes as values become more."""
    scenarios = [name for name in found.scenarios if name != SIGNAL]
    rows = tuple(
        (Cell(m), Cell(str(c)), *(Cell(_way(found, m, name, c)) for name in scenarios))
        for m, c in sorted({place for name in scenarios for place in _places(found, name)},
                           key=lambda place: (found.metrics.index(place[0]), place[1]))
    )  # fmt: skip
    caption = "Which way the mean score goes from the fewest values to the most."
    return Table(caption, ("metric", "classes", *scenarios), rows, is_prose=True) if rows else None


def _way(found: Bias, metric: str, scenario: str, classes: int) -> str:
    if (metric, scenario, classes) not in found.places:
        return number(float("nan"))
    curve = found.curve(metric, scenario, classes)
    return f"{curve.tendency} ({brief(curve.means[0])} to {brief(curve.means[-1])})"


def mean_tables(found: Bias) -> list[Table]:
    """Return the mean scores, a table for each scenario."""
    heads = ("metric", "classes", *(f"V = {v}" for v in found.values), "error")
    tables = []
    for scenario in found.scenarios:
        rows = []
        for metric, c in _places(found, scenario):
            curve = found.curve(metric, scenario, c)
            cells = [Cell(brief(x)) for x in (*curve.means, curve.errors[-1])]
            rows.append((Cell(metric), Cell(str(c)), *cells))
        caption = f"Mean scores: {SCENARIOS[scenario].title}; the standard error is of the last."
        tables += [Table(caption, heads, tuple(rows))] if rows else []
    return tables


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
        Panel(scenario, {c: found.curve(metric, scenario, c) for c in classes})
        for scenario in found.scenarios
        if scenario != SIGNAL and (classes := found.classes(metric, scenario))
    ]


def _verdicts(found: Bias) -> list[tuple[str, str]]:
    return [(m, _verdict(found, m)) for m in found.metrics if found.classes(m, NOISE)]


def _verdict(found: Bias, metric: str) -> str:
    """Say how a metric chooses among noise attributes, and beside a signal."""
    classes = found.classes(metric, NOISE)
    unequal = [c for c in classes if found.p_equal(metric, c) < SURE]
    told = "no bias is seen in what it chooses among noise attributes"
    if unequal:
        shares = found.chosen(metric, unequal[0])
        favourite = max(shares, key=lambda name: shares[name])
        told = (
            f"chooses unequally among noise attributes (for {_listed(unequal)} classes; for "
            f"{unequal[0]}, {favourite} in {_percent(shares[favourite])} % of the trials, where "
            f"{_percent(1 / len(shares))} % would be fair)"
        )
    picked = [
        found.chosen(metric, c, SIGNAL)[SIGNAL]
        for c in (found.classes(metric, SIGNAL) if SIGNAL in found.scenarios else [])
    ]
    if picked:
        ends = dict.fromkeys([_percent(min(picked)), _percent(max(picked))])
        told += f"; chooses the slightly informative one in {' to '.join(ends)} % of the trials"
    return told


def _listed(numbers: list[int]) -> str:
    return " and ".join(map(str, numbers)) if len(numbers) < 3 else ", ".join(map(str, numbers))


def _facts(found: Bias) -> list[tuple[str, str]]:
    settings = found.answers.study.parts[0].settings
    trials = {int(told["trials"]) for told in found.places.values()}
    return [
        ("Cases", f"{settings['cases']:,}"),
        (
            "Trials",
            f"{' or '.join(f'{n:,}' for n in sorted(trials, reverse=True))}; if nothing is said "
            f"{TRIALS:,} for metrics that judge tables, {FEW_TRIALS} for those that see whole data",
        ),
        ("Seed", str(settings["seed"])),
        ("Made with", "; ".join(found.answers.environments())),
    ]
