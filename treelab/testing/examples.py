"""Small data sets on which metrics are put to the test, and the nodes they make."""

from collections.abc import Iterator, Sequence
from itertools import product

import attrs
import numpy as np

from treelab._random import stream
from treelab._typing import AnyArray
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.stats.stores.context import SplitStrategy
from treelab.stats.stores.in_memory import root_of
from treelab.stats.stores.node import InMemoryNode

CASES = 24
LETTERS = tuple("abcd")
CLASSES = ("no", "maybe", "yes")


def node(
    data: Dataset, splits: SplitStrategy = "subset", missing_is_value: bool = False
) -> InMemoryNode:
    """Return the root of the data."""
    return root_of(data, splits, missing_is_value)


def nodes(data: Dataset) -> Iterator[InMemoryNode]:
    """Yield the root of the data for several kinds of splits."""
    ways: tuple[SplitStrategy, ...] = ("multiway", "subset")
    for splits, missing_is_value in product(ways, (False, True)):
        yield node(data, splits, missing_is_value)


def mixed() -> Dataset:
    """Return two numeric and two nominal features that say something of three classes."""
    rng = stream(0, "mixed")
    y = np.arange(CASES) % 3
    columns = [
        np.round(rng.normal(y, 1.0), 2),
        rng.integers(0, 5, CASES) + 0.5 * y,
        np.where(rng.random(CASES) < 0.6, y, rng.integers(0, 4, CASES)),
        rng.integers(0, 2, CASES),
    ]
    return _dataset("mixed data", columns, y, rng.permutation(CASES))


def weighted() -> Dataset:
    """Return the same with weights of 1, 2 and 3."""
    data = mixed().reweighted(1.0 + stream(0, "weights").integers(0, 3, CASES))
    return attrs.evolve(data, name="weighted data")


def with_missing_values() -> Dataset:
    """Return the same with missing values, and a column that has no other."""
    data, rng = weighted(), stream(0, "missing")
    columns = [_thinned(values, rng.random(CASES) < 0.2) for values in data.columns]
    columns += [np.full(CASES, np.nan), np.full(CASES, -1)]
    return _dataset("data with missing values", columns, data.y, weights=data.weights)


def of_one_class() -> Dataset:
    """Return mixed data of which one class is left."""
    data = mixed()
    return attrs.evolve(data.take(data.y == 1), name="data of one class")


def of_one_case() -> Dataset:
    """Return a single case."""
    return attrs.evolve(mixed().take([0]), name="a single case")


def with_constants() -> Dataset:
    """Return two constant features and, behind them, a copy of the class."""
    y = np.arange(CASES) % 3
    columns = [np.full(CASES, 7.0), np.zeros(CASES, int), y]
    return _dataset("constant columns and a copy of the class", columns, y)


def with_copy_of_class() -> Dataset:
    """Return mixed data and, behind them, a copy of the class."""
    data = mixed()
    return _dataset("mixed data and a copy of the class", [*data.columns, data.y], data.y)


def with_noise() -> Dataset:
    """Return a bit that tells two cases of three, and three bits that tell nothing at all.

    Every combination of class and bits occurs, ten times where the first bit is right and five
    times where it is wrong: nothing is left to chance.
    """
    y, *bits = np.array(list(product((0, 1), repeat=5))).T
    order = np.repeat(np.arange(len(y)), np.where(bits[0] == y, 10, 5))
    return _dataset("a feature beside noise", bits, y, order)


def with_noise_and_missing_values() -> Dataset:
    """Return the same, two of five values of the first bit missing in every combination."""
    data = with_noise()
    first = _thinned(data.columns[0], np.arange(len(data)) % 5 < 2)
    columns = [first, *data.columns[1:]]
    return _dataset("a feature of missing values beside noise", columns, data.y)


EXAMPLES = (mixed, weighted, with_missing_values, with_constants, with_copy_of_class)


def backwards(data: Dataset) -> Dataset:
    """Return the cases in reverse order."""
    return data.take(range(len(data))[::-1])


def duplicated(data: Dataset) -> Dataset:
    """Return the data with each case as often as its weight says."""
    rows = np.repeat(np.arange(len(data)), data.weights.astype(int))
    return data.take(rows).reweighted(np.ones(len(rows)))


def with_codes_reversed(data: Dataset) -> Dataset:
    """Return the same data in which the labels of nominal features are listed backwards."""
    features, columns = [], []
    for column, values in zip(data.schema.features, data.columns, strict=True):
        is_known = column.is_nominal & (values >= 0)
        columns.append(np.where(is_known, column.n_labels - 1 - values, values))
        features.append(Column(column.name, column.labels and column.labels[::-1]))
    schema = Schema(tuple(features), data.schema.target)
    return Dataset.of(schema, columns, data.y, data.weights, data.name)


def with_classes_reversed(data: Dataset) -> Dataset:
    """Return the same data in which the classes are listed backwards."""
    target = Column(data.target, data.classes[::-1])
    schema = attrs.evolve(data.schema, target=target)
    y = np.where(data.y >= 0, len(data.classes) - 1 - data.y, -1)
    return Dataset.of(schema, data.columns, y, data.weights, data.name)


def _thinned(values: AnyArray, at: AnyArray) -> AnyArray:
    return np.where(at, np.nan if values.dtype.kind == "f" else -1, values)


def _dataset(
    name: str,
    columns: Sequence[AnyArray],
    y: AnyArray,
    order: AnyArray | None = None,
    weights: AnyArray | None = None,
) -> Dataset:
    features = [
        Column(f"x{place}", None if values.dtype.kind == "f" else LETTERS)
        for place, values in enumerate(columns)
    ]
    schema = Schema(tuple(features), Column("class", CLASSES))
    data = Dataset.of(schema, columns, y, weights, name)
    return data if order is None else data.take(order)
