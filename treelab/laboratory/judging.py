"""What a metric makes of the attributes of a scenario."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from scipy.special import chdtrc

from treelab._typing import FloatArray
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.evaluate import mean_and_error
from treelab.kernels.ties import TIE
from treelab.laboratory.draws import SIGNAL, Design, Draw
from treelab.laboratory.scenarios import scenario
from treelab.protocols import SplitMetric
from treelab.selection.scoring import feature_scores
from treelab.stats.candidates.blocks import in_batches
from treelab.stats.candidates.grouped import admissible

TRIALS = 1000
FEW_TRIALS = 100
"""Where whole data must be seen, which takes much longer."""


def judges_tables(metric: SplitMetric) -> bool:
    """Tell whether a metric judges tables one by one, whatever the other attributes."""
    return hasattr(metric, "of_tables")


def needs_data(metric: SplitMetric, scenario_name: str) -> bool:
    """Tell whether whole data must be seen: by the metric, or for what the scenario draws."""
    return not (judges_tables(metric) and scenario(scenario_name).is_of_tables)


def usual_trials(metric: SplitMetric, scenario_name: str) -> int:
    """Return the number of trials that is enough, or that one can wait for."""
    return FEW_TRIALS if needs_data(metric, scenario_name) else TRIALS


def scores(metric: SplitMetric, design: Design, trials: int) -> FloatArray:
    """Return what a metric says: (trial, attribute), NaN where it cannot judge."""
    judge = _of_data if needs_data(metric, design.scenario) else _of_tables
    return np.concatenate([judge(metric, draw) for draw in design.draws(trials)])


def _of_tables(metric: Any, draw: Draw) -> FloatArray:
    return np.stack([_column(metric, draw.tables(name)) for name in draw.columns], axis=1)


def _column(metric: Any, tables: FloatArray) -> FloatArray:
    found = in_batches(metric.of_tables, tables)
    return np.where(admissible(tables, 0.0), found, np.nan)  # a single value parts nothing


def _of_data(metric: SplitMetric, draw: Draw) -> FloatArray:
    seed = draw.design.seed
    return np.stack(
        [feature_scores(Coded.of(data, Coding()), metric, seed) for data in draw.data()]
    )


def figures(found: FloatArray, names: Iterable[str]) -> dict[str, float]:
    """Return mean, standard error and how often it is chosen, for each attribute; and the trials.

    Where there is a signal, also how often each other attribute scores above it.
    """
    chosen = shares_chosen(found).mean(axis=0)
    told = {"trials": float(len(found))}
    columns = dict(zip(names, found.T, strict=True))
    for place, (name, column) in enumerate(columns.items()):
        told[f"mean {name}"], told[f"error {name}"] = mean_and_error(column)
        told[f"chosen {name}"] = float(chosen[place])
        if SIGNAL in columns and name != SIGNAL:
            told[f"above {name}"] = float((_ranked(column) > _ranked(columns[SIGNAL]) + TIE).mean())
    return told


def _ranked(found: FloatArray) -> FloatArray:
    """Return scores as they rank: what cannot be judged comes last."""
    return np.where(np.isnan(found), -np.inf, found)


def shares_chosen(found: FloatArray) -> FloatArray:
    """Return (trial, attribute): 1 for the best; equals share, for none of them is better.

    >>> shares_chosen(np.array([[1.0, 3.0], [2.0, 2.0], [np.nan, np.nan]]))
    array([[0. , 1. ],
           [0.5, 0.5],
           [0. , 0. ]])
    """
    best = _ranked(found) >= _ranked(found).max(axis=1, keepdims=True) - TIE
    best &= ~np.isnan(found)
    return np.asarray(best / np.maximum(best.sum(axis=1, keepdims=True), 1))


def p_equal(shares: FloatArray, trials: float) -> float:
    """Return how likely frequencies as unequal are if all are chosen equally often (chi-square).

    >>> round(p_equal(np.array([0.5, 0.5]), 100), 6), round(p_equal(np.array([0.6, 0.4]), 100), 6)
    (1.0, 0.0455)
    """
    if len(shares) < 2 or not shares.sum() > 0:
        return np.nan
    expected = shares.sum() / len(shares)
    statistic = trials * ((shares - expected) ** 2 / expected).sum()
    return float(chdtrc(len(shares) - 1, statistic))
