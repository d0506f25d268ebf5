"""Numbers in SQL: every double is read back as itself, and a case on a threshold stays there."""

import sqlite3
from contextlib import closing
from fractions import Fraction

import duckdb
import numpy as np
import pandas as pd
import pytest

import treelab as tl
from treelab.writers.safe_decimal import safe_decimal
from treelab.writers.sql import DIALECTS, _RuleWriter

BASES = {"sqlite": sqlite3.connect, "duckdb": duckdb.connect}

# Each is read by SQLite 3.40 as its neighbour where its shortest decimal number is written.
MISREAD = (
    25390324.43220702, -290626924.7426624, 34700102.7612218, -0.005538487361846122,
    9.816658338180532e-294, -3.240564720120783e-296, 7.73187272578944e-309,
)  # fmt: skip
ENDS = (0.0, 0.1, 5e-324, -5e-324, 2.2250738585072014e-308, 1e308, -1e308, 1.7976931348623157e308)


def doubles(seed=0, many=1500):
    """Return numbers of every size, subnormal ones and powers of two among them."""
    rng = np.random.default_rng(seed)
    any_bits = rng.integers(0, 2**64, many, dtype=np.uint64).view(float)
    tiny = rng.integers(1, 2**58, many, dtype=np.uint64).view(float)
    usual = rng.normal(size=many) * 10.0 ** rng.integers(-6, 12, many)
    powers = np.ldexp(1.0, np.arange(-1074, 1024, 7))
    found = np.concatenate([any_bits, tiny, -tiny, usual, powers, MISREAD, ENDS])
    return found[np.isfinite(found)].tolist()


@pytest.mark.parametrize("dialect", BASES)
def test_every_double_is_read_back_as_itself(dialect):
    write = _RuleWriter(dialect, "", {})._number
    values = doubles()
    read = []
    with closing(BASES[dialect](":memory:")) as base:
        for start in range(0, len(values), 100):
            numbers = ", ".join(map(write, values[start : start + 100]))
            read += base.execute(f"SELECT {numbers}").fetchone()

    assert read == values


@pytest.mark.parametrize("dialect", DIALECTS)
def test_usual_numbers_are_written_as_usual(dialect):
    write = _RuleWriter(dialect, "", {})._number
    end = "" if dialect == "sqlite" else "e0"

    assert [write(v) for v in (0.1, -2.45, 3.0, 0.0)] == [
        f"{word}{end}" for word in ("0.1", "-2.45", "3.0", "0.0")
    ]
    assert write(25390324.43220702) == f"25390324.432207022{end}"


def test_no_decimal_number_is_near_the_half_between_two_doubles():
    for value in doubles(1):
        apart = abs(Fraction(value) - Fraction(float(np.nextafter(value, 0.0))))

        assert float(safe_decimal(value)) == value
        assert abs(Fraction(safe_decimal(value)) - Fraction(value)) <= Fraction(31, 64) * apart


@pytest.mark.parametrize("dialect", BASES)
@pytest.mark.parametrize("limit", [*MISREAD, *ENDS[:-1]])
def test_sql_sends_a_case_on_the_threshold_where_the_tree_does(limit, dialect):
    above = float(np.nextafter(limit, np.inf))
    data = pd.DataFrame({"x": [limit] * 10 + [above] * 10, "y": ["a"] * 10 + ["b"] * 10})
    tree = tl.grow(tl.Dataset.from_frame(data, "y"), missing="majority", pruner="none")
    beside = [float(np.nextafter(limit, -np.inf)), limit, above]
    with closing(BASES[dialect](":memory:")) as base:
        base.execute("CREATE TABLE t (x double precision)")
        base.executemany("INSERT INTO t VALUES (?)", [[value] for value in beside])
        base.execute(tl.export(tree, "sql", dialect=dialect, table="t", view="v"))
        expression = tl.export(tree, "sql", dialect=dialect)
        found = base.execute(f"SELECT {expression} FROM t ORDER BY x").fetchall()
        viewed = base.execute("SELECT prediction FROM v ORDER BY x").fetchall()

    assert tree.predict(pd.DataFrame({"x": beside})).tolist() == ["a", "a", "b"]
    assert found == viewed == [("a",), ("a",), ("b",)]
