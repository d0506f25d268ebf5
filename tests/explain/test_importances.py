"""Importances by gain, by permutation and beyond chance."""

import numpy as np
import pandas as pd
import pytest

import treelab as tl
from tests.strategies import random_dataset
from treelab.errors import TreelabError
from treelab.plots import draw_importances, save


def with_identifier(seed, cases=240):
    """Return mixed data: one number knows something, an identifier and noise know nothing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, cases)
    frame = pd.DataFrame(
        {
            "noise": rng.normal(size=cases).round(2),
            "id": [f"k{i // 2}" for i in rng.permutation(cases)],
            "signal": (y + 0.8 * rng.normal(size=cases)).round(2),
            "colour": rng.choice(["red", "green"], cases),
            "weight": rng.integers(1, 3, cases),
            "y": np.where(y, "yes", "no"),
        }
    )
    frame.loc[::13, "signal"] = np.nan
    frame.loc[::17, "colour"] = None
    return tl.Dataset.from_frame(frame, target="y", weights="weight")


@pytest.mark.parametrize("seed", range(3))
def test_an_identifier_wins_by_gain_but_not_beyond_chance(seed):
    data = with_identifier(seed)
    # A case of weight 2 would be two cases of one identifier and one class: no chance.
    data = data.reweighted(np.ones(len(data)))
    tree = tl.grow(data, "gain", splits="multiway", pruner=None, max_depth=3)
    by_gain, beyond = (tl.importances(tree, data, by).to_dict() for by in ("gain", "corrected"))

    assert by_gain["id"] > by_gain["signal"]
    # The root tests the identifier, so little is left to be known below it; but that is no merit.
    assert beyond["id"] < 0.1
    assert sum(beyond.values()) <= 1


@pytest.mark.parametrize("splits", ["auto", "multiway"])
def test_what_knows_something_stays_beyond_chance(splits):
    data = with_identifier(4).select(["noise", "signal", "colour"])
    tree = tl.grow(data, "gini", splits=splits, pruner=None, max_depth=3)
    beyond = tl.importances(tree, data, "corrected")

    assert beyond.features[0] == "signal"
    assert beyond.values[0] > 0.5


def test_by_gain_they_are_those_of_the_tree():
    data = random_dataset(1, 90, weights="fraction")
    tree = tl.grow(data)
    found = tl.importances(tree)

    assert found.to_dict() == dict(
        zip(tree.features, tree.feature_importances.tolist(), strict=True)
    )
    assert (np.diff(found.values) <= 0).all()


def test_by_permutation_what_is_not_tested_has_none_and_the_best_the_most():
    data, other = with_identifier(5), with_identifier(6)
    tree = tl.grow(data.select(["noise", "signal", "colour"]), "gain", max_depth=2)
    found = tl.importances(tree, other, "permutation", repeats=5)
    tested = {tree.features[place] for place in tree.tested}

    assert found.features[0] == "signal"
    assert all(value == 0 for name, value in found.to_dict().items() if name not in tested)


@pytest.mark.parametrize("by", ["permutation", "corrected"])
def test_neither_the_order_of_the_cases_nor_whole_weights_matter(by):
    data = with_identifier(7)
    # Parts of cases are no whole weights, so missing values are not shared out.
    tree = tl.grow(data, "gini", max_depth=3, pruner=None, missing="majority")
    order = np.random.default_rng(0).permutation(len(data))
    first = tl.importances(tree, data, by, repeats=3)
    again = tl.importances(tree, data.take(order), by, repeats=3)
    # A case of weight 2 is two cases.
    copies = data.weights.astype(int)
    rows = np.repeat(np.arange(len(data)), copies)
    units = tl.importances(tree, data.take(rows).reweighted(np.ones(len(rows))), by, repeats=3)

    assert first.to_dict() == again.to_dict()
    for name, value in first.to_dict().items():
        assert units.to_dict()[name] == pytest.approx(value)
    other = tl.importances(tree, data, by, repeats=3, seed=1)
    assert other.to_dict() != first.to_dict()


def test_with_costs_they_are_in_costs():
    data = with_identifier(8)
    dear = {"no": {"yes": 1}, "yes": {"no": 10}}
    tree = tl.grow(data, "gini", max_depth=3, costs=dear)
    found = tl.importances(tree, data, "permutation")

    assert found.values[0] > 0
    assert tl.importances(tree, data, "corrected").values[0] > 0


def test_they_show_themselves(tmp_path):
    data = with_identifier(9)
    found = tl.importances(tl.grow(data), data, "permutation")

    assert str(found).splitlines()[0].split() == ["feature", "importance", "sd"]
    assert list(found.to_frame().columns) == ["feature", "importance", "deviation"]
    figure = draw_importances(found)
    texts = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert texts == list(found.features)
    save(figure, tmp_path / "importances.svg")


def test_what_is_wrong_is_said_in_a_sentence():
    tree = tl.grow(random_dataset(2, 40))
    for given, sentence in [
        ({"by": "gains"}, "did you mean 'gain'"),
        ({"by": "permutation"}, "pass held-out ones as data="),
        ({"by": "corrected"}, "are gone: pass them as data="),
        ({"repeats": 0}, "repeats must be a whole number of at least 1"),
    ]:
        with pytest.raises(TreelabError, match=sentence):
            tl.importances(tree, **given)
    with pytest.raises(TreelabError, match="expected a Tree"):
        tl.importances("tree")
