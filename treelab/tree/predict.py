"""From data to predictions: align the columns, code the values, send the cases down."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

import numpy as np

from treelab._threads import in_parallel
from treelab._typing import AnyArray, FloatArray, IndexArray
from treelab.data import frames
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset, is_missing
from treelab.data.notation import Marks, is_number, number
from treelab.data.schema import Column
from treelab.errors import DataError, suggestion
from treelab.kernels.route import SPREAD, FlatTree, distribute, main_leaf, whole_leaves
from treelab.stats.impurity import majority

if TYPE_CHECKING:
    from treelab.tree.model import Tree

Array = TypeVar("Array", bound=AnyArray)

PART = 8_000
"""So many cases are routed at a time."""


def matrix(tree: "Tree", data: Any) -> FloatArray:
    """Return the cases as the tree reads them: one row a case, one column a feature.

    Numbers as they are, codes for nominal and cut features, NaN for missing, and a code beyond
    all labels for a category the tree does not know.
    """
    data = as_dataset(tree, data)
    columns = _columns(tree, data)
    return _stacked(columns, range(len(columns)), slice(0, len(data)))


def _columns(tree: "Tree", data: Dataset) -> list[AnyArray]:
    return [_column(column, tree.coding, data) for column in tree.schema.features]


def _stacked(columns: list[AnyArray], places: Iterable[int], rows: slice) -> FloatArray:
    """Return some cases of columns side by side; those at other places are not filled in."""
    # A column is written in one go: the other way round it would take longer than routing.
    result = np.empty((len(columns), rows.stop - rows.start))
    for place in places:
        result[place] = columns[place][rows]
    return result.T


def as_dataset(tree: "Tree", data: Any, target: str | None = None) -> Dataset:
    """Return data as a `Dataset`, a frame being read by the kinds of the tree's columns.

    Numbers stay numbers where the tree has labels: `_recode` finds the label by the value.
    """
    if isinstance(data, Dataset):
        return data
    table = frames.eager(data)
    known, needed = frames.by_name(table), [*tree.features, *([target] if target else [])]
    for name in needed:
        _check_present(name, known)
    numeric = [column.name for column in tree.schema.features if not column.is_nominal]
    nominal = [
        column.name
        for column in tree.schema.features
        if column.is_nominal and not frames.holds_numbers(known[column.name], column.name)
    ]
    columns = (*tree.schema.features, tree.schema.target)
    marks = Marks().but(label for column in columns for label in column.labels or ())
    parts = frames.read_frame(table, target, None, nominal, numeric, needed, marks)
    return Dataset.of(*parts, name="frame")


def probabilities(tree: "Tree", data: Any) -> FloatArray:
    """Return the class probabilities of cases."""
    shares = _class_shares(tree)
    return _in_parts(tree, data, lambda cases: distribute(tree.flat, cases, shares))


def most_probable(tree: "Tree", data: Any) -> IndexArray:
    """Return the code of the most probable class of each case; the first one among equals."""
    shares = _class_shares(tree)
    winners = majority(shares)
    return _in_parts(tree, data, lambda cases: _won(tree.flat, cases, shares, winners))


def _won(tree: FlatTree, cases: FloatArray, shares: FloatArray, winners: IndexArray) -> IndexArray:
    """Return the winner of the node where each case ends; over several nodes, of their mean."""
    ends = whole_leaves(tree, cases)
    codes, split = winners[ends], np.flatnonzero(ends == SPREAD)
    if len(split):
        codes[split] = majority(distribute(tree, cases.T.take(split, axis=1).T, shares))
    return codes


def _class_shares(tree: "Tree") -> FloatArray:
    return np.asarray(tree.counts / tree.counts.sum(axis=1, keepdims=True))


def ends(tree: "Tree", data: Any) -> IndexArray:
    """Return the node where the largest part of each case ends."""
    return _in_parts(tree, data, lambda cases: main_leaf(tree.flat, cases))


def _in_parts(tree: "Tree", data: Any, route: Callable[[FloatArray], Array]) -> Array:
    """Route the cases of some data, as many at a time as fit into the cache, by threads."""
    data = as_dataset(tree, data)
    columns, n = _columns(tree, data), len(data)
    tested = set(tree.feature[tree.feature >= 0].tolist())
    parts = [slice(first, min(first + PART, n)) for first in range(0, max(n, 1), PART)]
    routed = in_parallel(lambda rows: route(_stacked(columns, tested, rows)), parts)
    return cast(Array, np.concatenate(routed))


def importances(tree: "Tree") -> FloatArray:
    """Return each feature's share in lowering the weighted Gini impurity."""
    weight = tree.counts.sum(axis=1)
    impurity = weight - (tree.counts**2).sum(axis=1) / weight
    result = np.zeros(len(tree.features))
    for node in np.flatnonzero(tree.feature >= 0):
        below = tree.children[tree.first_child[node] : tree.first_child[node + 1]]
        result[tree.feature[node]] += impurity[node] - impurity[below].sum()
    result = np.maximum(result, 0.0)
    return result / result.sum() if result.sum() > 0 else result


def _column(column: Column, coding: Coding, data: Dataset) -> AnyArray:
    _check_present(column.name, data.schema.places, data.target)
    given = data.schema.features[data.schema.index(column.name)]
    values = data[column.name]
    if is_missing(values[:1]).all() and is_missing(values).all():
        return np.full(len(values), np.nan)
    if column.is_nominal:
        return _recode(column, given, values)
    if given.is_nominal:
        raise DataError(f"column {column.name!r} must be numeric, as in training, but is nominal")
    if column.name in coding:
        values = coding.codes(column.name, values)
        return np.where(values < 0, np.nan, values)
    return values


def _check_present(name: str, known: Collection[str], target: str = "") -> None:
    if name not in known:
        hint = suggestion(name, known)
        if name == target:
            hint = "it was read as the target; read data without one with target=''"
        raise DataError(f"the tree needs a column {name!r}, which the data do not have: {hint}")


def _recode(column: Column, given: Column, values: AnyArray) -> FloatArray:
    """Turn the values of a column into the codes of the tree's labels; a number by its value."""
    labels: Sequence[Any] = given.labels or ()
    if not given.is_nominal:
        labels, values = _numbered(values)
    place: dict[Any, int] = {label: code for code, label in enumerate(column.labels or ())}
    if not given.is_nominal:
        place = _by_value(place)
    recoded = [float(place.get(label, column.n_labels)) for label in labels]
    return np.array([*recoded, np.nan])[values]


def _numbered(values: FloatArray) -> tuple[list[float], IndexArray]:
    """Return the different numbers, and the place of each value among them; -1 for missing."""
    numbers, places = np.unique(values, return_inverse=True)
    return numbers.tolist(), np.where(np.isnan(values), -1, places)


def _by_value(place: dict[str, int]) -> dict[Any, int]:
    """Return the codes by the number that a label such as '01' stands for; '1' comes before it."""
    numbers: dict[Any, int] = {}
    for label, code in place.items():
        value = number(label) if is_number(label) else label
        if value not in numbers or frames.label_of(value) == label:
            numbers[value] = code
    return numbers
