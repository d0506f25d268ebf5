"""What is written as CSV is read again as it was, or refused before anything is written."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import treelab as tl
from treelab.cli.tables import as_csv, write_data
from treelab.data.notation import MARKS as MISSING
from treelab.data.notation import is_written_number, value_of
from treelab.errors import DataError

MARKS = [*"ab01 ,;|'\"?.-\t\r\n\0\ufeff\u00a0\u2028é", "''", '""', "NA", "nan", "inf", ", "]
WORDS = st.lists(st.sampled_from(MARKS), max_size=5).map("".join) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=4
)
NAMES = WORDS.filter(bool)
LABELS = WORDS.filter(lambda word: word.strip() not in MISSING)


@st.composite
def columns(draw, name, cases):
    """A nominal or numeric column, with missing values."""
    if draw(st.booleans()):
        numbers = st.floats(allow_infinity=False) | st.integers(-9, 9).map(float)
        return tl.Column(name), draw(st.lists(numbers, min_size=cases, max_size=cases))
    return draw(nominal(name, cases))


@st.composite
def nominal(draw, name, cases):
    """A nominal column whose labels are all used."""
    words = st.one_of(st.none(), LABELS)
    values = draw(st.lists(words, min_size=cases, max_size=cases))
    labels = tuple(dict.fromkeys(word for word in values if word is not None))
    codes = [-1 if word is None else labels.index(word) for word in values]
    return tl.Column(name, labels), codes


@st.composite
def datasets(draw):
    """Any data set of a few cases with a target, and weights perhaps."""
    names = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    cases = draw(st.integers(1, 5))
    read = [draw(columns(name, cases)) for name in names[1:]]
    target, y = draw(nominal(names[0], cases))
    numbers = st.lists(st.sampled_from([1, 0.1, 7]), min_size=cases, max_size=cases)
    weights = draw(st.none() | numbers)
    schema = tl.Schema(tuple(column for column, _ in read), target)
    return tl.Dataset.of(schema, [values for _, values in read], y, weights)


def values_of(column, values):
    """The labels or numbers of a column, None for missing."""
    if column.labels is None:
        return [None if np.isnan(x) else x for x in values.tolist()]
    return [None if code < 0 else column.labels[code] for code in values.tolist()]


def as_numbers(values):
    """Labels as the numbers they are read as if all of them are numbers."""
    known = [value for value in values if value is not None]
    if any(isinstance(value, str) and not is_written_number(value) for value in known):
        return values
    return [_number(value) if isinstance(value, str) else value for value in values]


def _number(label):
    """The number that a label stands for if it is read as one."""
    return next(n for mark in (None, ".", ",") if (n := value_of(label, mark)) is not None)


@pytest.mark.filterwarnings("ignore::treelab.errors.DataWarning")  # labels may look like numbers
@given(datasets())
@settings(max_examples=100, deadline=None)
def test_what_is_written_is_read_again(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "written.csv"
    weights = "\ufeff w" if (data.weights != 1).any() and "\ufeff w" not in data.features else None
    try:
        write_data(path, data, weights)
    except DataError:
        reject()  # the tests below say when
    # Weights of no column are the last feature.
    weighing = {"weights": tl.read(path).features[-1]} if (data.weights != 1).any() else {}
    nominal = [column.name for column in data.schema.features if column.is_nominal]
    exact, plain = tl.read(path, nominal=nominal, **weighing), tl.read(path, **weighing)

    for again in (exact, plain):
        assert (again.features, again.target) == (data.features, data.target)
        assert values_of(again.schema.target, again.y) == values_of(data.schema.target, data.y)
        assert again.weights.tolist() == data.weights.tolist()
    for place, (column, values) in enumerate(zip(data.schema.features, data.columns, strict=True)):
        given = values_of(column, values)
        assert values_of(exact.schema.features[place], exact.columns[place]) == given
        read_as = plain.schema.features[place]
        expected = given if read_as.is_nominal else as_numbers(given)
        assert values_of(read_as, plain.columns[place]) == expected


def written(tmp_path, frame, **options):
    """Write a frame, whose target is the last column, and read it."""
    data = tl.Dataset.from_frame(frame, frame.columns[-1])
    write_data(tmp_path / "d.csv", data)
    return data, tl.read(tmp_path / "d.csv", **options)


@pytest.mark.parametrize(
    "label",
    ["cr\rx", "'s'", " 'x'", "a\r\nb", '"', "''", "\u00a0x", " x", "x ", "a;b;c", "\ufeffx", "\0"],
)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_odd_labels_are_read_again(tmp_path, label, place):
    columns = {"l": ["u", "v"] * 5, "m": ["p", "q"] * 5, "y": ["s", "t"] * 5}
    columns[list(columns)[place]] = [label, "zz"] * 5
    data, again = written(tmp_path, pd.DataFrame(columns))

    pd.testing.assert_frame_equal(again.to_frame().astype(str), data.to_frame().astype(str))


@pytest.mark.parametrize("name", [" a ", "\ufeffl", "'n'", "a\rb", "1", "NA", "y ", "a;b", "u"])
def test_odd_names_are_read_again(tmp_path, name):
    data, again = written(tmp_path, pd.DataFrame({name: ["u", "zz"] * 5, "y": ["p", "q"] * 5}))

    assert again.features == data.features
    assert len(again) == 10


def test_names_that_are_numbers_stand_in_quotes_above_numbers(tmp_path):
    frame = pd.DataFrame({"0": [1.5, 2], "1": [3.0, 4], "2": ["a", "b"]})
    _, again = written(tmp_path, frame)

    assert (again.features, again.target, len(again)) == (("0", "1"), "2", 2)


def test_every_delimiter_in_every_label_misleads_nobody(tmp_path):
    frame = pd.DataFrame({"x": ["u", "v"] * 5, "a;b;c;d": ["1;2;3;4", "5;6;7;8"] * 5})
    _, again = written(tmp_path, frame)

    assert again.classes == ("1;2;3;4", "5;6;7;8")


def test_a_single_column_with_spaces_is_one(tmp_path):
    _, again = written(tmp_path, pd.DataFrame({"a b": ["c d", "e f", None]}))

    assert (again.target, again.y.tolist()) == ("a b", [0, 1, -1])


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ({"": ["u", "v"], "y": ["p", "q"]}, "a column of CSV needs a name, but one is called ''"),
        ({"x": ["u", " NA"], "y": ["p", "q"]}, "column 'x' has the label ' NA', which in CSV"),
        ({"x": ["1", "inf"], "y": ["p", "q"]}, "column 'x' has labels that CSV reads as numbers"),
        ({"x": ["1", "NAN"], "y": ["p", "q"]}, "column 'x' has labels that CSV reads as numbers"),
        ({"x": ["1", "-"], "y": ["p", "q"]}, "column 'x' has the label '-', which in CSV means"),
        ({"a,": ["a,", "b,"], "c,": ["c,", "d,"]}, "these data cannot be written as CSV, as their"),
    ],
)
def test_what_could_not_be_read_again_is_not_written(tmp_path, columns, problem):
    frame = pd.DataFrame(columns)
    data = tl.Dataset.from_frame(frame, frame.columns[-1], missing_marks=[])

    with pytest.raises(DataError, match=problem):
        write_data(tmp_path / "d.csv", data)
    assert not list(tmp_path.iterdir())


def test_plain_data_are_written_without_quotes():
    data = tl.Dataset.from_frame(pd.DataFrame({"a b": [1, None], "y": ["p q", "r"]}), "y")

    assert as_csv(data) == "a b,y\n1,p q\n,r\n"
