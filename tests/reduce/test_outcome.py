"""A numeric outcome in place of a class: correlation with it, and its intervals as classes."""

import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.reduce import correlations, features, means_and_variances, pseudo_classes


@pytest.fixture
def prices():
    rng = np.random.default_rng(3)
    size, age, noise = rng.normal(size=(3, 90))
    price = 3 * size - age + 0.1 * rng.normal(size=90)
    price[:5] = np.nan
    size[7] = np.nan
    frame = {"price": price, "size": size, "age": age, "noise": noise, "town": ["a", "b"] * 45}
    import pandas as pd

    return tl.Dataset.from_frame(pd.DataFrame(frame))


def test_pearsons_r_is_of_the_outcome_as_it_is(prices):
    found = features(prices, "correlation", outcome="price")
    known = ~np.isnan(prices["price"]) & ~np.isnan(prices["size"])
    by_hand = np.corrcoef(prices["size"][known], prices["price"][known])[0, 1]
    assert found.scores["size"] == pytest.approx(abs(by_hand), rel=1e-12)
    assert found.scores == {n: abs(r) for n, r in correlations(prices, "price").items()}
    assert "price" in found.kept
    assert "price" not in found.scores


def test_other_methods_see_intervals_of_equally_many_cases(prices):
    classed = pseudo_classes(prices, "price", 3)
    counts = np.bincount(classed.y[classed.y >= 0])
    assert counts.tolist() == [29, 28, 28]
    assert (classed.y < 0).sum() == 5
    assert classed.features == ("size", "age", "noise", "town")
    assert classed.target == "price"
    order = np.argsort(prices["price"][5:])
    assert (np.diff(classed.y[5:][order]) >= 0).all()

    by_means = features(prices, "means", outcome="price")
    assert by_means.scores == means_and_variances(classed).scores
    assert features(prices, "relief", k=1, outcome="price").kept == ("price", "size")
    assert features(prices, "dm", k=1, outcome="price", fill="mean").kept == (
        "price", "size", "town",
    )  # fmt: skip


def test_the_outcome_is_not_filled_in_and_not_judged(prices):
    found = features(prices, "elimination", 0.2, outcome="price", fill="mean")
    assert found.kept == ("price", "size", "age", "town")
    assert set(found.scores) == {"size", "age", "noise"}
    known = prices.take(~np.isnan(prices["price"]))
    alone = features(known, "elimination", 0.2, outcome="price", fill="mean")
    # The mean that fills one hole is of five more cases.
    assert found.scores["size"] == pytest.approx(alone.scores["size"], abs=1e-3)
    assert set(features(prices, "entropy", outcome="price").scores) == {
        "size", "age", "noise", "town"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"outcome": "town"}, "the outcome 'town' is nominal: it is a class, not a number"),
        ({"outcome": "prize"}, "did you mean 'price'"),
        ({"outcome": "price", "classes": 1}, "classes must be a whole number of at least 2"),
        ({"alfa": 1}, "unknown option 'alfa' of method 'relief': did you mean 'alpha'?"),
    ],
)
def test_mistakes_are_told_in_a_sentence(prices, change, said):
    with pytest.raises((DataError, ParameterError, UnknownNameError)) as error:
        features(prices, "relief", **change)
    assert said in str(error.value)


def test_a_constant_outcome_cannot_be_cut():
    data = random_dataset(1, numeric=2)
    constant = tl.Dataset.of(
        data.schema, [np.ones(len(data)), *data.columns[1:]], data.y, data.weights
    )
    with pytest.raises(DataError, match="cannot be cut: it has fewer than two numbers"):
        pseudo_classes(constant, data.features[0])


def test_rows_in_another_order_and_weights_change_nothing(prices):
    shuffled = prices.take(np.random.default_rng(0).permutation(len(prices)))
    one, two = (features(d, "means", outcome="price").scores for d in (prices, shuffled))
    assert one == pytest.approx(two, rel=1e-12)
