"""`Tuned`: what every candidate gave, and which learner was chosen."""

from typing import Any

import attrs
import numpy as np

from treelab._text import aligned, percent
from treelab._typing import IndexArray
from treelab.choosing.race import Race
from treelab.data.frames_out import frame_of
from treelab.learner import Learner
from treelab.metrics.names import name_of
from treelab.tuning.grid import Candidate

SHOWN = 10
"""So many candidates are printed."""


@attrs.frozen(eq=False, repr=False)
class Tuned:
    """The learner chosen of many, and what each of them gave. Made by `treelab.tune`.

    Attributes
    ----------
    candidates
        The learners that were tried, in order.
    race
        Their accuracies and leaves, (candidate, fold).
    within
        How many standard errors a smaller tree could cost.
    n_cases
        How many cases they were judged by.
    """

    candidates: tuple[Candidate, ...]
    race: Race
    within: float
    n_cases: int

    @property
    def place(self) -> int:
        """The place of the candidate that was chosen."""
        return self.race.smallest_within(self.within)

    @property
    def learner(self) -> Learner:
        """The learner that was chosen."""
        return self.candidates[self.place].learner

    @property
    def best(self) -> Learner:
        """The most accurate learner, whatever its size."""
        return self.candidates[self.race.best].learner

    @property
    def accuracy(self) -> float:
        """The mean accuracy of the chosen learner on the folds."""
        return float(self.race.means[self.place])

    @property
    def leaves(self) -> float:
        """The mean number of leaves of the chosen learner on the folds."""
        return float(self.race.sizes[self.place])

    @property
    def line(self) -> str:
        """The chosen learner as a line of Python: what differs from the defaults."""
        return f"tl.Learner({', '.join(f'{k}={_written(v)}' for k, v in self._changed.items())})"

    @property
    def command(self) -> str:
        """The options of `treelab train` that make the chosen learner."""
        return " ".join(f"--{k.replace('_', '-')} {_spelt(v)}" for k, v in self._changed.items())

    @property
    def _changed(self) -> dict[str, Any]:
        default, settings = Learner().settings, self.learner.settings
        return {name: value for name, value in settings.items() if value != default[name]}

    @property
    def why(self) -> str:
        """What was chosen, in words."""
        means, best = self.race.means, self.race.best
        n = len(self.race.names) - len(self.race.errors)
        text = f"{100 * self.accuracy:.1f} % and {self.leaves:.1f} leaves on {self._folds}"
        if self.place == best:
            return f"{text}: the most accurate of {n}"
        return (
            f"{text}: the smallest of {int(self.race.within(self.within).sum())} within "
            f"{_number(self.within)} of the most accurate of {n} "
            f"({100 * means[best]:.1f} %, {self.race.sizes[best]:.1f} leaves)"
        )

    @property
    def _folds(self) -> str:
        return f"{self.race.accuracy.shape[1]} folds of {self.n_cases:,} cases"

    # For people and programs

    @property
    def order(self) -> IndexArray:
        """The candidates from the most accurate to the least, smaller ones first where equal."""
        return np.lexsort((self.race.sizes.round(12), -self.race.means.round(12)))

    def rows(self, most: int | None = None) -> list[list[str]]:
        """Return the cells of the table, the most accurate candidate first."""
        close = self.race.within(self.within)
        return [
            [
                "*" if place == self.place else "",
                *map(name_of, self.candidates[place].varied.values()),
                percent(self.race.means[place], "failed"), _one_digit(self.race.sizes[place]),
                "yes" if close[place] else "",
            ]
            for place in self.order[:most].tolist()
        ]  # fmt: skip

    @property
    def heads(self) -> list[str]:
        """The heads of the table's columns."""
        return ["", *self.candidates[0].varied, "accuracy", "leaves", "close"]

    @property
    def flush_right(self) -> list[bool]:
        """Which columns are flush right."""
        return [False, *(False for _ in self.candidates[0].varied), True, True, False]

    def to_dict(self) -> dict[str, Any]:
        """Return everything in plain values, ready for JSON."""
        return {
            "line": self.line,
            "command": self.command,
            "why": self.why,
            "learner": self.learner.settings,
            "accuracy": self.accuracy,
            "leaves": self.leaves,
            "candidates": [
                {
                    "candidate": name,
                    "accuracy": self.race.accuracy[k].tolist() if name not in failed else None,
                    "leaves": self.race.leaves[k].tolist() if name not in failed else None,
                    "error": failed.get(name),
                }
                for failed in [self.race.errors]
                for k, name in enumerate(self.race.names)
            ],
        }

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return a row a candidate as a frame: 'pandas', 'polars' or 'pyarrow'."""
        columns = {
            "candidate": np.array(self.race.names),
            "accuracy": np.where(np.isinf(self.race.means), np.nan, self.race.means),
            "leaves": np.where(np.isinf(self.race.sizes), np.nan, self.race.sizes),
            "close": self.race.within(self.within),
            "chosen": np.arange(len(self.candidates)) == self.place,
        }
        return frame_of(columns, backend)

    def __str__(self) -> str:
        more = len(self.candidates) - SHOWN
        rest = f"\n(and {more} more)" if more > 0 else ""
        table = aligned([self.heads, *self.rows(SHOWN)], self.flush_right)
        return f"{table}{rest}\n\n{self.line}\n{self.why}"

    def __repr__(self) -> str:
        return f"<Tuned: {self.line}; {self.why}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from html import escape

        heads = "".join(f"<th>{head}</th>" for head in self.heads)
        rows = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self.rows(SHOWN))
        lines = "".join(f"<tr>{row}</tr>" for row in rows)
        return (
            f"<p><code>{escape(self.line, quote=False)}</code><br>{escape(self.why)}</p>"
            f"<table><tr>{heads}</tr>{lines}</table>"
        )


def _number(errors: float) -> str:
    return f"{errors:g} standard error{'' if errors == 1 else 's'}"


def _one_digit(number: float) -> str:
    return f"{number:.1f}" if np.isfinite(number) else ""


def _written(value: Any) -> str:
    """Write a setting in Python; what no name stands for, as it is written there."""
    only_text = isinstance(value, dict) and list(value) == ["repr"]
    return str(value["repr"]) if only_text else repr(value)


def _spelt(value: Any) -> str:
    """Write a setting as an option of the command line."""
    text = str(value)
    if isinstance(value, dict):
        given = (f"{k}={_of_parameter(v)}" for k, v in value.items() if k != "name")
        text = f"{value['name']}:{','.join(given)}"
    return f"'{text}'" if " " in text else text


def _of_parameter(value: Any) -> str:
    return "/".join(map(str, value)) if isinstance(value, list | tuple) else str(value).lower()
