"""`DataCheck`: what was found, to read or to compute with."""

import shlex
from typing import Any

import attrs

from treelab._markup import notebook_html
from treelab._text import aligned, count, percent, visible
from treelab.checking.facts import Facts

MANY = 60
"""Of more columns only those are printed that are suspicious."""

HEADS = ("column", "kind", "missing", "distinct", "values", "suspicious", "option")
FLUSH_RIGHT = tuple(head in ("missing", "distinct") for head in HEADS)


@attrs.frozen
class Finding:
    """Something suspicious: a word for what it is, a text for people, and what settles it."""

    kind: str
    text: str
    fix: str


@attrs.frozen
class ColumnReport:
    """A column: its role ('feature' or 'target') and kind, what it holds, what is suspicious.

    The kind is 'nominal', 'numeric', or the scale that numbers lie on, such as 'date'.
    """

    name: str
    role: str
    kind: str
    missing: int
    missing_share: float
    distinct: int
    values: str
    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, facts: Facts, role: str, findings: tuple[Finding, ...]) -> "ColumnReport":
        """Sum up a column."""
        missing = facts.cases - facts.known
        share = missing / facts.cases if facts.cases else 0.0
        column = facts.column
        kind = column.kind if column.scale is None else column.scale.name
        return cls(
            column.name, role, kind, missing, share, len(facts.distinct), facts.example(),
            findings,
        )  # fmt: skip


@attrs.frozen
class DataCheck:
    """What `treelab.check` found: a row for each column, the target last."""

    name: str
    cases: int
    target: str
    rows: tuple[ColumnReport, ...]

    @property
    def suspicious(self) -> tuple[ColumnReport, ...]:
        """The columns that something was found about."""
        return tuple(row for row in self.rows if row.findings)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values, as of JSON."""
        facts = attrs.asdict(self)
        return facts | {"rows": [_plain(row) for row in self.rows]}

    @property
    def _heading(self) -> str:
        return f"{self.name}: {count(self.cases, 'case')}, {count(len(self.rows), 'column')}"

    @property
    def _printed(self) -> tuple[ColumnReport, ...]:
        return self.rows if len(self.rows) <= MANY else self.suspicious

    def _cells(self) -> list[tuple[str, ...]]:
        return [cells for row in self._printed for cells in _lines(row)]

    def __str__(self) -> str:
        lines = self._cells()
        table = [aligned([HEADS, *lines], FLUSH_RIGHT)] if lines else []
        return "\n\n".join([self._heading, *table, self._verdict()])

    def __repr__(self) -> str:
        return f"<DataCheck of {self._heading}; {self._verdict()}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        table = HEADS, self._cells(), FLUSH_RIGHT
        return notebook_html(self._heading, table, remarks=[self._verdict()])

    def _verdict(self) -> str:
        hidden = len(self.rows) - len(self._printed)
        n = len(self.suspicious)
        verdict = f"suspicious: {n} of {count(len(self.rows), 'column')}" if n else "nothing odd"
        return f"{verdict}; {count(hidden, 'other column')} not shown" if hidden else verdict


def _plain(row: ColumnReport) -> dict[str, Any]:
    facts = attrs.asdict(row)
    return facts | {"findings": [attrs.asdict(finding) for finding in row.findings]}


def _lines(row: ColumnReport) -> list[tuple[str, ...]]:
    """Return a line for each finding, at least one."""
    missing = f"{row.missing:,} ({percent(row.missing_share)})" if row.missing else "0"
    kind = "target" if row.role == "target" else row.kind
    facts = (row.name, kind, missing, f"{row.distinct:,}", _brief(row.values))
    found = [(finding.text, finding.fix) for finding in row.findings] or [("", "")]
    firsts = [facts] + [("",) * len(facts)] * (len(found) - 1)
    return [
        tuple(map(visible, (*first, *second))) for first, second in zip(firsts, found, strict=True)
    ]


def _brief(text: str, most: int = 30) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."


def option(flag: str, *words: str) -> str:
    """Write an option as a shell takes it, its words as a list that `treelab` splits again."""
    fields = [
        '"' + word.replace('"', '""') + '"' if set(word) & set(',"') else word for word in words
    ]
    return f"{flag} {shlex.quote(','.join(fields))}"
