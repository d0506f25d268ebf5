"""Trees that test dates, times and ordered labels, in every format: run, and equal to the tree."""

import datetime as dt
import json
import sqlite3
from contextlib import closing
from html import unescape
from importlib.resources import files
from itertools import product

import duckdb
import jsonschema
import numpy as np
import onnx
import pandas as pd
import pytest

import treelab as tl
from tests.moments import COLUMNS, SIZE, scaled_data
from tests.writers.evaluator import Model
from tests.writers.trees import answers
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.errors import DataError, ModelFileError
from treelab.writers.cases import UNSEEN, cases_of
from treelab.writers.export_tree import export_tree_of

# Sums of at most a few dozen parts, added in another order.
CLOSE = {"rtol": 0, "atol": 1e-12}
MISSING = ("fractional", "branch", "majority")
KINDS = [*product(MISSING, [None, "equal-width:5"])]
WHOLE = [(missing, cut) for missing, cut in KINDS if missing != "fractional"]
USED = tuple(column.name for column in COLUMNS)


def tree_of(missing, discretizer, features=USED):
    data = scaled_data(features=features)
    return tl.grow(data, "gain", discretizer, "none", missing, min_cases=4)


def new_cases(seed=1):
    """Return other cases, some with a label of the order that training did not have."""
    data = scaled_data(seed)
    labels = (*SIZE.labels, "gigantic")
    columns = tuple(Column("size", labels) if c.name == "size" else c for c in COLUMNS)
    sizes = np.where(np.isnan(data["size"]), -1, data["size"]).astype(int)
    sizes[::9] = 4
    arrays = [sizes if name == "size" else data[name] for name in data.features]
    return Dataset.of(Schema(columns), arrays)


