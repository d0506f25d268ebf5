"""Reports: the files that a study leaves behind, the same for the same results."""

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from treelab._files import write_bytes, write_text
from treelab.errors import MissingExtraError, ParameterError, shown
from treelab.experiment.report.article import Article, study_sections, study_statements
from treelab.experiment.report.conclusion import conclusion
from treelab.experiment.report.files import (
    answers_csv,
    folds_csv,
    paper_csv,
    results_csv,
    tests_csv,
    times_csv,
)
from treelab.experiment.report.latex import latex
from treelab.experiment.report.markdown import article_md, markdown, plain
from treelab.experiment.report.tables import accuracy_table, checks, overall_table, paper_table
from treelab.experiment.results import Results
from treelab.experiment.simulation import Answers
from treelab.experiment.summary import Summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["folds_csv", "report_figures", "write_report", "write_tables"]


def report_figures(findings: Results | Answers) -> "dict[str, Figure]":
    """Draw the figures of a report (extra `report`); the keys are the names of their files."""
    _check_findings(findings)
    try:
        from treelab.experiment.report.figures import drawn
        from treelab.experiment.report.study_article import study_article
    except ImportError as error:
        raise MissingExtraError("a figure", _package(error), "report") from None
    if isinstance(findings, Answers):
        article = findings.study.to_article(findings)
    else:
        article = study_article(Summary(findings))
    return {drawing.name: drawn(drawing) for drawing in article.drawings}


def write_report(findings: Results | Answers, folder: str | PathLike[str]) -> str | None:
    """Write tables, figures and a page into a folder.

    Returns
    -------
    sentence
        What the extra `report` would have added; None where it is installed.
    """
    _check_findings(findings)
    if not isinstance(folder, str | PathLike):
        raise ParameterError(f"expected the path of a folder, got {shown(folder)}")
    folder = Path(folder)
    if isinstance(findings, Answers):
        article = findings.study.to_article(findings)
        write_text(folder / "report.md", article_md(article))
        for part in findings.study.parts:
            write_text(folder / f"answers-{part.name}.csv", answers_csv(findings, part))
        return _with_extra(lambda: _write_page(article, folder))
    summary = Summary(findings)
    write_tables(summary, folder)
    return _with_extra(lambda: _write_study_page(summary, folder))


def _check_findings(findings: object) -> None:
    if not isinstance(findings, Results | Answers):
        raise ParameterError(f"expected what run_study returns, got {shown(findings)}")


def _package(error: ImportError) -> str:
    return (error.name or "matplotlib").split(".")[0].replace("_", "-")


def _with_extra(write: Callable[[], None]) -> str | None:
    try:
        write()
    except ImportError as error:
        what = "the page with figures, report.html,"
        return str(MissingExtraError(what, _package(error), "report"))
    return None


def write_tables(summary: Summary, folder: Path) -> None:
    """Write what needs no extra.

    `results.csv`, `tests.csv`, `table.md`, `table.tex` and, beside the figures of a paper,
    `paper.csv` are the same for every run of a study; `times.csv` has the times of the trials in
    the store.
    """
    results = summary.results
    write_text(folder / "results.csv", results_csv(results))
    write_text(folder / "times.csv", times_csv(results))
    write_text(folder / "tests.csv", tests_csv(summary))
    write_text(folder / "table.md", table_md(summary))
    write_text(folder / "table.tex", table_tex(summary))
    if summary.study.paper is not None:
        write_text(folder / "paper.csv", paper_csv(summary))


def table_md(summary: Summary) -> str:
    """Return the tables in Markdown; state, statements of the paper and conclusion come first."""
    study = summary.study
    parts = [f"# {plain(study.title or study.name)}\n"]
    if summary.results.state:
        parts.append(f"**{summary.results.state}**\n")
    said = study_statements(summary)
    if said is not None:
        parts.append(markdown(said))
    parts.append(plain(" ".join(conclusion(summary))) + "\n")
    for section in study_sections(summary):
        parts += [*(f"{text}\n" for text in section.texts), *map(markdown, section.tables)]
    if study.grid is None:
        parts.append(markdown(accuracy_table(summary)))
    if study.paper is not None:
        parts.append(markdown(paper_table(summary, study.paper)))
        parts += [f"{plain(sentence)}\n" for sentence in checks(summary, study.paper)]
    overall = overall_table(summary)
    if overall is not None:
        parts.append(markdown(overall))
    return "\n".join(parts)


def table_tex(summary: Summary) -> str:
    """Return the table of accuracies in LaTeX."""
    state = f"% {summary.results.state}\n" if summary.results.state else ""
    return state + latex(accuracy_table(summary), f"{summary.study.name}-accuracy")


def _write_study_page(summary: Summary, folder: Path) -> None:
    from treelab.experiment.report.study_article import study_article

    _write_page(study_article(summary), folder)


def _write_page(article: Article, folder: Path) -> None:
    from treelab.experiment.report.figures import drawn, for_page, png, svg
    from treelab.experiment.report.page import page

    images = {}
    for drawing in article.drawings:
        figure = drawn(drawing)
        text = svg(figure)
        write_text(folder / f"{drawing.name}.svg", text)
        write_bytes(folder / f"{drawing.name}.png", png(figure))
        images[drawing.name] = for_page(text, drawing.name)
    write_text(folder / "report.html", page(article, images))
