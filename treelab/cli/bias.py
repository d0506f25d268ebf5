"""`treelab bias`: what metrics make of the number of values of an attribute."""

from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.completion import complete_metrics
from treelab.cli.inputs import metrics_given, split_names
from treelab.cli.output import AsJson, say, say_json
from treelab.cli.studies import Folder, Jobs, carried_out, check_done, say_where, watch
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.experiment.simulation import Simulation
    from treelab.laboratory import Bias


def bias(
    metric: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            autocompletion=complete_metrics,
            help="One or several of `treelab metrics`; else a panel, in minutes.",
        ),
    ] = None,
    classes: Annotated[
        list[str] | None, typer.Option(metavar="N,N", help="Numbers of classes; else 2,5,10.")
    ] = None,
    values: Annotated[
        list[str] | None,
        typer.Option(metavar="N,N", help="Numbers of values of attributes; else 2,5,10,20,40."),
    ] = None,
    cases: Annotated[int, typer.Option(help="Cases of a trial.")] = 600,
    trials: Annotated[
        int | None,
        typer.Option(help="How often to draw; else 1000, or 100 where whole data must be seen."),
    ] = None,
    scenario: Annotated[
        list[str] | None,
        typer.Option(
            metavar="A,B",
            help="Else irrelevant,informative,slightly,signal,missing,signal-missing,numeric,"
            "signal-numeric.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="For everything that is left to chance.")] = 0,
    output: Folder = None,
    jobs: Jobs = 1,
    json: AsJson = False,
) -> None:
    """Put metrics to attributes that differ in their number of values only."""
    from treelab.experiment.engines import LocalTrials
    from treelab.experiment.runner import run_simulation
    from treelab.laboratory import Bias
    from treelab.laboratory.asking import LABORATORY, PANEL, bias_simulation, named
    from treelab.laboratory.scenarios import CLASSES, VALUES

    simulation: Simulation = bias_simulation(
        named(metrics_given(metric) or PANEL), _numbers("classes", classes) or CLASSES,
        _numbers("values", values) or VALUES, cases, trials, split_names(scenario) or LABORATORY,
        seed,
    )  # fmt: skip
    if output is None:
        answers: Any = run_simulation(simulation, jobs=jobs, watch=watch)
    else:
        answers = carried_out(simulation, output, LocalTrials(jobs))
    found = Bias(answers)
    if json:
        say_json(_facts(found))
    else:
        _say(found)
        if output is not None:
            say_where(output)
    check_done(answers)


def _numbers(option: str, words: list[str] | None) -> list[int]:
    given = split_names(words)
    for word in given:
        if not word.isdigit():
            raise ParameterError(f"--{option} takes whole numbers such as 2,5,10, got {word!r}")
    return [int(word) for word in given]


def _say(found: "Bias") -> None:
    if found.answers.state:
        say(found.answers.state)
    table = found.answers.study.to_article(found.answers).headline
    if table is not None:
        say(f"{table.caption}\n")
    say(str(found))


def _facts(found: "Bias") -> dict[str, Any]:
    choices = [
        {
            "metric": metric, "scenario": scenario, "classes": classes,
            "chosen": found.chosen(metric, classes, scenario),
            "p_equal": _plain(found.p_equal(metric, classes, scenario)),
            "tendency": found.tendency(metric, scenario, classes),
        }
        for metric, scenario, classes in found.places
    ]  # fmt: skip
    rows = [{key: _plain(value) for key, value in row.items()} for row in found.rows()]
    return {"choices": choices, "means": rows}


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not isfinite(value) else value
