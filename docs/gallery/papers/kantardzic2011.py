"""
kantardzic2011: data reduction
==============================

M. Kantardzic: *Data Mining*, 2nd edition, 2011, chapter 3. Figure 3.1 is a diagram of filters and
wrappers (``tl.select`` has both); Figure 3.3 is a small table of data, whose figures the report of
``treelab reproduce kantardzic2011`` works out.
"""

import treelab as tl
from treelab.experiment import report_figures, run_simulation
from treelab.papers.catalog import paper_study
from treelab.plots import draw_cuts

figures = report_figures(run_simulation(paper_study("kantardzic2011", quick=True)))

# %%
# Figure 3.2: the nearest hit and the nearest miss of a case, which Relief compares. In a notebook,
# and as a page, ``tl.steps_of`` goes through the cases one by one.

iris = tl.load("iris")
print(tl.steps_of("relief", iris.select(["petal length", "sepal width"]), most=2))

# %%
# Figure 3.4: the first principal component is an axis in the direction of maximum variance.
figures["components"]

# %%
# Two axes that keep distances: multidimensional scaling, and Isomap.
figures["axes"]

# %%
# Figure 3.5: an age, cut by hand.
heart = tl.load("heart-cleveland")
by_hand = tl.discretizer("cuts", cuts={"age": [40, 50, 60]}).fit(heart)
draw_cuts(heart, "age", {"by hand": by_hand})

# %%
# ChiMerge on Table 3.6, merger by merger from the top.
figures["merging"]

# %%
# How the error falls with the share of the cases that a tree learns from.
figures["learning"]
