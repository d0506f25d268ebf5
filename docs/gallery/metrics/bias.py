"""
Bias towards many values
========================

Attributes of 2 to 40 values that tell nothing about the class (left), and that all tell the same
(right). A fair metric draws level lines. This is the experiment of kononenko1995, and
:func:`treelab.bias` puts any metric to it, your own too.
"""

import treelab as tl
from treelab.experiment import report_figures

PANEL = ["gain", "gain-ratio", "gini", "hellinger", "p-chi2", "mdl", "normalized-gini"]
found = tl.bias(PANEL, classes=(2, 5, 10), trials=100, scenarios=["irrelevant", "informative"])
figures = dict(zip(PANEL, report_figures(found.answers).values(), strict=True))

# %%
# Gain rises with the number of values even where there is nothing to gain.
figures["gain"]

# %%
# Gain ratio divides by the bits of the test. Among noise it still rises; among informative
# attributes it falls, so few values are preferred.
figures["gain-ratio"]

# %%
# Gini goes the way of gain.
figures["gini"]

# %%
# So does the Hellinger distance of the classes.
figures["hellinger"]

# %%
# A test of significance is level among noise; where something is known, all are near certain.
figures["p-chi2"]

# %%
# MDL pays for the code of its own parameters: noise of many values is below zero.
figures["mdl"]

# %%
# Gini over its expectation by chance is level among noise by construction.
figures["normalized-gini"]
