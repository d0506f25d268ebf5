"""Reading files: every format, every way a file can be broken."""

import csv
import gzip
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from columns import values
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet as pq

from treelab.data.readers import read
from treelab.errors import (
    DataError,
    DataWarning,
    FileFormatError,
    MissingExtraError,
    ParameterError,
    TreelabError,
    UnknownNameError,
)

CARS = "age,colour,class\n3,red,good\n?,blue,bad\n10,,good\n4,red,?\n"


# delimited text


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


# choosing the file and the format


def test_an_unknown_column_is_told_with_the_nearest_name(file):
    path = file("cars.csv", CARS)

    for option in ({"target": "clas"}, {"nominal": ["clas"]}, {"weights": "clas"}):
        with pytest.raises(UnknownNameError, match="unknown column 'clas': did you mean 'class'"):
            read(path, **option)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"numeric": "class"}, "the target is always nominal, but numeric= names 'class'"),
        ({"numeric": "age", "nominal": "age"}, "'age' cannot be both nominal and numeric"),
        ({"weights": "class"}, "'class' cannot be both target and weights"),
    ],
)
def test_wishes_that_contradict_each_other_are_refused(file, options, message):
    with pytest.raises(ParameterError, match=message):
        read(file("cars.csv", CARS), **options)


def test_the_weights_must_be_as_many_as_the_cases(file):
    with pytest.raises(DataError, match="expected 4 weights, got 1"):
        read(file("cars.csv", CARS), weights=[1.0])


def test_an_unknown_suffix_is_told_with_the_nearest(file):
    with pytest.raises(
        UnknownNameError, match=r"unknown file suffix '\.csw': did you mean '\.csv'"
    ):
        read(file("cars.csw", CARS))


def test_the_format_may_be_said(file):
    assert len(read(file("cars.data", CARS), format="csv")) == 4
    with pytest.raises(ParameterError, match="did you mean 'csv'"):
        read(file("cars.csv", CARS), format="csvv")


def test_a_file_that_is_not_there_or_a_directory_is_told(tmp_path):
    with pytest.raises(DataError, match=r"there is no file .*nothing\.csv"):
        read(tmp_path / "nothing.csv")
    with pytest.raises(DataError, match="is a directory"):
        read(tmp_path)


def test_a_file_that_cannot_be_read_is_told(file, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    path = file("cars.csv", CARS)
    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(DataError, match=r"cannot read .*cars\.csv: Permission denied"):
        read(path)


def test_a_damaged_gzip_file_is_told(file):
    with pytest.raises(FileFormatError, match=r"cars\.csv\.gz is not a whole gzip file"):
        read(file("cars.csv.gz", gzip.compress(CARS.encode())[:-9]))


def test_header_is_refused_where_it_means_nothing(file):
    with pytest.raises(
        ParameterError, match=r"header= \(--no-header\) is for csv, tsv, excel files, not"
    ):
        read(file("a.arff", ARFF), header=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"nominal": None}, "nominal must be a word or a list of words, got None"),
        ({"numeric": 5}, "numeric must be a word or a list of words, got 5"),
        ({"missing_marks": 5}, "missing_marks must be a word or a list of words, got 5"),
        ({"header": "x"}, "header must be True, False or None, got 'x'"),
    ],
)
def test_wishes_of_the_wrong_type_are_refused(file, options, message):
    with pytest.raises(ParameterError, match=message):
        read(file("cars.csv", CARS), **options)


def test_a_missing_mark_may_be_a_number(file):
    assert read(file("x.csv", "a,y\n-9,p\n1,q\n"), missing_marks=[-9]).missing() == {"a": 1}


# ARFF

ARFF = r"""% a comment
@RELATION cars

@Attribute 'the age' REAL
@attribute colour {red, 'dark blue', "it\'s"}
@attribute CLASS {good,bad}
@attribute note string
@DATA
3, red, good, 'a, b'
?, 'dark blue', bad, ?
% between
1e1, "it's", ?, '?'   % behind
"""


