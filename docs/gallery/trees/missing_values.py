"""
Missing values, three ways
==========================

A case without a value goes down every branch in part (``fractional``, as in C4.5), down a branch of
its own (``branch``), or with the majority. Here more and more values are made missing at random.
"""

import numpy as np
from matplotlib.figure import Figure

import treelab as tl


def with_gaps(data: tl.Dataset, share: float, seed: int) -> tl.Dataset:
    rng = np.random.default_rng(seed)
    frame = data.to_frame()
    for name in data.features:
        frame[name] = frame[name].mask(rng.random(len(frame)) < share)
    return tl.Dataset.from_frame(frame, data.target)


# %%
# A line for each policy, the mean of three draws of the gaps.

shares = (0, 0.1, 0.2, 0.3, 0.4, 0.5)
figure = Figure(figsize=(7.2, 3.4), layout="constrained")
for axes, name in zip(figure.subplots(1, 2), ("heart-cleveland", "zoo"), strict=True):
    for policy in ("fractional", "branch", "majority"):
        learner = tl.Learner(missing=policy)
        accuracy = [
            np.mean(
                [
                    tl.cross_validate(with_gaps(tl.load(name), share, seed), learner.fit).accuracy
                    for seed in range(3)
                ]
            )
            for share in shares
        ]
        axes.plot(np.multiply(shares, 100), np.multiply(accuracy, 100), marker="o", label=policy)
    axes.set(title=name, xlabel="values missing in %", ylabel="accuracy on new cases in %")
    axes.legend()
figure
