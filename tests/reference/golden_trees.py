"""Write golden_trees.json: digests of trees, by which a change that should change none is checked.

Every bundled set has `EACH` settings of metric, splits, missing policy and pruner, in a rotation in
which every two values of different options meet. The tests compare; after a change that changes
trees on purpose, write them again:

    python tests/reference/golden_trees.py
"""

import hashlib
import json
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np

import treelab as tl
from treelab.errors import TreelabError

FILE = Path(__file__).with_suffix(".json")


@tl.from_counts
def user_gini(tables):
    """Gini as a user would write it, for all tables at once."""
    n = tables.sum((-2, -1))
    within = (tables**2).sum(-1) / tables.sum(-1).clip(1e-300)
    return within.sum(-1) / n - (tables.sum(-2) ** 2).sum(-1) / n**2


METRICS = {
    name: name
    for name in (
        "gain-ratio-c45", "gain", "gini", "chi2", "hellinger", "mdl", "normalized-entropy", "ssv",
        "relieff:max_cases=30", "contextual-merit:max_cases=30", "normalized:gain",
    )
} | {"user": user_gini}  # fmt: skip
SPLITS = ("auto", "multiway", "binary", "subset")
MISSING = ("fractional", "branch", "majority")
DEFAULT = tl.Learner().pruner
PRUNERS = (
    "none", "pessimistic", DEFAULT, "pep", "minimum-error", "cost-complexity:folds=3",
    "reduced-error", "chance",
)  # fmt: skip

SLOW_METRICS = {"relieff:max_cases=30", "contextual-merit:max_cases=30", "normalized:gain", "user"}
MANY = 1_000
"""Slow metrics, and pruners that grow several trees, get so many cases at most."""

EACH = 48
"""So many settings each set has."""


def settings():
    """Return (set, metric, splits, missing policy, pruner) of every tree."""
    combinations = list(product(PRUNERS, MISSING, SPLITS, METRICS))
    # The step has no factor in common with their number, so a set has none twice; it is a golden
    # part of it, so that settings that follow each other differ in all options.
    step, n = 713, len(combinations)
    names = [name for name in tl.dataset_names() for _ in range(EACH)]
    return [(name, *_named(combinations[k * step % n])) for k, name in enumerate(names)]


def _named(combination):
    pruner, missing, splits, metric = combination
    return metric, splits, missing, pruner


@cache
def _cases(name, fewer):
    data = tl.load(name)
    if not fewer or len(data) <= MANY:
        return data
    return data.take(np.sort(np.random.default_rng(0).permutation(len(data))[:MANY]))


def grown(name, metric, splits, missing, pruner):
    """Return the tree of a setting."""
    fewer = metric in SLOW_METRICS or pruner.startswith(("cost", "reduced"))
    return tl.grow(
        _cases(name, fewer), METRICS[metric], pruner=pruner, missing=missing, splits=splits
    )


def digest(tree):
    """Return a digest of what a tree does: its tests, and its counts up to their last digits.

    Neither scores, which may be computed in another order, nor how a tree is written in files.
    """
    tests = [
        tree.feature.tolist(), [x.hex() for x in tree.threshold.tolist()],
        tree.first_child.tolist(), tree.children.tolist(), tree.first_code.tolist(),
        tree.branch_of.tolist(), tree.missing_branch.tolist(),
    ]  # fmt: skip
    counts = (tree.counts.round(6) + 0.0).tolist()  # no -0.0
    return hashlib.sha256(json.dumps([tests, counts]).encode()).hexdigest()[:12]


def outcome(*setting):
    """Return the digest of a setting's tree, or what refuses it."""
    try:
        return digest(grown(*setting))
    except TreelabError as error:
        return str(error)


def key(setting):
    return " | ".join(setting)


def main():
    found = {key(setting): outcome(*setting) for setting in settings()}
    FILE.write_text(json.dumps(found, indent=0) + "\n")


if __name__ == "__main__":
    main()
