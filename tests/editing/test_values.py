"""What a page needs to offer edits: values, weights and thresholds at a node."""

import json

import numpy as np
import pytest

import treelab as tl
from treelab.editing import Split, values_at
from treelab.errors import ParameterError, TreelabError

IRIS = tl.load("iris")


@pytest.mark.parametrize("missing", ["fractional", "branch", "majority"])
def test_the_weights_of_all_values_are_those_of_the_node(missing):
    data = tl.load("labor")
    tree = tl.grow(data, missing=missing, pruner=None)
    for path in ("root", "0", "1"):
        for feature in data.features:
            found = values_at(tree, path, feature)
            total = found.missing + sum(bar.counts for bar in found.bars)

            # Shares of cases are rounded.
            np.testing.assert_allclose(total, tree.node(path).counts, atol=1e-9)
            json.dumps(found.to_dict(), allow_nan=False)


def test_the_weights_are_those_of_the_cases_with_costs_too():
    data = tl.load("hepatitis")
    one, other = data.classes
    tree = tl.grow(data, costs={one: {other: 5}, other: {one: 1}})
    found = values_at(tree, "root", "SEX")

    assert sum(bar.counts for bar in found.bars).sum() + found.missing.sum() == len(data)


@pytest.mark.parametrize("kind", [{}, {"bins": 6}, {"discretizer": "equal-width:5"}])
def test_thresholds_leave_no_branch_empty_and_others_do(kind):
    tree = tl.grow(IRIS, **kind, min_branch=5)
    for path in ("root", "1"):
        for feature in IRIS.features:
            found = values_at(tree, path, feature)
            if len(found.bars) < 2:
                assert found.thresholds is None
                continue
            low, high = found.thresholds
            inside = [low, (low + high) / 2] if found.borders is None else found.borders
            for threshold in inside:
                tl.edit(tree, Split(path, feature, threshold, "leaves"))
            if found.borders is None:
                for threshold in (np.nextafter(low, -np.inf), high):
                    with pytest.raises(ParameterError, match=r"leaves a branch of node .* empty"):
                        tl.edit(tree, Split(path, feature, threshold, "leaves"))


def test_the_learner_asks_for_more_on_each_side():
    tree = tl.grow(IRIS, min_branch=10, pruner=None)
    low, high = values_at(tree, "root", "petal width").of_learner
    values = IRIS.columns[3]

    assert (values <= low).sum() >= 10 > (values < low).sum()
    assert (values >= high).sum() >= 10 > (values > high).sum()


def test_few_numbers_are_shown_one_by_one_and_many_in_stretches():
    tree = tl.grow(IRIS)
    one_by_one = values_at(tree, "root", "petal width")
    stretches = values_at(tree, "root", "petal width", bars=7)

    assert len(one_by_one.bars) == len(np.unique(IRIS.columns[3]))
    assert one_by_one.bars[0].low == one_by_one.bars[0].high == 0.1
    assert len(stretches.bars) == 7
    ends = np.linspace(0.1, 2.5, 8)
    expected = np.histogram(IRIS.columns[3], ends)[0]
    assert [bar.counts.sum() for bar in stretches.bars] == expected.tolist()


def test_labels_that_do_not_occur_are_left_out():
    tree = tl.grow(tl.load("lenses"), pruner=None)
    found = values_at(tree, "0", "tear_rate")

    assert len(found.bars) == 1
    assert found.thresholds is None
    assert found.kind == "nominal"


def test_what_is_not_there_gets_one_sentence():
    tree = tl.grow(IRIS)
    for arguments, said in [
        (("7", "petal width"), "there is no node 7: .*"),
        (("0", "petals"), "unknown feature 'petals': .*"),
    ]:
        with pytest.raises(TreelabError, match=f"^{said}$"):
            values_at(tree, *arguments)
    with pytest.raises(ParameterError, match=r"^bars must be a whole number of at least 2, got 1$"):
        values_at(tree, "0", "petal width", bars=1)
