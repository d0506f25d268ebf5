"""Characteristics of data: by hand, by naive sums, whatever the order, with weights and gaps."""

from math import log2, sqrt

import numpy as np
import pytest
from hypothesis import given
from strategies import dataset, datasets, random_dataset, steady

import treelab as tl
from treelab.errors import DataError, ParameterError, UnknownNameError

XOR = dataset([np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])], [0, 1, 1, 0], 2)


def naive_variation(data):
    """Vilalta's concept variation, pair by pair; missing is at distance 1 from what is known."""
    n, p = len(data), len(data.features)
    ranges = [np.nanmax(c) - np.nanmin(c) if c.dtype.kind == "f" else 1 for c in data.columns]
    total = 0.0
    for i in range(n):
        same, other = 0.0, 0.0
        for j in range(n):
            if i == j:
                continue
            squares = 0.0
            for column, width in zip(data.columns, ranges, strict=True):
                a, b = column[i], column[j]
                if column.dtype.kind == "f" and not (np.isnan(a) or np.isnan(b)):
                    squares += ((a - b) / width) ** 2 if width else 0.0
                elif column.dtype.kind == "f":
                    squares += np.isnan(a) != np.isnan(b)
                else:
                    squares += a != b
            d = sqrt(squares)
            w = 2 ** (-2 * d / max(sqrt(p) - d, 1e-9))
            other, same = (other + w, same) if data.y[i] != data.y[j] else (other, same + w)
        total += other / (same + other) if same + other else 0.0
    return total / n


def test_the_parity_of_two_bits_by_hand():
    found = tl.meta(XOR)

    assert (found["cases"], found["features"], found["classes"], found["values"]) == (4, 2, 2, 2)
    assert (found["class entropy"], found["majority"], found["best feature"]) == (1, 0.5, 0)
    # 12 ordered pairs: 8 at distance 1, all of other classes; 4 at distance 2, all of the same.
    assert found["distance"] == pytest.approx((8 / 2 + 4) / 12)
    assert found["agreement"] == pytest.approx(4 / 12)
    # A case has two others at distance 1 (weight 1/2) and one at distance 2 (weight 1/4).
    assert found["interaction"] == pytest.approx((1 / 4) / (1 / 4 + 1) - 1 / 3)
    assert found["R2 middle"] == found["R4 middle"] == pytest.approx(8 / 12 / 2)
    assert found["R3 far"] == pytest.approx(4 / 12)
    # The other corner has no weight, both neighbours are of the other class.
    assert found["concept variation"] == pytest.approx(1.0)


def test_the_masses_of_the_four_cases_are_all_pairs():
    found = tl.meta(random_dataset(0, cases=30, weights="whole"))

    assert sum(v for name, v in found.items() if name[0] == "R") == pytest.approx(1.0)
    same = sum(v for name, v in found.items() if name.startswith(("R1", "R3")))
    assert same == pytest.approx(found["agreement"])


@pytest.mark.parametrize("seed", range(3))
def test_concept_variation_is_the_naive_one(seed):
    data = random_dataset(seed, cases=25, missing=0.2)

    assert tl.meta(data)["concept variation"] == pytest.approx(naive_variation(data), rel=1e-10)


def test_information_is_that_of_the_tables():
    data = tl.load("lenses")
    gains = [tl.formula("gain")(table_of(data, f)) for f in range(len(data.features))]
    shares = np.bincount(data.y) / len(data)
    whole = -sum(s * log2(s) for s in shares)

    found = tl.meta(data)
    assert found["best feature"] == pytest.approx(max(gains) / whole)
    assert found["mean feature"] == pytest.approx(np.mean(gains) / whole)


def table_of(data, f):
    table = np.zeros((data.columns[f].max() + 1, len(data.classes)))
    np.add.at(table, (data.columns[f], data.y), 1)
    return table


@steady(30)
@given(datasets())
def test_any_data_have_finite_characteristics_whatever_their_order(data):
    found = tl.meta(data)
    turned = tl.meta(data.take(np.arange(len(data))[::-1]))

    assert all(np.isfinite(list(found.values())))
    assert dict(found) == dict(turned)


def test_a_case_of_weight_2_is_two_cases():
    data = random_dataset(1, cases=20, missing=0.2)
    heavy = dataset(data.columns, data.y, 3, np.where(np.arange(20) < 5, 2.0, 1.0),
                    dict.fromkeys((2, 3), 4))  # fmt: skip
    twice = data.take(np.r_[np.arange(20), np.arange(5)])

    assert dict(tl.meta(heavy)) == pytest.approx(dict(tl.meta(twice)), rel=1e-10, abs=1e-12)


def test_the_pairs_of_many_cases_are_those_of_a_seeded_sample():
    data = tl.load("tic-tac-toe")
    one, again = (tl.meta(data, max_cases=100, seed=1) for _ in range(2))
    other, whole = tl.meta(data, max_cases=100, seed=2), tl.meta(data, max_cases=None)

    assert dict(one) == dict(again)
    assert one["agreement"] != other["agreement"]
    assert one["cases"] == 958  # sizes and tables are of all cases
    assert one["best feature"] == whole["best feature"]
    # 100 of 958 cases: agreement has a standard deviation of about 0.01.
    assert one["agreement"] == pytest.approx(whole["agreement"], abs=0.05)


def test_it_shows_itself():
    found = tl.meta(XOR)

    assert "concept variation" in str(found)
    assert repr(found).startswith("<Meta: cases 4, features 2, classes 2")
    assert found._repr_html_().startswith("<table>")
    assert list(found.to_frame()["characteristic"]) == list(found)
    assert found.to_dict() == dict(found)
    assert found.formula("agreement") == "P(same class) of a pair"


def test_what_is_wrong_is_said():
    with pytest.raises(UnknownNameError, match="did you mean 'agreement'"):
        tl.meta(XOR)["agrement"]
    with pytest.raises(ParameterError, match="max_cases must be a whole number of at least 2"):
        tl.meta(XOR, max_cases=1)
    with pytest.raises(DataError, match="a case with a known class"):
        tl.meta(XOR.take([]))
    with pytest.raises(DataError, match="need a feature"):
        tl.meta(XOR.select([]))
