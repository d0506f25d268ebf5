"""The four cases of a feature by distance."""

import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.plots import draw_pi_cases, save
from treelab.stats.stores.in_memory import root_node


@pytest.mark.parametrize("alpha", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("theta", [(1, 1, 1, 1), (0, 0.5, 0, 2)])
def test_scores_are_those_of_pi(alpha, theta):
    data = random_dataset(4, cases=40, missing=0.2, weights="whole")
    node = root_node(Coded.of(data, Coding()), "multiway", seed=0)
    found = tl.pi_cases(data, "x0", theta=theta)

    # Both sum the same products, in another order.
    expected = tl.Pi(theta, alpha)(node).values
    assert found.scores(alpha) == pytest.approx(expected, rel=1e-10, abs=1e-9)


def test_pairs_are_those_of_the_matrices():
    data = tl.load("voting")
    found = tl.pi_cases(data, "crime")
    matrices = tl.pi_matrices(data, "crime", alpha=0.2)
    weights = 2.0 ** (-0.2 * np.arange(len(found.pairs)))

    assert weights @ found.pairs == pytest.approx(matrices.R_m.sum(axis=(0, 1)), rel=1e-10)
    assert found.pairs.sum() == len(data) ** 2


def test_parity_is_found_by_near_pairs_only():
    found = tl.pi_cases(tl.make("exor", n=2, m=8, cases=200), "X1")

    assert found.rank(0.0) > 1
    assert found.rank(1.0) <= 2
    assert found.agreement[1] > 0.5
    assert found.agreement[-1] < 0
    assert "X1 is of rank" in str(found)
    assert repr(found) == "<PiCases of 'X1': distances 0 to 10>"


@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_ranks_are_places_among_the_scores(alpha):
    data = random_dataset(4, cases=40, ties=False)
    found = [tl.pi_cases(data, name) for name in data.features]
    best_first = np.argsort(-found[0].scores(alpha))

    assert [found[f].rank(alpha) for f in best_first] == [1, 2, 3, 4]


def test_a_part_of_many_cases_is_drawn_whatever_their_order():
    data = tl.load("tic-tac-toe")
    turned = data.take(np.arange(len(data))[::-1])
    one, other = (tl.pi_cases(each, data.features[4], max_cases=100) for each in (data, turned))

    assert one.pairs.sum() == 100**2
    assert np.array_equal(one.pairs, other.pairs)
    assert one.terms == pytest.approx(other.terms, rel=1e-12)


def test_what_is_wrong_is_said():
    data = tl.load("lenses")
    with pytest.raises(UnknownNameError, match="did you mean 'astigmatic'"):
        tl.pi_cases(data, "astigmatis")
    with pytest.raises(ParameterError, match=r"^bins must be a whole number of at least 1, got 0$"):
        tl.pi_cases(data, data.features[0], bins=0)
    with pytest.raises(DataError, match="at least one case with a known class"):
        tl.pi_cases(data.take([]), data.features[0])


def test_the_picture_repeats_exactly(tmp_path):
    found = tl.pi_cases(tl.load("lenses"), tl.load("lenses").features[0])
    for name in ("a.svg", "b.svg"):
        save(draw_pi_cases(found), tmp_path / name)

    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert len(draw_pi_cases(found).axes) == 3
