"""
Bias where values are missing, and of numbers
=============================================

Attributes that tell nothing, as they are, with 30 % of the values missing, and beside a number,
which stands at the right of each panel. The best of a number's many cuts is better than a single
test by chance alone.
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
# Gini over its expectation is -1 by chance. A number still wins, since each of its cuts is compared
# with the chance of one cut; ``normalized:gini,summary=p-value`` compares the best with the best.
figures[2]

# %%
print(found)
