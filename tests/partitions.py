"""Data in memory, and the same cases shuffled and dealt to partitions."""

from itertools import pairwise

import numpy as np
import pandas as pd

import treelab as tl
from treelab.tree.model import ARRAYS


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
    others = ("schema", "settings", "probabilities", "missing")
    return found + [name for name in others if getattr(one, name) != getattr(other, name)]
