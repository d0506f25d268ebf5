"""An article: what a report says, before it becomes Markdown, pictures and a page."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Literal

import attrs

from treelab.experiment.report.tables import Cell, Emphasis, Table
from treelab.experiment.study import Note
from treelab.experiment.summary import Summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Verdict = Literal["holds", "partly", "does not hold"]
FEW = 5
"""More words than that are counted, not listed."""


@attrs.frozen(eq=False)
class Drawing:
    """A figure that is drawn when it is wanted; its name is that of its files.

    `draw` is None where it is no figure of matplotlib's: whoever makes the page has the picture.
    """

    name: str
    caption: str
    draw: "Callable[[], Figure] | None" = None


@attrs.frozen
class Section:
    """A part of an article."""

    title: str
    texts: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Drawing, ...] = ()
    notes: tuple[Note, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        return self == Section(self.title)


@attrs.frozen
class Article:
    """A report; `headline` is the table that a terminal shows."""

    title: str
    citation: str
    state: str
    sections: tuple[Section, ...]
    headline: Table | None = None

    @property
    def drawings(self) -> tuple[Drawing, ...]:
        """The figures of all sections."""
        return tuple(drawing for section in self.sections for drawing in section.figures)

    @property
    def opens_with_words(self) -> bool:
        """Whether it begins with its conclusion, which then comes before the table of contents."""
        first = self.sections[0] if self.sections else Section("")
        return bool(first.texts) and not (first.tables or first.figures)


@attrs.frozen
class Statement:
    """What a paper says, where, and what its figures, made anew, say to that."""

    where: str
    claim: str
    verdict: Verdict
    evidence: str


def judged(holds: Iterable[bool]) -> Verdict:
    """Return the verdict on a claim about several cases.

    >>> judged([True, True]), judged([True, False]), judged([False])
    ('holds', 'partly', 'does not hold')
    """
    found = list(holds)
    if all(found):
        return "holds"
    return "partly" if any(found) else "does not hold"


def statement_table(statements: Iterable[Statement], caption: str) -> Table:
    """Return what was claimed and what came out, a line each."""
    rows = [
        (Cell(s.claim), Cell(s.where), _judgement(s.verdict), Cell(s.evidence)) for s in statements
    ]
    return Table(caption, ("statement", "where", "verdict", "evidence"), tuple(rows), is_prose=True)


def study_statements(summary: Summary) -> Table | None:
    """Return what the paper of a study of learners says, and what came out."""
    judge = summary.study.statements
    said = judge(summary) if judge else []
    return statement_table(said, "The paper's statements, and what came out.") if said else None


def study_sections(summary: Summary) -> tuple[Section, ...]:
    """Return the sections that only this study has."""
    make = summary.study.sections
    return tuple(section for section in make(summary) if not section.is_empty) if make else ()


def _judgement(verdict: Verdict) -> Cell:
    emphasis: dict[Verdict, Emphasis] = {"holds": "best", "does not hold": "far"}
    return Cell(verdict, emphasis=emphasis.get(verdict, ""))


def listed(words: Iterable[str]) -> str:
    """Write words as a list; only the number of very many.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    words = list(words)
    if len(words) > FEW:
        return f"{words[0]} and {len(words) - 1} others"
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
