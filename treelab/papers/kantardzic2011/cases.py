"""Questions of section 3.8: fewer cases."""

import numpy as np

from treelab import Learner, load
from treelab.evaluate import folds_by_content
from treelab.experiment.simulation import Settings
from treelab.papers.kantardzic2011.data import data_of
from treelab.reduce import (
    average_sampling,
    combined,
    expected_draws,
    further_cases,
    incremental,
    inverse,
    mean_sample_size,
    proportion_sample_size,
    stratified,
    systematic,
)


def sizes(_settings: Settings, _seed: int) -> dict[str, float]:
    """Say how many cases it takes, and combine solutions as the text does."""
    vote = combined([["class1"], ["class1"], ["class1"], ["class2"]])[0]
    half = systematic(data_of({"v": range(100)}), 2)
    strata = stratified(data_of({"v": range(100)}, ["a"] * 90 + ["b"] * 9 + ["c"]), 10)
    return {
        "proportion": float(proportion_sample_size(0.05)),
        "proportion, of 1000": float(proportion_sample_size(0.05, population=1000)),
        "Chebyshev": float(proportion_sample_size(0.05, method="chebyshev")),
        "Hoeffding": float(proportion_sample_size(0.05, method="hoeffding")),
        "mean": float(mean_sample_size(0.5, 0.01, variance=4.0)),
        "after 100": float(further_cases(100, proportion_sample_size(0.05))),
        "after 500": float(further_cases(500, proportion_sample_size(0.05))),
        "averaged": float(combined([[6.0], [6.5], [6.7]])[0]),
        "voted": float(str(vote).removeprefix("class")),
        "every other": float(len(half)),
        **{f"stratum {i}": float((strata.data.y == i - 1).sum()) for i in (1, 2, 3)},
        "expected draws": expected_draws(20, 5, 2),
    }


def draws(settings: Settings, seed: int) -> dict[str, float]:
    """Draw until some rare cases are found."""
    n, rare = settings["cases"], settings["rare"]
    data = data_of({"v": range(n)}, ["rare"] * rare + ["usual"] * (n - rare))
    return {"draws": float(len(inverse(data, "rare", settings["k"], seed=seed)))}


def learning(settings: Settings, seed: int) -> dict[str, float]:
    """Learn trees from growing samples, and let trees of many samples vote."""
    # The book's trees predict the most frequent class of a leaf.
    data, learn = load(settings["data"]), Learner(probabilities="shares").fit
    held_out = folds_by_content(data, 3, seed) == 0
    test, rest = data.take(held_out), data.take(~held_out)
    curve = incremental(rest, learn, test=test, full=True, seed=seed)
    found = {f"error at {100 * step.share:.0f} %": step.error for step in curve.steps}
    voted = average_sampling(rest, learn, samples=settings["samples"], size=0.5, seed=seed)
    found["chosen share"] = curve.chosen.share
    found["error of the vote"] = float(np.mean(voted.predict(test) != test.labels))
    return found
