"""What `compare` and `reproduce` share: run a study, show how far it is, write the report."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.output import count, note, say, say_json, say_table
from treelab.cli.scanning import check_resources
from treelab.errors import ParameterError, TreelabError

if TYPE_CHECKING:
    from treelab.experiment import Results, Store, Study
    from treelab.experiment.engines import Outcome, TrialEngine
    from treelab.experiment.record import Record
    from treelab.experiment.report.tables import Table
    from treelab.experiment.runner import RunOptions
    from treelab.experiment.simulation import Answers, Simulation

Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Trials at once; -1: all processors.")]
Backend = Annotated[
    str,
    typer.Option(help="What joblib does several jobs by: loky, threading or sequential."),
]
StudyEngine = Annotated[
    str,
    typer.Option("--engine", metavar="local|dask", help="Where trials run: here, or on Dask."),
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at the first trial that fails.")]
Folder = Annotated[
    Path | None,
    typer.Option("--output", "-o", metavar="FOLDER", help="Where results and report go."),
]
ExportFolds = Annotated[
    bool, typer.Option("--export-folds", help="Write the fold of every case to folds.csv, too.")
]

FAILED = 1
STOPS = (KeyboardInterrupt, SystemExit)
"""What ends the program from outside: an interrupt, or a signal that asks it to end."""


def means_of(
    jobs: int,
    backend: str,
    engine: str,
    scheduler: str | None,
    workers: int | None,
    memory_limit: str | None,
) -> dict[str, Any]:
    """Return what options say of how trials are carried out."""
    resources = {"scheduler": scheduler, "workers": workers, "memory_limit": memory_limit}
    check_resources(resources, engine)
    return {"jobs": jobs, "backend": backend, "engine": engine, **resources}


def conduct(
    studies: Sequence[tuple["Study | Simulation", Path]],
    means: Mapping[str, Any],
    *,
    strict: bool,
    export_folds: bool,
    json: bool,
) -> None:
    """Run studies, or the rest of them, write their reports and tell what came out."""
    from treelab.experiment.engines import trial_engine

    done = []
    with trial_engine(**means) as engine:
        for study, folder in studies:
            done.append((carried_out(study, folder, engine, strict, export_folds), folder))
            if not json:
                _say(*done[-1])
    if json:
        facts = [_facts(*each) for each in done]
        say_json(facts[0] if len(facts) == 1 else facts)
    check_done(*(found for found, _ in done))


def show(study: "Study | Simulation", folder: Path, json: bool) -> None:
    """Tell what the store in a folder has of a study; nothing is run, and nothing written."""
    from treelab.experiment import Store
    from treelab.experiment.store import store_in

    trials = study.trials()
    with Store(store_in(folder), read_only=True) as store:
        found = _found(study, trials, store.records(trial.key for trial in trials))
    if not found.done:
        raise TreelabError(f"the store in {folder} has no trial of this study with these data")
    if json:
        say_json(_facts(found, folder))
    else:
        _say_results(found)
    check_done(found)


def carried_out(
    study: "Study | Simulation",
    folder: Path,
    engine: "TrialEngine",
    strict: bool = False,
    export_folds: bool = False,
) -> "Results | Answers":
    """Run a study, or the rest of it, and write its report, also of what there is so far."""
    from treelab._files import write_text
    from treelab.experiment import Store
    from treelab.experiment.report import write_report
    from treelab.experiment.runner import RunOptions
    from treelab.experiment.store import store_in

    options = RunOptions(engine, strict, watch)
    options.check(study)
    trials = study.trials()  # says what is wrong with the data
    _make(folder)
    if export_folds:
        write_text(folder / "folds.csv", _folds(study))
    with Store(store_in(folder)) as store, _kept(folder):
        try:
            found = _complete(study, trials, store, options)
        except (*STOPS, TreelabError):
            with suppress(TreelabError):  # what ended the study is told, not what follows from it
                records = store.records(trial.key for trial in trials)
                if (so_far := _found(study, trials, records)).done:
                    write_report(so_far, folder)
            raise
        if found.failures and not found.done:
            raise TreelabError(f"there is nothing to report: {_failed(found)}")
        advice = write_report(found, folder)
    if advice:
        note(f"{advice} All else is written.")
    return found


def check_done(*findings: "Results | Answers") -> None:
    """End with an error if trials failed."""
    failed = [found for found in findings if found.failures]
    for found in failed:
        note(f"treelab: {_failed(found)}")
    if failed:
        raise typer.Exit(FAILED)


def _complete(
    study: "Study | Simulation", trials: Sequence[Any], store: "Store", options: "RunOptions"
) -> "Results | Answers":
    from treelab.experiment.runner import answer, complete
    from treelab.experiment.simulation import Simulation

    if isinstance(study, Simulation):
        return answer(study, store, options)
    return _found(study, trials, complete(trials, store, options))


def _found(
    study: "Study | Simulation", trials: Sequence[Any], records: dict[str, "Record"]
) -> "Results | Answers":
    from treelab.experiment import Results
    from treelab.experiment.simulation import Answers, Simulation

    if isinstance(study, Simulation):
        return Answers(study, tuple(trials), records)
    return Results(study, tuple(trials), records)


def _folds(study: "Study | Simulation") -> str:
    from treelab.experiment.report import folds_csv
    from treelab.experiment.simulation import Simulation

    if isinstance(study, Simulation):
        raise ParameterError(f"{study.name} has no folds to export: it is no cross-validation")
    return folds_csv(study)


@contextmanager
def _kept(folder: Path) -> Iterator[None]:
    """Say, when something ends the work, that what is done is not lost."""
    try:
        yield
    except (*STOPS, TreelabError):
        note(f"What is done is kept in {folder}; the same call goes on from there.")
        raise


def _make(folder: Path) -> None:
    from treelab._files import may_write

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TreelabError(f"cannot write to {folder}: {error.strerror}") from None
    if not may_write(folder):
        raise TreelabError(f"cannot write to {folder}: it is write-protected")


def watch(outcomes: Iterator["Outcome"], to_come: int, in_all: int) -> Iterable["Outcome"]:
    """Show how far the work is and how long it will take, if somebody sees it."""
    if not sys.stderr.isatty():
        yield from outcomes
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )  # fmt: skip
    # The speed is that of this run: what is in the store already took no time.
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("trials", total=to_come)
        if to_come < in_all:
            progress.console.print(f"{in_all - to_come} of {in_all} trials are done already.")
        for trial, record in outcomes:
            progress.update(task, advance=1, description=str(trial))
            yield trial, record


def _say(found: "Results | Answers", folder: Path) -> None:
    _say_results(found)
    say_where(folder)


def _say_results(found: "Results | Answers") -> None:
    if found.state:
        say(found.state)
    for sentence in _conclusion(found):
        say(sentence)
    table = _headline(found)
    if table is not None:
        say(f"\n{table.caption}\n".replace("in bold", "in [ ]"))
        brackets = {"best": "[{}]"}
        cells = [
            [("*" if c.mark else "") + brackets.get(c.emphasis, "{}").format(c.text) for c in row]
            for row in table.rows
        ]
        say_table(table.heads, cells)


def _conclusion(found: "Results | Answers") -> tuple[str, ...]:
    """Return what a comparison comes to; a simulation's headline says that of itself."""
    from treelab.experiment.report.conclusion import conclusion
    from treelab.experiment.simulation import Answers
    from treelab.experiment.summary import Summary

    return () if isinstance(found, Answers) else conclusion(Summary(found))


