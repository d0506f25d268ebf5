"""Formulas that run compiled: of sums, of one table, by a user; and what they fall back to."""

import json
import pickle
import re

import numba
import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.errors import DataError
from treelab.metrics import gini as gini_module
from treelab.metrics.information import gain
from treelab.stats.formulas.impurity import n_log_n
from treelab.stats.formulas.per_table import PerTableFormula, over_tables
from treelab.stats.formulas.sums import SumFormula, compiled_cell, sums_of
from treelab.stats.stores.in_memory import root_node

DATA = [
    random_dataset(0, 60),
    random_dataset(1, 50, weights="whole", classes=12, missing=0.3),
    random_dataset(2, 50, weights="fraction", missing=0.0),
    random_dataset(3, 40, numeric=4, nominal=0, classes=2, ties=False),
]
MISSING = ("fractional", "branch", "majority")
machine_code = pytest.mark.compiled("without it a formula is called as it was written")


def cubes_and_roots(n):
    return n**3 + np.sqrt(n)


def trees(metric):
    return [
        tl.grow(data, metric, missing=missing, pruner="none", min_branch=1)
        for data in DATA
        for missing in MISSING
    ]


# Formulas of sums


@sums_of(np.square)
def everything(cells, branches, shares, classes, whole, n):
    """Weigh the sums so that none can be taken for another."""
    return cells + 10 * branches + 100 * shares + 1000 * classes + 1e4 * whole + 1e5 * n


def test_the_sums_are_those_of_their_definition():
    rng = np.random.default_rng(0)
    tables = rng.choice([0.0, 0.0, 0.5, 1.0, 3.0, 7.0], (2, 9, 4, 3))
    tables[0, 0, 0] = 0.0  # a value that does not occur
    tables[..., 1, 1] += 1.0

    def square_sum(numbers):
        return sum(x * x for x in numbers)

    for table, score in zip(tables.reshape(-1, 4, 3), everything(tables).ravel(), strict=True):
        rows = table.tolist()
        n = sum(map(sum, rows))
        expected = (
            sum(map(square_sum, rows))
            + 10 * square_sum(map(sum, rows))
            + 100 * sum(square_sum(row) / sum(row) for row in rows if sum(row) > 0)
            + 1000 * square_sum(map(sum, zip(*rows, strict=True)))
            + 1e4 * n * n
            + 1e5 * n
        )
        # Sums in another order: the last digits differ.
        assert score == pytest.approx(expected, rel=1e-12)


@numba.njit
def call(compiled, sums, scores):
    compiled(sums, scores)


def test_the_compiled_combination_is_given_the_sums_in_the_same_order():
    sums = np.array([2.0, 3.0, 5.0, 7.0, 11.0, 13.0])
    many, scores = np.multiply.outer(sums, [1.0, 10.0, 100.0]), np.zeros((1, 2))
    assert everything.compiled is not None
    call(everything.compiled, many, scores)

    assert scores[0].tolist() == [everything.combine(*sums), everything.combine(*(10 * sums))]


def test_every_formula_of_sums_of_the_registry_is_compiled():
    formulas = [getattr(tl.metric(name), "formula", None) for name in tl.metric_names()]
    of_sums = [f for f in formulas if isinstance(f, SumFormula)]

    assert len(of_sums) > 10
    assert [f.__name__ for f in of_sums if f.compiled is None] == []
    assert [f.__name__ for f in of_sums if compiled_cell(f.cell) is None] == []


def first(cells, _branches, shares, classes, _whole, n):
    return cells - shares * n + classes


def second(_cells, branches, _shares, _classes, whole, n):
    return (whole - branches) / n


def both(cells, branches, shares, classes, whole, n):
    return cells - shares * n + classes, (whole - branches) / n


