"""
Discretizers side by side
=========================

Where each method cuts a number, below the histogram of the classes.
"""

import treelab as tl
from treelab.plots import draw_cuts

METHODS = [
    "equal-width:5", "equal-frequency:5", "chimerge", "mdlp", "kononenko-mdl", "ssv:4", "greedy",
]  # fmt: skip


def draw(name: str, feature: str):
    data = tl.load(name)
    codings = {method: tl.discretizer(method).fit(data.select([feature])) for method in METHODS}
    return draw_cuts(data, feature, codings)


draw("iris", "petal width")

# %%
# Where classes overlap, methods that look at the class cut less.
draw("diabetes-pima", "plas")
