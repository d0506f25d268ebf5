"""Tuning: the learner that does best on data, of many, by inner folds."""

from treelab.tuning.tune import tune
from treelab.tuning.tuned import Tuned

__all__ = ["Tuned", "tune"]
