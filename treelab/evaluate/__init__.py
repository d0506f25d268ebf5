"""Evaluation: cross-validation, and tests of what differs.

For one data set, by repetitions or folds: `paired_t`, `corrected_t`, `bayesian_t`. Over several
data sets: `wilcoxon`, `sign_test`, `wins`, `friedman`. For a family of tests: `holm`. For fewer
features: `before_after`.
"""

from treelab.data.folds import folds_by_content, stratified_folds
from treelab.data.order import by_content
from treelab.evaluate.assessment import Assessment, assess
from treelab.evaluate.bayes import Belief, bayesian_t
from treelab.evaluate.before_after import BeforeAfter, Card, Reduced, before_after
from treelab.evaluate.crossval import CrossValidation, FoldResult, cross_validate
from treelab.evaluate.family import holm
from treelab.evaluate.mean_ranks import Friedman, friedman
from treelab.evaluate.signed_ranks import wilcoxon
from treelab.evaluate.student import PairedTest, corrected_t, mean_and_error, paired_t
from treelab.evaluate.win_loss import Wins, sign_test, wins

__all__ = [
    "Assessment",
    "BeforeAfter",
    "Belief",
    "Card",
    "CrossValidation",
    "FoldResult",
    "Friedman",
    "PairedTest",
    "Reduced",
    "Wins",
    "assess",
    "bayesian_t",
    "before_after",
    "by_content",
    "corrected_t",
    "cross_validate",
    "folds_by_content",
    "friedman",
    "holm",
    "mean_and_error",
    "paired_t",
    "sign_test",
    "stratified_folds",
    "wilcoxon",
    "wins",
]
