"""The characteristics by name, each with its formula."""

from collections.abc import Callable

import attrs
import numpy as np

from treelab._typing import AnyArray
from treelab.characteristics.facts import Facts, entropy

BANDS = ("near", "middle", "far")
"""Thirds of the distances that there can be: up to a third of the features differ, and so on."""

FOUR = ("same value, same class", "same value, other class",
        "other value, same class", "other value, other class")  # fmt: skip


@attrs.frozen
class Characteristic:
    """A number that describes data, and how it is computed."""

    name: str
    formula: str
    of: Callable[[Facts], float]


def _mean(numbers: AnyArray) -> float:
    return float(np.mean(numbers)) if len(numbers) else 0.0


def _class_entropy(facts: Facts) -> float:
    n = len(facts.class_shares)
    return entropy(facts.class_shares) / np.log2(n) if n > 1 else 0.0


def _distance(facts: Facts) -> float:
    n_features = len(facts.pairs) - 1
    return float(np.arange(n_features + 1) @ facts.pairs.sum(axis=1)) / max(n_features, 1)


def _mass(band: int, case: int) -> Callable[[Facts], float]:
    """Return how to compute the mass of one case in one third of the distances."""

    def mass(facts: Facts) -> float:
        n_distances = len(facts.cases)
        # Distance x of p belongs to the third in which x / p lies, borders to the nearer one.
        third = np.ceil(3 * np.arange(n_distances) / max(n_distances - 1, 1) - 1e-9) - 1
        return float(facts.cases[np.clip(third, 0, 2) == band, case].sum())

    return mass


PLAIN = (
    Characteristic("cases", "n = sum of weights", lambda f: float(f.data.weights.sum())),
    Characteristic("features", "p", lambda f: float(len(f.data.features))),
    Characteristic("classes", "classes that occur", lambda f: float(len(f.class_shares))),
    Characteristic(
        "values", "mean over features of the values that occur, numbers in 10 intervals",
        lambda f: _mean(f.n_values),
    ),
    Characteristic(
        "numeric", "numeric features / p",
        lambda f: _mean(np.array([not c.has_labels for c in f.data.schema.features])),
    ),
    Characteristic("missing", "missing values / (n p)", lambda f: _mean(f.missing)),
    Characteristic("class entropy", "H(C) / log2(classes)", _class_entropy),
    Characteristic("majority", "max_c P(c)", lambda f: float(f.class_shares.max())),
    Characteristic(
        "best feature", "max_f I(C;F) / H(C)", lambda f: float(np.max(f.uncertainty, initial=0.0))
    ),
    Characteristic("mean feature", "mean_f I(C;F) / H(C)", lambda f: _mean(f.uncertainty)),
)  # fmt: skip

OF_PAIRS = (
    Characteristic("distance", "mean of x / p over pairs, x features being different", _distance),
    Characteristic("agreement", "P(same class) of a pair", lambda f: f.agreement),
    Characteristic(
        "interaction",
        "mean_i of sum_j 2^-x [c_i = c_j] / sum_j 2^-x, less agreement: how much more near pairs "
        "agree",
        lambda f: f.near_agreement - f.agreement,
    ),
    Characteristic(
        "concept variation",
        "mean_i of sum_j w_ij [c_i != c_j] / sum_j w_ij, w_ij = 2^(-2 d / (sqrt(p) - d)), d being "
        "Euclidean (Vilalta 1999)",
        lambda f: f.variation,
    ),
    *(
        Characteristic(
            f"R{case + 1} {BANDS[band]}",
            f"share of pairs and features with {FOUR[case]}, {where}",
            _mass(band, case),
        )
        for band, where in enumerate(("x <= p/3", "p/3 < x <= 2p/3", "x > 2p/3"))
        for case in range(4)
    ),
)

CHARACTERISTICS = (*PLAIN, *OF_PAIRS)
