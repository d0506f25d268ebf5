"""Learning before and after: cross-validation by hand, the choice made inside each fold."""

import numpy as np
from strategies import random_dataset

import treelab as tl
from treelab.data.folds import folds_by_content
from treelab.evaluate import Reduced, before_after
from treelab.reduce.values import labelling


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

    # The first part twice: what it takes to load kernels is not measured.
    assert seen == [(fold != f).sum() for f in (0, 0, 1, 2)]
    assert found.after.accuracy == np.mean(right)
    assert found.after.leaves == np.mean(leaves)
    assert (found.before.features, found.after.features) == (6, 2)
    whole = tl.cross_validate(data, tl.Learner(), 3, 4)
    assert (found.before.accuracy, found.before.depth) == (whole.accuracy, whole.depth)


def test_it_prints_as_a_table():
    data = tl.load("iris")
    lines = str(before_after(data, lambda cases: cases, tl.Learner(), 3)).splitlines()

    assert [line.split()[0] for line in lines] == [
        "before", "cases", "features", "values", "seconds", "accuracy", "leaves", "depth"
    ]  # fmt: skip
    assert lines[5].split()[1:3] == lines[5].split()[3:5]  # nothing was left out


def test_fewer_cases_and_values_are_counted_and_all_cases_of_a_fold_are_tested():
    data = tl.load("iris")
    half = before_after(data, lambda cases: cases.take(range(0, len(cases), 2)), tl.Learner(), 3)
    words = {"labels": ["low", "middle", "high"], "discretizer": None}
    in_words = before_after(data, lambda cases: Reduced(
        tl.reduce.values(cases, "labels", **words), labelling(cases, **words)
    ), tl.Learner(), 3)  # fmt: skip

    assert (half.before.cases, half.after.cases) == (100, 50)
    assert in_words.after.values == 12 < in_words.before.values
    assert in_words.after.accuracy > 0.9


def test_cases_to_predict_are_made_like_those_learned_from():
    data = tl.load("iris")

    def components(cases):
        pca = tl.reduce.principal_components(cases)
        return Reduced(pca.apply(cases), pca.apply)

    found = before_after(data, components, tl.Learner(), 3)
    fold, right = folds_by_content(data, 3, 0), []
    for f in range(3):
        train, test = data.take(fold != f), data.take(fold == f)
        pca = tl.reduce.principal_components(train)
        tree = tl.Learner().fit(pca.apply(train))
        right.append((tree.predict(pca.apply(test)) == test.labels).mean())
    assert found.after.features == 2
    assert found.after.accuracy == np.mean(right)
