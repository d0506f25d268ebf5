"""A table of DuckDB grows the trees of the same cases in memory, bit for bit."""

from itertools import product

import attrs
import duckdb
import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest
from partitions import MADE, METRICS, MISSING, SPLITS, differing, frame_of
from strategies import random_dataset
from thinned import thinned

import treelab as tl
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.scale.database.axes import Limits

FRAMES = [frame_of(random_dataset(seed, **how)) for seed, how in enumerate(MADE)]

AWKWARD = '''
CREATE TABLE "my ""cases""; DROP" AS
SELECT
    k % 7 AS "node", (k * 37 % 11) / 4 AS "v", k % 5 = 0 AS "is ""so""",
    CASE WHEN k % 6 > 0 THEN DATE '2024-01-01' + CAST(k % 9 AS INTEGER) END AS day,
    TIMESTAMP '2024-03-01 10:00:00.25' + INTERVAL (k % 13) HOUR AS "at",
    TIME '08:00:00' + INTERVAL (k % 4) HOUR AS "o'clock",
    CAST(k % 8 AS DECIMAL(30, 4)) / 3 AS price, CAST(k % 5 AS HUGEINT) * 10 ** 20 AS huge,
    CASE k % 4 WHEN 0 THEN ' 1,234.5' WHEN 1 THEN '12.25' WHEN 2 THEN '?' ELSE '7' END AS written,
    CASE k % 3 WHEN 0 THEN '1,234' WHEN 1 THEN '-' ELSE '5,678' END AS thousands,
    CASE k % 4 WHEN 0 THEN 'b ' WHEN 1 THEN 'NA' WHEN 2 THEN '10' ELSE '9' END AS "word, or not",
    CASE k % 3 WHEN 0 THEN 'NaN'::FLOAT WHEN 1 THEN -0.0::FLOAT ELSE 0.1::FLOAT END AS "y",
    CAST(['low', 'high'][k % 2 + 1] AS ENUM ('low', 'high')) AS level, NULL AS nothing,
    CAST(NULL AS DOUBLE) AS none, 1 AS constant, k % 3 AS weight,
    CASE WHEN k % 17 = 0 THEN NULL WHEN hash(k) % 3 = 0 THEN 1.0 ELSE k % 2 + 2.0 END AS "the class"
FROM range(120) AS r(k)
'''


def stored(folder, name="made.duckdb", **frames):
    """Write frames as tables of a new file."""
    path = folder / name
    with duckdb.connect(str(path)) as database:
        for table, frame in frames.items():
            database.register("given", frame)
            database.execute(f'CREATE TABLE "{table}" AS SELECT * FROM given')
    return path


def scanned(path, table="t", target="class", weights="w", **settings):
    return tl.scan(f"duckdb:///{path}?table={table}", target, weights=weights, **settings)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return stored(tmp_path_factory.mktemp("made"), **{f"t{k}": f for k, f in enumerate(FRAMES)})


@pytest.fixture(scope="module")
def awkward(tmp_path_factory):
    path = tmp_path_factory.mktemp("awkward") / "awk ward.db"
    with duckdb.connect(str(path)) as database:
        database.execute(AWKWARD)
    return path


def compare(path, k, **how):
    wanted = tl.grow(tl.read(f"{path}::t{k}", "class", weights="w"), **how)
    assert differing(wanted, tl.grow(scanned(path, f"t{k}"), **how)) == []


@pytest.mark.parametrize("k", thinned(range(len(FRAMES)), 2))
def test_a_table_grows_the_tree_of_memory(made, k):
    for i, splits in enumerate(SPLITS):
        how = {"splits": splits, "missing": MISSING[(i + k) % 3], "min_branch": 1, "pruner": "none"}
        compare(made, k, metric=METRICS[(3 * i + k) % len(METRICS)], bins=(4, 255)[i % 2], **how)


def test_searches_and_pruners_are_those_of_memory(made):
    for how in ({"search": "beam", "width": 3}, {"max_leaves": 5, "cuts": "c45"}):
        compare(made, 1, bins=16, **how)
    compare(made, 2, pruner="cost-complexity")


