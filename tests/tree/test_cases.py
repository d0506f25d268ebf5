"""Cases on their way to a tree: a frame of few rows or many, an array and a data set agree."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest

import treelab as tl
from treelab.errors import DataError
from treelab.tree.cases import FEW, Columns, Numbers, cases_of

MANY = FEW + 1
"""So many rows are read column by column."""


def repeated(data: tl.Dataset, n: int) -> tl.Dataset:
    return data.take(np.arange(n) % len(data))


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
@pytest.mark.parametrize("n", [1, 7, MANY])
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("iris", {}),
        ("iris", {"discretizer": "equal-frequency"}),
        ("diabetes-pima", {"missing": "branch"}),
        ("labor", {}),
        ("voting", {"missing": "branch", "pruner": "none"}),
        ("lenses", {"splits": "multiway"}),
    ],
)
def test_a_frame_is_read_as_the_data_set_it_came_from(
    name: str, settings: dict[str, str], n: int, backend: str
) -> None:
    data = tl.load(name)
    tree, cases = tl.grow(data, **settings), repeated(data, n)
    frame = cases.to_frame(backend)
    np.testing.assert_array_equal(tree.predict_proba(frame), tree.predict_proba(cases))
    np.testing.assert_array_equal(tree.predict(frame), tree.predict(cases))
    np.testing.assert_array_equal(tree.apply(frame), tree.apply(cases))


@pytest.mark.parametrize("n", [3, MANY])
@pytest.mark.parametrize("kind", [np.float32, np.int64, np.uint8, "Int64", "Float64", "object"])
def test_numbers_of_any_type_are_numbers(n: int, kind: object) -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 50, (n, 3))
    frame = pd.DataFrame(x, columns=["a", "b", "c"]).assign(y=rng.integers(0, 2, n).astype(str))
    tree = tl.grow(tl.Dataset.from_frame(frame, "y"), pruner="none", min_branch=1)
    given = frame.astype(dict.fromkeys("abc", kind))
    np.testing.assert_array_equal(tree.predict(given), tree.predict(frame))
    swapped = given[["c", "y", "a", "b"]]  # columns are found by name
    np.testing.assert_array_equal(tree.predict(swapped), tree.predict(frame))


def test_few_numbers_are_taken_all_at_once_and_others_by_columns() -> None:
    data = tl.load("iris")
    tree = tl.grow(data)
    frame = data.to_frame().drop(columns=data.target)
    assert isinstance(cases_of(tree, frame), Numbers)
    assert isinstance(cases_of(tree, data.to_frame()), Columns)  # the class is text
    assert isinstance(cases_of(tree, repeated(data, MANY).to_frame()), Columns)


@pytest.mark.parametrize("n", [3, MANY])
def test_what_the_tree_does_not_test_may_be_anything_but_must_be_there(n: int) -> None:
    data = repeated(tl.load("iris"), n)
    tree = tl.grow(tl.load("iris"), max_depth=1)
    (tested,) = (data.features[place] for place in tree.tested)
    other = next(name for name in data.features if name != tested)
    frame = data.to_frame()
    strange = frame.assign(**{other: "no number"})
    np.testing.assert_array_equal(tree.predict(strange), tree.predict(data))
    with pytest.raises(DataError, match=re.escape(f"needs a column {other!r}")):
        tree.predict(frame.drop(columns=other))


@pytest.mark.parametrize("n", [3, MANY])
@pytest.mark.parametrize("sign", [1, -1])
def test_an_infinite_number_is_refused_with_the_name_of_its_column(n: int, sign: int) -> None:
    data = repeated(tl.load("iris"), n)
    whole = tl.load("iris").to_frame()
    model = tl.TreeClassifier().fit(whole.iloc[:, :-1], whole.iloc[:, -1])
    tested = data.features[model.tree_.tested[-1]]
    frame = data.to_frame().drop(columns=data.target)
    frame.loc[n - 1, tested] = sign * np.inf
    message = f"column {tested!r} holds an infinite number; use NaN for missing"
    for given in (frame, pl.from_pandas(frame)):
        with pytest.raises(DataError, match=re.escape(message)):
            model.tree_.predict(given)
    with pytest.raises(DataError, match=re.escape(message)):
        model.predict(frame)


def test_text_that_is_not_tested_still_settles_how_numbers_are_written() -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(1, 9, 40) * 1000.0
    data = tl.Dataset.from_frame(
        pd.DataFrame(
            {"a": x, "b": rng.normal(size=40).round(1), "y": np.where(x > 4000, "p", "q")}
        ),
        "y",
    )
    tree = tl.grow(data)
    assert [data.features[place] for place in tree.tested] == ["a"]
    # 1.000 is a thousand only because 0,5 stands in the other column.
    frame = pd.DataFrame({"a": [f"{v / 1000:.0f}.000" for v in x], "b": ["0,5"] * 40})
    assert tree.predict(frame).tolist() == tree.predict(data).tolist()


def test_a_tree_without_a_test_reads_nothing() -> None:
    leaf = tl.grow(tl.load("iris"), max_depth=0)
    frame = pd.DataFrame({name: [object()] * 3 for name in leaf.features})
    assert leaf.predict(frame).tolist() == [leaf.classes[0]] * 3
    assert leaf.predict(frame.iloc[:0]).tolist() == []


def test_an_array_is_read_as_the_frame_of_it() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300, 4))
    x[rng.random(x.shape) < 0.1] = np.nan
    y = (np.nan_to_num(x[:, 0]) > 0).astype(int) + (np.nan_to_num(x[:, 2]) > 1)
    for settings in ({}, {"discretizer": "equal-width"}, {"categorical_features": [3]}):
        given = x.copy()
        given[:, 3] = np.arange(300) % 3
        model = tl.TreeClassifier(**settings).fit(given, y)
        frame = pd.DataFrame(given, columns=model.tree_.features)
        wanted = model.tree_.predict_proba(frame)
        for array in (given, np.asfortranarray(given), given[:, ::-1].copy()[:, ::-1]):
            np.testing.assert_array_equal(model.predict_proba(array), wanted)
            assert not np.shares_memory(array, wanted)
