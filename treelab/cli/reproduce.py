"""`treelab reproduce`: the experiments of papers, beside the papers' own figures."""

from pathlib import Path
from typing import Annotated

import typer

from treelab.cli.completion import complete_papers
from treelab.cli.output import AsJson, say_json, say_table
from treelab.cli.scanning import MemoryLimit, Scheduler, Workers
from treelab.cli.studies import (
    Backend,
    ExportFolds,
    Folder,
    Jobs,
    Strict,
    StudyEngine,
    conduct,
    means_of,
)
from treelab.errors import ParameterError

OUTPUT = Path("reproduced")
ALL = "all"


def reproduce(
    paper: Annotated[
        str | None,
        typer.Argument(
            metavar="PAPER",
            autocompletion=complete_papers,
            help="The paper, such as vilalta2001, or all.",
        ),
    ] = None,
    list_papers: Annotated[
        bool, typer.Option("--list", help="List the papers that can be reproduced.")
    ] = False,
    quick: Annotated[
        bool,
        typer.Option("--quick/--full", help="A minute's look, or all of it (hours, resumable)."),
    ] = False,
    all_metrics: Annotated[
        bool, typer.Option("--all-metrics", help="Add all other metrics of treelab.")
    ] = False,
    grid: Annotated[
        bool, typer.Option("--grid", help="Map accuracy over the paper's parameters instead.")
    ] = False,
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Show what our own choices do to it instead.")
    ] = False,
    repeats: Annotated[
        int | None, typer.Option(help="How often to repeat; else as the study says.")
    ] = None,
    output: Folder = None,
    jobs: Jobs = 1,
    backend: Backend = "loky",
    engine: StudyEngine = "local",
    scheduler: Scheduler = None,
    workers: Workers = None,
    memory_limit: MemoryLimit = None,
    strict: Strict = False,
    export_folds: ExportFolds = False,
    json: AsJson = False,
) -> None:
    """Repeat the experiment of a paper and set its figures beside ours."""
    from treelab.papers.catalog import Which, paper_study, paper_titles

    if list_papers:
        titles = paper_titles()
        if json:
            say_json([{"name": name, "title": title} for name, title in titles.items()])
        else:
            say_table(("name", "title"), list(titles.items()))
        return
    if paper is None:
        raise ParameterError(f"which paper? One of: {', '.join(paper_titles())}")
    means = means_of(jobs, backend, engine, scheduler, workers, memory_limit)
    if grid and sensitivity:
        raise ParameterError("--grid and --sensitivity are two studies: choose one")
    which: Which = "grid" if grid else "sensitivity" if sensitivity else "study"
    words = [*["quick"] * quick, *["all-metrics"] * all_metrics, *[which] * (which != "study")]
    names = list(paper_titles()) if paper == ALL else [paper]
    studies = [
        (
            paper_study(name, which, quick=quick, all_metrics=all_metrics, repeats=repeats),
            _folder(output, name, words, is_one=paper != ALL),
        )
        for name in names
    ]
    conduct(studies, means, strict=strict, export_folds=export_folds, json=json)


def _folder(output: Path | None, name: str, words: list[str], *, is_one: bool) -> Path:
    """Return where the results of a paper go: with several papers, each to a folder of its own."""
    if output is None:
        return OUTPUT / "-".join([name, *words])
    return output if is_one else output / name