def test_types_and_names_are_read_as_from_a_file(awkward):
    table = 'my "cases"; DROP'
    address = f"duckdb:///{awkward}?table=my%20%22cases%22%3B%20DROP"
    marks = [{}, {"missing_marks": ["5", "usual"]}, {"nominal": ["v", "day"], "drop": ["at"]}]
    for said, missing in zip(marks, MISSING, strict=True):
        named = {"target": "the class", "weights": "weight", **said}
        how = {"missing": missing, "bins": 6, "min_branch": 1, "pruner": "none"}
        wanted = tl.grow(tl.read(f"{awkward}::{table}", **named), **how)
        found = tl.grow(tl.scan(address, **named), **how)
        assert wanted.n_leaves > 5
        assert differing(wanted, found) == []


def test_the_only_table_the_last_column_and_the_cases_to_prune_by_are_the_usual_ones(tmp_path):
    path = stored(tmp_path, cases=FRAMES[0].drop(columns="w"))

    assert differing(tl.grow(tl.read(path)), tl.grow(tl.scan(f"duckdb:///{path}"))) == []


def test_views_and_queries_are_tables(tmp_path):
    path = stored(tmp_path, "views.db", t=FRAMES[1])
    with duckdb.connect(str(path)) as database:
        database.execute("CREATE VIEW seen AS SELECT * FROM t WHERE w < 3")
    query = tl.scan(
        f"duckdb:///{path}?query=SELECT * FROM t WHERE w + 0 < 3;", "class", weights="w"
    )
    wanted = tl.grow(tl.read(f"{path}::seen", "class", weights="w"), bins=8)
    for scan in (query, scanned(path, "seen")):
        assert differing(wanted, tl.grow(scan, bins=8)) == []


def test_bins_of_very_many_values_are_found_by_the_database(made):
    for k in (0, 2, 4):
        how = {"bins": 5, "min_branch": 1, "pruner": "none"}
        scan = attrs.evolve(scanned(made, f"t{k}"), limits=Limits(fetched=6))
        wanted = tl.grow(tl.read(f"{made}::t{k}", "class", weights="w"), **how)
        assert differing(wanted, tl.grow(scan, **how)) == []


def test_exact_values_may_be_many(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=1500)
    frame = pd.DataFrame({"x": x, "class": np.where(x + rng.normal(size=1500) > 0, "u", "v")})
    path = stored(tmp_path, t=frame)

    found = tl.grow(scanned(path, weights=None), pruner="none")
    assert differing(tl.grow(tl.read(path), pruner="none"), found) == []
    with pytest.raises(ParameterError, match="more than 9 different numbers: say into how many"):
        tl.grow(attrs.evolve(scanned(path, weights=None), limits=Limits(cap=9)))


def test_predictions_are_written_in_the_order_of_the_table(awkward, tmp_path):
    table, named = 'my "cases"; DROP', {"target": "the class", "weights": "weight"}
    data = tl.read(f"{awkward}::{table}", **named)
    tree = tl.grow(data, pruner="none")
    scan = tl.scan(f"duckdb:///{awkward}", **named)
    paths = attrs.evolve(scan, chunk=50).predict(tree, tmp_path / "out", proba=True)
    tables = pyarrow.concat_tables([pyarrow.parquet.read_table(path) for path in paths])

    assert len(paths) == 3
    assert tables["prediction"].to_pylist() == tree.predict(data).tolist()
    shares = np.array([tables[name].to_numpy() for name in tables.column_names[1:]]).T
    assert shares.tolist() == tree.predict_proba(data).tolist()


