"""Nodes side by side as the kernels see them, and the same as plain cases."""

from typing import NamedTuple

import naive
import numpy as np

from treelab.kernels.nodes import Nodes

WEIGHTS = {"one": None, "whole": [1.0, 2.0, 5.0], "fraction": [0.125, 0.5, 0.75, 1.5, 2.0]}
"""Fractions of powers of two: they add up exactly, in any order."""

AWKWARD = {
    "some": {},
    "large": {"sizes": [70, 3, 40]},
    "large-whole": {"sizes": [70, 3, 40], "weights": "whole"},
    "fractions": {"sizes": [24, 25, 9], "weights": "fraction"},
    "no-feature": {"n_codes": []},
    "constant": {"n_codes": [1, 1]},
    "one-case": {"sizes": [1], "weights": "fraction"},
    "one-class": {"n_classes": 1, "weights": "whole"},
    "many-classes": {"n_classes": 12, "sizes": [40, 30], "weights": "whole"},
    "no-ties": {"n_codes": [200, 90], "sizes": [30, 12]},
    "all-missing": {"missing": 1.0, "sizes": [5, 30]},
    "nothing-missing": {"missing": 0.0, "weights": "whole"},
    "a-full-byte": {"n_codes": [255, 254], "sizes": [60, 9]},
    "two-bytes": {"n_codes": [300, 4], "dtype": np.uint16},
    "four-bytes": {"n_codes": [70_000, 2], "dtype": np.uint32, "weights": "fraction"},
}


class Made(NamedTuple):
    """What the kernels of `cuts`, `arrange` and `partition` are given."""

    codes: np.ndarray
    n_codes: np.ndarray
    rows: np.ndarray
    labels: np.ndarray
    ids: np.ndarray
    weights: np.ndarray
    starts: np.ndarray
    stops: np.ndarray
    n_classes: int

    @property
    def nodes(self):
        where = self.starts, self.stops
        return Nodes(self.rows, self.labels, self.ids, self.weights, *where)

    @property
    def bits(self):
        return max(1, (self.n_classes - 1).bit_length())

    @property
    def features(self):
        return np.arange(len(self.n_codes))

    @property
    def counts(self):
        """Class weights (node, class)."""
        counts = [naive.class_weights(self.cases(k), self.n_classes) for k in self.numbers]
        return np.array(counts).reshape(-1, self.n_classes)

    @property
    def numbers(self):
        return range(len(self.starts))

    def places(self, k):
        return range(self.starts[k], self.stops[k])

    def code(self, feature, place):
        """Return the code of a case; that of a missing value is the number of codes."""
        return min(int(self.codes[feature, self.rows[place]]), int(self.n_codes[feature]))

    def weight(self, case):
        return float(self.weights[case]) if len(self.weights) else 1.0

    def cases(self, k):
        """Return the cases of a node as the naive learner has them."""
        found = []
        for place in self.places(k):
            codes = [self.code(f, place) for f in self.features]
            values = [None if c == n else c for c, n in zip(codes, self.n_codes, strict=True)]
            weight = self.weight(self.ids[place])
            found.append(naive.Case(values, int(self.labels[place]), weight))
        return found


def nodes(
    seed=0,
    n_codes=(4, 1, 7),
    sizes=(9, 1, 16),
    n_classes=3,
    missing=0.2,
    weights="one",
    dtype=np.uint8,
):
    """Make nodes with room between them, ids in no order, and rows that occur more than once."""
    rng = np.random.default_rng(seed)
    n_rows, room = 50, 2
    codes = np.array([rng.integers(0, n, n_rows) for n in n_codes]).reshape(-1, n_rows)
    codes[:, 0] = np.array(n_codes) - 1  # the first code to be mistaken for missing
    codes[rng.random(codes.shape) < missing] = np.iinfo(dtype).max
    stops = np.cumsum(np.array(sizes) + room)
    n = int(stops[-1])
    y = rng.integers(0, n_classes, n_rows)
    rows = rng.integers(0, n_rows, n).astype(np.int32)
    ids = rng.permutation(n + 5)[:n].astype(np.int32)
    pool = WEIGHTS[weights]
    of_ids = np.empty(0) if pool is None else rng.choice(pool, n + 5)
    codes = codes.astype(dtype)
    codes.flags.writeable = False  # as in a growing tree: compiled once for both
    return Made(
        codes, np.array(n_codes, np.int64), rows, y[rows].astype(np.int32), ids, of_ids,
        stops - np.array(sizes), stops, n_classes,
    )  # fmt: skip


def sorted_keys(made, dtype=np.uint32):
    """Return keys and order as `sort_cases` should make them, by Python's own sorting."""
    shape = len(made.n_codes), len(made.rows)
    keys, order = np.zeros(shape, dtype), np.full(shape, -7, np.int32)
    for f in made.features:
        for k in made.numbers:
            ordered = sorted(made.places(k), key=lambda place, f=f: made.code(f, place))
            here = slice(made.starts[k], made.stops[k])
            keys[f, here] = [
                made.code(f, place) << made.bits | int(made.labels[place]) for place in ordered
            ]
            order[f, here] = made.ids[ordered]
    return keys, order
