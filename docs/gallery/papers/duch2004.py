"""
duch2004: four Gaussians and the thyroid data
=============================================

W. Duch, T. Winiarski, J. Biesiada, A. Kachel: *Feature Ranking, Selection and Discretization*,
2004. Figures 1 and 2 are about the thyroid data. The four Gaussians have a known ideal ranking; the
paper tells of them in words. Here the study runs in its short form, on a ninth of the thyroid
cases.
"""

import treelab as tl
from treelab.experiment import report_figures, run_simulation
from treelab.papers.catalog import paper_study

figures = report_figures(run_simulation(paper_study("duch2004", quick=True)))

# %%
# Figure 1: what each feature of the thyroid data tells about the class, by the number of bins.
figures["figure-1"]

# %%
# Figure 2: the accuracy of an SVM by the number of features, taken in the order of each ranking.
figures["figure-2"]

# %%
# The four Gaussians: how often each index ranks the features ideally.
figures["gaussians-ranking"]

# %%
# How often each selects the right four.
figures["gaussians-selection"]

# %%
# The same by the number of points and of bins: more points allow more bins.
figures["gaussians-points"]

# %%
# The data: X1 and X2 part the four Gaussians; X3 and X4 are noisier copies, and so on down to X8.
from matplotlib.figure import Figure

data = tl.make("four-gaussians", cases=400, seed=0)
figure = Figure(figsize=(6.4, 3.2), layout="constrained")
for axes, (x, y) in zip(figure.subplots(1, 2), ((0, 1), (6, 7)), strict=True):
    names = data.features[x], data.features[y]
    for code, label in enumerate(data.classes):
        here = data.take(data.y == code)
        axes.scatter(here[names[0]], here[names[1]], s=8, label=label)
    axes.set(xlabel=names[0], ylabel=names[1], aspect="equal")
figure
