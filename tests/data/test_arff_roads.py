"""ARFF data are the same whether CSV's kernel reads them or the rows are read one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treelab.data.readers import arff, read
from treelab.data.readers.arff import MISSING
from treelab.data.readers.source import Source
from treelab.data.readers.table import Options
from treelab.errors import DataError

HEAD = (
    "@relation r\n%c\n@attribute a real\n@attribute b {x,'y z',\"?\",' ?'}\n@attribute s string\n"
)
PIECES = [
    "1",
    "-2.5e3",
    "x",
    "'y z'",
    '"x"',
    "y z",
    "?",
    "'?'",
    "' ?'",
    "''",
    "a'b",
    ",",
    ", ",
    " ,",
]
PIECES += ["\n", "\r\n", "\r", "\n\n", " \n", "\n%c\n", " % c", "%", "\\'", "{0 1}", "{}", ",{2}"]
PIECES += [
    "\t",
    "\u00a0",
    "é",
    "\x0b",
    "'",
    '"',
    "'a\nb'",
    "1,x,q\n",
    "?,'y z',w\n",
    "1, x , a b \n",
]


def outcome(make, source):
    """Return what a road makes of a file: the data, an error, or nothing if it does not take it."""
    try:
        table = make(source, frozenset(MISSING))
        return table and table.dataset(Options())
    except DataError as error:
        return str(error)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_both_roads_lead_to_the_same_data(tmp_path_factory, body):
    path = tmp_path_factory.getbasetemp() / "roads.arff"
    path.write_bytes(f"{HEAD}@data\n1,x,q\n{body}".encode())
    source = Source.open(path)
    fast, slow = outcome(arff._dense, source), outcome(arff._any, source)
    if fast is None:
        return
    if isinstance(fast, str) or isinstance(slow, str):
        assert fast == slow
        return
    assert (fast.schema, fast.y.tolist()) == (slow.schema, slow.y.tolist())
    for column, again in zip(fast.columns, slow.columns, strict=True):
        np.testing.assert_array_equal(column, again)


@pytest.mark.parametrize(
    "body",
    [
        "1,x,q\n2,'y z',r\n",
        "1, x, q\n?, 'y z' \n".replace(" \n", ", ?\n"),
        "% before\n1,x,q   \r\n\r\n% between\r\n2,x,  r s\r\n%\n%\n%",
        '1,x,"a, b"\n?,x,"it\'s"\n'.replace("'", ""),
    ],
)
def test_plain_data_take_the_fast_road(tmp_path, body):
    path = tmp_path / "f.arff"
    path.write_text(f"{HEAD}@DATA % here\n{body}", encoding="utf-8", newline="")

    assert outcome(arff._dense, Source.open(path)) is not None
    assert len(read(path)) == 2


@pytest.mark.parametrize(
    "body",
    [
        "{0 1}\n", "1,x,q,{2}\n", "1,x,'it\\'s'\n", "1,x,q % c\n", "1,x,'?'\n", "1,x,' ? '\n",
        "1,'x',\"q\"\n", "1,x,''\n", "1,x,'a\nb'\n", "1,'x' ,q\n", "1,x\n", "1,x,q,r\n", "1,x,'q\n",
        "1,x,\u00a0q\n", "1,x,\tq\n", "",
    ],
)  # fmt: skip
def test_what_csv_reads_otherwise_takes_the_other_road(tmp_path, body):
    path = tmp_path / "s.arff"
    path.write_text(f"{HEAD}@data\n{body}", encoding="utf-8")

    assert outcome(arff._dense, Source.open(path)) is None


def test_places_are_told_on_the_fast_road(tmp_path):
    path = tmp_path / "p.arff"
    path.write_text(f"{HEAD}@data\n1,x,q\n%\n\n2,z,q\n", encoding="utf-8")

    assert outcome(arff._dense, Source.open(path)).startswith(
        "p.arff, line 10, column 2: 'z' is not a label of 'b'"
    )
