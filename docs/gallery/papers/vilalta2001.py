"""
vilalta2001: a unified framework
================================

R. Vilalta, M. Brodie, D. Oblinger, I. Rish: *A Unified Framework for Evaluation Metrics in
Classification Using Decision Trees*, ECML 2001. Figures 2 and 4 of the paper are algorithms, which
treelab has as ``algorithm-1`` and :func:`treelab.pi_matrices`.
"""

from itertools import product

import numpy as np
from matplotlib.figure import Figure

import treelab as tl

# %%
# Figure 1: the class is X1 xor X2, and X3 is irrelevant. Each edge of the cube joins two cases that
# differ in one feature. All edges along X1 and X2 join different classes, those along X3 never do.

corners = np.array(list(product((0, 1), repeat=3)))
classes = corners[:, 0] ^ corners[:, 1]
figure = Figure(figsize=(4.8, 4.4), layout="constrained")
axes = figure.add_subplot(projection="3d")
for one, other in product(range(8), repeat=2):
    differ = np.flatnonzero(corners[one] != corners[other])
    if one < other and len(differ) == 1:
        apart = classes[one] != classes[other]
        axes.plot(
            *corners[[one, other]].T, color="0.3" if apart else "0.7", ls="-" if apart else ":"
        )
for code, marker in ((0, "o"), (1, "s")):
    axes.scatter(
        *corners[classes == code].T, s=130, marker=marker, depthshade=False, label=f"{code}"
    )
axes.set(xticks=(0, 1), yticks=(0, 1), zticks=(0, 1), xlabel="X1", ylabel="X2", zlabel="X3")
axes.set_box_aspect(None, zoom=0.85)  # room for the labels
axes.legend(title="class")
figure

# %%
# Algorithm 1 (Figure 2) counts those edges, from both ends.

import pandas as pd

frame = pd.DataFrame(corners, columns=["X1", "X2", "X3"]).astype(str)
cube = tl.Dataset.from_frame(frame.assign(F=classes.astype(str)), "F")
print(tl.rank(cube, "algorithm-1:update=merit,radius=1.5"))

# %%
# Figures 3 and 4: the four cases of a pair (same or other value, same or other class) are the
# columns of a matrix for each value of a feature, with a row for each class.

matrices = tl.pi_matrices(cube, "X1", alpha=1)
print(matrices)

# %%
# Table 1: five metrics in one tree learner. The short form of the study takes seven small domains
# and one repetition; our accuracy less the paper's, in points.

from treelab.experiment import report_figures
from treelab.papers.catalog import paper_study

results = tl.run_study(paper_study("vilalta2001", quick=True))
figures = report_figures(results)
figures["paper"]

# %%
# How far each metric is from the mean of all.
figures["differences"]

# %%
# How many leaves its trees have.
figures["leaves"]
