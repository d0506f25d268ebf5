"""The bias laboratory: what metrics make of attributes that differ in their number of values."""

from treelab.laboratory.asking import bias
from treelab.laboratory.bias_result import Bias
from treelab.laboratory.curves import Curve
from treelab.laboratory.scenarios import SCENARIOS, Scenario

__all__ = ["SCENARIOS", "Bias", "Curve", "Scenario", "bias"]
