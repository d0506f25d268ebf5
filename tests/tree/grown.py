"""Data and metrics as the tests of growing share them."""

import numpy as np
from strategies import dataset

import treelab as tl

MISSING = ("fractional", "branch", "majority")


NAN = np.nan


def full(data, metric="gain", **settings):
    """Grow a tree to the last case, and do not prune it."""
    return tl.grow(data, metric, pruner="none", **{"min_cases": 2, "min_branch": 1, **settings})


ZIGZAG = dataset([[1.0, 2.0, 3.0]], [0, 1, 0])


def my_gini(t):
    n = t.sum((-2, -1))
    within = (t**2).sum(-1) / t.sum(-1).clip(1e-300)
    return within.sum(-1) / n - (t.sum(-2) ** 2).sum(-1) / n**2
