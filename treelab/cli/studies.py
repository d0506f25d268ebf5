"""What `compare` and `reproduce` share: run a study, show how far it is, write the report."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.output import count, note, say, say_json, say_table
from treelab.errors import TreelabError

if TYPE_CHECKING:
    from treelab.experiment import Results, Study
    from treelab.experiment.runner import Outcome

Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Trials at once; -1: all processors.")]
Backend = Annotated[
    str,
    typer.Option(help="A backend of joblib, or a Dask scheduler's address: tcp://host:8786."),
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


def conduct(
    study: "Study",
    folder: Path,
    *,
    jobs: int,
    backend: str,
    strict: bool,
    export_folds: bool,
    json: bool,
) -> None:
    """Run a study, or the rest of it, and write its report, also of what there is so far."""
    from treelab._files import write_text
    from treelab.experiment import Results, Store, run_study
    from treelab.experiment.report import folds_csv, write_report
    from treelab.experiment.runner import check_means
    from treelab.experiment.store import store_in

    check_means(jobs, backend)
    trials = study.trials()  # says what is wrong with the data
    _make(folder)
    if export_folds:
        write_text(folder / "folds.csv", folds_csv(study))
    with Store(store_in(folder)) as store, _kept(folder):
        try:
            results = run_study(
                study, store, jobs=jobs, backend=backend, strict=strict, watch=_watch
            )
        except (*STOPS, TreelabError):
            with suppress(TreelabError):  # what ended the study is told, not what follows from it
                write_report(Results.of(study, trials, store), folder)
            raise
        advice = write_report(results, folder)
    if advice:
        note(f"{advice} All else is written.")
    if json:
        say_json(_facts(results, folder))
    else:
        _say(results, folder)
    if results.failures:
        note(_failed(results))
        raise typer.Exit(FAILED)


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


def _watch(outcomes: Iterator["Outcome"], to_come: int, in_all: int) -> Iterable["Outcome"]:
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
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
    )  # fmt: skip
    # The speed is that of this run: what is in the store already took no time.
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("trials", total=to_come)
        if to_come < in_all:
            progress.console.print(f"{in_all - to_come} of {in_all} trials are done already.")
        for trial, record in outcomes:
            progress.update(task, advance=1, description=f"{trial.data}: {trial.learner}")
            yield trial, record


def _say(results: "Results", folder: Path) -> None:
    from treelab.experiment.report.tables import accuracy_table
    from treelab.experiment.summary import Summary

    table = accuracy_table(Summary(results))
    if results.state:
        say(results.state)
    say(f"{table.caption}\n".replace("in bold", "in [ ]"))
    brackets = {"best": "[{}]"}
    cells = [
        [("*" if c.mark else "") + brackets.get(c.emphasis, "{}").format(c.text) for c in row]
        for row in table.rows
    ]
    say_table(table.heads, cells)
    page = folder / "report.html"
    say(f"\nAll of it: {page if page.exists() else folder / 'table.md'}")


def _failed(results: "Results") -> str:
    from treelab.experiment.runner import describe

    trial, error = results.failures[0]
    failed = count(len(results.failures), "trial")
    return f"treelab: {failed} failed; the first: {describe(trial)}: {error}"


def _facts(results: "Results", folder: Path) -> dict[str, Any]:
    from treelab.experiment.summary import Summary

    summary = Summary(results)
    leaves = summary.mean("leaves")
    cells = [
        {
            "data": data,
            "learner": learner,
            "accuracy": _plain(summary.accuracy[i, j] / 100),
            "deviation": _plain(summary.deviation[i, j] / 100),
            "leaves": _plain(leaves[i, j]),
            "best": bool(summary.best[i, j]),
            "significant": bool(summary.marked[i, j]),
        }
        for i, data in enumerate(summary.data)
        for j, learner in enumerate(summary.learners)
    ]
    averages = zip(summary.learners, summary.averages() / 100, strict=True)
    return {
        "study": results.study.name,
        "trials": len(results.trials),
        "done": results.done,
        "failed": len(results.failures),
        "cells": cells,
        "averages": {learner: _plain(mean) for learner, mean in averages},
        "folder": str(folder),
    }


def _plain(value: float) -> float | None:
    return float(value) if value == value else None
