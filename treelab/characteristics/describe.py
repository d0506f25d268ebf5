"""`meta`: what data are like, in numbers with names and formulas."""

from collections.abc import Iterator, Mapping
from math import inf
from typing import Any

import attrs
import numpy as np

from treelab._text import aligned
from treelab.characteristics.catalog import CHARACTERISTICS
from treelab.characteristics.facts import Facts
from treelab.data.checks import check_target
from treelab.data.dataset import Dataset
from treelab.data.frames_out import frame_of
from treelab.errors import UnknownNameError, check_number

MAX_CASES = 1000
FORMULAS = {each.name: each.formula for each in CHARACTERISTICS}


@attrs.frozen(repr=False)
class Meta(Mapping[str, float]):
    """The characteristics of data: a mapping from name to number. Made by `treelab.meta`."""

    values_by_name: Mapping[str, float]

    def __getitem__(self, name: str) -> float:
        if name not in self.values_by_name:
            raise UnknownNameError("characteristic", name, self.values_by_name)
        return self.values_by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    def formula(self, name: str) -> str:
        """Return how a characteristic is computed."""
        _ = self[name]
        return FORMULAS[name]

    def to_dict(self) -> dict[str, float]:
        """Return the numbers by name, ready for JSON."""
        return dict(self.values_by_name)

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return a row a characteristic as a frame: 'pandas', 'polars' or 'pyarrow'."""
        columns = {
            "characteristic": np.array(list(self)),
            "value": np.array(list(self.values())),
            "formula": np.array([FORMULAS[name] for name in self]),
        }
        return frame_of(columns, backend)

    def rows(self) -> list[list[str]]:
        """Return name, number and formula as text."""
        return [[name, f"{value:.6g}", FORMULAS[name]] for name, value in self.items()]

    def __str__(self) -> str:
        return aligned([HEADS, *self.rows()], FLUSH_RIGHT)

    def __repr__(self) -> str:
        shown = ("cases", "features", "classes", "interaction", "concept variation")
        return f"<Meta: {', '.join(f'{name} {self[name]:.4g}' for name in shown)}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from html import escape

        lines = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in self.rows())
        heads = "".join(f"<th>{head}</th>" for head in HEADS)
        return f"<table><tr>{heads}</tr>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


HEADS = ("characteristic", "value", "formula")
FLUSH_RIGHT = (False, True, False)


def meta(data: Dataset, *, max_cases: int | None = MAX_CASES, seed: int = 0) -> Meta:
    """Return characteristics of data, each with a name and a formula.

    Those of the counts that vilalta2001 asks for at its end: the mass of the four cases R1 to R4
    of pairs by distance, how much nearer pairs agree more (`interaction`), with class entropy,
    sizes, and Vilalta's concept variation. Missing is a value of its own; a case of weight 2 is two
    cases; cases of unknown class are left out. The order of the cases does not matter.

    Parameters
    ----------
    data
        The cases.
    max_cases
        Look at the pairs of no more than so many distinct cases, drawn at random; None: of all.
    seed
        For that draw.

    Examples
    --------
    >>> import treelab as tl
    >>> found = tl.meta(tl.make("exor", n=2, m=0, cases=100))
    >>> round(found["best feature"], 3), round(found["interaction"], 3)
    (0.005, 0.053)
    >>> found.formula("agreement")
    'P(same class) of a pair'
    """
    check_target(data)
    if max_cases is not None:
        check_number("max_cases", max_cases, 2, whole=True)
    check_number("seed", seed, -inf, whole=True)
    facts = Facts.of(data, max_cases, seed)
    return Meta({each.name: each.of(facts) for each in CHARACTERISTICS})