def say_where(folder: Path) -> None:
    """Name the page of a report to look at."""
    pages = (folder / name for name in ("report.html", "report.md", "table.md"))
    say(f"\nAll of it: {next(page for page in pages if page.exists())}")


def _headline(found: "Results | Answers") -> "Table | None":
    from treelab.experiment.report.tables import accuracy_table
    from treelab.experiment.simulation import Answers
    from treelab.experiment.summary import Summary

    if isinstance(found, Answers):
        return found.study.to_article(found).headline
    return accuracy_table(Summary(found))


def _failed(found: "Results | Answers") -> str:
    trial, error = found.failures[0]
    failed = count(len(found.failures), "trial")
    return f"{failed} failed; the first: {trial}: {error}"


def _facts(found: "Results | Answers", folder: Path) -> dict[str, Any]:
    from treelab.experiment.simulation import Answers

    return {
        "study": found.study.name,
        "trials": len(found.trials),
        "done": found.done,
        "failed": len(found.failures),
        **(_lines(found) if isinstance(found, Answers) else _cells(found)),
        "folder": str(folder),
    }


def _lines(answers: "Answers") -> dict[str, Any]:
    """Return the headline of a simulation, an object a row."""
    table = _headline(answers)
    if table is None:
        return {"rows": []}
    rows = [[cell.text for cell in row] for row in table.rows]
    return {"rows": [dict(zip(table.heads, row, strict=True)) for row in rows]}


def _cells(results: "Results") -> dict[str, Any]:
    """Return the figures of every learner on every data set."""
    from treelab.experiment.summary import Summary

    summary = Summary(results)
    contest = summary.contest
    places = {learner: j for j, learner in enumerate(contest.learners)}
    leaves = summary.mean("leaves")
    cells = [
        {
            "data": data,
            "learner": learner,
            "accuracy": _plain(summary.accuracy[i, j] / 100),
            "deviation": _plain(summary.deviation[i, j] / 100),
            "leaves": _plain(leaves[i, j]),
            "best": learner in places and bool(contest.best[i, places[learner]]),
            "significant": learner in places and bool(contest.marked[i, places[learner]]),
        }
        for i, data in enumerate(summary.data)
        for j, learner in enumerate(summary.learners)
    ]
    averages = zip(summary.learners, summary.averages() / 100, strict=True)
    return {
        "conclusion": list(_conclusion(results)),
        "cells": cells,
        "averages": {learner: _plain(mean) for learner, mean in averages},
    }


def _plain(value: float) -> float | None:
    return float(value) if value == value else None