def test_arff_with_every_kind(file):
    data = read(file("cars.arff", ARFF))

    assert values(data, "the age") == [3.0, None, 10.0]
    assert values(data, "colour") == ["red", "dark blue", "it's"]
    assert values(data, "note") == ["a, b", None, "?"]
    assert (data.target, data.classes, data.y.tolist()) == ("CLASS", ("good", "bad"), [0, 1, -1])


def test_arff_declared_labels_are_kept_in_order_even_unused(file):
    data = read(file("c.arff", "@relation r\n@attribute a {z,y,x}\n@attribute b {k}\n@data\ny,k\n"))

    assert data.schema.features[0].labels == ("z", "y", "x")
    assert data.target == "b"


SPARSE = """@relation r
@attribute a numeric
@attribute b {no,yes}
@attribute c {x,'y z'}
@data
{0 5, 2 'y z'}
{}
{1 yes, 0 ?}, {0.5}
"""


def test_sparse_arff_fills_in_zero_and_the_first_label(file):
    data = read(file("s.arff", SPARSE))

    assert values(data, "a") == [5.0, 0.0, None]
    assert values(data, "b") == ["no", "no", "yes"]
    assert data.y.tolist() == [1, 0, 0]


def test_arff_instance_weights(file):
    path = file("w.arff", SPARSE.replace("{}", "1, yes, x, {2}"))

    assert read(path).weights.tolist() == [1.0, 2.0, 0.5]
    assert read(path, weights=[1, 1, 1]).weights.tolist() == [1.0, 1.0, 1.0]


def test_kinds_a_file_declares_may_be_overruled(file):
    text = "@relation r\n@attribute a {2,1}\n@attribute b real\n@attribute c {k}\n@data\n1,2.50,k\n"
    data = read(file("o.arff", text), numeric="a", nominal="b")

    assert values(data, "a") == [1.0]
    assert values(data, "b") == ["2.50"]


HEAD = "@relation r\n@attribute a real\n@attribute b {x,y}\n@data\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "1,x\n2,z\n", "f.arff, line 6, column 2: 'z' is not a label of 'b' (x, y)"),
        (HEAD + "one,x\n", "f.arff, line 5, column 1: 'one' is not a number"),
        (HEAD + "1\n", "f.arff, line 5, column 1: expected 2 fields, got 1"),
        (HEAD + "1,'x\n", 'f.arff, line 5, column 2: cannot read "\'x"'),
        (HEAD + "{2 x}\n", "f.arff, line 5, column 3: there is no attribute 2; the last is 1"),
        (HEAD + "{x}\n", "f.arff, line 5, column 1: cannot read 'x'"),
        (HEAD + "1,x,{w}\n", "f.arff, line 5: the weight 'w' is not a number"),
        (
            "@attribute a blob\n@data\n",
            "line 1: attribute 'a' has type 'blob', which cannot be read",
        ),
        ("@attribute a {x,x}\n@data\n", "line 1: label 'x' of 'a' is declared twice"),
        ("@attribute\n@data\n", "line 1: expected a name and a type after @attribute"),
        ("1,2\n", "f.arff, line 1: expected @attribute or @data, got '1,2'"),
        ("@attribute a real\n", "f.arff has no line @data"),
        ("@relation r\n@data\n", "f.arff declares no @attribute"),
        (HEAD, "f.arff holds no cases"),
    ],
)
def test_a_broken_arff_file_is_told_with_its_place(file, text, message):
    with pytest.raises(FileFormatError) as error:
        read(file("f.arff", text))

    assert message in str(error.value)


# C4.5

NAMES = r"""| cars
good, bad.      | the classes

age:    continuous.
id:     ignore.
engine size: small, not\,
             small, v1.5
maker:  discrete 10.
"""
NAMES = NAMES.replace("not\\,\n             small", "not\\, small,\n            large")
CASES = "3, 17, small, vw, good\n?, 18, not\\, small, ?, bad.\n| nothing\n4,19,v1.5,vw,?\n"


