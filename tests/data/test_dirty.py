"""Files as people keep them: marks for missing, commas and points, names twice, old encodings."""

import io
import re
import sys
import warnings

import numpy as np
import pytest
from columns import values
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_reading import written_number

import treelab as tl
from treelab.data.notation import DOUBTFUL, MARKS, value_of
from treelab.data.readers import read
from treelab.errors import DataError, DataWarning, FileFormatError, ParameterError, UnknownNameError


@pytest.fixture
def file(file):
    """Write a file, whose name matters little, and return its path."""
    return lambda content, name="d.csv": file(name, content)


def column(file, fields, **options):
    """Read fields as a column x with semicolons around."""
    rows = "".join(f"{field};u;c{n % 2}\n" for n, field in enumerate(fields))
    return values(read(file(f"x;y;class\n{rows}"), **options), "x")


def warned(message):
    return pytest.warns(DataWarning, match=message)


# Marks for missing


@pytest.mark.parametrize("mark", sorted(MARKS))
def test_certain_marks_are_missing_among_numbers_and_labels(file, mark):
    assert column(file, ["1.5", mark, "2"]) == [1.5, None, 2]
    assert column(file, ["a", mark, "b"]) == ["a", None, "b"]


@pytest.mark.parametrize("mark", sorted(DOUBTFUL))
def test_doubtful_marks_are_missing_among_numbers_only(file, mark):
    assert column(file, ["1.5", mark, "2"]) == [1.5, None, 2]
    assert column(file, ["a", mark, "b"]) == ["a", mark, "b"]


def test_a_column_of_more_marks_than_numbers_is_one_of_labels(file):
    assert column(file, ["1", "-", "-", "1"]) == [1, None, None, 1]
    assert column(file, ["1", "-", "-"]) == ["1", "-", "-"]


def test_none_in_small_letters_stays_a_label(file):
    assert column(file, ["1", "2", "none"]) == ["1", "2", "none"]


def test_marks_that_are_given_replace_the_usual_ones_or_come_on_top(file):
    fields = ["1", "-9", "?", "-"]

    assert column(file, fields, missing_marks=["-9"]) == ["1", None, "?", "-"]
    assert column(file, fields, missing_marks=["usual", -9]) == [1, None, None, None]


def test_a_numeric_column_takes_doubtful_marks_and_names_the_option_for_others(file):
    assert column(file, ["1", "-"], numeric="x") == [1, None]
    message = "d.csv, line 3, column 1: 'abc' is not a number, but column 'x' is numeric "
    hint = "(missing_marks= or --missing-marks names what means missing)"
    with pytest.raises(FileFormatError, match=re.escape(message + hint)):
        column(file, ["1", "abc"], numeric="x")
    assert column(file, ["1", "abc"], numeric="x", missing_marks=["abc"]) == [1, None]


# Notations


SPELLINGS = st.from_regex(r"[+-]?[0-9]{0,5}([., '][0-9]{1,4}){0,3}([eE]-?[0-9])?", fullmatch=True)


@settings(max_examples=200, deadline=None)
@given(SPELLINGS, st.sampled_from([".", ","]))
def test_a_number_is_what_its_definition_says(text, decimal):
    assert value_of(text, decimal) == written_number(text, decimal)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (["173,5", "12", "0,25"], [173.5, 12, 0.25]),
        (["1.234,5", "12,0"], [1234.5, 12]),
        (["1.234.567", "3"], [1234567, 3]),
        (["8,440.05", "12.5"], [8440.05, 12.5]),
        (["1,234,567", "1,000"], [1234567, 1000]),
        (["1 234", "12"], [1234, 12]),
        (["1\u00a0234,5", "12"], [1234.5, 12]),
        (["1'234.50", "12"], [1234.5, 12]),
        (["-1.234,5", "+2"], [-1234.5, 2]),
        (["12 34", "1"], ["12 34", "1"]),
        (["1.2.3", "1"], ["1.2.3", "1"]),
        (["0,123", "1"], [0.123, 1]),
    ],
)
def test_numbers_are_read_as_people_write_them(file, fields, expected):
    assert column(file, fields) == expected


