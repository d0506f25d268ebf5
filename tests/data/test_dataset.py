import pickle
import re

import attrs
import numpy as np
import pytest

from treelab.data.dataset import Dataset, is_missing
from treelab.data.schema import Column, Schema
from treelab.errors import DataError, ParameterError, UnknownNameError

SIZE = Column("size")
COLOUR = Column("colour", ("red", "green"))
SCHEMA = Schema((SIZE, COLOUR), Column("class", ("no", "yes")))


@pytest.fixture
def data():
    sizes, colours = [1.0, np.nan, 3.0], [0, 1, -1]
    return Dataset.of(SCHEMA, [sizes, colours], [0, 1, 1], weights=[1, 2, 0.5], name="fruit")


def refused(message):
    return pytest.raises(DataError, match=f"^{re.escape(message)}$")


def numbers(values, **options):
    return Dataset.of(Schema((SIZE,)), [values], **options)


# Columns and schemas


def test_a_column_with_labels_is_nominal():
    assert (COLOUR.kind, COLOUR.is_nominal, COLOUR.n_labels) == ("nominal", True, 2)


def test_a_column_without_labels_is_numeric():
    assert (SIZE.kind, SIZE.is_nominal, SIZE.n_labels) == ("numeric", False, 0)


def test_labels_of_a_column_must_differ():
    with refused("labels of column 'a' must differ, but 'x' occurs 2 times"):
        Column("a", ("x", "y", "x"))


def test_column_names_must_differ():
    with refused("column names must differ, but 'size' occurs 2 times"):
        Schema((SIZE, COLOUR, SIZE))


def test_the_target_may_not_have_the_name_of_a_feature():
    with pytest.raises(DataError, match="'size' occurs 2 times"):
        Schema((SIZE,), Column("size", ("a",)))


def test_a_feature_may_have_an_empty_name_when_there_is_no_target():
    assert Schema((Column(""),)).names == ("",)


def test_index_of_an_unknown_feature_suggests_the_nearest():
    with pytest.raises(UnknownNameError, match="unknown column 'sise': did you mean 'size'"):
        SCHEMA.index("sise")


def test_a_selected_schema_has_the_features_in_the_order_given():
    assert SCHEMA.select(["colour", "size"]).names == ("colour", "size")


# Construction


def test_columns_get_the_type_of_their_kind(data):
    assert [c.dtype for c in data.columns] == [np.float64, np.int32]


def test_classes_are_int32_and_weights_float64(data):
    assert (data.y.dtype, data.weights.dtype) == (np.int32, np.float64)


def test_without_classes_every_class_is_unknown():
    assert numbers([1, 2]).y.tolist() == [-1, -1]


def test_without_weights_every_case_weighs_one():
    assert numbers([1, 2]).weights.tolist() == [1.0, 1.0]


def test_without_columns_the_classes_tell_the_number_of_cases():
    assert len(Dataset.of(Schema((), Column("c", ("a",))), [], [0, 0])) == 2


def test_without_columns_and_classes_cases_tell_the_number_of_cases():
    assert len(Dataset.of(Schema(()), [], cases=3)) == 3


def test_no_array_can_be_written(data):
    for array in (*data.columns, data.y, data.weights):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_no_attribute_can_be_set(data):
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        data.name = "other"


def test_the_callers_array_stays_writable():
    mine = np.array([1.0, 2.0])
    numbers(mine)

    assert mine.flags.writeable


def test_writing_the_callers_array_does_not_reach_the_data():
    mine = np.array([1.0, 2.0])
    data = numbers(mine)
    mine[0] = 9

    assert data["size"].tolist() == [1.0, 2.0]


def test_writing_below_a_read_only_view_does_not_reach_the_data():
    mine = np.array([1.0, 2.0])
    view = mine[:]
    view.flags.writeable = False
    data = numbers(view)
    mine[0] = 9

    assert data["size"].tolist() == [1.0, 2.0]


def test_a_frozen_array_is_shared_and_not_copied(data):
    again = Dataset.of(data.schema, data.columns, data.y, data.weights)

    assert again.columns[0] is data.columns[0]


