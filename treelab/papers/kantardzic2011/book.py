"""The figures of the book beside ours: lines of `expected.csv`, and what each is found to be.

A figure is as printed if it differs by less than a unit of its last printed digit: the book now
rounds and now cuts off.
"""

from collections.abc import Iterator
from typing import Literal

import attrs

from treelab.experiment.report.tables import NONE
from treelab.experiment.simulation import Answers

Verdict = Literal["as printed", "differs", "no figure"]
WORDS = {"no": 0.0, "yes": 1.0}
DIGITS = 4
"""Of figures the book does not print."""

SETTLED = 9
"""Further digits are left to rounding, which differs from machine to machine."""


@attrs.frozen
class Line:
    """A figure: its name, where the book has it, what it prints (if it does), and what is ours."""

    topic: str
    where: str
    figure: str
    book: str
    remark: str
    ours: float

    @property
    def verdict(self) -> Verdict:
        if not self.book:
            return "no figure"
        return "as printed" if abs(self.ours - self.printed) < self.unit - 1e-9 else "differs"

    @property
    def printed(self) -> float:
        """What the book prints, as a number."""
        return WORDS[self.book] if self.book in WORDS else float(self.book)

    @property
    def unit(self) -> float:
        """One of the last printed digit; half of it for whole numbers, which are counts."""
        places = self.decimals
        return 10.0**-places if places else 0.5

    @property
    def decimals(self) -> int:
        return len(self.book.partition(".")[2])

    @property
    def is_word(self) -> bool:
        """Whether it says yes or no: as the book does, or, where it is silent, of what is kept.

        The number of components kept, which the book prints, is a number.
        """
        return self.book in WORDS or (not self.book and self.figure.endswith(" kept"))

    @property
    def text(self) -> str:
        """Ours, with as many digits as the book."""
        if self.is_word:
            return "yes" if self.ours else "no"
        ours = round(self.ours, SETTLED)
        if not self.decimals:
            return f"{ours:.{DIGITS}f}".rstrip("0").removesuffix(".")
        return f"{ours:.{self.decimals}f}"

    @property
    def shown(self) -> str:
        """What the book prints, or a dash."""
        return self.book or NONE


def lines(answers: Answers) -> list[Line]:
    """Return all lines whose topic has been worked out."""
    return list(_lines(answers))


def _lines(answers: Answers) -> Iterator[Line]:
    for row in answers.study.printed():
        for _, values in answers.of(row["topic"]):
            if row["figure"] in values:
                yield Line(**row, ours=values[row["figure"]])
