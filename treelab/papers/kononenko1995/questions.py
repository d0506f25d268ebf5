"""What fourteen measures make of an attribute, on average (kononenko1995 section 4)."""

from collections.abc import Callable

import numpy as np

from treelab import formula, metric
from treelab.evaluate import mean_and_error
from treelab.experiment.simulation import Settings
from treelab.laboratory import Design, asked
from treelab.metrics import in_batches
from treelab.protocols import BoolArray, FloatArray

MEASURES = {
    "Gain": "gain",
    "GainR": "gain-ratio",
    "1-D": "mantaras",
    "J": "j-measure",
    "WE": "weight-of-evidence",
    "WE (m = 2)": "weight-of-evidence:m=2",
    "Gini": "gini",
    "Gini'": "gini-prime",
    "Relief": "relief-myopic",
    "Relevance": "relevance",
    "P(chi2)": "p-chi2",
    "P(G)": "p-g",
    "MDL'": "mdl-prime",
    "MDL": "mdl",
}
"""The paper's measures, equations 1 to 14, by its names; WE with both estimates (SPEC 2.3)."""

TAILS = {"log10(1 - P(chi2))": "log-p-chi2", "log10(1 - P(G))": "log-p-g"}
"""What is left where P rounds to 1; not in the paper."""

SHARES: dict[str, tuple[str, Callable[[FloatArray], BoolArray]]] = {
    "MDL > 0": ("MDL", lambda found: found > 0),
    "MDL' > 0": ("MDL'", lambda found: found > 0),
    "P(chi2) = 1": ("P(chi2)", lambda found: found == 1),
    "P(G) = 1": ("P(G)", lambda found: found == 1),
}
"""In how many single trials."""


def ask_measures(settings: Settings, seed: int) -> dict[str, float]:
    """Return the mean of every measure and its standard error, and the shares of trials."""
    design = Design(
        settings["scenario"], settings["classes"], (settings["values"],), settings["cases"], seed
    )
    found = measured(design, settings["trials"])
    told = {}
    for name, column in found.items():
        told[name], told[f"{name} error"] = mean_and_error(column)
    for name, (measure, is_so) in SHARES.items():
        told[name] = float(is_so(found[measure]).mean())
    return told


def ask_bias(settings: Settings, seed: int) -> dict[str, float]:
    """Return what a metric makes of attributes that stand side by side."""
    return asked(metric(settings["metric"]), settings, seed)


def measured(design: Design, trials: int) -> dict[str, FloatArray]:
    """Return every measure of the one attribute in every trial."""
    (attribute,) = design.sizes
    tables = np.concatenate([draw.tables(attribute) for draw in design.draws(trials)])
    return {
        name: in_batches(formula(spec).raw, tables) for name, spec in (MEASURES | TAILS).items()
    }
