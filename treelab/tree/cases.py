"""Cases on their way to a tree: only the columns that it tests, in its terms, a part at a time."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray
from treelab.data import frames
from treelab.data.coded import fixed
from treelab.data.dataset import Dataset, infinite
from treelab.data.doubts import distinct_names
from treelab.data.notation import Marks
from treelab.tree.columns import TreeColumn, check_present, column_of
from treelab.tree.rows import plain_columns

if TYPE_CHECKING:
    from treelab.tree.model import Tree

Feature = frames.Feature

FEW = 1_000
"""So many cases of a frame are handed over faster all columns at once than column by column."""


class Cases(Protocol):
    """Cases as a tree reads them."""

    @property
    def n(self) -> int:
        """The number of cases."""

    def part(self, rows: slice) -> FloatArray:
        """Return some cases, one row each; features that the tree does not test may have no values.

        It is read-only: kernels are compiled anew for arrays that are not.
        """


@attrs.frozen
class Columns:
    """Cases by columns, each in its own terms.

    Parameters
    ----------
    n, width
        The number of cases, and of features.
    columns
        The columns by their places among the features.
    names
        The names of the features, where it is not known yet that all numbers are finite.
    """

    n: int
    width: int
    columns: Mapping[int, TreeColumn]
    names: Sequence[str] = ()

    def part(self, rows: slice) -> FloatArray:
        # A column is written in one go: the other way round it would take longer than routing.
        result = np.zeros((self.width, rows.stop - rows.start))
        for place, column in self.columns.items():
            result[place] = column.part(rows)
        if self.names and np.isinf(result).any():
            # It may also be the code of what is unknown.
            values = {place: column.values[rows] for place, column in self.columns.items()}
            _check_finite(values, self.names)
        return fixed(result).T


@attrs.frozen
class Numbers:
    """Cases of nothing but numbers, which the tree takes as they are: an array (case, feature)."""

    values: AnyArray
    tree: "Tree"

    @property
    def n(self) -> int:
        return len(self.values)

    def part(self, rows: slice) -> FloatArray:
        some = np.ascontiguousarray(self.values[rows], np.float64).view()
        if np.isinf(some).any():
            _check_finite({place: some[:, place] for place in self.tree.tested}, self.tree.features)
        return fixed(some)


def _check_finite(columns: Mapping[int, AnyArray], names: Sequence[str]) -> None:
    for place, values in columns.items():
        if values.dtype.kind == "f" and np.isinf(values).any():
            raise infinite(names[place])


def cases_of(tree: "Tree", data: Any) -> Cases:
    """Return the cases of a `Dataset`, a frame or plain rows; columns are found by name."""
    if isinstance(data, Columns | Numbers):
        return data
    if isinstance(data, Dataset):
        return cases_of_dataset(tree, data, tree.tested)
    if _is_matrix(tree, data):
        return Numbers(data, tree)
    plain = plain_columns(tree, data)
    if plain is not None:
        return cases_of_columns(tree, *plain)
    table = frames.eager(data)
    names = distinct_names(list(map(str, table.columns)))
    return cases_of_frame(tree, table, dict(zip(names, table.columns, strict=True)))


def _is_matrix(tree: "Tree", data: Any) -> bool:
    """Tell whether data are an array of numbers that the tree takes as they are."""
    if not isinstance(data, np.ndarray) or data.dtype.kind not in "fiu":
        return False
    return data.shape[1:] == (len(tree.features),) and tests_numbers(tree)


def cases_of_dataset(tree: "Tree", data: Dataset, places: Iterable[int]) -> Cases:
    """Return the cases of a data set, with the columns at some places."""
    for name in tree.features:
        check_present(name, data.schema.places, data.target)
    found = {place: data.schema.index(tree.features[place]) for place in places}
    given = {at: (data.schema.features[own], data.columns[own]) for at, own in found.items()}
    return _in_terms(tree, given, len(data))


def cases_of_frame(tree: "Tree", table: Any, own: Mapping[str, Any]) -> Cases:
    """Return the cases of the narwhals view of a frame, which has its own names for features."""
    for name in tree.features:
        check_present(name, own)
    if len(table) <= FEW and tests_numbers(tree):
        values = table.to_numpy()
        if values.dtype.kind in "fiu":
            found = {name: place for place, name in enumerate(table.columns)}
            return Numbers(values[:, [found[own[name]] for name in tree.features]], tree)
    return cases_of_columns(tree, _read_columns(tree, table, own), len(table))


def tests_numbers(tree: "Tree") -> bool:
    """Tell whether the tree tests nothing but numbers as they are."""
    columns = [tree.schema.features[place] for place in tree.tested]
    return not any(c.is_nominal or c.scale or c.name in tree.coding for c in columns)


def cases_of_columns(tree: "Tree", columns: Mapping[int, Feature], n: int) -> Cases:
    """Return the cases of columns by the places of the features that they are."""
    return attrs.evolve(_in_terms(tree, columns, n), names=tree.features)


def _in_terms(tree: "Tree", columns: Mapping[int, Feature], n: int) -> Columns:
    features = tree.schema.features
    read = {at: column_of(features[at], tree.coding, *given) for at, given in columns.items()}
    return Columns(n, len(features), read)


def _read_columns(tree: "Tree", table: Any, own: Mapping[str, Any]) -> dict[int, Feature]:
    """Return the columns that the tree tests, each of a type of its own."""
    names = [tree.features[at] for at in tree.tested]
    series = {name: table.get_column(own[name]) for name in names}
    nominal, numeric = kinds(tree, series)
    if any(frames.is_text(series[name]) for name in numeric):
        # Columns of text settle together how numbers are written, those not tested among them.
        series |= {name: table.get_column(own[name]) for name in tree.features}
        nominal, numeric = kinds(tree, series)
    read = frames.read_features(series, nominal, numeric, marks_for(tree))
    return {at: read[name] for at, name in zip(tree.tested, names, strict=True)}


def kinds(tree: "Tree", series: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Tell which columns of a frame are to be read as labels, and which as numbers.

    Numbers stay numbers where the tree has labels, and dates and ordered labels are read as what
    they are: `column_of` finds what the tree takes them for.
    """
    columns = [column for column in tree.schema.features if column.name in series]
    nominal = [
        column.name
        for column in columns
        if column.is_nominal and not frames.holds_numbers(series[column.name], column.name)
    ]
    numeric = [column.name for column in columns if not (column.is_nominal or column.scale)]
    return nominal, numeric


def marks_for(tree: "Tree") -> Marks:
    """Return what means missing in data for a tree: no label that it knows."""
    columns = (*tree.schema.features, tree.schema.target)
    return Marks().but(label for column in columns for label in column.words)