def test_c45_is_read_from_either_file_of_the_pair(file):
    paths = [file("cars.names", NAMES), file("cars.data", CASES)]

    for data in map(read, paths):
        assert data.features == ("age", "engine size", "maker")
        assert values(data, "age") == [3.0, None, 4.0]
        assert values(data, "engine size") == ["small", "not, small", "v1.5"]
        assert values(data, "maker") == ["vw", None, "vw"]
        assert (
            data.target,
            data.classes,
            data.y.tolist(),
        ) == ("class", ("good", "bad"), [0, 1, -1])


def test_c45_test_cases_share_the_names(file):
    file("cars.names", NAMES)

    assert len(read(file("cars.test", "1,2,large,vw,bad\n"))) == 1


def test_c45_names_may_name_the_target(file):
    path = file("t.names", "b.\na: continuous.\nb: x, y.\n")
    file("t.data", "1,x\n2,y\n")

    assert (read(path).target, read(path).classes) == ("b", ("x", "y"))


def test_a_lonely_half_of_a_c45_pair_is_told(file):
    with pytest.raises(DataError, match=r"iris\.data needs iris\.names beside it.*format='csv'"):
        read(file("iris.data", "1,2,a\n"))
    with pytest.raises(DataError, match=r"cars\.names needs cars\.data beside it"):
        read(file("cars.names", NAMES))


@pytest.mark.parametrize(
    ("names", "cases", "message"),
    [
        ("x,y.\na: continuous.\n", "1,x\n2,z\n", "f.data, line 2, column 2: 'z' is not a label"),
        (
            "x,y.\na: continuous.\n",
            "1,x\n2\n",
            "f.data, line 2, column 1: expected 2 fields, got 1",
        ),
        ("x,y.\na: continuous.\n", "k,x\n", "f.data, line 1, column 1: 'k' is not a number"),
        ("x,y.\n\nprose here.\n", "1,x\n", "f.names, line 3: expected 'name: values', got 'prose"),
        ("a: continuous.\n", "1,x\n", "f.names, line 1: expected the classes"),
        ("x,y.\na: b: c.\n", "1,x\n", "f.names, line 2: the colon after 'b'"),
        ("x,y.\na: b, b.\n", "1,x\n", "f.names, line 2: label 'b' of 'a' is declared twice"),
        ("| nothing\n", "1,x\n", "f.names is empty"),
        ("x,y.\na: continuous.\n", "", "f.data holds no cases"),
    ],
)
def test_a_broken_c45_pair_is_told_with_its_place(file, names, cases, message):
    file("f.names", names)
    with pytest.raises(FileFormatError) as error:
        read(file("f.data", cases))

    assert message in str(error.value)


# Orange

TAB = (
    "age\tcolour\tkind\tid\tw\tsize\n"
    "c\tdiscrete\td\tstring\tcontinuous\tsmall very\\ large\n"
    "\t\tclass\tmeta\tweight\n"
    "3\tred\tgood\ta\t2\tsmall\n"
    "?\t~\tbad\tb\t0.5\tvery large\n"
    "10\tblue\t.\tc\t1\tsmall\n"
)


def test_tab_with_three_header_rows(file):
    data = read(file("cars.tab", TAB))

    assert data.features == ("age", "colour", "size")
    assert values(data, "age") == [3.0, None, 10.0]
    assert values(data, "colour") == ["red", None, "blue"]
    assert values(data, "size") == ["small", "very large", "small"]
    assert (data.target, data.y.tolist()) == ("kind", [1, 0, -1])
    assert data.weights.tolist() == [2.0, 0.5, 1.0]


def test_the_weights_a_file_flags_cannot_be_the_target(file):
    with pytest.raises(ParameterError, match="'w' cannot be both target and weights"):
        read(file("cars.tab", TAB), target="w")


@pytest.mark.parametrize("flags", ["", "\t"])
def test_tab_flags_may_be_blank(file, flags):
    data = read(file("b.tab", f"a\tb\nc\td\n{flags}\n1\t2\n\n3\t4\n"))

    assert (data.target, data.classes, values(data, "a")) == ("b", ("2", "4"), [1.0, 3.0])


