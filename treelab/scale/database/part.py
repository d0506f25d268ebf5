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
from treelab.kernels.partition import ChildCounts, Rules, children_of, most_branches
from treelab.scale.database.source import Database
from treelab.scale.database.splits import branches_in, tables_of, targets_of
from treelab.stats.candidates.splits import Splits
from treelab.stats.stores.cases import MOST_WHOLE
from treelab.stats.stores.context import FeatureGroup, SplitContext
from treelab.stats.stores.engine import Add, Common, InProcess, Task
from treelab.stats.stores.finishing import Rows
from treelab.stats.stores.gathering import Draw, NodeRows
from treelab.stats.stores.part import Move, Part, RootFacts


@attrs.frozen(eq=False)
class NodeTable:
    """Where the cases of some nodes lie: a table, which goes when nobody needs it any more."""

    database: Database
    table: str

    def __attrs_post_init__(self) -> None:
        finalize(self, self.database.drop, self.table)


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

    def class_counts(self, root: NodeTable) -> RootFacts:
        """Return the weight of each class, and what else is known of all cases."""
        found = self.database.arrays(
            f"SELECT y, sum(w) AS w, count(*) AS n, min(w) AS least FROM {root.table} GROUP BY y"
        )
        counts = np.zeros(self.context.n_classes)
        counts[found["y"]] = found["w"]
        whole = self.integral and self.context.n_training < MOST_WHOLE
        least = float(found["least"].min(initial=np.inf))
        return RootFacts(counts, whole, int(found["n"].sum()), least)

    def histograms(self, where: NodeTable, nodes: IndexArray) -> tuple[FloatArray, ...]:
        """Return the counts (node, value, class) of each group of features."""
        return tuple(self._counted(where, nodes, group) for group in self.context.groups)

    def _counted(self, where: NodeTable, nodes: IndexArray, group: FeatureGroup) -> FloatArray:
        counts = np.zeros((len(nodes), int(group.offsets[-1]), self.context.n_classes))
        place = _places(nodes)
        for f, first in zip(group.features, group.offsets[:-1], strict=True):
            found = self.database.arrays(
                f"SELECT node, f{f} AS code, y, sum(w) AS w FROM {where.table} "
                f"WHERE {_among(nodes)} GROUP BY node, code, y"
            )
            at = place[found["node"]], first + found["code"].astype(np.int64), found["y"]
            counts[at] = found["w"]
        return counts

    def rows(self, where: NodeTable, nodes: IndexArray) -> Rows:
        """Return the coded cases of some nodes."""
        query = self._query(where, "node, y, w", _among(nodes))
        parts = [self._fetched(batch) for batch in self.database.batches(query)]
        node = np.concatenate([np.arange(0), *(number for number, _ in parts)])
        found = NodeRows.joined([self._nothing, *(rows for _, rows in parts)])
        place = _places(nodes)[node]
        found = found.take(np.argsort(place, kind="stable"))
        return Rows(
            found.codes, found.y.astype(np.int32), found.weights,
            np.bincount(place, minlength=len(nodes)),
        )  # fmt: skip

    def drawn(self, where: NodeTable, node: int, draw: Draw) -> NodeRows:
        """Return the cases of a node, or a draw from them."""
        query = self._query(where, "node, y, w", f"node = {node}")
        parts = (self._fetched(batch)[1] for batch in self.database.batches(query))
        return reduce(draw.merged, map(draw, parts))

    def _query(self, where: NodeTable, columns: str, condition: str) -> str:
        codes = "".join(f", f{f}" for f in range(len(self.context.axes)))
        return f"SELECT {columns}{codes} FROM {where.table} WHERE {condition}"

    def _fetched(self, batch: Any) -> tuple[IndexArray, NodeRows]:
        """Return the nodes of some cases, and the cases."""
        node, y, w = (batch.column(name).to_numpy() for name in ("node", "y", "w"))
        codes = np.empty((len(self.context.axes), len(y)), self._code_type)
        for f in range(len(codes)):
            codes[f] = batch.column(f"f{f}").to_numpy()
        return node, NodeRows(codes, y, w)

    @property
    def _nothing(self) -> NodeRows:
        codes = np.empty((len(self.context.axes), 0), self._code_type)
        return NodeRows(codes, np.empty(0, np.int32), np.empty(0))

    @property
    def _code_type(self) -> type[np.unsignedinteger]:
        return code_type(int(self.context.n_codes.max(initial=0)))

    def child_counts(
        self, where: NodeTable, nodes: IndexArray, _splits: Splits, rules: Rules
    ) -> ChildCounts:
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
        return ChildCounts(first_child, parent, number, counts, lost, n_cases, n_lost)

    def moved(self, where: NodeTable, move: Move) -> NodeTable:
        """Make the table of some of the children; see `stats.stores.part.Part.moved`."""
        _, parent, branch = children_of(move.n_branches)
        targets = targets_of(parent, branch, move.share, move.chosen)
        columns = _codes_in(where)
        shared = "round_even(t.share * b.w / u.unit, 0) * u.unit"
        weight = f"CASE WHEN b.branch < 0 THEN {shared} ELSE b.w END"
        units = {"unit": np.array([self.context.unit])}
        splits = tables_of(move.nodes, move.rules)
        with self.database.given(**splits, targets=targets, units=units):
            branches = branches_in(where.table, move.rules, f"c.y, c.w, {_listed('c', columns)}")
            table = self.database.make(
                f"SELECT t.child AS node, b.y, {weight} AS w, {_listed('b', columns)} FROM "
                f"({branches}) AS b JOIN targets AS t USING (place, branch) CROSS JOIN units AS u"
            )
        return NodeTable(self.database, table)


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
    Part.drawn: TablePart.drawn,
    Part.child_counts: TablePart.child_counts,
    Part.moved: TablePart.moved,
}
"""What a `PartitionedStore` asks of its parts, and who does it in a database."""


@attrs.frozen
class InDatabase(InProcess):
    """Lets a database do the work of the only part."""

    def each(self, task: Task, *of_part: Iterable[Any], common: Common = ()) -> list[Any]:
        return super().each(IN_SQL.get(task, task), *of_part, common=common)

    def total(self, add: Add, task: Task, *of_part: Iterable[Any], common: Common = ()) -> Any:
        return super().total(add, IN_SQL.get(task, task), *of_part, common=common)
