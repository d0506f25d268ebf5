"""Tables and values as plain text."""

import ast
import json
import math
import re
import warnings
from collections.abc import Sequence
from typing import Any

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def aligned(rows: Sequence[Sequence[str]], to_the_right: Sequence[bool] | None = None) -> str:
    """Return rows of cells as lines of equally wide columns, some of them flush right.

    >>> print(aligned([["name", "cases"], ["iris", "150"]], [False, True]))
    name  cases
    iris    150
    """
    right = to_the_right or [False] * len(rows[0])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.rjust(width) if flush else cell.ljust(width)
            for cell, width, flush in zip(row, widths, right, strict=True)
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def count(number: int, one: str, many: str | None = None) -> str:
    """Write a number of things.

    >>> count(1, "leaf", "leaves"), count(2000, "case")
    ('1 leaf', '2,000 cases')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def weight_text(total: float) -> str:
    """Write a weight of cases: whole where it is whole but for rounding, however large.

    >>> weight_text(50_000.0000000202), weight_text(2.5), weight_text(1234567)
    ('50,000', '2.5', '1,234,567')
    """
    if math.isclose(total, round(total), rel_tol=1e-9):
        return f"{round(total):,}"
    return f"{total:,.6g}"


def percent(share: float, unknown: str = "-") -> str:
    """Write a share; only all is 100.0 %, and only nothing 0.0 %.

    >>> percent(0.9531), percent(0.99996), percent(1), percent(0.0001), percent(0)
    ('95.3 %', 'above 99.9 %', '100.0 %', 'below 0.1 %', '0.0 %')
    """
    if not math.isfinite(share):
        return unknown
    if 0.9995 <= share < 1:
        return "above 99.9 %"
    if 0 < share < 0.0005:
        return "below 0.1 %"
    return f"{100 * share:.1f} %"


def visible(line: str) -> str:
    r"""Return a line with its control characters written out: a name is shown and never obeyed.

    >>> print(visible("\x1b[31mred"))
    \x1b[31mred
    """
    return CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), line)


def json_text(value: Any, indent: int | None = None) -> str:
    """Return a value as JSON, every character as it is where that can be encoded."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a surrogate pair, which only an escape can stand for
        return json.dumps(value, allow_nan=False, indent=indent)
    return text


def expression(text: str) -> ast.expr:
    """Return a Python expression as a tree, which is not run; what looks odd in it is no news.

    >>> type(expression("Learner(max_depth=3)")).__name__
    'Call'
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        return ast.parse(text, mode="eval").body