def test_a_strided_array_becomes_contiguous():
    assert numbers(np.arange(6.0)[::2])["size"].flags.c_contiguous


def test_too_few_columns_are_refused():
    with refused("expected 2 columns, got 1"):
        Dataset.of(SCHEMA, [[1.0]])


def test_columns_of_other_lengths_are_refused():
    with refused("column 'colour' has 2 values, expected 1"):
        Dataset.of(SCHEMA, [[1.0], [0, 1]])


def test_classes_of_another_length_are_refused():
    with refused("column 'size' has 2 values, expected 1"):
        Dataset.of(Schema((SIZE,), Column("c", ("a",))), [[1.0, 2.0]], [0])


def test_a_column_with_two_dimensions_is_refused():
    with refused("column 'size' must be one row of values, got shape (1, 2)"):
        numbers(np.ones((1, 2)))


@pytest.mark.parametrize("code", [-2, 2])
def test_codes_out_of_range_are_refused(code):
    with refused("column 'colour' has codes outside -1 to 1"):
        Dataset.of(Schema((COLOUR,)), [[0, code]])


def test_class_codes_out_of_range_are_refused():
    with refused("the target has codes outside -1 to 1"):
        Dataset.of(SCHEMA, [[1.0], [0]], [2])


@pytest.mark.parametrize("code", [0.5, np.nan, 2**32])
def test_codes_that_are_no_whole_numbers_are_refused(code):
    with refused("column 'colour' must hold codes, which are whole numbers"):
        Dataset.of(Schema((COLOUR,)), [np.array([code])])


@pytest.mark.parametrize("infinity", [np.inf, -np.inf])
def test_infinite_numbers_are_refused(infinity):
    with refused("column 'size' holds an infinite number; use NaN for missing"):
        numbers([1.0, infinity])


@pytest.mark.parametrize("values", [["a", "b"], [1j, 2], np.array(["a", 1], object)])
def test_a_numeric_column_of_anything_else_is_refused(values):
    with refused("column 'size' must hold numbers"):
        numbers(values)


@pytest.mark.parametrize("weight", [-1, np.nan, np.inf])
def test_weights_must_be_finite_and_not_negative(weight):
    with refused("weights must be finite numbers of at least 0"):
        numbers([1, 2], weights=[1, weight])


def test_there_must_be_a_weight_for_each_case():
    with refused("expected 2 weights, got 3"):
        numbers([1, 2], weights=[1, 1, 1])


# Looking at the data


def test_features_target_and_classes_are_named(data):
    assert (data.features, data.target, data.classes) == (
        ("size", "colour"),
        "class",
        ("no", "yes"),
    )


def test_a_feature_is_found_by_name(data):
    assert data["colour"].tolist() == [0, 1, -1]


def test_an_unknown_feature_is_an_error(data):
    with pytest.raises(UnknownNameError, match="did you mean 'colour'"):
        data["color"]


def test_labels_are_the_classes_of_the_cases(data):
    assert data.labels.tolist() == ["no", "yes", "yes"]


def test_labels_are_text_as_numpy_has_it_unless_that_wastes_or_loses_some(data):
    assert data.labels.dtype.kind == "U"
    for label in ("n\0", "n" * 100_000):
        schema = Schema((), Column("y", ("n", label)))
        many = Dataset.of(schema, [], np.arange(1000) % 2)
        assert set(many.labels) == {"n", label}
        assert many.labels.nbytes == 8_000


def test_the_label_of_an_unknown_class_is_empty():
    data = Dataset.of(SCHEMA, [[1.0], [0]], [-1])

    assert data.labels.tolist() == [""]


def test_missing_counts_the_features_that_have_any(data):
    assert data.missing() == {"size": 1, "colour": 1}


def test_missing_leaves_out_complete_features(data):
    assert data.take([0]).missing() == {}


def test_is_missing_knows_nan_and_minus_one(data):
    assert [is_missing(c).tolist() for c in data.columns] == [
        [False, True, False],
        [False, False, True],
    ]


def test_repr_says_everything_on_one_line(data):
    assert repr(data) == (
        "Dataset 'fruit': 3 cases, 1 numeric + 1 nominal features, "
        "target 'class' (2 classes: no 1, yes 2), 2 missing values"
    )


