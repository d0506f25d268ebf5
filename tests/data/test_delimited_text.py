"""Reading delimited text."""

import csv
import gzip

import numpy as np
import pytest
from columns import values
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from read_files import CARS

from treelab.data.readers import read
from treelab.errors import (
    FileFormatError,
)


def test_csv_kinds_are_inferred_and_the_last_column_is_the_target(file):
    data = read(file("cars.csv", CARS))

    assert values(data, "age") == [3.0, None, 10.0, 4.0]
    assert values(data, "colour") == ["red", "blue", None, "red"]
    assert (data.target, data.classes) == ("class", ("bad", "good"))
    assert data.y.tolist() == [1, 0, 1, -1]
    assert data.name == "cars"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
def test_the_delimiter_is_inferred(file, delimiter):
    data = read(file("cars.txt", CARS.replace(",,", ",NA,").replace(",", delimiter)))

    assert values(data, "colour") == ["red", "blue", None, "red"]


def test_tsv_may_hold_commas(file):
    data = read(file("cars.tsv", "a,b\tc,d\n1,5\tx,y\n"))

    assert (data.features, data.target, data.classes) == (("a,b",), "c,d", ("x,y",))


def test_spaces_after_every_delimiter_are_no_part_of_the_fields(file):
    data = read(file("cars.csv", 'age, colour, class\n3, red, good\n?, "blue, dark", bad\n'))

    assert values(data, "colour") == ["red", "blue, dark"]
    assert values(data, "age") == [3.0, None]


