"""Any data, any names: every format that runs here agrees with the tree."""

import sqlite3
from contextlib import closing
from itertools import count

import attrs
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import treelab as tl
from tests.strategies import datasets, steady
from tests.writers.evaluator import Model
from tests.writers.trees import MISSING, SPLITS, examples
from treelab.data.schema import Column, Schema
from treelab.tree import file
from treelab.writers.export_tree import export_tree_of
from treelab.writers.rules import rules_of

CLOSE = {"rtol": 0, "atol": 1e-12}  # sums of at most a few dozen parts

WRITABLE = st.characters(
    codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="\ufffe\uffff"
)
"""What XML can write, and with it every format."""
NAMES = st.text(WRITABLE, max_size=6)


@st.composite
def trees(draw):
    """Draw a tree of any kind whose names may be anything a text can hold."""
    data = draw(datasets(min_cases=4, max_cases=20))
    fresh = (
        f"{draw(NAMES)}{draw(st.sampled_from(['', chr(10), chr(39), chr(34)]))}{k}" for k in count()
    )
    columns = [
        Column(next(fresh), c.labels and tuple(next(fresh) for _ in c.labels))
        for c in (*data.schema.features, data.schema.target)
    ]
    data = attrs.evolve(data, schema=Schema(tuple(columns[:-1]), columns[-1]))
    return tl.grow(
        data,
        missing=draw(st.sampled_from(MISSING)),
        splits=draw(st.sampled_from(SPLITS)),
        discretizer=draw(st.sampled_from([None, "equal-width:3"])),
        pruner="none",
        min_cases=1,
    )


@given(trees(), st.integers(0, 99))
@steady(60)
def test_every_format_agrees_with_the_tree(tree, seed):
    cases, shares, labels = examples(tree, seed, cases=12)
    scope = {}
    exec(tl.export(tree, "python"), scope)
    pmml = Model(tl.export(tree, "pmml"))
    form, rules = export_tree_of(tree), list(rules_of(export_tree_of(tree)))
    for case, expected, label in zip(cases, shares, labels, strict=True):
        by_rules = sum(r.part(case) * np.array(form.nodes[r.node].probabilities) for r in rules)

        np.testing.assert_allclose(form.probabilities(case), expected, **CLOSE)
        np.testing.assert_allclose(by_rules, expected, **CLOSE)
        np.testing.assert_allclose(list(scope["predict_proba"](case).values()), expected, **CLOSE)
        np.testing.assert_allclose(list(pmml.probabilities(case).values()), expected, **CLOSE)
        assert scope["predict"](case) == label
    assert file.loads(tl.export(tree, "json")) == tree


@given(trees(), st.integers(0, 99))
@steady(40)
def test_sqlite_agrees_with_the_tree(tree, seed):
    exact = attrs.evolve(tree, missing="majority") if tree.missing == "fractional" else tree
    cases, _, labels = examples(exact, seed, cases=12)
    columns = ", ".join('? AS "' + name.replace('"', '""') + '"' for name in tree.features)
    query = f"SELECT {tl.export(exact, 'sql')} FROM (SELECT {columns})"
    with closing(sqlite3.connect(":memory:")) as base:
        found = [base.execute(query, list(case.values())).fetchone()[0] for case in cases]

    assert found == labels


@given(trees())
@steady(25)
def test_drawings_and_pages_can_be_made_of_any_names(tree):
    for name in ("svg", "html", "latex", "c"):
        assert tl.export(tree, name)
