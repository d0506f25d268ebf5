"""Tables as plain text."""

from collections.abc import Sequence


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
