"""`bias`: what metrics make of the number of values of an attribute."""

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

import attrs

from treelab.errors import DataError, ParameterError, check_number
from treelab.experiment.runner import run_simulation
from treelab.experiment.simulation import Part, Settings, Simulation
from treelab.laboratory.article import to_article
from treelab.laboratory.bias_result import PART, Bias
from treelab.laboratory.draws import Design
from treelab.laboratory.judging import figures, scores, usual_trials
from treelab.laboratory.scenarios import CASES, CLASSES, VALUES, scenario
from treelab.metrics import metric as find_metric
from treelab.metrics.names import unique_names
from treelab.protocols import SplitMetric

Metric: TypeAlias = str | SplitMetric
MOST_VALUES = 10_000
"""Of a feature, and of classes: tables of more take more memory than there is."""

LABORATORY = (
    "irrelevant", "informative", "slightly", "signal",
    "missing", "signal-missing", "numeric", "signal-numeric",
)  # fmt: skip
"""The scenarios that are tried if nothing is said."""

PANEL = (
    "gain", "gain-ratio", "gini", "p-chi2", "mdl", "relieff", "contextual-merit", "pi",
    "normalized-gini", "normalized-entropy", "normalized-contextual-merit-1",
)  # fmt: skip
"""The metrics that are asked if none is named: some of kononenko1995, and those of other papers.

Of the normalized ones, those whose expectation has a formula: permutations take 50 times as long.
"""


def bias(
    metrics: Metric | Sequence[Metric] = PANEL,
    *,
    classes: int | Sequence[int] = CLASSES,
    values: Sequence[int] = VALUES,
    cases: int = CASES,
    trials: int | None = None,
    scenarios: Sequence[str] = LABORATORY,
    seed: int = 0,
    jobs: int = 1,
) -> Bias:
    """Put metrics to attributes that differ only in their number of values (kononenko1995).

    In every trial an attribute of each number of values is drawn, and each metric scores them side
    by side. An unbiased one gives noise attributes the same score on average and chooses each as
    often as the others; beside a slightly informative attribute of two values, it chooses that one.
    Missing values, and a numeric attribute among the others, change nothing in that.

    Parameters
    ----------
    metrics
        A metric by name or itself, or several; if none is named, the laboratory's panel.
    classes
        The number of classes, or several.
    values
        The numbers of values, an attribute each.
    cases
        The number of cases of a trial.
    trials
        How often to draw; if nothing is said, 1000 times for metrics that judge tables, and 100
        times for those that must see whole data, such as `relieff`, and wherever values are missing
        or numeric.
    scenarios
        'irrelevant', 'informative', 'slightly' (informative), 'signal' (irrelevant ones beside a
        slightly informative one of two values), 'missing' and 'signal-missing' (30 % of the values
        of the irrelevant ones are missing), 'numeric' and 'signal-numeric' (a numeric one
        among the irrelevant ones), or another of `treelab.laboratory.SCENARIOS`.
    seed
        For everything that is left to chance.
    jobs
        How many processes work at once; -1: as many as there are processors.

    Examples
    --------
    >>> import treelab as tl
    >>> found = tl.bias(["gain", "p-chi2"], classes=2, values=(2, 40), trials=50)
    >>> found.chosen("gain", classes=2)
    {'V2': 0.0, 'V40': 1.0}
    >>> found.tendency("gain", "irrelevant", classes=2)
    'rises'
    """
    simulation = bias_simulation(
        named(metrics), _listed(classes), _listed(values), cases, trials,
        scenarios, seed,
    )  # fmt: skip
    answers = run_simulation(simulation, jobs=jobs)
    for question, error in answers.failures:
        raise DataError(f"{question} failed: {error}")
    return Bias(answers)


def _listed(given: Any) -> Any:
    """Return a list of what was given, which may be a single number."""
    return given if isinstance(given, Iterable) else [given]


def named(metrics: Metric | Sequence[Metric]) -> dict[str, SplitMetric]:
    """Return metrics by the names reports call them."""
    given: list[Any] = list(metrics) if isinstance(metrics, list | tuple) else [metrics]
    return {name: find_metric(each) for name, each in unique_names(given).items()}


def bias_simulation(
    metrics: Mapping[str, SplitMetric],
    classes: Sequence[int] = CLASSES,
    values: Sequence[int] = VALUES,
    cases: int = CASES,
    trials: int | None = None,
    scenarios: Sequence[str] = LABORATORY,
    seed: int = 0,
) -> Simulation:
    """Return what `bias` asks: a question for each metric, scenario and number of classes."""
    _check(classes, values, cases, trials, scenarios, seed)
    part = Part(
        PART,
        Asker(metrics),
        {"metric": list(metrics), "scenario": list(scenarios), "classes": list(classes)},
        {"values": list(values), "cases": cases, "trials": trials, "seed": seed},
    )
    return Simulation(
        name="bias", title=f"The bias of {', '.join(metrics)}", parts=(part,),
        to_article=to_article,
        citation="After I. Kononenko: On Biases in Estimating Multi-Valued Attributes. IJCAI 1995.",
        folder=Path(),
    )  # fmt: skip


def _check(
    classes: Sequence[int],
    values: Sequence[int],
    cases: int,
    trials: int | None,
    scenarios: Sequence[str],
    seed: int,
) -> None:
    for parameter, numbers in (("classes", classes), ("values", values)):
        for given in numbers:
            check_number(parameter, given, 2, MOST_VALUES, whole=True)
        if not numbers or len(set(numbers)) < len(numbers):
            raise ParameterError(f"{parameter} must be at least one number, and none of them twice")
    check_number("cases", cases, 2, whole=True)
    if trials is not None:
        check_number("trials", trials, 2, whole=True)
    check_number("seed", seed, -inf, whole=True)
    if not scenarios:
        raise ParameterError("give at least one scenario")
    for name in scenarios:
        scenario(name)


@attrs.frozen
class Asker:
    """Answers a question about one of its metrics."""

    metrics: Mapping[str, SplitMetric]

    def __call__(self, settings: Settings, _seed: int) -> dict[str, float]:
        return asked(self.metrics[settings["metric"]], settings, settings["seed"])


def asked(metric: SplitMetric, settings: Settings, seed: int) -> dict[str, float]:
    """Return what a metric makes of the attributes of a scenario."""
    design = Design(
        settings["scenario"], settings["classes"], tuple(settings["values"]), settings["cases"],
        seed,
    )  # fmt: skip
    trials = settings.get("trials") or usual_trials(metric, design.scenario)
    return figures(scores(metric, design, trials), design.names)
