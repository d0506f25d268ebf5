"""
Why this split
==============

What every metric says of every candidate at the root, and where the metrics disagree.
"""

import treelab as tl

tree = tl.grow(tl.load("heart-cleveland"))
answer = tl.why(tree, metrics=["gain-ratio-c45", "gain", "gini", "relieff"])
answer

# %%
# Which features matter in the whole tree, beyond what the best test of noise would gain.
from treelab.plots import draw_importances

draw_importances(tl.importances(tree, tl.load("heart-cleveland"), "corrected"))
