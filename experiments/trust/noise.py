"""Trees on noise: does the default learner find rules where there are none?

    python experiments/trust/noise.py [--quick]

Classes dealt out by chance beside numbers, labels or both should give a single leaf; an identifier
or a column of many labels that know nothing should change no accuracy.
"""

import sys

import attrs
import numpy as np
from report import tell

import treelab as tl
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema

KINDS = ("numeric", "nominal", "mixed")
CASES = (50, 100, 200, 500, 1000)
MOST_LEAVES = 2.0
MOST_POINTS = 0.3
OF = ("treelab.learner", "treelab.evaluate", "treelab.data")
"""The modules that grow and assess, with what they need."""
CLASS = Column("class", ("a", "b"))


def noise(seed: int, features: int = 5) -> Dataset:
    """Return features that know nothing: numbers, labels of 2 to 20 values, or both in turn."""
    rng = np.random.default_rng(seed)
    kind, cases = KINDS[seed % len(KINDS)], CASES[seed // len(KINDS) % len(CASES)]
    columns, arrays = [], []
    for f in range(features):
        if kind == "numeric" or (kind == "mixed" and f % 2):
            columns.append(Column(f"x{f}"))
            arrays.append(rng.random(cases))
        else:
            values = int(rng.integers(2, 21))
            columns.append(_nominal(f"x{f}", values))
            arrays.append(rng.integers(0, values, cases).astype(np.int32))
    return Dataset.of(Schema(tuple(columns), CLASS), arrays, rng.integers(0, 2, cases))


def with_many_labels(data: Dataset, seed: int = 0) -> Dataset:
    """Return data with an identifier and with 200 labels that know nothing."""
    rng, n = np.random.default_rng(seed), len(data.y)
    added = _nominal("identifier", n), _nominal("region", 200)
    schema = attrs.evolve(data.schema, features=(added[0], *data.schema.features, added[1]))
    arrays = [rng.permutation(n), *data.columns, rng.integers(0, 200, n)]
    return Dataset.of(schema, arrays, data.y, data.weights, data.name)


def rare_class(seed: int, cases: int = 1000, share: float = 0.048) -> Dataset:
    """Return 200 regions and as many days as cases, read as labels, beside a rare class."""
    rng = np.random.default_rng(seed)
    columns = _nominal("region", 200), _nominal("day", cases)
    arrays = [rng.integers(0, 200, cases), rng.permutation(cases)]
    return Dataset.of(Schema(columns, CLASS), arrays, (rng.random(cases) < share).astype(int))


def leaves_of_noise(draws: int) -> dict[str, float]:
    """Return the mean number of leaves of the default tree, by kind of noise."""
    grown = [tl.grow(noise(seed)).n_leaves for seed in range(draws)]
    return {kind: float(np.mean(grown[k :: len(KINDS)])) for k, kind in enumerate(KINDS)}


def accuracy(data: Dataset) -> float:
    return tl.cross_validate(data, tl.Learner().fit, folds=10).accuracy


def change_by_labels(names: list[str]) -> float:
    """Return by how many points an identifier and 200 labels change the mean accuracy."""
    sets = [tl.load(name) for name in names]
    changes = [accuracy(with_many_labels(data)) - accuracy(data) for data in sets]
    return float(100 * np.mean(changes))


def _nominal(name: str, values: int) -> Column:
    return Column(name, tuple(f"{name} {value}" for value in range(values)))


def tell_leaves(draws: int) -> bool:
    leaves = leaves_of_noise(draws)
    mean = float(np.mean(list(leaves.values())))
    figure = ", ".join(f"{kind} {leaves[kind]:.2f}" for kind in KINDS)
    return tell(
        "noise: mean leaves of the default tree",
        f"{mean:.2f} over {draws} draws ({figure})",
        mean <= MOST_LEAVES,
        OF,
    )


def tell_labels(names: list[str]) -> bool:
    points = change_by_labels(names)
    return tell(
        "noise: an identifier and 200 labels added",
        f"mean 10-fold accuracy {points:+.2f} points over {len(names)} sets",
        abs(points) < MOST_POINTS,
        OF,
    )


def tell_rare_class(draws: int) -> bool:
    sets = [rare_class(seed) for seed in range(draws)]
    lost = np.array([100 * (np.mean(data.y == 0) - accuracy(data)) for data in sets])
    return tell(
        "noise: 200 regions and days as labels, a rare class",
        f"{lost.mean():.2f} points below the majority on average, {lost.max():.2f} at most",
        lost.mean() < MOST_POINTS,
        OF,
    )


def main() -> int:
    quick = "--quick" in sys.argv
    names = ["iris", "monks-1", "zoo"] if quick else list(tl.dataset_names())
    done = [
        tell_leaves(30 if quick else 200),
        tell_labels(names),
        tell_rare_class(2 if quick else 20),
    ]
    return 0 if all(done) else 1


if __name__ == "__main__":
    sys.exit(main())
