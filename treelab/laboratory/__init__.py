"""The bias laboratory: what metrics make of attributes that differ in their number of values."""

from treelab.laboratory.article import verdicts
from treelab.laboratory.asking import asked, bias
from treelab.laboratory.bias_result import Bias
from treelab.laboratory.curves import SIGMAS, Curve, fit
from treelab.laboratory.drawings import Panel, draw_panels
from treelab.laboratory.draws import Design
from treelab.laboratory.judging import figures, scores
from treelab.laboratory.scenarios import SCENARIOS, VALUES, Scenario
from treelab.laboratory.tables import comparison_tables

__all__ = [
    "SCENARIOS",
    "SIGMAS",
    "VALUES",
    "Bias",
    "Curve",
    "Design",
    "Panel",
    "Scenario",
    "asked",
    "bias",
    "comparison_tables",
    "draw_panels",
    "figures",
    "fit",
    "scores",
    "verdicts",
]
