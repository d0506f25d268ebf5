"""Random trees beside those of the brute-force builder; `make trust` grows 100,000."""

import numpy as np
import pytest

import treelab as tl

FOUND = (4_722,)
"""Numbers of trees that once differed."""


def test_random_trees_are_those_of_the_brute_force_builder(script):
    differential = script("differential")
    grown, wrong = differential.compared([*range(1_000_000, 1_000_150), *FOUND])

    assert wrong == {}
    assert grown > 50  # leaves alone would show little


def test_a_tree_that_is_not_the_best_is_found(script, monkeypatch):
    """Else the test above would show nothing."""
    differential = script("differential")
    grow = tl.grow

    def worse(data, metric, **settings):
        return grow(data, lambda node: -np.asarray(tl.metric(metric)(node)), **settings)

    monkeypatch.setattr(tl, "grow", worse)
    _, wrong = differential.compared(range(20))

    assert len(wrong) > 5


@pytest.mark.parametrize("number", [0, 7])
def test_a_number_always_draws_the_same_tree(script, number):
    differential = script("differential")
    one, other = differential.task(number), differential.task(number)

    assert one[1] == other[1]
    for a, b in zip(one[0].columns, other[0].columns, strict=True):
        np.testing.assert_array_equal(a, b)
