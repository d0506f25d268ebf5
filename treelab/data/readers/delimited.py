"""CSV, TSV and their kin: comma, semicolon, tab, bar or space between the fields."""

from pathlib import Path

import attrs
import numpy as np

from treelab.data.dataset import Dataset
from treelab.data.notation import DOUBTFUL, MARKS
from treelab.data.readers.blocks import Layout
from treelab.data.readers.dialect import (
    SAMPLE_BYTES,
    SAMPLE_COLUMNS,
    SAMPLE_ROWS,
    guess_dialect,
    guess_header,
)
from treelab.data.readers.encoding import Content
from treelab.data.readers.source import Source, text_of
from treelab.data.readers.streamed import Stream
from treelab.data.readers.table import Attribute, Options, Table
from treelab.kernels.cells import LF


def read_csv(path: Path, options: Options, delimiter: str | None = None) -> Dataset:
    """Read delimited text, guessing the delimiter unless it is given."""
    source, content = text_of(path, options.encoding, options.max_bytes)
    names, layout = read_layout(source, content, options, delimiter)
    stream = Stream.of(layout, _places_of_labels(names, options))
    attributes = [Attribute(name) for name in names]
    mark = chr(layout.dialect.delimiter)
    table = Table(source, attributes, stream.fields(), stream.rows, names[-1], delimiter=mark)
    return table.dataset(options)


def read_tsv(path: Path, options: Options) -> Dataset:
    """Read text with tabs between the fields."""
    return read_csv(path, options, "\t")


def read_layout(
    source: Source, content: Content, options: Options, delimiter: str | None = None
) -> tuple[list[str], Layout]:
    """Return the names of the columns and how the text is laid out."""
    text = np.append(np.frombuffer(content[:SAMPLE_BYTES], np.uint8), np.uint8(LF))
    missing = options.missing_or(MARKS)
    dialect, width = guess_dialect(text, options.delimiter or delimiter, options.decimal)
    layout = Layout(source, content, dialect, width, missing)
    _, columns = next(layout.blocks())
    some = columns[:SAMPLE_COLUMNS]
    sample = range(min(len(columns[0].cells.starts), SAMPLE_ROWS))
    first = [[c.text(row) for c in some] for row in sample]
    quoted = [all(c.is_quoted(row) for c in some) for row in sample]
    header = (
        guess_header(first, quoted, missing | DOUBTFUL)
        if options.header is None
        else options.header
    )
    names = [c.name() if header else f"x{c.column}" for c in columns]
    return names, attrs.evolve(layout, has_names=header)


def _places_of_labels(names: list[str], options: Options) -> set[int]:
    """Tell which columns are to be read as labels, whatever they hold."""
    wanted = [*options.nominal, *([] if options.target is None else [options.target])]
    last = [len(names) - 1] if options.target is None else []
    return {*last, *(names.index(name) for name in wanted if name in names)}
