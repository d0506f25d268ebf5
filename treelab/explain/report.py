"""`Why`: the candidates of a node and what metrics say of them, to read or to compute with."""

import math
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import attrs
import numpy as np

from treelab._markup import notebook_html
from treelab._text import aligned, count, weight_text
from treelab._typing import AnyArray
from treelab.data.frames_out import frame_of
from treelab.errors import check_number
from treelab.explain.words import By
from treelab.tree.path import write_path

METRICS_A_TABLE = 4
"""A table of more metrics would be too wide to read."""


@attrs.frozen
class Verdict:
    """What one metric says of one candidate.

    `score` and `normalized` (0 the worst of the node's candidates, 1 the best) are None where the
    metric cannot judge; `rank` counts from 1 among the candidates shown, equals sharing a place.
    """

    score: float | None
    rank: int
    normalized: float | None


@attrs.frozen
class Option:
    """A candidate: what it asks, the weight of its branches, what each metric says.

    `by` is what an edit needs to take it: `treelab.editing.Split(node, feature, by)`.
    """

    feature: str
    split: str
    branches: tuple[float, ...]
    chosen: bool
    verdicts: tuple[Verdict, ...]
    by: By = "best"

    @property
    def spread(self) -> int:
        """How far the metrics disagree: the worst rank less the best."""
        places = [verdict.rank for verdict in self.verdicts]
        return max(places) - min(places)