def test_repr_of_one_numeric_feature_without_target():
    assert repr(numbers([1.0], name="x")) == "Dataset 'x': 1 case, 1 numeric feature"


def test_repr_of_no_features_and_no_cases():
    assert repr(Dataset.of(Schema(()), [])) == "Dataset 'data': 0 cases, no features"


def test_repr_without_a_known_class_counts_none():
    data = Dataset.of(Schema((), Column("c", ("a", "b"))), [], [-1])

    assert repr(data) == "Dataset 'data': 1 case, no features, target 'c' (2 classes)"


def test_repr_shows_at_most_six_classes():
    labels = tuple("abcdefgh")
    data = Dataset.of(Schema((), Column("c", labels)), [], np.arange(8))

    assert repr(data).endswith("target 'c' (8 classes: a 1, b 1, c 1, d 1, e 1, f 1, ...)")


def test_repr_groups_the_digits_of_large_numbers():
    assert repr(numbers(np.full(1200, np.nan))) == (
        "Dataset 'data': 1,200 cases, 1 numeric feature, 1,200 missing values"
    )


# New data from old


def test_take_gives_the_cases_in_the_order_asked(data):
    taken = data.take([2, 0, 2])

    assert (taken["size"].tolist(), taken.y.tolist(), taken.weights.tolist()) == (
        [3, 1, 3],
        [1, 0, 1],
        [0.5, 1, 0.5],
    )


def test_take_counts_negative_positions_from_the_end(data):
    assert data.take([-1])["size"].tolist() == [3]


def test_take_with_a_mask_keeps_where_it_is_true(data):
    assert data.take([True, False, True])["size"].tolist() == [1, 3]


@pytest.mark.parametrize("rows", [[], np.array([], int), [False, False, False]])
def test_take_of_nothing_keeps_the_schema(data, rows):
    taken = data.take(rows)

    assert (len(taken), taken.schema, taken.columns[1].dtype) == (0, SCHEMA, np.int32)


def test_taken_cases_are_read_only(data):
    taken = data.take([0, 1])

    assert not any(a.flags.writeable for a in (*taken.columns, taken.y, taken.weights))


@pytest.mark.parametrize("row", [3, -4])
def test_take_refuses_positions_outside_the_data(data, row):
    with refused("rows must lie below 3, the number of cases"):
        data.take([0, row])


@pytest.mark.parametrize("rows", [[0.5], [True, False], [[0, 1]], ["a"], 1])
def test_take_refuses_what_is_neither_positions_nor_mask(data, rows):
    with refused("rows must be positions or a mask of 3 truth values"):
        data.take(rows)


def test_select_keeps_the_named_features_in_order(data):
    assert data.select(["colour", "size"]).features == ("colour", "size")


def test_select_of_a_single_feature_needs_no_list(data):
    assert data.select("colour").features == ("colour",)


def test_select_refuses_what_is_no_list(data):
    with pytest.raises(ParameterError, match="features must be a word or a list of words, got 5"):
        data.select(5)


def test_select_keeps_values_with_their_names(data):
    assert data.select(["colour"])["colour"] is data["colour"]


def test_select_of_nothing_keeps_cases_and_classes(data):
    assert data.select([]).labels.tolist() == ["no", "yes", "yes"]


def test_select_of_an_unknown_feature_is_an_error(data):
    with pytest.raises(UnknownNameError, match="unknown column 'weight'"):
        data.select(["weight"])


def test_select_of_a_feature_twice_is_an_error(data):
    with pytest.raises(DataError, match="'size' occurs 2 times"):
        data.select(["size", "size"])


def test_reweighted_changes_only_the_weights(data):
    other = data.reweighted([1, 1, 1])

    assert (other.weights.tolist(), other.columns) == ([1, 1, 1], data.columns)


def test_reweighted_checks_the_weights(data):
    with refused("expected 3 weights, got 1"):
        data.reweighted([1])


def test_data_survive_pickling(data):
    copy = pickle.loads(pickle.dumps(data))

    assert (repr(copy), copy.weights.tolist()) == (repr(data), [1, 2, 0.5])
