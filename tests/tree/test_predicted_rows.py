"""Predictions of dictionaries, rows, lists and arrays are those of the same cases in a frame."""

import numpy as np
import pandas as pd
import pytest

import treelab as tl
from treelab.errors import DataError


def mixed(seed=0, cases=120):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, cases)
    frame = pd.DataFrame(
        {
            "age": (40 + 10 * y + 8 * rng.normal(size=cases)).round(),
            "colour": np.where(rng.random(cases) < 0.6, np.where(y, "red", "blue"), "green"),
            "day": pd.Timestamp("2024-01-01")
            + pd.to_timedelta(rng.integers(0, 60, cases) + 20 * y, "D"),
            "ill": np.where(y, "yes", "no"),
        }
    )
    frame.loc[::9, "age"] = np.nan
    frame.loc[::14, "colour"] = None
    return frame


FRAME = mixed()
TREE = tl.grow(FRAME, target="ill", pruner=None)
NEW = mixed(1, 30)
WANTED = TREE.predict_proba(NEW)
DICTS = NEW.to_dict("records")


def test_the_tree_tests_everything():
    assert len(TREE.tested) == 3


def test_dictionaries_are_cases():
    np.testing.assert_array_equal(TREE.predict_proba(DICTS), WANTED)
    one = [TREE.predict_proba(case)[0] for case in DICTS]
    np.testing.assert_array_equal(one, WANTED)
    assert TREE.predict(DICTS[0]).tolist() == TREE.predict(NEW[:1]).tolist()
    none = [{k: None if pd.isna(v) else v for k, v in case.items()} for case in DICTS]
    np.testing.assert_array_equal(TREE.predict_proba(none), WANTED)


def test_dates_may_be_written():
    written = [case | {"day": str(case["day"].date())} for case in DICTS]
    np.testing.assert_array_equal(TREE.predict_proba(written), WANTED)


def test_rows_of_a_frame_are_cases():
    one = [TREE.predict_proba(NEW.iloc[row])[0] for row in range(len(NEW))]
    np.testing.assert_array_equal(one, WANTED)


def test_arrays_have_the_features_in_order():
    rows = NEW[list(TREE.features)].astype(object).to_numpy()
    np.testing.assert_array_equal(TREE.predict_proba(rows), WANTED)
    np.testing.assert_array_equal(TREE.predict_proba(rows[3]), WANTED[3:4])
    np.testing.assert_array_equal(TREE.predict_proba(rows.tolist()), WANTED)
    np.testing.assert_array_equal(TREE.apply(rows), TREE.apply(NEW))


def test_arrays_of_numbers():
    data = tl.load("iris")
    tree = tl.grow(data)
    cases = np.column_stack(data.columns)
    assert tree.predict(cases).tolist() == tree.predict(data).tolist()
    assert tree.predict(cases[0]).tolist() == tree.predict(data)[:1].tolist()
    assert len(tree.predict(cases[:0])) == 0
    assert len(tree.predict([])) == 0


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"age": 3.0, "color": "red", "day": None}, "needs a column 'colour'.*mean 'color'"),
        (np.zeros(2), r"3 values, one for each feature of the tree \(age, colour, day\), got 2"),
        (np.zeros((5, 4)), "must have 3 values.*got 4"),
        (np.zeros((2, 2, 2)), r"an array \(case, feature\), got one of shape"),
        ([1, 2], "must have 3 values.*got 2"),
        ({"age": "old", "colour": "red", "day": None}, "'age' must be numeric.*got 'old'"),
        ("age", "expected a data frame"),
        (3, "expected a data frame"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(given, sentence):
    with pytest.raises(DataError, match=sentence) as caught:
        TREE.predict(given)
    assert len(str(caught.value).splitlines()) == 1


def test_grow_takes_a_frame():
    assert tl.grow(FRAME, target="ill") == tl.grow(tl.Dataset.from_frame(FRAME, target="ill"))
    with pytest.raises(ValueError, match="name the column of the frame to predict with target="):
        tl.grow(FRAME)
    with pytest.raises(ValueError, match="the target of these data is 'ill', not 'age'"):
        tl.grow(tl.Dataset.from_frame(FRAME, target="ill"), target="age")
    with pytest.raises(DataError, match="expected a Dataset, got list"):
        tl.grow([1, 2])
    with pytest.raises(DataError, match="expected a data frame"):
        tl.grow([1, 2], target="ill")
