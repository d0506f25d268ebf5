"""Delimited text, a block of rows at a time: its fields are found, read and forgotten.

A row may go on behind the end of a block, so the last row of each is left to the next one.
"""

from collections.abc import Iterator

import attrs
import numpy as np

from treelab.data.readers.bytefields import ByteFields, broken, find_fields
from treelab.data.readers.encoding import SLICE, Content
from treelab.data.readers.source import Source
from treelab.errors import FileFormatError
from treelab.kernels import delimited
from treelab.kernels.cells import LF, Cells

BLOCK = 2**21
"""So many bytes are read at a time: with what is found in them, they fit into the cache."""

Block = tuple[int, list[ByteFields]]
"""The number of the first row, and the columns."""


@attrs.frozen(eq=False)
class Layout:
    """How a text is laid out.

    Parameters
    ----------
    source, content
        The file, and what it holds.
    dialect, width
        How fields are told apart, and how many there are in a row.
    missing
        The words that mean missing.
    has_names
        Whether the first row holds names, and is no case.
    """

    source: Source
    content: Content
    dialect: delimited.Dialect
    width: int
    missing: frozenset[str]
    has_names: bool = False

    def most_rows(self) -> int:
        """Return a number of rows that the text does not have more of."""
        starts = range(0, len(self.content), SLICE)
        slices = (np.frombuffer(self.content[at : at + SLICE], np.uint8) for at in starts)
        lines = 1 + sum(map(delimited.count_lines, slices))
        # A row is no shorter than its delimiters and its line end, whatever lines are empty.
        return min(lines, 1 + len(self.content) // self.width)

    def blocks(self) -> Iterator[Block]:
        """Yield blocks of rows that are cases; where there are none, one of no rows."""
        at, size, row, is_last = 0, BLOCK, 0, False
        while not is_last:
            raw = self.content[at : at + size]
            is_last = at + len(raw) == len(self.content)
            cells, rows, end = self._block(at, raw, is_last)
            if row + rows == 0 and is_last:
                raise FileFormatError(f"{self.source.name} is empty")
            size = BLOCK if rows else 2 * size  # a row, or the gap before it, is longer than that
            if rows:
                above = int(self.has_names)
                yield max(row - above, 0), self._columns(cells, max(above - row, 0), rows, at)
                at, row = at + end, row + rows

    def _block(self, at: int, raw: bytes, is_last: bool) -> tuple[list[Cells], int, int]:
        """Return the fields of a block, how many rows surely end in it, and where these end."""
        text = np.append(np.frombuffer(raw, np.uint8), np.uint8(LF))
        outcome, cells = find_fields(text, self.dialect, self.width)
        if outcome.problem != delimited.FINE and (is_last or not _is_cut(outcome, len(raw))):
            raise broken(self.source, self.content, outcome, self.width, at)
        if is_last:
            return cells, outcome.rows, len(raw)
        unsure = int(outcome.problem == delimited.FINE and outcome.rows > 0)
        return cells, outcome.rows - unsure, outcome.began

    def _columns(self, cells: list[Cells], first: int, rows: int, at: int) -> list[ByteFields]:
        some = slice(first, rows)
        return [
            ByteFields(
                self.content,
                Cells(each.text, each.starts[some], each.ends[some]),
                column,
                self.missing,
                self.dialect,
                at,
            )
            for column, each in enumerate(cells, 1)
        ]


def _is_cut(outcome: delimited.Outcome, size: int) -> bool:
    """Tell whether a row that is not right may be so because the block ends in it."""
    return outcome.problem == delimited.UNCLOSED or (
        outcome.problem == delimited.WRONG_WIDTH and outcome.ended >= size
    )
