"""`TablePart`: the work of a `Part`, done by a database.

The cases of some nodes are a table: the number of the node, the class, the weight and the codes of
each case. Splitting makes the table of the children anew, which takes one pass; an expression of
the tree would be evaluated from the root again at every level, and updates in place are slow.
"""

from collections.abc import Iterable
from functools import reduce
from typing import Any
from weakref import finalize

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.coded import code_type
from treelab.kernels.partition import ChildCounts, Rules, children_of, most_branches, trim
from treelab.scale.database.source import Database
from treelab.scale.database.splits import branches_in, tables_of, targets_of
from treelab.stats.cases import MOST_WHOLE
from treelab.stats.context import SplitContext
from treelab.stats.engine import Add, Common, InProcess, Task
from treelab.stats.gathering import Draw, NodeRows
from treelab.stats.part import Part, scatter_part
from treelab.stats.splits import Splits


@attrs.frozen(eq=False)
class NodeTable:
    """Where the cases of some nodes lie: a table, which goes when nobody needs it any more."""

    database: Database
    table: str

    def __attrs_post_init__(self) -> None:
        finalize(self, self.database.drop, self.table)


@attrs.frozen(eq=False)
class TableMoves:
    """The splits of some nodes, and how many cases take each branch."""

    rules: Rules
    found: ChildCounts


@attrs.frozen(eq=False)
class TablePart:
    """All cases of a table, coded; `integral` says whether all weights are whole."""

    database: Database
    context: SplitContext
    coded: NodeTable
    integral: bool

    def root(self) -> NodeTable:
        """Return where the cases to learn from lie."""
        return self.coded

    def class_counts(self, root: NodeTable) -> tuple[FloatArray, bool]:
        """Return the weight of each class, and whether all weights are whole."""
        found = self.database.arrays(f"SELECT y, sum(w) AS w FROM {root.table} GROUP BY y")
        counts = np.zeros(self.context.n_classes)
        counts[found["y"]] = found["w"]
        return counts, self.integral and self.context.n_training < MOST_WHOLE

    def histograms(self, where: NodeTable, nodes: IndexArray, group: int) -> FloatArray:
        """Return the counts (node, value, class) of a group of features."""
        features, offsets = self.context.groups[group].features, self.context.groups[group].offsets
        counts = np.zeros((len(nodes), int(offsets[-1]), self.context.n_classes))
        place = _places(nodes)
        for f, first in zip(features, offsets[:-1], strict=True):
            found = self.database.arrays(
                f"SELECT node, f{f} AS code, y, sum(w) AS w FROM {where.table} "
                f"WHERE {_among(nodes)} GROUP BY node, code, y"
            )
            at = place[found["node"]], first + found["code"].astype(np.int64), found["y"]
            counts[at] = found["w"]
        return counts

    def rows(self, where: NodeTable, node: int, draw: Draw) -> NodeRows:
        """Return the cases of a node, or a draw from them."""
        n_features = len(self.context.axes)
        codes = "".join(f", f{f}" for f in range(n_features))
        query = f"SELECT y, w{codes} FROM {where.table} WHERE node = {node}"
        dtype = code_type(int(self.context.n_codes.max(initial=0)) + 1)
        parts = (_node_rows(batch, n_features, dtype) for batch in self.database.batches(query))
        return reduce(draw.merged, map(draw, parts))

    def count(
        self, where: NodeTable, nodes: IndexArray, _splits: Splits, rules: Rules
    ) -> TableMoves:
        """Return what the children of some nodes sum up to."""
        with self.database.given(**tables_of(nodes, rules)):
            branches = branches_in(where.table, rules, "c.y, c.w")
            found = self.database.arrays(
                "SELECT place, branch, y, sum(w) AS w, count(*) AS n "
                f"FROM ({branches}) GROUP BY place, branch, y"
            )
        first_child, parent, number = children_of(most_branches(rules))
        counts = np.zeros((len(parent), self.context.n_classes))
        lost = np.zeros((len(nodes), self.context.n_classes))
        n_cases, n_lost = np.zeros(len(parent), np.int64), np.zeros(len(nodes), np.int64)
        stays = found["branch"] < 0
        place, y, w, n = (found[name][stays] for name in ("place", "y", "w", "n"))
        lost[place, y] = w
        np.add.at(n_lost, place, n)
        place, y, w, n = (found[name][~stays] for name in ("place", "y", "w", "n"))
        child = first_child[place] + found["branch"][~stays]
        counts[child, y] = w
        np.add.at(n_cases, child, n)
        children = ChildCounts(first_child, parent, number, counts, lost, n_cases, n_lost)
        return TableMoves(rules, children)


