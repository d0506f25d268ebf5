"""Random trees of every kind with names that try to break out, and cases they have not seen."""

import attrs
import numpy as np
import pytest

import treelab as tl
from tests.strategies import NUMBERS, random_dataset
from treelab.data.coded import ANY_NUMBER
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.writers import form_for
from treelab.writers.cases import cases_of
from treelab.writers.runners import run
from treelab.writers.runners.answers import NoEngineError

HOSTILE = (
    "select", "it's", 'say "hi"', "'; DROP TABLE cases; --", "</script><script>alert(1)</script>",
    "a\nb", "back\\slash\\", '"""', "<b>&amp;", "naïve ñ 漢字 🌲", "%d%s$x^_{}~#", "class",
    "*/ int", "??/", "a\tb", "{{x}}", "]]>", "\\end{forest}", "-- c", "#define x", "x0", "True",
    " pad ", "=1+1", "a\r\nb", "__proto__",
)  # fmt: skip
SPLITS = ("auto", "multiway", "subset", "binary")
MISSING = ("fractional", "branch", "majority")
PROBABILITIES = ("shares", "shrunk:lambda=3", "laplace", "m-estimate:m=4")


def renamed(data, seed):
    """Return the data with hostile names and labels."""
    rng = np.random.default_rng([seed, 7])
    names = list(rng.permutation(HOSTILE))
    target = Column(names.pop(), tuple(names.pop() for _ in data.classes))
    features = tuple(
        Column(names.pop(), column.labels and tuple(rng.permutation(HOSTILE)[: column.n_labels]))
        for column in data.schema.features
    )
    plain = tuple(
        Column(str(c.name), c.labels and tuple(map(str, c.labels))) for c in (*features, target)
    )
    return attrs.evolve(data, schema=Schema(plain[:-1], plain[-1]))


def random_tree(seed, missing=None, nominal=2, splits=None, cut=None, classes=3):
    """Return a tree grown on seeded data; its kind depends on the seed where it is not given."""
    missing = MISSING[seed % 3] if missing is None else missing
    cut = seed % 2 if cut is None else cut
    data = random_dataset(seed, cases=60, nominal=nominal, classes=classes, weights="fraction")
    return tl.grow(
        renamed(data, seed),
        ("gain", "gini")[seed % 2],
        missing=missing,
        splits=SPLITS[seed // 3 % 4] if splits is None else splits,
        discretizer="equal-width:4" if cut else None,
        pruner="none",
        min_cases=1,
        probabilities=PROBABILITIES[seed // 2 % 4],
    )


def new_cases(tree, seed, cases=60):
    """Return cases on and beside every threshold, missing ones and unseen labels among them."""
    rng = np.random.default_rng([seed, 11])
    features, columns = [], []
    for column in tree.schema.features:
        if column.is_nominal:
            labels = (*column.labels, "never seen")
            features.append(Column(column.name, labels))
            columns.append(rng.integers(-1, len(labels), cases))
        else:
            features.append(column)
            columns.append(rng.choice(_numbers(tree, column.name), cases))
    return Dataset.of(Schema(tuple(features)), columns, np.full(cases, -1), None, "new", cases)


def _numbers(tree, name):
    of_feature = tree.feature == tree.features.index(name)
    limits = tree.threshold[of_feature & ~np.isnan(tree.threshold)]
    limits = np.concatenate([limits, tree.coding.cuts.get(name, [])])
    limits = limits[limits < ANY_NUMBER]
    beside = [np.nextafter(limits, -np.inf), limits, np.nextafter(limits, np.inf)]
    return np.concatenate([*beside, NUMBERS, [np.nan, np.nan, np.nan]])


def examples(tree, seed, cases=60):
    """Return cases by name with the probabilities and the class the tree gives them."""
    data = new_cases(tree, seed, cases)
    return cases_of(tree, data), tree.predict_proba(data), tree.predict(data).tolist()


def answers(tree, name, cases, **options):
    """Return what a tree answers in another format; what runs it may not be here."""
    form = form_for(tree, name, approximate=False)
    try:
        return run(name, tl.export(tree, name, **options), form, cases, **options)
    except NoEngineError as error:
        # treelab needs no compiler; only this format's readers do. CI's machine has one.
        pytest.skip(str(error))
