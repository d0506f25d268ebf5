"""Data as the tests of the classifier share them."""

import numpy as np
import pandas as pd

import treelab as tl


def weather(n=60):
    """Sky decides in the sun, wind otherwise; no single feature tells."""
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(
        {
            "sky": pd.Categorical(rng.choice(["sun", "rain", "fog"], n)),
            "wind": rng.normal(size=n),
            "holiday": rng.random(n) < 0.5,
            "place": rng.choice(["hill", "lake"], n),
        }
    )
    play = np.where(frame["sky"] == "sun", frame["place"] == "lake", frame["wind"] > 0.2)
    return frame, np.where(play, "yes", "no")


def full(**settings):
    """Return a classifier whose tree grows until its leaves are pure."""
    pure = {"metric": "gain", "min_branch": 1, "pruner": None}
    return tl.TreeClassifier(**{**pure, **settings})
