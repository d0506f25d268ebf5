"""Experiments: data sets x learners x folds, a store that survives anything, honest reports."""

from treelab.experiment.results import Results
from treelab.experiment.runner import run_study
from treelab.experiment.store import Store
from treelab.experiment.study import TESTS, Study
from treelab.experiment.trial import MEASURES

__all__ = ["MEASURES", "TESTS", "Results", "Store", "Study", "run_study"]
