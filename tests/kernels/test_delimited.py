"""The delimited-text kernels against Python's own `csv` and `float`."""

import csv
import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_reading import written_number

from treelab.kernels import delimited, numerals, text_labels
from treelab.kernels.cells import LF, Cells, Tokens, count_tokens, trim_bare

NONE = Tokens(np.empty(0, np.uint8), np.empty(0, np.int64), np.zeros(256, np.bool_))
COMMA = delimited.Dialect(ord(","), ord('"'), False)


def as_text(content):
    return np.append(np.frombuffer(content.encode(), np.uint8), np.uint8(LF))


def tokenized(content, width, dialect=COMMA, offset=np.int32):
    text = as_text(content)
    starts = np.zeros((width, delimited.count_lines(text)), offset)
    ends = starts.copy()
    outcome = delimited.tokenize(text, dialect, starts, ends)
    rows = [
        [text[starts[c, r] : ends[c, r]].tobytes().decode() for c in range(width)]
        for r in range(outcome.rows)
    ]
    return rows, outcome


def cells(fields):
    coded = [field.encode() for field in fields]
    lengths = np.array([len(field) for field in coded], dtype=np.int32)
    ends = np.cumsum(lengths, dtype=np.int32)
    return Cells(as_text("".join(fields)), ends - lengths, ends)


def bits(number):
    return struct.pack("<d", number)


awkward = st.text(st.sampled_from("ab,;\"'\n\r é€\t|"), max_size=6)


@settings(deadline=None, max_examples=150)
@given(st.lists(st.lists(awkward, min_size=3, max_size=3), min_size=1, max_size=6), st.booleans())
def test_fields_are_those_of_the_csv_module(table, quote_all):
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL).writerows(table)
    expected = list(csv.reader(io.StringIO(stream.getvalue(), newline=""), strict=True))

    assert expected == tokenized(stream.getvalue(), 3)[0]


@pytest.mark.parametrize("offset", [np.int32, np.int64])
def test_offsets_may_have_either_width(offset):
    assert tokenized('a,b\r\nc,"d""e"', 2, offset=offset)[0] == [["a", "b"], ["c", 'd"e']]


def test_spaces_collapse_where_a_space_is_the_delimiter():
    dialect = delimited.Dialect(ord(" "), ord('"'), True)

    assert tokenized('  1   2 \n3 "4 5"  \n   \n', 2, dialect)[0] == [["1", "2"], ["3", "4 5"]]


@pytest.mark.parametrize(
    ("content", "outcome"),
    [
        ("a,b\nc\n", (1, delimited.WRONG_WIDTH, 1, 4, 4, 5)),
        ("a,b\nc,d,e\n", (1, delimited.WRONG_WIDTH, 3, 4, 4, 9)),
        ('a,b\nc,"d\n', (1, delimited.UNCLOSED, 1, 7, 4, 10)),
        ('a,b\n"c"x,d\n', (1, delimited.AFTER_QUOTE, 0, 5, 4, 12)),
        ("a,b\nc,d\n \n", (2, delimited.FINE, 0, 11, 4, 7)),
    ],
)
def test_a_broken_row_is_told_with_its_place(content, outcome):
    assert outcome == tokenized(content, 2)[1]


@pytest.mark.parametrize("content", ["a , b\t,' c '", " a,b ,c", "  ,' ',\tx y\t"])
def test_spaces_around_bare_fields_are_left_out(content):
    text = as_text(content)
    dialect = delimited.Dialect(ord(","), ord("'"), True)
    starts = np.zeros((3, 1), np.int32)
    ends = starts.copy()
    delimited.tokenize(text, dialect, starts, ends)
    for column in range(3):
        trim_bare(Cells(text, starts[column], ends[column]), dialect.quote)
    found = [text[s:e].tobytes().decode() for s, e in zip(starts[:, 0], ends[:, 0], strict=True)]

    # No field of these holds a comma.
    expected = [field.strip() for field in content.split(",")]
    assert found == [e[1:-1] if e.startswith("'") else e for e in expected]


