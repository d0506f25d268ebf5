"""Questions of the study: how right and how large the trees of a metric and a search are."""

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from treelab import Dataset, Learner, Tree, cross_validate, load
from treelab.experiment.simulation import Settings
from treelab.reduce import capped


def searched(settings: Settings, seed: int) -> dict[str, float]:
    """Cross-validate the trees of one metric, search and size."""
    how = settings["searches"][settings["search"]] | {"metric": settings["metric"]}
    return _measured(settings, how, seed)[0]


def optimal(settings: Settings, seed: int) -> dict[str, float]:
    """Cross-validate the trees of least cost of one size, and count those that are proven."""
    names = ("price", "time_limit")
    found, trees = _measured(
        settings, {"search": {"name": "optimal"} | {n: settings[n] for n in names}}, seed
    )
    proofs = [tree.optimum is not None and tree.optimum.proven for tree in trees]
    return found | {"proven": float(np.mean(proofs))}


def _measured(
    settings: Settings, how: dict[str, Any], seed: int
) -> tuple[dict[str, float], list[Tree]]:
    learner = Learner(**settings["learner"] | settings["sizes"][settings["size"]] | how, seed=seed)
    fit = CappedFit(learner.fit, settings["most"], seed)
    found = cross_validate(load(settings["data"]), fit, settings["folds"], seed)
    errors, leaves = np.array(fit.errors), found.of("leaves")
    return {
        "accuracy": found.accuracy,
        "log2 leaves": float(np.log2(leaves).mean()),
        "leaves": found.leaves,
        "training cost": float((errors + settings["price"] * leaves).mean()),
    }, fit.trees


@attrs.define
class CappedFit:
    """Grows trees from `most` cases at most, and keeps them with their training errors."""

    learn: Callable[[Dataset], Tree]
    most: int
    seed: int
    trees: list[Tree] = attrs.field(factory=list)
    errors: list[float] = attrs.field(factory=list)

    def __call__(self, data: Dataset) -> Tree:
        part = capped(data, self.most, self.seed)
        tree = self.learn(part)
        self.trees.append(tree)
        self.errors.append(float(np.mean(tree.predict(part) != part.labels)))
        return tree
