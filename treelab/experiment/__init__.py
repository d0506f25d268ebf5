"""Experiments: data sets x learners x folds, a store that survives anything, honest reports."""

from treelab.experiment.report import report_figures, write_report
from treelab.experiment.results import Results
from treelab.experiment.runner import run_simulation, run_study
from treelab.experiment.store import Store
from treelab.experiment.study import TESTS, Study
from treelab.experiment.study_file import read_study
from treelab.experiment.summary import Summary
from treelab.experiment.trial import MEASURES

__all__ = [
    "MEASURES",
    "TESTS",
    "Results",
    "Store",
    "Study",
    "Summary",
    "read_study",
    "report_figures",
    "run_simulation",
    "run_study",
    "write_report",
]
