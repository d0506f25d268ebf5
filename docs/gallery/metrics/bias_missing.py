"""
Bias where values are missing, and of numbers
=============================================

Attributes that tell nothing, as they are, with 30 % of the values missing, and beside a number,
which stands at the right of its panel: what its best cut scores.
"""

import treelab as tl
from treelab.experiment import report_figures

METRICS = ["gain", "relieff", "normalized-gini"]
found = tl.bias(
    METRICS, classes=2, cases=200, trials=30, scenarios=["irrelevant", "missing", "numeric"]
)
figures = list(report_figures(found.answers).values())
figures[0]

# %%
# ReliefF keeps noise at zero, with gaps and without.
figures[1]

# %%
# Gini over its expectation is -1 by chance, whatever the number of values and whatever is missing.
figures[2]

# %%
# What is chosen among the six of the last panel, where each should be in 17 % of the trials.

for metric in METRICS:
    shares = found.chosen(metric, classes=2, scenario="numeric")
    print(f"{metric:16}", *(f"{name} {share:.0%}" for name, share in shares.items()), sep="  ")