@attrs.frozen
class Why:
    """Every candidate at a node and what every metric says of it.

    Parameters
    ----------
    path
        The branches from the root to the node.
    classes
        The weight of each class at the node, by label.
    metrics
        The metrics, by name.
    options
        The candidates, the one of best mean rank first.
    n_candidates
        How many candidates the node has; those not shown are worse cuts of the same features.
    choices
        The split each metric would choose, in words; None where it cannot judge.
    dissent
        The metrics that would choose another split than the tree's.
    agreement
        Kendall's W of the ranks: 1 where all metrics rank alike; None where nothing is to compare.
    same_data
        Whether the node has the cases it had when the tree grew.
    """

    path: tuple[int, ...]
    classes: tuple[tuple[str, float], ...]
    metrics: tuple[str, ...]
    options: tuple[Option, ...]
    n_candidates: int
    choices: tuple[str | None, ...]
    dissent: tuple[str, ...]
    agreement: float | None
    same_data: bool = True

    @property
    def chosen(self) -> Option | None:
        """The tree's own split; None where pruning moved it here, or `top` left it out."""
        return next((option for option in self.options if option.chosen), None)

    def top(self, n: int) -> "Why":
        """Return the first `n` candidates only; ranks stay as they are."""
        check_number("the number of candidates", n, 1, whole=True)
        return attrs.evolve(self, options=self.options[:n])

    # For programs

    def columns(self) -> dict[str, list[Any]]:
        """Return the table by columns: three for each metric, one row a candidate."""
        table: dict[str, list[Any]] = {
            "feature": [option.feature for option in self.options],
            "split": [option.split for option in self.options],
            "chosen": [option.chosen for option in self.options],
        }
        for place, metric in enumerate(self.metrics):
            verdicts = [option.verdicts[place] for option in self.options]
            table[metric] = [verdict.score for verdict in verdicts]
            table[f"{metric} rank"] = [verdict.rank for verdict in verdicts]
            table[f"{metric} normalized"] = [verdict.normalized for verdict in verdicts]
        return table | {"spread": [option.spread for option in self.options]}

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the table as a frame of the given library: 'pandas', 'polars' or 'pyarrow'."""
        return frame_of({name: _array(values) for name, values in self.columns().items()}, backend)

    def to_dict(self) -> dict[str, Any]:
        """Return everything in plain values, ready for JSON."""
        return {
            "path": list(self.path),
            "classes": dict(self.classes),
            "metrics": list(self.metrics),
            "n_candidates": self.n_candidates,
            "candidates": [self._option(option) for option in self.options],
            "choices": dict(zip(self.metrics, self.choices, strict=True)),
            "dissent": list(self.dissent),
            "agreement": self.agreement,
            "same_data": self.same_data,
        }

    def _option(self, option: Option) -> dict[str, Any]:
        verdicts = map(attrs.asdict, option.verdicts)
        return attrs.asdict(option) | {
            "branches": list(option.branches),
            "spread": option.spread,
            "verdicts": dict(zip(self.metrics, verdicts, strict=True)),
            "by": [*map(list, option.by)] if isinstance(option.by, tuple) else option.by,
        }

    # For people

    @property
    def heading(self) -> str:
        """Where this is: the node and its cases."""
        counts = ", ".join(
            f"{label} {weight_text(weight)}" for label, weight in self.classes if weight
        )
        cases = weight_text(math.fsum(weight for _, weight in self.classes))
        shown, what = len(self.options), "candidate" if self.n_candidates == 1 else "candidates"
        of = f"{shown} of {self.n_candidates}" if shown < self.n_candidates else f"{shown}"
        return f"node {write_path(self.path)}: {cases} cases ({counts}); {of} {what}"

    def tables(self) -> Iterator[tuple[list[str], list[list[str]]]]:
        """Yield tables of words, a few metrics each: their heads and rows."""
        for start in range(0, len(self.metrics), METRICS_A_TABLE):
            some = slice(start, start + METRICS_A_TABLE)
            heads = ["", "split", *self.metrics[some], "spread"]
            yield heads, [_row(option, some) for option in self.options]

    @property
    def remarks(self) -> list[str]:
        """What the tables come to, a sentence each."""
        own = "* is the tree's own split" if self.chosen else "the tree's own split is not shown"
        remarks = [f"{own}; each metric: score, normalized (1 best, 0 worst), rank"]
        for split, metrics in self._others().items():
            remarks.append(f"{', '.join(metrics)} would take {split or 'nothing'}")
        if self.agreement is not None:
            remarks.append(f"agreement of the ranks (Kendall's W): {self.agreement:.2f}")
        if not self.same_data:
            remarks.append("the node had other cases when the tree grew")
        return remarks

    def _others(self) -> dict[str | None, list[str]]:
        """Return the splits that other metrics would choose, each with those metrics."""
        others: dict[str | None, list[str]] = {}
        for metric, split in zip(self.metrics, self.choices, strict=True):
            if metric in self.dissent:
                others.setdefault(split, []).append(metric)
        return others

    def __str__(self) -> str:
        tables = (aligned([heads, *rows]) for heads, rows in self.tables())
        return "\n\n".join(chain([self.heading], tables, ["\n".join(self.remarks)]))

    def __repr__(self) -> str:
        judged = f"{count(self.n_candidates, 'candidate')} by {', '.join(self.metrics)}"
        return f"<Why of node {write_path(self.path)}: {judged}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        tables = ((heads, rows, [False] * len(heads)) for heads, rows in self.tables())
        return notebook_html(self.heading, *tables, remarks=self.remarks)


def _row(option: Option, some: slice) -> list[str]:
    cells = [_cell(verdict) for verdict in option.verdicts[some]]
    return ["*" if option.chosen else "", option.split, *cells, str(option.spread)]


def _cell(verdict: Verdict) -> str:
    score = "-" if verdict.score is None else f"{verdict.score:.4g}"
    normalized = "-" if verdict.normalized is None else f"{verdict.normalized:.2f}"
    return f"{score:>9} {normalized:>4} #{verdict.rank}"


def _array(values: Sequence[Any]) -> AnyArray:
    """Return an array of words, truth values, whole numbers, or numbers with NaN for None."""
    if any(isinstance(value, float | None) for value in values):
        return np.array([np.nan if value is None else value for value in values])
    return np.array(values)