def test_tab_with_prefixed_names(file):
    data = read(file("p.tab", "mS#id\tD#code\tcD#y\tC#x\tiC#no\tplain\nq\t1\tk\t2\t3\t4\n"))

    assert data.features == ("code", "x", "plain")
    assert tuple(values(data, name) for name in data.features) == (["1"], [2.0], [4.0])
    assert data.target == "y"


def test_tab_with_plain_names_is_read_as_it_looks(file):
    data = read(file("p.tab", "a\tb\tc\n1\tx\tk\n2\ty\tk\n"))

    assert tuple(column.kind for column in data.schema.features) == ("numeric", "nominal")
    assert data.target == "c"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TAB.replace("10\t", "ten\t"), "f.tab, line 6, column 1: 'ten' is not a number"),
        (TAB + "1\tred\n", "f.tab, line 7, column 2: expected 6 fields, got 2"),
        (TAB.replace("1\tsmall", "1\thuge"), "line 6, column 6: 'huge' is not a label of 'size'"),
        (TAB.replace("meta", "class"), "f.tab flags 2 columns as class, expected one"),
        ("a\tb\nc\tc\tc\n\t\n1\t2\n", "f.tab: there are more types or flags than names"),
        ('a\tb\n1\t"2\n', "f.tab, line 2: unexpected end of data"),
        ("", "f.tab is empty"),
    ],
)
def test_a_broken_tab_file_is_told_with_its_place(file, text, message):
    with pytest.raises(FileFormatError) as error:
        read(file("f.tab", text))

    assert message in str(error.value)


# KEEL

KEEL = """@relation cars
@attribute age real [0.0, 10.0]
@attribute doors integer[2,5]
@attribute kind{good, bad}
@attribute colour {red, blue}
@inputs age, colour
@outputs kind
@data
3.5, 2, good, red
<null>, 4, bad, ?
"""


def test_keel_with_inputs_and_outputs(file):
    data = read(file("cars.dat", KEEL))

    assert data.features == ("age", "colour")
    assert values(data, "age") == [3.5, None]
    assert values(data, "colour") == ["red", None]
    assert (data.target, data.classes, data.y.tolist()) == ("kind", ("good", "bad"), [0, 1])


def test_keel_without_lists_takes_the_last_attribute(file):
    text = KEEL.replace("@inputs age, colour\n@outputs kind\n", "")
    data = read(file("cars.dat", text))

    assert (data.features, data.target) == (("age", "doors", "kind"), "colour")
    assert values(data, "doors") == [2.0, 4.0]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2, good", "2, fair", "f.dat, line 9, column 3: 'fair' is not a label of 'kind'"),
        ("3.5, 2,", "3.5,", "f.dat, line 9, column 3: expected 4 fields, got 3"),
        ("3.5", "x", "f.dat, line 9, column 1: 'x' is not a number"),
        ("@outputs kind", "@outputs kind, colour", "f.dat has 2 outputs: say target="),
        ("@outputs kind", "@outputs knid", "unknown output 'knid': did you mean 'kind'?"),
    ],
)
def test_a_broken_keel_file_is_told_with_its_place(file, old, new, message):
    with pytest.raises((FileFormatError, UnknownNameError)) as error:
        read(file("f.dat", KEEL.replace(old, new)))

    assert message in str(error.value)


# Parquet


@pytest.fixture
def parquet(tmp_path):
    arrow = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "cars.parquet"
    columns = {"age": [3.0, None], "colour": ["red", None], "w": [1, 2], "class": ["x", "y"]}
    pq.write_table(arrow.table(columns), path)
    return path


def test_parquet_with_every_kind(parquet):
    data = read(parquet, weights="w")

    assert values(data, "age") == [3.0, None]
    assert values(data, "colour") == ["red", None]
    assert (data.target, data.name, data.weights.tolist()) == ("class", "cars", [1.0, 2.0])


