"""
Where two metrics predict what
==============================

The plane of two numbers, each class in its colour; wrongly predicted cases have a dark edge.
"""

import treelab as tl

data = tl.load("iris").select(["petal length", "petal width"])
tl.regions(tl.grow(data, "gain", pruner=None), data).draw()

# %%
tl.regions(tl.grow(data, "relieff", pruner=None), data).draw()