def test_one_notation_holds_for_the_whole_file(file):
    data = read(file("a;b;c\n1,5;1,234;u\n2,5;2,345;v\n"))
    assert (values(data, "a"), values(data, "b")) == ([1.5, 2.5], [1.234, 2.345])

    data = read(file("a;b;c\n1.5;1,234;u\n2.5;2,345;v\n"))
    assert (values(data, "a"), values(data, "b")) == ([1.5, 2.5], [1234, 2345])


def test_columns_that_contradict_each_other_leave_all_as_it_is(file):
    with warned("^column 'b' is read as labels because '1,5' may have a decimal comma"):
        data = read(file("a;b;c\n1.5;1,5;u\n2.5;2,5;v\n"))

    assert (values(data, "a"), values(data, "b")) == ([1.5, 2.5], ["1,5", "2,5"])


def test_a_lonely_comma_before_three_digits_is_warned_of_until_the_decimal_mark_is_said(file):
    fields = ["1,234", "2,345", "7"]
    with warned(r"decimal=',' or decimal='.' \(--decimal\) makes it numeric, nominal=\['x'\]"):
        assert column(file, fields) == fields
    assert column(file, fields, decimal=",") == [1.234, 2.345, 7]
    assert column(file, fields, decimal=".") == [1234, 2345, 7]
    assert column(file, fields, nominal="x") == fields
    with pytest.raises(FileFormatError, match=r"decimal= \(--decimal\) says what a comma means"):
        column(file, fields, numeric="x")


def test_points_before_three_digits_in_a_file_of_decimal_commas_are_warned_of(file):
    path = file("a;b;c\n1,5;1.234;u\n2,5;2;v\n")
    with warned(r"^column 'b' is read with points between thousands.*decimal=',' \(--decimal\)"):
        assert values(read(path), "b") == [1234, 2]
    assert values(read(path, decimal=","), "b") == [1234, 2]


def test_between_commas_a_point_is_that_of_decimals(file):
    """Else labels such as '1,5' would change the numbers of a file that treelab wrote."""
    path = file('a,b,c\n"1,5",1.234,u\n"2,5",2.345,v\n')
    with warned("^column 'a' is read as labels"):
        assert values(read(path), "b") == [1.234, 2.345]


def test_a_said_decimal_comma_holds_for_declared_numbers_too(file):
    path = file("a\tb\nc\td\n\tclass\n1,5\tu\n2\tv\n", "d.tab")

    assert values(read(path, decimal=","), "a") == [1.5, 2]


def test_weights_are_read_in_the_notation_of_the_file(file):
    data = read(file("a;w;c\n1,5;0,5;u\n2,5;1,5;v\n"), weights="w")

    assert data.weights.tolist() == [0.5, 1.5]


def test_the_target_has_no_notation(file):
    assert read(file("a;c\nx;1,5\ny;2,5\n")).classes == ("1,5", "2,5")


@pytest.mark.parametrize("first", ["", "a;b;c\n"])
def test_decimal_commas_are_no_delimiters(file, first):
    data = read(file(f"{first}1,5;2,5;u\n2,5;3,5;v\n"))

    assert [column.tolist() for column in data.columns] == [[1.5, 2.5], [2.5, 3.5]]


# Almost numbers


def test_a_column_that_is_almost_numbers_stays_one_of_labels_and_is_warned_of_once(file):
    fields = [*map(str, range(98)), "much", "much"]
    message = (
        "column 'x' is read as labels although 98.0 % of it are numbers, because 'much' is none: "
        "missing_marks=['usual', 'much'] (--missing-marks) makes that missing, "
        "nominal=['x'] (--nominal) keeps it so"
    )
    with pytest.warns(DataWarning) as told:
        assert column(file, fields) == fields
    assert [str(each.message) for each in told] == [message]
    settled = column(file, fields, missing_marks=["usual", "much"])
    assert settled[97:] == [97, None, None]
    assert column(file, fields, nominal="x") == fields


