"""Bins of numbers: what stands for the values of a bin, and how far they are from it.

A bin is given by its distinct values, ascending, and the weight of each.
*mean*        the values' mean; the error is the sum of squared differences.
*median*      their median; the error is the sum of differences.
*mode*        the heaviest value, the smallest among equals; sum of differences.
*boundaries*  of the least and the largest value the nearer one, the lower among equals; sum of
              differences.

Source: kantardzic2011 3.6, SPEC 4.6.
"""

from typing import Literal, get_args

import numpy as np

from treelab._typing import FloatArray
from treelab.kernels.ties import TIE

By = Literal["mean", "median", "mode", "boundaries"]
BY: tuple[By, ...] = get_args(By)


def representatives(points: FloatArray, mass: FloatArray, by: By) -> FloatArray:
    """Return the number that stands for each point of a bin."""
    if by == "boundaries":
        nearer_low = points - points[0] <= points[-1] - points
        return np.asarray(np.where(nearer_low, points[0], points[-1]))
    middle = {"mean": _mean, "median": _median, "mode": _mode}[by]
    return np.full(len(points), middle(points, mass))


def bin_error(points: FloatArray, mass: FloatArray, by: By) -> float:
    """Return how far the values of a bin are from what stands for them, in all."""
    off = np.abs(points - representatives(points, mass, by))
    return float((mass * (off**2 if by == "mean" else off)).sum())


def _mean(points: FloatArray, mass: FloatArray) -> float:
    return float((points * (mass / mass.sum())).sum())


def _median(points: FloatArray, mass: FloatArray) -> float:
    below = np.cumsum(mass)
    half = below[-1] / 2
    low = int(np.searchsorted(below, half * (1 - TIE)))
    if below[low] > half * (1 + TIE):
        return float(points[low])
    return float(points[low] / 2 + points[low + 1] / 2)


def _mode(points: FloatArray, mass: FloatArray) -> float:
    return float(points[np.argmax(mass >= mass.max() * (1 - TIE))])
