"""Reports: the files that a study leaves behind, the same for the same results."""

from os import PathLike
from pathlib import Path

from treelab._files import write_bytes, write_text
from treelab.errors import MissingExtraError
from treelab.experiment.report.files import folds_csv, results_csv, tests_csv, times_csv
from treelab.experiment.report.latex import latex
from treelab.experiment.report.markdown import markdown
from treelab.experiment.report.tables import accuracy_table, checks, overall_table, paper_table
from treelab.experiment.results import Results
from treelab.experiment.summary import Summary

__all__ = ["folds_csv", "write_report", "write_tables"]


def write_report(results: Results, folder: str | PathLike[str]) -> str | None:
    """Write tables, figures and a page into a folder.

    Returns
    -------
    sentence
        What the extra `report` would have added; None where it is installed.
    """
    folder, summary = Path(folder), Summary(results)
    write_tables(summary, folder)
    try:
        _write_pictures(summary, folder)
    except ImportError as error:
        package = (error.name or "matplotlib").split(".")[0].replace("_", "-")
        return str(MissingExtraError("the page with figures, report.html,", package, "report"))
    return None


def write_tables(summary: Summary, folder: Path) -> None:
    """Write what needs no extra.

    `results.csv`, `tests.csv`, `table.md` and `table.tex` are the same for every run of a study;
    `times.csv` has the times of the trials in the store.
    """
    results = summary.results
    write_text(folder / "results.csv", results_csv(results))
    write_text(folder / "times.csv", times_csv(results))
    write_text(folder / "tests.csv", tests_csv(summary))
    write_text(folder / "table.md", table_md(summary))
    write_text(folder / "table.tex", table_tex(summary))


def table_md(summary: Summary) -> str:
    """Return the tables in Markdown, with the state of the results on top."""
    study = summary.study
    parts = [f"# {study.title or study.name}\n"]
    if summary.results.state:
        parts.append(f"**{summary.results.state}**\n")
    parts.append(markdown(accuracy_table(summary)))
    if study.paper is not None:
        parts.append(markdown(paper_table(summary, study.paper)))
        parts += [f"{sentence}\n" for sentence in checks(summary, study.paper)]
    overall = overall_table(summary)
    if overall is not None:
        parts.append(markdown(overall))
    return "\n".join(parts)


def table_tex(summary: Summary) -> str:
    """Return the table of accuracies in LaTeX."""
    state = f"% {summary.results.state}\n" if summary.results.state else ""
    return state + latex(accuracy_table(summary))


def _write_pictures(summary: Summary, folder: Path) -> None:
    from treelab.experiment.report.figures import figures, for_page, png, svg
    from treelab.experiment.report.page import page

    images = {}
    for name, caption, figure in figures(summary):
        text = svg(figure)
        write_text(folder / f"{name}.svg", text)
        write_bytes(folder / f"{name}.png", png(figure))
        images[name] = (caption, for_page(text, name))
    write_text(folder / "report.html", page(summary, images))