@pytest.mark.parametrize(
    "fields",
    [
        [*map(str, range(17)), "a", "b", "c"],  # 85 % are numbers
        ["0", "1", "2"] * 30 + ["3+"],  # few different ones: labels by intent
        [f"A{n}" for n in range(100)],
    ],
)
def test_honest_labels_are_not_warned_of(file, fields):
    assert column(file, fields) == fields


def test_one_number_in_another_notation_is_what_is_doubtful(file):
    fields = [*(f"{n}.5" for n in range(49)), "173,5"]
    with warned("although 98.0 % of it are numbers, because '173,5' is none"):
        column(file, fields)


@pytest.mark.parametrize("name", tl.dataset_names())
def test_bundled_data_are_read_without_a_warning_as_if_they_were_anybodys(name, tmp_path):
    data = tl.load(name)
    path = tmp_path / "same.csv"
    text = "\n".join(",".join(map(_quoted, row)) for row in _rows(data))
    path.write_text(text, encoding="utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again = read(path, header=True)

    assert (again.features, again.classes) == (data.features, data.classes)
    for old, new, column in zip(data.columns, again.columns, data.schema.features, strict=True):
        if column.labels is None:
            np.testing.assert_array_equal(old, new)


def _quoted(word):
    return '"' + word.replace('"', '""') + '"'


def _rows(data):
    """The names and the cases as text."""
    yield (*data.features, data.target)
    columns = [
        ["" if x != x else repr(x) for x in values.tolist()]
        if column.labels is None
        else [("", *column.labels)[code + 1] for code in values.tolist()]
        for column, values in zip(data.schema.features, data.columns, strict=True)
    ]
    yield from zip(*columns, data.labels.tolist(), strict=True)


# Names and columns


def test_a_name_that_occurs_again_gets_a_number(file):
    message = r"'a \(3\)', 'b \(2\)': drop= \(--drop\) leaves out what is not wanted$"
    with warned(message):
        data = read(file("a,b,a,b,a (2),class\n1,2,3,4,5,u\n"))

    assert data.features == ("a", "b", "a (3)", "b (2)", "a (2)")
    assert [column.tolist() for column in data.columns] == [[1], [2], [3], [4], [5]]


def test_names_that_occur_many_times_are_told_in_one_short_sentence(file):
    names = ",".join(["n" * 300] * 3000)
    with pytest.warns(DataWarning) as told:
        read(file(f"{names}\n{','.join(['1'] * 3000)}\n"))
    assert [len(str(each.message)) < 700 for each in told] == [True]


def test_columns_can_be_left_out(file):
    path = file("a,b,c\n1,2,u\n3,4,v\n")

    assert read(path, drop="a").features == ("b",)
    assert (read(path, drop=["c"]).target, read(path, drop=["c"]).features) == ("b", ("a",))
    with pytest.raises(UnknownNameError, match="unknown column 'aa': did you mean 'a'"):
        read(path, drop=["aa"])
    for wish in ({"target": "a"}, {"nominal": ["a"]}, {"weights": "a"}):
        with pytest.raises(ParameterError, match="'a' cannot be both dropped and used"):
            read(path, drop=["a"], **wish)


def test_declared_targets_and_weights_can_be_left_out(file):
    path = file("a\tw\ty\nc\tc\td\n\tweight\tclass\n1\t2\tu\n2\t3\tv\n", "d.tab")
    data = read(path, drop=["w", "y"])

    assert (data.features, data.target, data.weights.tolist()) == ((), "a", [1, 1])


# Encodings and delimiters

GERMAN = "größe;farbe\n1,5;grün\n2,5;weiß\n"


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "utf-8", "utf-16-le", "utf-8-sig"])
def test_text_is_read_in_the_encoding_that_is_said(file, encoding):
    data = read(file(GERMAN.encode(encoding)), encoding=encoding)

    assert (data.features, data.classes) == (("größe",), ("grün", "weiß"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32", "utf-8-sig"])
def test_a_byte_order_mark_says_the_encoding(file, encoding):
    assert read(file(GERMAN.encode(encoding))).features == ("größe",)


@pytest.mark.parametrize(
    ("encoding", "message"),
    [
        ("latni-1", "unknown encoding 'latni-1': did you mean 'latin-1'?"),
        ("utf8x", "unknown encoding 'utf8x': did you mean 'utf_8'?"),
        ("zlib", "unknown encoding 'zlib'"),
        ("idna", "unknown encoding 'idna'"),
        ("utf-8\0", "unknown encoding"),
        (5, "encoding must be a name such as 'latin-1', got 5"),
    ],
)
def test_an_unknown_encoding_is_told(file, encoding, message):
    with pytest.raises((UnknownNameError, ParameterError), match=re.escape(message)):
        read(file(GERMAN), encoding=encoding)


def test_bytes_that_are_no_text_are_told_with_their_line(file):
    with pytest.raises(FileFormatError, match=r"d\.csv, line 2: byte 0x81 is not cp1252 text"):
        read(file(b"a,b\n\x81,1\n"), encoding="cp1252")
    with pytest.raises(FileFormatError, match="is not utf-16 text"):
        read(file(b"\xff\xfea"))


def test_the_delimiter_may_be_said_as_it_is_or_by_name(file):
    path = file("a,b;c\n1,2;u\n")

    assert read(path, delimiter=";").features == ("a,b",)
    assert read(path, delimiter="semicolon").features == ("a,b",)
    assert read(file("a b\tc\n1 2\tu\n"), delimiter="tab").features == ("a b",)
    for wrong in ("ab", "", "x", "1", '"', "\n", "ä", 5):
        with pytest.raises(ParameterError, match="delimiter must be one character such as ';', or"):
            read(path, delimiter=wrong)


@pytest.mark.parametrize("decimal", ["x", "", 5, ";"])
def test_a_decimal_mark_is_a_point_or_a_comma(file, decimal):
    with pytest.raises(ParameterError, match=r"decimal must be '\.' or ',', got"):
        read(file(GERMAN), decimal=decimal)


@pytest.mark.parametrize(
    "options", [{"delimiter": ";"}, {"header": True}, {"encoding": "latin-1"}], ids=str
)
def test_options_that_mean_nothing_for_a_format_are_refused(tmp_path, options):
    (tmp_path / "d.parquet").write_bytes(b"")
    with pytest.raises(ParameterError, match=r"is for csv, tsv.* not for format 'parquet'"):
        read(tmp_path / "d.parquet", **options)


# Standard input


def given_in(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


def test_standard_input_is_read_as_csv_or_as_said(monkeypatch):
    given_in(monkeypatch, b"a,b\n1,u\n2,v\n")
    data = read("-")
    assert (data.name, data.features, len(data)) == ("stdin", ("a",), 2)
    assert len(read("-")) == 2, "it can be asked for again"
    given_in(monkeypatch, b"@attribute a real\n@attribute b {u,v}\n@data\n1,u\n")
    assert len(read("-", format="arff")) == 1
    given_in(monkeypatch, b"a,b\n1\n")
    with pytest.raises(FileFormatError, match=r"^standard input, line 2, column 1: expected 2"):
        read("-")
    with pytest.raises(ParameterError, match="'sqlite' cannot be read from standard input"):
        read("-", format="sqlite")


def test_standard_input_that_cannot_be_read_is_told():
    with pytest.raises(DataError, match=r"^cannot read standard input: "):
        read("-")  # pytest has closed it
