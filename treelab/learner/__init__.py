"""A tree from data: `Learner`, everything that takes as a value, and `grow`, its short form."""

from treelab.learner.learner import Elsewhere, Learner, metric_or_chooser
from treelab.learner.short import grow

__all__ = ["Elsewhere", "Learner", "grow", "metric_or_chooser"]
