"""The axes of all features from summaries of the partitions, as `Coded.of` has them in memory."""

from collections.abc import Iterable
from functools import partial

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.data.coded import Axis, axis_of_ends, binned_axis
from treelab.data.readers.table import Options
from treelab.data.schema import Schema
from treelab.data.weights import on_grid, summable
from treelab.errors import DataError, ParameterError, shown
from treelab.scale.borders import Cells, Collected, Search
from treelab.scale.facts import Facts, added_facts, facts_of
from treelab.scale.pieces import Piece, read_piece
from treelab.scale.summaries import CAP, Digits, Points, Summary
from treelab.stats.stores.engine import Engine
from treelab.tree.model import Tree

FEW_LEFT = 2**18
"""When about so many values are left in the cells of all borders of a feature, they are listed."""

Found = dict[str, "FloatArray | Collected"]


@attrs.frozen
class Sizes:
    """Limits of memory: distinct values that are kept, and values that are listed in the end."""

    cap: int = CAP
    few_left: int = FEW_LEFT


@attrs.frozen(eq=False)
class Description:
    """What the data are: how partitions are read, columns, classes, axes and weights.

    `n_known` is the number of cases of known class and weight above 0, `total` their weight;
    `unit` is what weights are rounded to multiples of, 0 where all are whole; `numbers` are the
    summaries of numeric columns by name, `lacking` the features of which values are missing.
    """

    options: Options
    schema: Schema
    axes: tuple[Axis, ...]
    n_cases: int
    n_known: int
    total: float
    unit: float
    numbers: dict[str, Summary]
    lacking: frozenset[str]

    def known(self, tree: Tree) -> Tree:
        """Return a tree that knows whether the data lacked values of what it tests."""
        tested = {tree.features[place] for place in tree.tested}
        return attrs.evolve(tree, complete=not tested & self.lacking)


def gathered_facts(
    engine: Engine, pieces: Iterable[Piece], options: Options, unit: float, sizes: Sizes
) -> Facts:
    """Return what all partitions have in common, in one pass."""
    add = partial(added_facts, cap=sizes.cap)
    found: Facts | None = engine.total(
        add, facts_of, engine.deal(pieces), common=(options, unit, sizes.cap)
    )
    if found is None:
        raise DataError("there is not a single case in any partition")
    return found


def axes_of(
    engine: Engine,
    pieces: Iterable[Piece],
    options: Options,
    facts: Facts,
    unit: float,
    bins: int | None,
    sizes: Sizes,
) -> tuple[Axis, ...]:
    """Return the axis of each feature; features of very many values take more passes."""
    many = {name for name, each in facts.numbers.items() if isinstance(each, Digits)}
    columns = [seen.column for seen in facts.columns]
    many &= {column.name for column in columns if not column.is_nominal}
    if many and bins is None:
        raise too_many_numbers(min(many), sizes.cap)
    ends = _ends(engine, pieces, options, facts, unit, bins or 0, sizes, many)
    return tuple(
        Axis("nominal", column.n_labels)
        if column.is_nominal
        else _numeric_axis(facts, column.name, bins, ends)
        for column in columns
    )


def too_many_numbers(name: str, cap: int) -> ParameterError:
    """Return what is wrong with a column of very many values without bins."""
    return ParameterError(
        f"column {shown(name)} has more than {cap:,} different numbers: say into how many bins "
        "numbers are put, such as bins=255 (--bins 255)"
    )


def _numeric_axis(facts: Facts, name: str, bins: int | None, ends: dict[str, FloatArray]) -> Axis:
    if name in ends:
        return axis_of_ends(ends[name])
    points = facts.numbers.get(name, Points(np.empty(0), np.empty(0)))
    assert isinstance(points, Points)
    return axis_of_points(points, bins)


def axis_of_points(points: Points, bins: int | None) -> Axis:
    """Return the axis of few distinct values."""
    weighed = points.weighed
    if bins is not None and len(weighed.values) > bins:
        return binned_axis(weighed.values, weighed.mass, bins)
    return Axis("numeric", len(points.values), points.values)


def _ends(
    engine: Engine,
    pieces: Iterable[Piece],
    options: Options,
    facts: Facts,
    unit: float,
    bins: int,
    sizes: Sizes,
    many: set[str],
) -> dict[str, FloatArray]:
    """Return the upper ends of the bins of features of very many values."""
    masses = {name: facts.numbers[name] for name in many}
    searches = {n: Search(bins, float(each.mass.sum())) for n, each in masses.items()}
    cells = {n: searches[n].first_cells(each) for n, each in masses.items()}  # type: ignore[arg-type]
    ends: dict[str, FloatArray] = {}
    while cells:
        last = {name for name, each in cells.items() if _is_last(each, facts, sizes)}
        narrow = only_columns(options, facts.schema, set(cells))
        common = narrow, unit, cells, last
        found = engine.total(_added, counted_digits, engine.deal(pieces), common=common)
        ends |= {name: searches[name].ends(cells[name], found[name]) for name in last}
        others = cells.keys() - last
        cells = {name: searches[name].next_cells(cells[name], found[name]) for name in others}
    return ends


def _is_last(cells: Cells, facts: Facts, sizes: Sizes) -> bool:
    left = cells.mass.sum() / facts.total * facts.n_cases
    return cells.width == 0 or bool(left <= sizes.few_left)


def only_columns(options: Options, schema: Schema, names: set[str]) -> Options:
    """Return how partitions are read where only some columns are needed."""
    others = {column.name for column in schema.features} - names
    nominal = tuple(name for name in options.nominal if name not in others)
    numeric = tuple(name for name in options.numeric if name not in others)
    drop = (*options.drop, *sorted(others))
    return attrs.evolve(options, nominal=nominal, numeric=numeric, drop=drop)


def counted_digits(
    piece: Piece, options: Options, unit: float, cells: dict[str, Cells], last: set[str]
) -> Found:
    """Return the counts of the next digits of a partition, or what is left where it is little."""
    data = read_piece(piece, options)
    usable = np.empty(0) if data is None else np.where(data.y >= 0, data.weights, 0.0)
    weights = on_grid(usable, unit) if unit else summable(usable)
    found: Found = {}
    for name, each in cells.items():
        values = np.empty(0) if data is None else data[name]
        found[name] = (each.collected if name in last else each.counted)(values, weights)
    return found


def _added(one: Found, other: Found) -> Found:
    return {name: one[name] + other[name] for name in one}  # type: ignore[operator]
