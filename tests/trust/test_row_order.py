"""Row order and repetition leave no trace, where weights are odd and values missing."""

import attrs
import numpy as np
import pandas as pd
import pytest

import treelab as tl
from treelab.tree.file import dumps

CASES = 60


def mixed(seed=3):
    """Return small mixed data with holes, as a frame; its weights are a column."""
    rng = np.random.default_rng(seed)
    numbers = np.round(rng.normal(size=CASES), 1)
    return pd.DataFrame(
        {
            "tied": numbers,
            "holed": rng.choice([0, 0.1, 0.3, np.nan], CASES),
            "label": rng.choice([*"xyz"], CASES),
            "class": np.where(numbers + rng.normal(0, 0.5, CASES) > 0, "p", "q"),
            "weight": rng.choice([0.1, 1 / 3, 0.7, 1.9], CASES),
        }
    )


def read(frame):
    return tl.Dataset.from_frame(frame, "class", weights="weight")


def shuffles(seed=3, n=8):
    rng = np.random.default_rng(0)
    return [read(mixed(seed).iloc[rng.permutation(CASES)]) for _ in range(n)]


def test_measures_of_a_tree():
    tree = tl.grow(read(mixed()), min_cases=1)
    found = {repr(tl.assess(tree, data).to_dict()) for data in shuffles()}

    assert len(found) == 1


@pytest.mark.parametrize("estimator", ["counts", "kernel", "fuzzy"])
def test_estimates_of_features(estimator):
    for seed in range(5):
        rankings = (tl.rank(data, "gain", estimator=estimator) for data in shuffles(seed))
        assert len({repr(each.scores.tolist()) for each in rankings}) == 1


@pytest.mark.parametrize("search", ["greedy", "backward"])
def test_selection(search):
    chosen = [tl.select(data, "gini", search, discretizer="mdlp") for data in shuffles()]

    assert len({repr(attrs.asdict(each, recurse=False)) for each in chosen}) == 1


@pytest.mark.parametrize(
    "given",
    [
        {"class_weight": {"p": 0.1, "q": 0.7}},
        {"class_weight": "balanced"},
        {"costs": {"p": {"q": 3}, "q": {"p": 1.1}}},
    ],
)
@pytest.mark.parametrize("missing", ["majority", "branch"])
def test_a_case_of_weight_three_is_three_cases_whatever_its_class_counts(given, missing):
    for seed in range(5):
        frame = mixed(seed)
        often = np.random.default_rng(seed).integers(1, 5, CASES)
        once = read(frame.assign(weight=often))
        each = read(frame.loc[np.repeat(frame.index, often)].assign(weight=1))

        one, other = (dumps(tl.grow(data, missing=missing, **given)) for data in (once, each))
        assert one == other
