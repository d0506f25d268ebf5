"""What is doubtful about columns, said in one sentence that names the option that settles it."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import NamedTuple

from treelab._text import percent
from treelab.data.notation import USUAL
from treelab.errors import DataWarning, shown

MANY = 6
"""So many columns are named in one sentence."""


class Doubt(NamedTuple):
    """The first label that keeps a column from being numeric, and the share of what does not."""

    label: str
    share: float
    what: str = "numbers"

    def warn(self, name: str) -> None:
        """Say what is doubtful about a column, and which option settles it."""
        column, field = shown(name), shown(self.label)
        if self.share == 1:
            why = f"because {field} may have a decimal comma, or a mark between thousands"
            option = "decimal=',' or decimal='.' (--decimal) makes it numeric"
        else:
            why = f"although {percent(self.share)} of it are {self.what}, because {field} is none"
            option = f"missing_marks=[{USUAL!r}, {field}] (--missing-marks) makes that missing"
        keep = f"nominal=[{column}] (--nominal) keeps it so"
        warn(f"column {column} is read as labels {why}: {option}, {keep}")


@contextmanager
def without_doubts() -> Iterator[None]:
    """Read columns of labels without a warning, where what is doubtful is reported otherwise."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"(?s)column .* is read as labels ", DataWarning)
        yield


def warn_of_points(name: str) -> None:
    """Say that points are taken for marks between thousands."""
    warn(
        f"column {shown(name)} is read with points between thousands, as other columns have "
        "decimal commas: decimal=',' (--decimal) says that this is right"
    )


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return the names of columns; one that occurs again gets a number, and is warned of.

    >>> distinct_names(["a", "b"])
    ['a', 'b']
    """
    taken, numbers, found = set(names), dict[str, Iterator[int]](), list[str]()
    for name in names:
        if name in numbers:
            found.append(
                next(f"{name} ({n})" for n in numbers[name] if f"{name} ({n})" not in taken)
            )
            taken.add(found[-1])
        else:
            numbers[name] = count(2)
            found.append(name)
    again = [new for name, new in zip(names, found, strict=True) if new != name]
    if again:
        listed = ", ".join(map(shown, again[:MANY])) + (", ..." if len(again) > MANY else "")
        warn(
            f"a name occurs more than once; columns after the first are read as {listed}: "
            "drop= (--drop) leaves out what is not wanted"
        )
    return found


def warn(sentence: str) -> None:
    """Warn of data that may not be what they seem."""
    warnings.warn(sentence, DataWarning, stacklevel=2)