def test_parquet_takes_wishes(parquet):
    assert values(read(parquet, nominal=["w"]), "w") == ["1", "2"]
    assert read(parquet, target="").features == ("age", "colour", "w", "class")
    assert values(read(parquet, missing_marks=["red"]), "colour") == [None, None]
    assert (read(parquet, drop="class").target, read(parquet, drop="age").features) == (
        "w",
        ("colour", "w"),
    )


def test_a_broken_parquet_file_is_told(file):
    pytest.importorskip("pyarrow")
    with pytest.raises(FileFormatError, match=r"p\.parquet is not a Parquet file"):
        read(file("p.parquet", "a,b\n1,2\n"))


def test_parquet_without_pyarrow_says_what_to_install(file, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"reading Parquet needs pyarrow"):
        read(file("p.parquet", "x"))


def test_an_unknown_type_in_a_tab_file_is_told_with_its_line(file):
    text = "a\tb\ty\nc\tz\td\n\t\tclass\n1\t2\tu\n"
    with pytest.raises(FileFormatError, match=r"line 2.*column 'b': expected a type.* got 'z'"):
        read(file("broken.tab", text))


@pytest.mark.parametrize("target", [0, 1, ("class",)])
def test_a_target_that_is_no_name_is_refused(file, target):
    with pytest.raises(ParameterError, match="target must be the name of a column, got"):
        read(file("cars.csv", CARS), target=target)


def test_a_path_that_is_none_is_refused():
    with pytest.raises(ParameterError, match="expected the path of a file, got None"):
        read(None)


# sentences of bounded length

LONG = 10_000


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("a.csv", f"x,y\n{'x' * LONG},a\n", {"numeric": ["x"]}),
        ("a.csv", f"x,y\n{'9' * LONG},a\n", {}),
        ("a.csv", f"{'n' * LONG},y\ninf,a\n", {}),
        ("a.csv", f"{'n' * LONG},y\n1,a\n", {"target": "z"}),
        ("a.arff", f"@attribute x {'t' * LONG}\n@data\n", {}),
        ("a.arff", f"@attribute {'n' * LONG} nonsense\n@data\n", {}),
        ("a.arff", f"@attribute x {{{'a' * LONG},{'a' * LONG}}}\n@data\n", {}),
        ("a.arff", f"@attribute x {{{'a' * LONG},b}}\n@data\n{'c' * LONG}\n", {}),
        ("a.arff", f"@attribute x numeric\n@data\n1,{{{'w' * LONG}}}\n", {}),
        ("a.arff", f"@attribute x numeric\n@data\n{{{'1' * LONG} 1}}\n", {}),
        ("a.tab", f"{'n' * LONG}\ty\n{'k' * LONG}\td\n\tclass\n1\ta\n", {}),
        ("a.dat", f"@attribute x real\n@inputs {'n' * LONG}\n@data\n1\n", {}),
    ],
)
def test_no_sentence_is_as_long_as_what_it_quotes(file, name, text, options):
    with pytest.raises(TreelabError) as told:
        read(file(name, text), **options)
    assert len(str(told.value)) < 700


def test_names_in_c45_are_quoted_in_short(file):
    file("a.names", f"a, b.\nx: c: {'n' * LONG}: d.\n")

    with pytest.raises(FileFormatError, match="must be written") as told:
        read(file("a.data", "c,a\n"))
    assert len(str(told.value)) < 700


def test_equal_names_in_parquet_get_numbers(tmp_path):
    table = pa.table([pa.array([1]), pa.array([2]), pa.array(["a"])], names=["x", "x", "y"])
    pq.write_table(table, tmp_path / "d.parquet")

    with pytest.warns(DataWarning, match=r"are read as 'x \(2\)': drop= \(--drop\) leaves out"):
        data = read(tmp_path / "d.parquet")
    assert (data.features, data["x (2)"].tolist()) == (("x", "x (2)"), [2.0])


def test_attributes_of_sparse_rows_may_begin_with_zeros(file):
    text = "@attribute x numeric\n@attribute y {a,b}\n@data\n{000 5, 01 b}\n"

    assert values(read(file("a.arff", text)), "x") == [5.0]
