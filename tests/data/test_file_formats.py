"""Reading ARFF, C4.5, Orange, KEEL and Parquet."""

import sys

import pytest
from columns import values
from read_files import ARFF, CARS

from treelab.data.readers import read
from treelab.errors import (
    DataError,
    FileFormatError,
    MissingExtraError,
    ParameterError,
    UnknownNameError,
)


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
