"""treelab as scikit-learn knows it: a classifier, transformers and selectors of features."""

from treelab.sklearn.classifier import TreeClassifier
from treelab.sklearn.selectors import MetricSelector, SubsetSelector
from treelab.sklearn.transformers import ComponentReducer, Discretizer, FeatureReducer

__all__ = [
    "ComponentReducer",
    "Discretizer",
    "FeatureReducer",
    "MetricSelector",
    "SubsetSelector",
    "TreeClassifier",
]
