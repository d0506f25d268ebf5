"""The codes of values, by SQL.

Among few points a code is found by halving, in steps that all columns take together, over lists
that are the same for all cases: five times as fast as nested CASE expressions, whose every leaf is
evaluated for a few cases only. Among many it is looked up.
"""

from collections.abc import Sequence

import numpy as np

from treelab._typing import FloatArray
from treelab.data.coded import Axis, code_type
from treelab.scale.database.columns import double
from treelab.scale.database.source import Database

FEW = 2**10
"""So many points are searched; more are looked up."""

TYPES = {np.uint8: "UTINYINT", np.uint16: "USMALLINT", np.uint32: "UINTEGER"}


def coded_query(database: Database, values: str, axes: Sequence[Axis]) -> str:
    """Return the query of codes f0, f1, ... of the values n0, n1, ... of another; missing last.

    Its other columns are left as they are.
    """
    searched = {f: axis for f, axis in enumerate(axes) if _is_searched(axis)}
    looked_up = {
        f: _points(database, axis)
        for f, axis in enumerate(axes)
        if axis.kind != "nominal" and f not in searched
    }
    found = _searched(values, searched)
    joins = " ".join(f"LEFT JOIN {t} ON n{f} = {t}.v" for f, t in looked_up.items())
    codes = {f: f"n{f}" for f in range(len(axes))}
    codes |= {f: f"CASE WHEN n{f} IS NULL THEN NULL ELSE k{f} END" for f in searched}
    codes |= {f: f"{table}.code" for f, table in looked_up.items()}
    columns = [f"{_typed(codes[f], axis)} AS f{f}" for f, axis in enumerate(axes)]
    return f"SELECT {', '.join(['y', 'w', *columns])} FROM ({found}) {joins}"


def _typed(code: str, axis: Axis) -> str:
    """Return a code, or where missing the one behind the last, in as few bytes as it takes."""
    return f"CAST(coalesce({code}, {axis.n_codes}) AS {TYPES[code_type(axis.n_codes + 1)]})"


def _is_searched(axis: Axis) -> bool:
    return axis.kind != "nominal" and axis.n_codes <= FEW


def _points(database: Database, axis: Axis) -> str:
    """Return a table of the distinct values of an axis."""
    with database.given(points={"v": axis.points, "code": np.arange(axis.n_codes)}):
        return database.make("SELECT v, code FROM points")


def _searched(values: str, axes: dict[int, Axis]) -> str:
    """Return the query with k0, k1, ...: how many ends of each axis lie below the value."""
    ends = {f: axis.points[: max(axis.n_codes - 1, 0)] for f, axis in axes.items()}
    steps = {f: len(points).bit_length() for f, points in ends.items()}
    lists = {f: _list(points, steps[f]) for f, points in ends.items()}
    added = "".join(f", CAST(0 AS INTEGER) AS k{f}, {each} AS e{f}" for f, each in lists.items())
    query = f"SELECT *{added} FROM ({values})"
    for step in reversed(range(max(steps.values(), default=0))):
        moves = [_move(f, 1 << step) for f in axes if step < steps[f]]
        query = f"SELECT * REPLACE ({', '.join(moves)}) FROM ({query})"
    return query


def _move(f: int, half: int) -> str:
    return f"k{f} + CASE WHEN n{f} > e{f}[k{f} + {half}] THEN {half} ELSE 0 END AS k{f}"


def _list(ends: FloatArray, steps: int) -> str:
    """Return the ends as a list; nothing is above those that fill it up."""
    filled = [*ends.tolist(), *[np.inf] * ((1 << steps) - 1 - len(ends))]
    return f"CAST([{', '.join(map(double, filled))}] AS DOUBLE[])"
