"""Draws that are the same in every version of numpy.

All of them go through `Generator.random`: numpy keeps the right to change the streams of its other
methods (NEP 19).
"""

from math import inf

import numpy as np
from scipy.special import ndtri

from treelab._random import stream
from treelab._typing import AnyArray, FloatArray, IndexArray
from treelab.errors import check_number

Shape = int | tuple[int, ...]


def source(seed: int, *key: object) -> np.random.Generator:
    """Return the random numbers of a seed and a key."""
    check_number("seed", seed, -inf, whole=True)
    return stream(int(seed), *key)


def below(rng: np.random.Generator, limit: int, shape: Shape) -> IndexArray:
    """Draw whole numbers from 0 to limit - 1, all equally likely."""
    return (rng.random(shape) * limit).astype(np.int64)


def chosen(rng: np.random.Generator, shares: FloatArray, shape: Shape) -> IndexArray:
    """Draw places of the list `shares`, each as likely as its share of their sum."""
    borders = np.cumsum(shares)
    drawn = np.searchsorted(borders[:-1], rng.random(shape) * borders[-1], side="right")
    return np.asarray(drawn)


def chance(rng: np.random.Generator, probability: float | FloatArray, shape: Shape) -> AnyArray:
    """Draw truth values, true with the given probability."""
    return np.asarray(rng.random(shape) < probability)


def some_of(rng: np.random.Generator, total: int, count: int) -> IndexArray:
    """Draw `count` different numbers below `total`."""
    return np.argsort(rng.random(total), kind="stable")[:count]


def normals(rng: np.random.Generator, shape: Shape) -> FloatArray:
    """Draw from the standard normal distribution, by its inverse."""
    return np.asarray(ndtri(np.maximum(rng.random(shape), 2.0**-54)))  # 0 would be -infinity