def parsed(fields):
    values, unsettled, bad = numerals.parse_numbers(cells(fields), NONE)
    for row in np.flatnonzero(unsettled):
        values[row] = float(fields[row])
    return values, unsettled, bad


def test_numbers_written_by_repr_or_rounded_are_bit_for_bit_those_of_float():
    rng = np.random.default_rng(7)
    floats = rng.normal(size=400) * 10.0 ** rng.integers(-12, 12, 400)
    fields = [form % x for x in floats.tolist() for form in ("%r", "%.3f", "%.17g", "%e", "%.0f")]
    values, unsettled, bad = parsed(fields)

    assert bad == -1
    assert [bits(float(field)) for field in fields] == [bits(value) for value in values]
    assert unsettled.mean() < 0.5


@settings(deadline=None, max_examples=300)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_any_float_survives_writing_and_reading(number):
    assert bits(number) == bits(parsed([repr(number)])[0][0])


@settings(deadline=None, max_examples=300)
@given(st.integers(2**53, 10**18), st.integers(0, 22))
def test_long_mantissas_are_rounded_as_float_rounds_them(mantissa, places):
    digits = str(mantissa).zfill(places + 1)
    field = f"{digits[: len(digits) - places]}.{digits[len(digits) - places :]}"

    assert bits(float(field)) == bits(parsed([field])[0][0])


def test_a_tie_between_two_floats_is_not_decided_by_the_fast_path():
    fields = ["9007199254740993.0", "900719925474099.25", "0.9007199254740993"]

    assert [bits(float(field)) for field in fields] == [bits(v) for v in parsed(fields)[0]]


@pytest.mark.parametrize(
    "field",
    [".5", "5.", "+1", "-0", "1E5", "1e+05", " 7\t", "0" * 30 + "1", "2.5e99999999999", "1e-400"],
)
def test_every_spelling_of_a_decimal_number_is_read(field):
    assert bits(float(field)) == bits(parsed([field])[0][0])


@pytest.mark.parametrize(
    "field", ["", ".", "+", "e5", "1e", "1e+", "1_0", "1.2.3", "0x1", "1 2", "--1"]
)
def test_what_is_no_number_is_told(field):
    assert parsed(["1", field, "2"])[2] == 1


SPELLINGS = st.from_regex(
    r" ?[+-]?[0-9]{0,5}([.,' \u00a0\u202f][0-9]{1,4}){0,3}([eE]-?[0-9])?[.,x]?", fullmatch=True
)


@settings(deadline=None, max_examples=200)
@given(SPELLINGS | st.sampled_from(["n.a.", "", "inf", ".", ",", "-,5"]), st.sampled_from(".,"))
def test_numbers_of_a_notation_are_those_of_its_definition(field, decimal):
    thousands = "," if decimal == "." else "."
    words = numerals.parse_written(cells(["1", field]), NONE, ord(decimal), ord(thousands))
    values, unsettled, bad = words
    expected = written_number(field, decimal)

    if unsettled[1]:
        return  # only `float` can tell, and is asked
    assert (bad == -1) == (expected is not None)
    assert expected is None or bits(values[1]) == bits(expected)


def test_marks_are_missing_in_any_notation_and_are_counted():
    coded = np.frombuffer(b"n.a..-", np.uint8)
    marks = Tokens(coded, np.array([4, 5, 6]), np.isin(np.arange(256), coded))
    fields = cells(["1,5", " n.a. ", ".", "-", "n.a", ""])
    values, _, bad = numerals.parse_written(fields, marks, ord(","), ord("."))

    assert (values[0], np.isnan(values[1:4]).all(), bad) == (1.5, True, 4)
    assert count_tokens(fields, marks) == 3


def test_labels_are_coded_by_first_appearance_however_many():
    rng = np.random.default_rng(1)
    fields = [f"v{k}" for k in rng.integers(0, 300, 1000)]
    known = {}
    expected = [known.setdefault(field, len(known)) for field in fields]
    codes, firsts = text_labels.code_labels(cells(fields))

    assert expected == codes.tolist()
    assert list(known) == [fields[row] for row in firsts]
