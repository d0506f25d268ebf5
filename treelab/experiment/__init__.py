"""Experiments: data sets x learners x folds, a store that survives anything, honest reports."""

from treelab._random import stream
from treelab.experiment.competitors import TreeFactory
from treelab.experiment.record import Record
from treelab.experiment.report import report_figures, write_report
from treelab.experiment.results import Results
from treelab.experiment.runner import run_simulation, run_study
from treelab.experiment.simulation import Simulation
from treelab.experiment.simulation_file import read_simulation
from treelab.experiment.store import Store
from treelab.experiment.study import TESTS, Paper, Study
from treelab.experiment.study_file import read_study, title_of
from treelab.experiment.summary import Summary
from treelab.experiment.trial import MEASURES

__all__ = [
    "MEASURES",
    "TESTS",
    "Paper",
    "Record",
    "Results",
    "Simulation",
    "Store",
    "Study",
    "Summary",
    "TreeFactory",
    "read_simulation",
    "read_study",
    "report_figures",
    "run_simulation",
    "run_study",
    "stream",
    "title_of",
    "write_report",
]
