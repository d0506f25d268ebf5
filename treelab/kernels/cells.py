"""Fields of a column, as stretches of the bytes of a text: trimmed, and compared with words.

*text*    the bytes of a file, ended by a line feed that is always there.
*cells*   the fields of one column: text, and where in it each field starts and ends.
*tokens*  words that mean "missing", one after the other, and where each ends.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treelab.kernels._jit import kernel, step

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.signedinteger]

TAB, LF, CR, SPACE = 9, 10, 13, 32


class Cells(NamedTuple):
    """The fields of one column."""

    text: Bytes
    starts: Offsets
    ends: Offsets


class Tokens(NamedTuple):
    """A few words, one after the other, and which bytes one of them begins with."""

    text: Bytes
    ends: Offsets
    initials: NDArray[np.bool_]


@kernel
def count_tokens(cells: Cells, tokens: Tokens) -> int:
    """Return how many fields are one of some words."""
    count = 0
    for row in range(len(cells.starts)):
        start, end = trimmed(cells.text, cells.starts[row], cells.ends[row])
        if start < end and tokens.initials[cells.text[start]]:
            count += is_token(cells.text, start, end, tokens)
    return count


@kernel
def trim_bare(cells: Cells, quote: int) -> None:
    """Leave out white space at both ends of the fields that are not in quotes."""
    text, starts, ends = cells
    for row in range(len(starts)):
        if starts[row] == 0 or text[starts[row] - 1] != quote:
            starts[row], ends[row] = trimmed(text, starts[row], ends[row])


@kernel
def trimmed(text: Bytes, start: int, end: int) -> tuple[int, int]:
    """Leave out white space at both ends, as `float` does."""
    while start < end and _is_space(text[start]):
        start += 1
    while start < end and _is_space(text[end - 1]):
        end -= 1
    return start, end


@step
def _is_space(byte: int) -> bool:
    return byte == SPACE or TAB <= byte <= CR


@kernel
def is_token(text: Bytes, start: int, end: int, tokens: Tokens) -> bool:
    """Tell whether a stretch of a text is one of some words."""
    begin = 0
    for last in tokens.ends:
        if last - begin == end - start and same_bytes(text, start, tokens.text, begin, end - start):
            return True
        begin = last
    return False


@step
def same_bytes(left: Bytes, i: int, right: Bytes, j: int, length: int) -> bool:
    """Tell whether two stretches of so many bytes are the same."""
    for k in range(length):  # noqa: SIM110  (a generator is not compiled)
        if left[i + k] != right[j + k]:
            return False
    return True
