"""Checks that any split metric can be put to, built in or your own."""

from treelab.testing.suite import check_metric, metric_checks
from treelab.testing.verdict import ConformanceError

__all__ = ["ConformanceError", "check_metric", "metric_checks"]
