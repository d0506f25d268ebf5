"""Learning before and after: cross-validation by hand, the choice made inside each fold."""

import numpy as np
from strategies import random_dataset

import treelab as tl
from treelab.data.folds import folds_by_content
from treelab.evaluate import before_after


def test_features_are_chosen_on_the_training_cases_only():
    data = random_dataset(7, cases=90, numeric=4, nominal=2, missing=0.1)
    seen = []

    def two(cases):
        seen.append(len(cases))
        return tl.reduce.features(cases, "relief", k=2).apply(cases)

    found = before_after(data, two, tl.Learner(), folds=3, seed=4)
    fold = folds_by_content(data, 3, 4)
    right, leaves = [], []
    for f in range(3):
        train, test = data.take(fold != f), data.take(fold == f)
        tree = tl.Learner().fit(tl.reduce.features(train, "relief", k=2).apply(train))
        right.append((tree.predict(test) == test.labels).mean())
        leaves.append(tree.n_leaves)

    assert seen == [(fold != f).sum() for f in range(3)]
    assert found.after.accuracy == np.mean(right)
    assert found.after.leaves == np.mean(leaves)
    assert (found.before.features, found.after.features) == (6, 2)
    whole = tl.cross_validate(data, tl.Learner(), 3, 4)
    assert (found.before.accuracy, found.before.depth) == (whole.accuracy, whole.depth)


def test_it_prints_as_a_table():
    data = tl.load("iris")
    lines = str(before_after(data, lambda cases: cases, tl.Learner(), 3)).splitlines()

    assert [line.split()[0] for line in lines] == [
        "before", "features", "seconds", "accuracy", "leaves", "depth"
    ]  # fmt: skip
    assert lines[3].split()[1:3] == lines[3].split()[3:5]  # nothing was left out
