"""Data in memory, and the same cases shuffled and dealt to partitions."""

from itertools import pairwise

import numpy as np
import pandas as pd

import treelab as tl
from treelab.tree.model import ARRAYS

SPLITS = ("auto", "multiway", "binary", "subset")
MISSING = ("fractional", "branch", "majority")
METRICS = (
    "gain-ratio-c45", "gain", "gini", "chi2", "hellinger", "mdl", "normalized-entropy", "ssv",
    "weighted-information", "g", "laplace", "normalized:gain",
)  # fmt: skip
MADE = [
    {"cases": 60, "missing": 0.0},
    {"cases": 60, "missing": 0.3, "weights": "whole"},
    {"cases": 50, "weights": "fraction", "classes": 2, "missing": 0.2},
    {"cases": 50, "weights": "some-zero", "missing": 0.4},
    {"cases": 70, "classes": 12, "numeric": 3, "ties": False},
    {"cases": 60, "numeric": 0, "nominal": 3, "labels": 9, "missing": 0.2},
]


def frame_of(data):
    """Return a data set as a frame of numbers and text, with a column of weights."""
    frame = data.to_frame()
    for name in frame.columns:
        if isinstance(frame[name].dtype, pd.CategoricalDtype):
            frame[name] = frame[name].astype(object).where(frame[name].notna(), None)
    frame["w"] = data.weights
    return frame


def in_memory(frame, target="class"):
    return tl.Dataset.from_frame(frame, target, weights="w")


def dealt(frame, n_parts, seed):
    """Return shuffled cases in partitions of random sizes; some may be empty."""
    rng = np.random.default_rng(seed)
    shuffled = frame.iloc[rng.permutation(len(frame))].reset_index(drop=True)
    ends = [0, *np.sort(rng.integers(0, len(frame) + 1, n_parts - 1)), len(frame)]
    parts = [shuffled.iloc[a:b] for a, b in pairwise(ends)]
    return [parts[k] for k in rng.permutation(n_parts)]


def differing(one, other):
    """Return in what two trees differ, by a single bit."""
    found = [n for n in ARRAYS if getattr(one, n).tobytes() != getattr(other, n).tobytes()]
    others = ("schema", "settings", "probabilities", "missing", "complete")
    return found + [name for name in others if getattr(one, name) != getattr(other, name)]