@pytest.fixture(params=KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def tree(request):
    return tree_of(*request.param)


@pytest.fixture(params=WHOLE, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def whole_tree(request):
    return tree_of(*request.param)


def test_the_trees_here_test_every_scale(tree):
    assert {*tree.feature.tolist()} >= {*range(5)}


def test_a_label_without_a_place_in_the_order_stops_at_the_test():
    data = Dataset.of(
        Schema((Column("size", scale=SIZE),), Column("y", ("a", "b"))),
        [[0, 1, 2, 3, 3]], [0, 0, 1, 1, 1],
    )  # fmt: skip
    tree = tl.grow(data, "gain", min_branch=1, probabilities="shares")
    new = pd.DataFrame({"size": ["medium", "gigantic", None, "large"]})

    assert tree.root.branch_labels == ("size <= medium", "size > medium")
    np.testing.assert_allclose(tree.predict_proba(new)[:, 0], [1, 0.4, 0.4, 0], **CLOSE)
    assert tree.apply(new).tolist() == [1, 0, 2, 2]


def test_the_form_says_what_the_tree_says(tree):
    new = new_cases()
    form = export_tree_of(tree)
    shares = [form.probabilities(case) for case in cases_of(tree, new)]

    np.testing.assert_allclose(shares, tree.predict_proba(new), **CLOSE)


def given_in_words(tree, data):
    """Return the cases with moments as ISO text."""
    scales = {column.name: column.scale for column in tree.schema.features}
    return [
        {
            name: scales[name].write(value) if isinstance(value, float) and scales[name] else value
            for name, value in case.items()
        }
        for case in cases_of(tree, data)
    ]


def test_the_form_reads_dates_as_text_and_objects():
    tree, new = tree_of("majority", None), new_cases()
    form, expected = export_tree_of(tree), tree.predict_proba(new)

    shares = [form.probabilities(case) for case in given_in_words(tree, new)]
    np.testing.assert_allclose(shares, expected, **CLOSE)
    with pytest.raises(DataError, match="'day' of the case: 'soon' is no date, such as 2024-03-01"):
        form.walk({"day": "soon"})


def test_rules_hold_in_the_words_they_are_written_in(tree):
    text = tl.export(tree, "rules")

    assert "day <= 20" in text or "<= day" in text or "day >= 20" in text
    assert "size >= large" in text or "size <= medium" in text or "size = small" in text


def python_module(tree):
    scope = {}
    exec(compile(tl.export(tree, "python"), "tree.py", "exec"), scope)
    return scope


def test_the_python_module_takes_numbers_and_text(tree):
    new, module = new_cases(), python_module(tree)
    expected = tree.predict_proba(new)

    for cases in (cases_of(tree, new), given_in_words(tree, new)):
        shares = [list(module["predict_proba"](case).values()) for case in cases]
        np.testing.assert_allclose(shares, expected, **CLOSE)


def test_the_python_module_takes_objects():
    tree = tree_of("majority", None)
    module, data = python_module(tree), scaled_data(2)
    frame = data.to_frame("pyarrow").to_pylist()
    shares = [list(module["predict_proba"](case).values()) for case in frame]

    np.testing.assert_allclose(shares, tree.predict_proba(data), **CLOSE)
    number = module["_number"]
    assert number(dt.datetime(1970, 1, 3, 5), "date") == 2
    assert number(dt.date(1970, 1, 2), "datetime") == 86400
    assert number("1970-01-01T00:00:00+01:00", "datetime-utc") == -3600


@pytest.mark.parametrize("kind", [("branch", None), ("fractional", "equal-width:5")])
def test_the_c_function_takes_numbers_and_labels(kind):
    tree, new = tree_of(*kind), new_cases()
    given = answers(tree, "c", cases_of(tree, new))

    np.testing.assert_allclose(given.shares, tree.predict_proba(new), **CLOSE)
    assert "Feature 0: days since 1970-01-01." in tl.export(tree, "c")


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_sql_compares_dates(whole_tree, dialect):
    new = new_cases()
    given = answers(whole_tree, "sql", cases_of(whole_tree, new), dialect=dialect)

    assert given.labels == whole_tree.predict(new).tolist()


TYPES = {"day": "DATE", "at": "TIMESTAMP", "sent": "TIMESTAMPTZ", "clock": "TIME", "x": "DOUBLE"}


def test_sql_compares_columns_of_dates():
    """The runner gives ISO text; here the columns of DuckDB have their types."""
    tree, new = tree_of("branch", None), new_cases()
    columns = ", ".join(f'"{name}" {TYPES.get(name, "TEXT")}' for name in tree.features)
    rows = [
        ["gigantic" if value == UNSEEN else value for value in case.values()]
        for case in given_in_words(tree, new)
    ]
    with duckdb.connect(":memory:") as base:
        base.execute(f"CREATE TABLE cases (id INTEGER, {columns})")
        marks = ", ".join("?" * (1 + len(tree.features)))
        base.executemany(
            f"INSERT INTO cases VALUES ({marks})", [[n, *row] for n, row in enumerate(rows)]
        )
        case = tl.export(tree, "sql", dialect="duckdb")
        found = base.execute(f"SELECT {case} FROM cases ORDER BY id").fetchall()

    assert [label for (label,) in found] == tree.predict(new).tolist()


def test_sqlite_reads_moments_however_they_are_written():
    tree = tree_of("branch", None, ("at", "sent"))
    data = scaled_data(3, features=("at", "sent"))
    case = tl.export(tree, "sql")
    for write in (lambda t: t.replace(" ", "T"), lambda t: t.replace("Z", "+00:00")):
        with closing(sqlite3.connect(":memory:")) as base, base:
            base.execute("CREATE TABLE cases (at, sent)")
            rows = [[t and write(t) for t in c.values()] for c in given_in_words(tree, data)]
            base.executemany("INSERT INTO cases VALUES (?, ?)", rows)
            found = base.execute(f"SELECT {case} FROM cases").fetchall()
        assert [label for (label,) in found] == tree.predict(data).tolist()


def test_sql_of_postgresql_names_the_types():
    text = tl.export(tree_of("branch", None), "sql", dialect="postgresql")

    assert """CAST("day" AS DATE) <= DATE '2022-""" in text
    assert """CAST("sent" AS TIMESTAMPTZ)""" in text
    assert "IN ('large', 'it''s huge')" in text or "IN ('small'" in text


def test_pmml_says_what_the_tree_says(tree):
    new, text = new_cases(), tl.export(tree, "pmml")
    model = Model(text)
    shares = [list(model.probabilities(case).values()) for case in cases_of(tree, new)]

    np.testing.assert_allclose(shares, tree.predict_proba(new), **CLOSE)
    assert 'displayName="day (days since 1970-01-01)"' in text


def test_onnx_says_what_the_tree_says(whole_tree):
    new = new_cases()
    given = answers(whole_tree, "onnx", cases_of(whole_tree, new))
    model = onnx.load_from_string(tl.export(whole_tree, "onnx"))

    np.testing.assert_allclose(given.shares, whole_tree.predict_proba(new), atol=1e-6)  # single
    assert given.labels == whole_tree.predict(new).tolist()
    assert model.graph.input[0].doc_string == "days since 1970-01-01"


@pytest.mark.parametrize("kind", WHOLE)
def test_the_scikit_learn_pipeline_takes_days_and_labels(kind):
    features = ("day", "size", "clock", "x")
    tree = tree_of(*kind, features)
    data = scaled_data(4, features=features)
    # Single precision holds days; times are kept off the cuts.
    clear = ~np.isclose(data["clock"][:, None], tree.threshold, rtol=1e-6).any(axis=1)
    given = answers(tree, "sklearn", cases_of(tree, data))

    np.testing.assert_allclose(given.shares[clear], tree.predict_proba(data)[clear], **CLOSE)


def test_moments_are_too_fine_for_scikit_learn():
    with pytest.raises(DataError, match="single precision, which mixes up the seconds of 'at'"):
        tl.export(tree_of("branch", None, ("at",)), "sklearn")


@pytest.mark.parametrize("name", ["svg", "dot", "latex", "text", "html"])
def test_drawings_show_dates_and_labels(name):
    tree = tree_of("branch", None)
    text = unescape(str(tl.export(tree, name)))

    assert "2022-0" in text
    assert "medium" in text or "large" in text
    limits = tree.threshold[tree.feature == 0]  # as numbers they are in the page alone
    assert any(f"{limit:.12g}" in text for limit in limits) == (name == "html")


def test_the_model_file_keeps_scales(tree, tmp_path):
    tree.save(tmp_path / "tree.json")
    back = tl.Tree.load(tmp_path / "tree.json")

    assert back == tree
    assert str(back) == str(tree)
    document = json.loads((tmp_path / "tree.json").read_text())
    assert [column.get("scale") for column in document["features"][:5]] == [
        "date", "datetime", "datetime-utc", "time", list(SIZE.labels),
    ]  # fmt: skip
    schema = (files("treelab.tree") / "model.schema.json").read_text()
    jsonschema.validate(document, json.loads(schema))


@pytest.mark.parametrize("scale", ["week", 3, [1], ["a", "a"], None])
def test_a_damaged_scale_is_refused(scale, tmp_path):
    tree_of("branch", None, ("day", "x")).save(tmp_path / "tree.json")
    document = json.loads((tmp_path / "tree.json").read_text())
    document["features"][0]["scale"] = scale
    (tmp_path / "tree.json").write_text(json.dumps(document))

    with pytest.raises(ModelFileError, match="damaged model"):
        tl.Tree.load(tmp_path / "tree.json")


def test_a_case_typed_into_the_page_is_classified_as_the_tree_does(visit):
    tree = tree_of("majority", None)
    new = new_cases().take(np.arange(4))
    page = visit(tree)
    used = [n for n in tree.features if tree.features.index(n) in set(tree.feature.tolist())]
    for case, label in zip(given_in_words(tree, new), tree.predict(new).tolist(), strict=True):
        fields = page.locator("#case input, #case select")
        for place, name in enumerate(used):
            _enter(fields.nth(place), tree.schema.features[tree.schema.index(name)], case[name])
        assert page.locator("#verdict h2").text_content() == f"class: {label}"


def _enter(field, column, value):
    if column.has_labels:
        options = {None: "missing", UNSEEN: "other"}
        options |= {label: str(place) for place, label in enumerate(column.words)}
        field.select_option(options[value])
    else:
        text = "" if value is None else str(value).removesuffix("Z").replace(" ", "T")
        field.fill(text)
