"""The article about a study of learners (extra `report`)."""

from matplotlib.figure import Figure

from treelab.experiment.report.article import (
    Article,
    Drawing,
    Section,
    study_sections,
    study_statements,
)
from treelab.experiment.report.conclusion import conclusion
from treelab.experiment.report.figures import figures
from treelab.experiment.report.tables import (
    Table,
    accuracy_table,
    checks,
    duel_table,
    measure_table,
    overall_table,
    paper_table,
)
from treelab.experiment.summary import Summary


def study_article(summary: Summary) -> Article:
    """Return tables, figures and settings of a study in the order of a paper."""
    study = summary.study
    drawings = {name: _drawing(name, caption, figure) for name, caption, figure in figures(summary)}
    return Article(
        title=study.title or study.name,
        citation=study.citation or (study.paper.citation if study.paper else ""),
        state=summary.results.state,
        sections=tuple(s for s in _sections(summary, drawings) if not s.is_empty),
    )


def _drawing(name: str, caption: str, figure: Figure) -> Drawing:
    return Drawing(name, caption, lambda: figure)


def _sections(summary: Summary, drawings: dict[str, Drawing]) -> list[Section]:
    def drawn(*names: str) -> tuple[Drawing, ...]:
        return tuple(drawings[name] for name in names if name in drawings)

    study = summary.study
    maps = tuple(drawing for name, drawing in drawings.items() if name.startswith("map-"))
    duel, said = duel_table(summary), study_statements(summary)
    others = [m for m in study.record if m not in ("accuracy", "leaves", "seconds")]
    parts = [
        Section("Statements of the paper", tables=_given(said)),
        Section("Conclusion", conclusion(summary)),
        *study_sections(summary),
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
        Section("Learners", facts=tuple((e.name, str(e.factory)) for e in study.learners)),
    ]
    return parts if study.grid is None else [p for p in parts if p.title not in _NOT_OF_GRIDS]


def _given(table: Table | None) -> tuple[Table, ...]:
    return () if table is None else (table,)


_NOT_OF_GRIDS = ("Accuracy", "Sizes", "Times", "Other measures", "Learners")


def _paper_section(summary: Summary, figures: tuple[Drawing, ...]) -> Section:
    paper = summary.study.paper
    title = "Beside the paper"
    if paper is None:
        return Section(title)
    return Section(title, tuple(checks(summary, paper)), (paper_table(summary, paper),), figures)


def _measure_section(
    summary: Summary, title: str, measure: str, figures: tuple[Drawing, ...]
) -> Section:
    if measure not in summary.study.record:
        return Section(title)
    return Section(title, tables=(measure_table(summary, measure),), figures=figures)


def _failures(summary: Summary) -> tuple[str, ...]:
    return tuple(f"{trial}: {error}" for trial, error in summary.results.failures)


def _settings(summary: Summary) -> tuple[tuple[str, str], ...]:
    study = summary.study
    facts = {
        "data sets": ", ".join(map(str, study.data)),
        "cross-validation": f"{study.repeats} x {study.folds} stratified folds, shared by learners",
        "seeds": ", ".join(map(str, study.seeds)),
        "tests": ", ".join(study.tests) or "none",
        "level of significance": f"{study.alpha:g}",
        "equal in practice": f"a difference in accuracy of at most {100 * study.rope:g} %",
        "trials": f"{summary.results.done} of {len(summary.results.trials)}",
        "made with": "; ".join(summary.results.environments()),
    }
    return tuple(facts.items())
