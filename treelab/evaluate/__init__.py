"""Evaluation: folds, cross-validation."""

from treelab.evaluate.crossval import CrossValidation, FoldResult, cross_validate

__all__ = ["CrossValidation", "FoldResult", "cross_validate"]
