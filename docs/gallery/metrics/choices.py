"""
What is chosen among noise
==========================

Five attributes that tell nothing stand side by side: of 2, 5, 10, 20 and 40 values. How often is
each chosen for the split? A fair metric takes each in a fifth of the trials.
"""

from matplotlib.figure import Figure

import treelab as tl

VALUES = (2, 5, 10, 20, 40)
METRICS = {
    "gain": 400, "gain-ratio": 400, "gini": 400, "hellinger": 400, "mdl": 400, "p-chi2": 400,
    "normalized-gini": 400, "relieff": 40, "contextual-merit": 40, "pi": 40,
}  # metrics over pairs take longer: fewer trials  # fmt: skip
shares = {}
for metric, trials in METRICS.items():
    found = tl.bias(
        metric, classes=2, values=VALUES, cases=200, trials=trials, scenarios=["irrelevant"]
    )
    shares[metric] = list(found.chosen(metric, classes=2).values())

# %%
# One row for each metric, from the lightest (never) to the darkest (always).

figure = Figure(figsize=(6.4, 4.2), layout="constrained")
axes = figure.subplots()
axes.imshow(list(shares.values()), cmap="Blues", vmin=0, vmax=1, aspect="auto")
axes.set_xticks(range(len(VALUES)), [f"{n} values" for n in VALUES])
axes.set_yticks(range(len(shares)), shares)
axes.spines[:].set_visible(False)
axes.tick_params(length=0)
for row, found in enumerate(shares.values()):
    for column, share in enumerate(found):
        ink = "white" if share > 0.5 else "black"
        axes.text(column, row, f"{share:.0%}", ha="center", va="center", color=ink)
figure
