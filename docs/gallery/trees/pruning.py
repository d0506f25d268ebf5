"""
Pruning: the error by the number of leaves
==========================================

Cost-complexity pruning makes a sequence of trees, from the whole tree to its root. The error in
training only falls with more leaves; on cases that were held out it does not. C4.5's pessimistic
estimate needs no such cases.
"""

from matplotlib.figure import Figure

import treelab as tl


def draw(name: str) -> Figure:
    steps = tl.steps(tl.Learner(metric="gini", min_branch=1), tl.load(name), held_out=0.3).pruning
    figure = Figure(figsize=(6.4, 3.6), layout="constrained")
    axes = figure.subplots()
    leaves = [step.leaves for step in steps]
    for label in ("training", "pessimistic", "held_out"):
        errors = [100 * getattr(step, label) for step in steps]
        axes.plot(leaves, errors, marker="o", markersize=4, label=label.replace("_", " "))
    axes.set(xscale="log", xlabel="leaves", ylabel="error in %", title=name, ylim=(0, None))
    axes.legend()
    return figure


draw("credit-german")

# %%
draw("diabetes-pima")

# %%
# What the pruners make of the same tree.

data = tl.load("credit-german")
whole = tl.grow(data, "gini", pruner=None)
print(f"{'none':17} {whole.n_leaves:4} leaves")
for pruner in ("collapse", "pessimistic", "chance", "pep", "minimum-error"):
    print(f"{pruner:17} {tl.prune(whole, pruner, data).n_leaves:4} leaves")
print(f"{'as treelab comes':17} {tl.grow(data).n_leaves:4} leaves")
