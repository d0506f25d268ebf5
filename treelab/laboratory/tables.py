"""Tables of the bias laboratory: choices, tendencies and means."""

from collections.abc import Callable
from math import isfinite

import attrs

from treelab.experiment.report.tables import Cell, Table, number
from treelab.laboratory.bias_result import Bias
from treelab.laboratory.draws import NUMERIC, SIGNAL
from treelab.laboratory.scenarios import SCENARIOS, Scenario

SURE = 0.001
"""Choices less likely than this by equal chances are called unequal."""


def comparison_tables(found: Bias) -> tuple[Table, ...]:
    """Return what is chosen among noise, what noise is put above a signal, and tendencies."""
    way = way_table(found)
    return (*choice_tables(found), *signal_tables(found), *([way] if way else []))


def _places(found: Bias, scenario: str) -> list[tuple[str, int]]:
    return [(m, c) for m in found.metrics for c in found.classes(m, scenario)]


def kind(found: Bias, holds: Callable[[Scenario], bool]) -> list[str]:
    """Return the scenarios of a kind of which something is answered."""
    return [name for name in found.scenarios if holds(SCENARIOS[name]) and _places(found, name)]


def percent(share: float) -> str:
    """Write a share of the trials."""
    return f"{100 * share:.1f}"


def chance(p: float) -> str:
    """Write a P-value."""
    return "< 0.0001" if p < 1e-4 else number(p, 4)


def brief(value: float) -> str:
    """Write a figure of any size, or a dash for none."""
    return f"{value:.3g}" if isfinite(value) else number(value)


def _heads(found: Bias, scenario: str) -> tuple[str, ...]:
    numeric = [NUMERIC] * SCENARIOS[scenario].has_numeric
    return ("metric", "classes", *(f"V = {v}" for v in found.values), *numeric)


def choice_tables(found: Bias) -> list[Table]:
    """Return how often each noise attribute is chosen, for every scenario of noise."""
    return [_choice_table(found, name) for name in kind(found, lambda rule: rule.is_noise)]


def _choice_table(found: Bias, scenario: str) -> Table:
    rows = []
    beside = _signal_beside(scenario)
    is_beside = beside in found.scenarios
    for metric, c in _places(found, scenario):
        p = found.p_equal(metric, c, scenario)
        shares = [Cell(percent(share)) for share in found.chosen(metric, c, scenario).values()]
        cells = [Cell(str(c)), *shares, Cell(chance(p), emphasis="far" if p < SURE else "")]
        signal = [_signal_cell(found, metric, c, beside)] if is_beside else []
        rows.append((Cell(metric), *cells, *signal))
    heads = (*_heads(found, scenario), "P equal")
    text = (
        "How often each of the noise attributes is chosen, in % of the trials, and how likely that "
        f"is if all have the same chance: {SCENARIOS[scenario].title}"
    )
    if is_beside:
        heads, text = (*heads, SIGNAL), f"{text}; signal: how often the informative one is chosen"
    return Table(f"{text}.", heads, tuple(rows))


def _signal_beside(scenario: str) -> str:
    """Return the scenario with the same noise and a signal beside it; '' if there is none."""
    rule = attrs.evolve(SCENARIOS[scenario], has_signal=True, title="")
    alike = (name for name, each in SCENARIOS.items() if attrs.evolve(each, title="") == rule)
    return next(alike, "")


def _signal_cell(found: Bias, metric: str, classes: int, scenario: str) -> Cell:
    if (metric, scenario, classes) not in found.places:
        return Cell(number(float("nan")))
    return Cell(percent(found.chosen(metric, classes, scenario)[SIGNAL]))


def signal_tables(found: Bias) -> list[Table]:
    """Return how often noise scores above a slightly informative attribute."""
    return [_signal_table(found, name) for name in kind(found, lambda rule: rule.has_signal)]


def _signal_table(found: Bias, scenario: str) -> Table:
    rows = tuple(
        (
            Cell(m),
            Cell(str(c)),
            *(Cell(percent(x)) for x in found.above_signal(m, c, scenario).values()),
        )
        for m, c in _places(found, scenario)
    )
    caption = (
        "How often each noise attribute scores above the slightly informative attribute of two "
        f"values, in % of the trials: {SCENARIOS[scenario].title}."
    )
    return Table(caption, _heads(found, scenario), rows)


def way_table(found: Bias) -> Table | None:
    """Return which way the mean score goes as values become more."""
    scenarios = [name for name in found.scenarios if not SCENARIOS[name].has_signal]
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
    tables = []
    for scenario in found.scenarios:
        rows = tuple(_mean_row(found, m, scenario, c) for m, c in _places(found, scenario))
        caption = (
            f"Mean scores: {SCENARIOS[scenario].title}; the standard error is of the attribute of "
            "most values."
        )
        heads = (*_heads(found, scenario), "error")
        tables += [Table(caption, heads, rows)] if rows else []
    return tables


def _mean_row(found: Bias, metric: str, scenario: str, classes: int) -> tuple[Cell, ...]:
    curve = found.curve(metric, scenario, classes)
    has_numeric = SCENARIOS[scenario].has_numeric
    numeric = [found.numeric(metric, scenario, classes)[0]] if has_numeric else []
    cells = [Cell(brief(x)) for x in (*curve.means, *numeric, curve.errors[-1])]
    return (Cell(metric), Cell(str(classes)), *cells)
