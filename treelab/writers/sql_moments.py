"""Dates and times in SQL: a column as one of their type, and the limits it is compared with."""

import math

from treelab.data.coded import ANY_NUMBER
from treelab.data.scales import Scale, limit_in_words
from treelab.writers.rules import Numbers, Range

TYPES = {"date": "DATE", "datetime": "TIMESTAMP", "datetime-utc": "TIMESTAMPTZ", "time": "TIME"}
SQLITE = {
    "date": "date({})",
    "datetime": "strftime('%Y-%m-%d %H:%M:%f', {})",
    "datetime-utc": "strftime('%Y-%m-%d %H:%M:%f', {})",
    "time": "strftime('%H:%M:%f', {})",
}
"""Functions that write any ISO date or time in one way, in which texts compare as moments do."""


def moment_ranges(dialect: str, column: str, numbers: Numbers, scale: Scale) -> list[str]:
    """Return the conditions, any of which may hold, of a column of dates or times."""
    pieces = (piece for piece in numbers.ranges if piece.low < ANY_NUMBER)
    return [_range(dialect, column, piece, scale) for piece in pieces]


def _range(dialect: str, column: str, piece: Range, scale: Scale) -> str:
    value = _value(dialect, column, scale)
    parts = []
    if piece.low > -math.inf:
        limit = _literal(dialect, scale, piece.low, not piece.low_closed)
        parts.append(f"{value} {'>=' if piece.low_closed else '>'} {limit}")
    if piece.high < ANY_NUMBER:
        limit = _literal(dialect, scale, piece.high, piece.high_closed)
        parts.append(f"{value} {'<=' if piece.high_closed else '<'} {limit}")
    return " AND ".join(parts) if parts else f"{column} IS NOT NULL"


def _value(dialect: str, column: str, scale: Scale) -> str:
    if dialect == "sqlite":
        return SQLITE[scale.name].format(column)
    return f"CAST({column} AS {TYPES[scale.name]})"


def _literal(dialect: str, scale: Scale, limit: float, closed: bool) -> str:
    words = limit_in_words(scale, limit, closed)
    if dialect != "sqlite":
        return f"{TYPES[scale.name]} '{words}'"
    if scale.name != "date":  # as many digits as its functions write
        seconds, _, fraction = words.removesuffix("Z").partition(".")
        words = f"{seconds}.{fraction[:3]:0<3}"
    return f"'{words}'"
