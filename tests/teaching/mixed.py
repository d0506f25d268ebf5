"""Small mixed data with missing values, weights and noise."""

import numpy as np
import pandas as pd

import treelab as tl


def mixed(cases=60, seed=0, hostile=""):
    """Return cases of three classes; a hostile text may be part of every name."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=cases).round(1)
    y = rng.integers(0, 8, cases).astype(float)
    frame = pd.DataFrame(
        {
            f"x{hostile}": np.where(rng.random(cases) < 0.1, np.nan, x),
            f"y{hostile}": y,
            f"colour{hostile}": rng.choice([f"red{hostile}", "blue", None], cases),
            "constant": 1.0,
            "weight": rng.integers(1, 4, cases),
        }
    )
    kinds = np.where(x > 0.4, "high", np.where(y > 4, "odd", "low"))
    noise = rng.random(cases) < 0.1
    frame["class"] = np.where(noise, f"low{hostile}", kinds)
    return tl.Dataset.from_frame(frame, target="class", weights="weight")