def scatter_table(
    where: NodeTable,
    moves: TableMoves,
    nodes: IndexArray,
    n_branches: IndexArray,
    share: FloatArray,
    unit: float,
    chosen: IndexArray,
) -> NodeTable:
    """Make the table of some of the children; see `stats.part.scatter_part`."""
    targets = targets_of(trim(moves.found, n_branches), share, chosen)
    columns = _codes_in(where)
    shared = "round_even(t.share * b.w / u.unit, 0) * u.unit"
    weight = f"CASE WHEN b.branch < 0 THEN {shared} ELSE b.w END"
    units = {"unit": np.array([unit])}
    with where.database.given(**tables_of(nodes, moves.rules), targets=targets, units=units):
        branches = branches_in(where.table, moves.rules, f"c.y, c.w, {_listed('c', columns)}")
        table = where.database.make(
            f"SELECT t.child AS node, b.y, {weight} AS w, {_listed('b', columns)} "
            f"FROM ({branches}) AS b JOIN targets AS t USING (place, branch) CROSS JOIN units AS u"
        )
    return NodeTable(where.database, table)


def _node_rows(batch: Any, n_features: int, dtype: type[np.unsignedinteger]) -> NodeRows:
    y, w = (batch.column(name).to_numpy() for name in ("y", "w"))
    codes = np.empty((n_features, len(y)), dtype)
    for f in range(n_features):
        codes[f] = batch.column(f"f{f}").to_numpy()
    return NodeRows(codes, y, w)


def _codes_in(where: NodeTable) -> list[str]:
    found = where.database.rows(f"DESCRIBE {where.table}")
    return [name for name, *_ in found if name not in ("node", "y", "w")]


def _listed(table: str, columns: list[str]) -> str:
    return ", ".join(f"{table}.{name}" for name in columns) or "NULL AS nothing"


def _places(nodes: IndexArray) -> IndexArray:
    """Return the place of each node among some, by its number."""
    place = np.zeros(int(nodes.max(initial=0)) + 1, np.int64)
    place[nodes] = np.arange(len(nodes))
    return place


def _among(nodes: IndexArray) -> str:
    """Return the condition that a case is of some nodes, most of which stand side by side."""
    first, last = int(nodes.min(initial=0)), int(nodes.max(initial=0))
    if last - first + 1 == len(nodes):
        return f"node BETWEEN {first} AND {last}"
    return f"node IN ({', '.join(map(str, nodes.tolist()))})"


IN_SQL: dict[Task, Task] = {
    Part.root: TablePart.root,
    Part.class_counts: TablePart.class_counts,
    Part.histograms: TablePart.histograms,
    Part.rows: TablePart.rows,
    Part.count: TablePart.count,
    scatter_part: scatter_table,
}
"""What a `PartitionedStore` asks of its parts, and who does it in a database."""


class InDatabase(InProcess):
    """Lets a database do the work of the only part."""

    def each(self, task: Task, *of_part: Iterable[Any], common: Common = ()) -> list[Any]:
        return super().each(IN_SQL.get(task, task), *of_part, common=common)

    def total(self, add: Add, task: Task, *of_part: Iterable[Any], common: Common = ()) -> Any:
        return super().total(add, IN_SQL.get(task, task), *of_part, common=common)