@pytest.mark.parametrize(
    ("address", "error", "text"),
    [
        ("duckdb:///", ParameterError, "the address names no file"),
        ("duckdb:///no.db", ParameterError, "no.db"),
        ("duckdb:///{}?tabel=t", UnknownNameError, "did you mean 'table'"),
        ("duckdb:///{}?table=t&query=SELECT 1", ParameterError, "one of them is meant"),
        ("duckdb:///{}?table=u", UnknownNameError, "unknown table 'u'"),
        ("duckdb:///{}", ParameterError, "has 6 tables"),
        ("duckdb:///{}?query=DROP TABLE t0", ParameterError, "must be one SELECT"),
        ("duckdb:///{}?query=SELECT 1; SELECT 2", ParameterError, "must be one SELECT"),
        ("duckdb:///{}?query=SELEC", ParameterError, "the query is no SQL"),
        ("duckdb:///{}?query=SELECT no FROM t0", DataError, 'column "no" not found'),
        ("duckdb:///{}?query=SELECT * FROM 'other.csv'", DataError, "other.csv|disabled"),
        ("duckdb:///{}?query=SELECT * FROM t0 WHERE false", DataError, "holds no cases"),
        ("duckdb:///{}?query=SELECT 1/0.0 - 1 AS a, 'u' AS class, 1 AS w", DataError, "infinite"),
        ("duckdb:///{}?query=SELECT -w AS w, class FROM t0", DataError, "weights must be finite"),
        ("duckdb:///{}?query=SELECT x0, class FROM t0", UnknownNameError, "unknown column 'w'"),
    ],
)
def test_what_cannot_be_read_is_reported_in_one_sentence(made, address, error, text):
    with pytest.raises(error, match=text) as raised:
        tl.grow(tl.scan(address.format(made), "class", weights="w"))
    assert "\n" not in str(raised.value)


def test_data_without_a_target_are_refused(made):
    with pytest.raises(DataError, match="the data have no target"):
        tl.grow(scanned(made, "t0", target=""))


def test_predictions_need_the_columns_of_the_tree_only(tmp_path):
    frame = FRAMES[0].assign(broken=["1.5", "2", *"abc" * 19, "x"])
    tree = tl.grow(tl.Dataset.from_frame(FRAMES[0].drop(columns="w"), "class"), pruner="none")
    scan = scanned(stored(tmp_path, t=frame), numeric=["broken"])
    (path,) = scan.predict(tree, tmp_path / "out")

    assert (
        pyarrow.parquet.read_table(path)["prediction"].to_pylist() == tree.predict(frame).tolist()
    )
    with pytest.raises(UnknownNameError, match="unknown column 'x0'"):
        scanned(stored(tmp_path, "b.db", t=frame.drop(columns="x0"))).predict(tree, tmp_path)


def test_the_database_is_its_own_engine(made):
    with pytest.raises(ParameterError, match="counts its cases itself"):
        scanned(made, "t0", engine="dask")


def test_a_file_that_is_no_database_is_reported(tmp_path):
    (tmp_path / "a.db").write_text("x,class\n1,u\n")
    with pytest.raises(DataError, match=r"a\.db"):
        tl.grow(scanned(tmp_path / "a.db"))


def test_progress_says_what_is_being_done(made):
    said = []
    tl.grow(scanned(made, "t1", progress=said.append), bins=16, min_branch=1)

    assert said[0].startswith("reading columns and classes (")
    assert any(line.startswith("counting level 1 (1 nodes)") for line in said)
    assert said[-1].startswith("reading the cases to prune by (")


def bundled(path, name, settings):
    data = tl.load(name)
    stored(path.parent, path.name, t=frame_of(data))
    for missing, splits in settings:
        how = {"bins": 255, "missing": missing, "splits": splits, "pruner": "none"}
        wanted = tl.grow(tl.read(f"{path}::t", data.target, weights="w"), **how)
        assert differing(wanted, tl.grow(scanned(path, "t", data.target), **how)) == []


@pytest.mark.parametrize("name", ["iris", "labor", "tic-tac-toe"])
def test_some_bundled_data_grow_the_tree_of_memory(tmp_path, name):
    bundled(tmp_path / "a.duckdb", name, [("fractional", "auto"), ("branch", "binary")])


@pytest.mark.slow
@pytest.mark.parametrize("name", tl.dataset_names())
def test_bundled_data_grow_the_tree_of_memory(tmp_path, name):
    bundled(tmp_path / "a.duckdb", name, product(MISSING, SPLITS))