@pytest.mark.parametrize("cell", [n_log_n, np.square])  # that numba can compile, and cannot
@pytest.mark.parametrize("data", DATA)
def test_two_scores_of_one_pass_are_those_of_two(data, cell):
    counts = root_node(Coded.of(data, Coding())).counts
    found = counts.map(sums_of(cell, pairs=True)(both))

    assert found.shape == (2, len(counts))
    for given, combine in zip(found, (first, second), strict=True):
        # Where nothing is looked up, numpy and numba may round the last digit differently.
        expected = counts.map(sums_of(cell)(combine))
        np.testing.assert_allclose(given, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("h", [cubes_and_roots, np.expm1])
def test_an_h_that_units_are_too_coarse_for_is_left_to_tables(h):
    formula = sums_of(h)(lambda cells, _b, _s, classes, _w, _n: cells - classes)

    assert formula.fixed(10) is None
    assert trees(tl.from_counts(formula)) == trees(tl.from_counts(formula.__call__))


@pytest.mark.parametrize("formula", [gain, gini_module.gini, everything])
def test_a_formula_of_sums_is_pickled_by_its_name(formula):
    formula.compiled  # noqa: B018  (machine code cannot be pickled, and need not)

    assert pickle.loads(pickle.dumps(formula)) is formula


@pytest.mark.parametrize("formula", [gain, gini_module.gini], ids=["gain", "gini"])
def test_the_tree_is_the_same_without_the_compiler(formula, monkeypatch):
    compiled = trees(formula.__name__)
    monkeypatch.setitem(formula.__dict__, "compiled", None)

    assert compiled == trees(formula.__name__)


@sums_of(np.square)
def my_gini(_cells, _branches, shares, classes, whole, n):
    return shares / n - classes / whole


@sums_of(np.square)
def uncompilable(_cells, _branches, shares, classes, whole, n):
    return json.loads("1.0") * (shares / n - classes / whole)


class Gini:
    def __call__(self, _cells, _branches, shares, classes, whole, n):
        return shares / n - classes / whole


def test_what_is_called_need_not_be_a_plain_function():
    jitted_one, an_object = (sums_of(np.square)(f) for f in (numba.njit(my_gini.combine), Gini()))

    assert an_object.compiled is None
    assert trees("gini") == trees(tl.from_counts(jitted_one)) == trees(tl.from_counts(an_object))


@pytest.mark.parametrize("mine", [my_gini, uncompilable])
def test_a_users_formula_of_sums_grows_the_tree_of_the_builtin_one(mine):
    assert trees("gini") == trees(tl.from_counts(mine))


@machine_code
def test_what_numba_cannot_compile_stays_as_it_is():
    assert uncompilable.compiled is None
    assert my_gini.compiled is not None


def test_shares_that_are_named_with_an_underscore_are_not_made():
    assert my_gini.needs_shares
    assert not gain.needs_shares


# Functions of one table


def loops(table):
    n, within, classes = table.sum(), 0.0, 0.0
    for j in range(table.shape[0]):
        size = table[j].sum()
        if size > 0:
            for i in range(table.shape[1]):
                within += table[j, i] ** 2 / size
    for i in range(table.shape[1]):
        classes += table[:, i].sum() ** 2
    return within / n - classes / n**2


@numba.njit
def jitted(table):
    n, within, classes = table.sum(), 0.0, 0.0
    for j in range(table.shape[0]):
        size = table[j].sum()
        if size > 0:
            within += (table[j] ** 2).sum() / size
    for i in range(table.shape[1]):
        classes += table[:, i].sum() ** 2
    return within / n - classes / n**2


def pythonic(table):
    rows = [row for row in table.tolist() if sum(row)]
    n = sum(map(sum, rows))
    within = sum(sum(x * x for x in row) / sum(row) for row in rows)
    return within / n - sum(sum(column) ** 2 for column in zip(*rows, strict=True)) / n**2


def batch(tables):
    n, sizes = tables.sum(axis=(-2, -1)), tables.sum(axis=-1)
    within = (tables**2).sum(axis=-1) / np.where(sizes > 0, sizes, 1.0)
    return within.sum(axis=-1) / n - (tables.sum(axis=-2) ** 2).sum(axis=-1) / n**2


ROADS = {"loops": loops, "jitted": jitted, "pythonic": pythonic, "batch": batch}
roads = pytest.mark.parametrize("function", ROADS.values(), ids=ROADS.keys())


@roads
def test_every_way_to_write_a_formula_grows_the_same_tree(function):
    assert trees("gini") == trees(tl.from_counts(function))


@machine_code
@pytest.mark.parametrize(
    ("function", "one", "compiled"),
    [(loops, True, True), (jitted, True, True), (pythonic, True, False), (batch, False, False)],
)
def test_functions_of_one_table_are_compiled_if_numba_can(function, one, compiled):
    formula = over_tables(function)

    assert isinstance(formula, PerTableFormula) == one
    if one:
        assert (formula.compiled is not None) == compiled


def corner(table):
    return table[0, 0] / table[0].sum()


def unpacked(table):
    (a, b), (c, d) = table
    return abs(a * d - b * c)


@pytest.mark.parametrize("function", [corner, unpacked])
def test_a_function_of_one_table_that_also_takes_two_is_still_one(function):
    """Of two tables of two classes, `table[0, 0]` would be two numbers as well."""
    tables = np.array([[[3.0, 1.0], [2.0, 5.0]], [[1.0, 4.0], [9.0, 2.0]]])

    assert [function(t) for t in tables] == over_tables(function)(tables).tolist()


@roads
def test_leading_axes_of_tables_are_kept(function):
    tables = np.random.default_rng(0).integers(1, 9, (2, 5, 3, 4)).astype(float)
    formula = over_tables(function)

    # Sums in another order: the last digits differ.
    np.testing.assert_allclose(formula(tables), batch(tables), rtol=1e-12)
    np.testing.assert_allclose(formula(tables.swapaxes(2, 3)), batch(tables.swapaxes(2, 3)))
    assert formula(tables[:0]).shape == (0, 5)


@roads
def test_a_metric_of_a_users_function_can_be_pickled_after_it_was_used(function):
    metric = tl.from_counts(function)
    tree = tl.grow(DATA[0], metric, pruner="none")
    again = pickle.loads(pickle.dumps(metric))

    assert repr(again) == repr(metric) == f"from_counts({function.__name__})"
    assert tl.grow(DATA[0], again, pruner="none") == tree


SHAPES = r"a formula must return one score per table: expected shape \(\d+,\) for tables of shape"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda tables: tables, SHAPES),
        (lambda _: None, SHAPES),
        (lambda _: [1.0, 2.0], SHAPES),
        (lambda _: "much", re.escape("a formula must return numbers, got 'much'")),
        (lambda _: {"gain": 1.0}, re.escape("a formula must return numbers, got {'gain': 1.0}")),
    ],
)
def test_a_wrong_function_is_told_in_one_sentence(wrong, message):
    with pytest.raises(DataError, match=f"^{message}[^\n]*$"):
        tl.grow(DATA[0], tl.from_counts(wrong))


def test_what_a_function_raises_is_raised():
    def broken(_table):
        raise RuntimeError("my own words")

    with pytest.raises(RuntimeError, match="my own words"):
        tl.grow(DATA[0], tl.from_counts(broken))
