"""What a metric is shown of a node, wherever the cases lie, and what it answers with.

A metric is called with a `NodeView`: the class counts, the tables of all candidates (`CountTables`,
which know the `Runs` of candidates of one feature), pairs of cases by a `PairScheme`, and a random
stream. One that promises to judge many nodes at once sees what is `Counted` only. It answers with a
score for each candidate, or with `FeatureScores`.
"""

from treelab.views.node import (
    Counted,
    CountTables,
    FeatureScores,
    Formula,
    NodeView,
    NodeViews,
    PairScheme,
    Ramp,
    Scores,
)
from treelab.views.runs import Runs

__all__ = [
    "CountTables",
    "Counted",
    "FeatureScores",
    "Formula",
    "NodeView",
    "NodeViews",
    "PairScheme",
    "Ramp",
    "Runs",
    "Scores",
]
