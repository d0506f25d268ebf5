"""The report as one page of HTML that needs nothing else (extra `report`)."""

from pathlib import Path

import attrs
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from treelab.experiment.report.tables import (
    Table,
    accuracy_table,
    checks,
    duel_table,
    measure_table,
    overall_table,
    paper_table,
)
from treelab.experiment.runner import describe
from treelab.experiment.study import Note
from treelab.experiment.summary import Summary

Image = tuple[str, str]
"""A caption and the text of an SVG."""


@attrs.frozen
class Section:
    """A part of the page."""

    title: str
    texts: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Image, ...] = ()
    notes: tuple[Note, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()


def page(summary: Summary, images: dict[str, Image]) -> str:
    """Return the page."""
    study = summary.study
    folder = Path(__file__).parent
    environment = Environment(
        loader=FileSystemLoader(folder), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    sections = [s for s in _sections(summary, images) if s != Section(s.title)]
    return environment.get_template("page.html").render(
        title=study.title or study.name,
        citation=study.paper.citation if study.paper else "",
        state=summary.results.state,
        sections=sections,
    )


def _sections(summary: Summary, images: dict[str, Image]) -> list[Section]:
    def drawn(*names: str) -> tuple[Image, ...]:
        return tuple(images[name] for name in names if name in images)

    study = summary.study
    maps = tuple(image for name, image in images.items() if name.startswith("map-"))
    duel = duel_table(summary)
    others = [m for m in study.record if m not in ("accuracy", "leaves", "seconds")]
    parts = [
        Section("Accuracy", tables=_given(accuracy_table(summary)), figures=drawn("differences")),
        Section("Maps", figures=maps),
        _paper_section(summary, drawn("paper")),
        Section(
            "Differences over all data sets",
            tables=_given(overall_table(summary)),
            figures=drawn("critical-difference"),
        ),
        Section(
            "Differences on each data set",
            ("All pairs of learners are in tests.csv.",) if duel else (),
            tables=_given(duel),
        ),
        Section("What differs, and why", notes=study.notes),
        _measure_section(summary, "Sizes", "leaves", drawn("leaves")),
        _measure_section(summary, "Times", "seconds", drawn("seconds")),
        Section("Other measures", tables=tuple(measure_table(summary, m) for m in others)),
        Section("Failures", texts=_failures(summary)),
        Section("Settings", facts=_settings(summary)),
        Section("Learners", facts=tuple((e.name, str(e.maker)) for e in study.learners)),
    ]
    return parts if study.grid is None else [p for p in parts if p.title not in _NOT_OF_GRIDS]


def _given(table: Table | None) -> tuple[Table, ...]:
    return () if table is None else (table,)


_NOT_OF_GRIDS = ("Accuracy", "Sizes", "Times", "Other measures", "Learners")


def _paper_section(summary: Summary, figures: tuple[Image, ...]) -> Section:
    paper = summary.study.paper
    title = "Beside the paper"
    if paper is None:
        return Section(title)
    return Section(title, tuple(checks(summary, paper)), (paper_table(summary, paper),), figures)


def _measure_section(
    summary: Summary, title: str, measure: str, figures: tuple[Image, ...]
) -> Section:
    if measure not in summary.study.record:
        return Section(title)
    return Section(title, tables=(measure_table(summary, measure),), figures=figures)


def _failures(summary: Summary) -> tuple[str, ...]:
    return tuple(f"{describe(trial)}: {error}" for trial, error in summary.results.failures)


def _settings(summary: Summary) -> tuple[tuple[str, str], ...]:
    study = summary.study
    facts = {
        "data sets": ", ".join(summary.data),
        "cross-validation": f"{study.repeats} x {study.folds} stratified folds, shared by learners",
        "seeds": ", ".join(map(str, study.seeds)),
        "tests": ", ".join(study.tests) or "none",
        "level of significance": f"{study.alpha:g}",
        "equal in practice": f"a difference in accuracy of at most {100 * study.rope:g} %",
        "trials": f"{summary.results.done} of {len(summary.results.trials)}",
        "made with": "; ".join(summary.results.environments()),
    }
    return tuple(facts.items())
