"""The code that CONTRIBUTING.md shows does what it says; that of papers is in tests/papers."""

import re
from pathlib import Path

import numpy as np
import pytest

import treelab as tl
from treelab.metrics import registry
from treelab.writers.export_tree import export_tree_of

TEXT = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text("utf-8")
LABOR = tl.load("labor")


def names_of(section):
    """Return what the first piece of Python of a section defines."""
    code = re.search(r"```python\n(.*?)```", TEXT[TEXT.index(f"## {section}\n") :], re.DOTALL)[1]
    scope = {"__name__": "theirs"}
    exec(compile(code, section, "exec"), scope)
    return scope


@pytest.fixture
def own_registry(monkeypatch):
    for kept in (registry.METRICS, registry._FORMULAS):
        monkeypatch.setattr(kept, "_factories", dict(kept._factories))
    monkeypatch.setattr(registry, "_INFOS", dict(registry._INFOS))


@pytest.mark.usefixtures("own_registry")
def test_the_metric_has_a_name_and_grows_trees():
    names_of("Adding a metric")

    assert tl.metric("twice-right").formula(np.array([[3.0, 1.0], [0.0, 2.0]])) == 10.0
    data = tl.load("lenses")  # with missing values another scale is another metric
    assert tl.grow(data, "twice-right", pruner="none") == tl.grow(data, "imc", pruner="none")


def test_the_discretizer_cuts_at_the_middle():
    halves = names_of("Adding a discretizer")["Halves"]()
    cuts = halves.fit(LABOR).cuts

    assert cuts["duration"].tolist() == [2.0]
    assert not set(cuts) & {c.name for c in LABOR.schema.features if c.is_nominal}
    assert tl.grow(LABOR, discretizer=halves).n_leaves > 1
    column = tl.Dataset.of(tl.Schema((tl.Column("x"),)), [np.array([-1e308, 1e308, np.nan])])
    assert halves.fit(column).cuts["x"].tolist() == [0.0]


def test_the_discretizer_counts_what_has_weight_and_separates_neighbours():
    halves = names_of("Adding a discretizer")["Halves"]()
    above = np.nextafter(1.0, 2)
    schema = tl.Schema((tl.Column("x"),))
    column = tl.Dataset.of(schema, [np.array([1.0, above, 9.0])], weights=[1.0, 1.0, 0.0])
    coding = halves.fit(column)

    assert coding.codes("x", column["x"]).tolist() == [0, 1, 1]
    assert coding.cuts["x"].tolist() == [above]


def test_the_pruner_keeps_the_root():
    stump = names_of("Adding a pruner")["Stump"]()
    full = tl.grow(LABOR, pruner="none")

    assert full.depth > 1
    assert tl.prune(full, stump).depth == 1
    assert tl.grow(LABOR, pruner=stump).root.feature == full.root.feature


def test_the_format_writes_the_leaves():
    tree = tl.grow(LABOR, pruner="none")
    text = names_of("Adding an export format")["write"](export_tree_of(tree))

    assert text.splitlines() == [node.label for node in tree.nodes if node.is_leaf]