def test_single_quotes_are_found_where_there_are_no_double_ones(file):
    data = read(file("cars.csv", "a,b\n'x,y',1\n'z',2\n"))

    assert values(data, "a") == ["x,y", "z"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_and_blank_lines(file, end):
    text = CARS.replace("\n", end).replace("3,", f"{end}  {end}3,")

    assert len(read(file("cars.csv", text))) == 4


def test_a_byte_order_mark_is_no_part_of_the_first_name(file):
    assert read(file("cars.csv", b"\xef\xbb\xbf" + CARS.encode())).features == ("age", "colour")


def test_a_packed_file_is_unpacked(file):
    data = read(file("cars.csv.gz", gzip.compress(CARS.encode())))

    assert (len(data), data.name) == (4, "cars")


def test_quoted_fields_may_hold_anything(file):
    data = read(file("q.csv", 'a,b,class\n"x, ""y""\r\nz",1,k\n'))

    assert values(data, "a") == ['x, "y"\r\nz']


def test_labels_stand_in_natural_order(file):
    data = read(file("n.csv", "a,class\n10,9\n9,10\nx,9\n"))

    assert data.schema.features[0].labels == ("9", "10", "x")
    assert data.classes == ("9", "10")


def test_none_is_a_label(file):
    assert read(file("n.csv", "a,class\n1,none\n2,None\n")).classes == ("None", "none")


def test_the_user_may_say_what_is_missing(file):
    data = read(file("n.csv", "a,class\n-9,x\n?,y\n1,z\n"), missing_marks=["-9"])

    assert values(data, "a") == [None, "?", "1"]


def test_the_user_may_say_the_kinds(file):
    path = file("n.csv", "a,b,class\n1,2,x\n2,?,y\n")

    assert values(read(path, nominal=["a"]), "a") == ["1", "2"]
    assert values(read(path, numeric=["b"]), "b") == [2.0, None]


def test_the_user_may_say_the_target(file):
    data = read(file("cars.csv", CARS), target="age")

    assert data.classes == ("3", "4", "10")
    assert data.features == ("colour", "class")


def test_an_empty_target_makes_every_column_a_feature(file):
    data = read(file("cars.csv", CARS), target="")

    assert data.features == ("age", "colour", "class")
    assert data.y.tolist() == [-1] * 4


def test_weights_come_from_a_column_or_from_the_user(file):
    path = file("w.csv", "a,w,class\n1,2,x\n2,0.5,y\n")
    data = read(path, weights="w")

    assert (data.features, data.weights.tolist()) == (("a",), [2.0, 0.5])
    assert read(path, weights=[3, 4]).weights.tolist() == [3.0, 4.0]


@pytest.mark.parametrize(
    "text", ["1,2,a\n3,4,b\n", "sunny,hot,yes\nrain,hot,no\nsunny,mild,yes\n", "5,6,7\n"]
)
def test_a_first_row_like_the_others_is_no_header(file, text):
    data = read(file("h.csv", text))

    assert (data.features, data.target) == (("x1", "x2"), "x3")
    assert len(text.splitlines()) == len(data)


def test_a_name_that_is_also_a_label_is_still_a_name(file):
    assert read(file("h.csv", "male,hot,class\nmale,no,a\nfemale,yes,b\n")).target == "class"


def test_one_column_of_labels_with_spaces_is_one_column(file):
    assert read(file("one.csv", "kind\nvery good\nbad\nnot so bad\n")).classes == (
        "bad",
        "not so bad",
        "very good",
    )


def test_a_first_row_that_alone_is_in_quotes_holds_names(file):
    names = read(file("a.csv", '"1","2"\n3,"b"\n4,b\n'))
    cases = read(file("b.csv", '"1","2"\n"3","4"\n5,6\n'))

    assert (names.features, names.target, len(names)) == (("1",), "2", 2)
    assert (cases.features, len(cases)) == (("x1",), 3)


def test_spaces_around_a_name_are_part_of_it_in_quotes_only(file):
    data = read(file("a.csv", 'a , b,\xa0c," d "\n1,2,3,x\n'))

    assert (*data.features, data.target) == ("a", "b", "c", " d ")


def test_the_user_may_say_whether_there_is_a_header(file):
    path = file("h.csv", "2001,2002,kind\n1,2,a\n")

    assert read(path, header=True).features == ("2001", "2002")
    assert len(read(path, header=False)) == 2


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("a,b,c\n1,2,3\n4,5\n", {}, "f.csv, line 3, column 2: expected 3 fields, got 2"),
        ("a,b\n1,2\n4,5,6\n", {}, "f.csv, line 3, column 3: expected 2 fields, got 3"),
        ('a,b\n"1\n\n",2\n4\n', {}, "f.csv, line 5, column 1: expected 2 fields, got 1"),
        ('a,b\n1,"2\n3,4\n', {}, "f.csv, line 2, column 2: this quoted field is never closed"),
        ('a,b\n1,2\n"3"4,5\n', {}, "f.csv, line 3, column 1: text follows a closing quote"),
        (
            "a,b\r\n1,2\r\nx,5\r\n",
            {"numeric": "a"},
            "f.csv, line 3, column 1: 'x' is not a number, but column 'a' is numeric",
        ),
        (
            "a,b\n1,2\n\n-inf,5\n",
            {},
            "line 4, column 1: column 'a' holds an infinite number, '-inf'",
        ),
        ("a,b\n1,2\n1e999,5\n", {}, "line 3, column 1: column 'a' holds an infinite number"),
        (
            b"a,b\n1,2\n\xff,5\n",
            {},
            "f.csv, line 3: byte 0xff is not UTF-8 text; encoding= (--encoding) says what it is, "
            "such as latin-1",
        ),
        ("a,,b\n1,2,3\n", {}, "f.csv: column 2 has no name"),
        ("a,b\n", {}, "f.csv holds no cases"),
        ("", {}, "f.csv is empty"),
        ("\n \n", {}, "f.csv is empty"),
    ],
)
def test_a_broken_csv_file_is_told_with_its_place(file, content, options, message):
    with pytest.raises(FileFormatError) as error:
        read(file("f.csv", content), **options)

    assert message in str(error.value)


def test_numbers_only_python_knows_are_labels(file):
    assert values(read(file("u.csv", "a,b\n1_000,x\n٣,y\n")), "a") == ["1_000", "٣"]


def test_a_number_too_long_for_the_fast_path_is_exact(file):
    text = "0.1000000000000000055511151231257827021181583404541015625"

    assert [float(text), 1e-300] == values(read(file("l.csv", f"a,b\n{text},x\n1e-300,y\n")), "a")


fields = st.text(st.sampled_from("ab,;\"' é€\n\r1."), min_size=1, max_size=5)


@settings(
    deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.tuples(fields, fields, fields), min_size=1, max_size=8))
def test_labels_are_the_fields_of_the_csv_module(tmp_path, table):
    path = tmp_path / "awkward.csv"
    with path.open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([("h1", "h2", "h3"), *table])
    data = read(path, target="", nominal=["h1", "h2", "h3"], missing_marks=[], header=True)

    assert [tuple(row) for row in table] == list(
        zip(*(values(data, name) for name in data.features), strict=True)
    )


def test_floats_survive_a_file_bit_for_bit(file):
    numbers = np.random.default_rng(3).normal(size=500) * 1e3
    rows = "".join(f"{x!r},{x:.3f},k\n" for x in numbers.tolist())
    data = read(file("f.csv", "a,b,class\n" + rows))

    assert numbers.tobytes() == data["a"].tobytes()
    assert [float(f"{x:.3f}") for x in numbers] == data["b"].tolist()
