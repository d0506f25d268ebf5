"""treelab's trees as a scikit-learn classifier."""

from treelab.estimators.classifier import TreeClassifier

__all__ = ["TreeClassifier"]
