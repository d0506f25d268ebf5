"""The trees that look-ahead meets: its own, and those in which one node takes another option.

Look-ahead completes the tree under every option of a node before it takes one (SPEC 12.6). Such a
completion in its place, the rest being as it was taken in the end, is a whole tree that was looked
at and turned down.
"""

from collections.abc import Iterator

import attrs
import numpy as np

from treelab._random import digest
from treelab._typing import BoolArray, FloatArray, IndexArray
from treelab.stats.stores.nodes import Missing, NodeBatch
from treelab.tree.builder import Builder
from treelab.tree.lookahead import Completed, LookAhead
from treelab.tree.recorder import Tests, TreeRecorder
from treelab.tree.stop import Stop


def met_by_look_ahead(
    choose: LookAhead, missing: Missing, stop: Stop, root: NodeBatch
) -> Iterator[TreeRecorder]:
    """Yield the tree that look-ahead grows, then those with one of the options it completed."""
    seen: list[Completed] = []
    grown = Builder(attrs.evolve(choose, seen=seen.append), missing, stop).build(root)
    yield grown
    taken = _Grown.of(grown)
    number_of = taken.by_path()
    for completed in seen:
        lineage, below = completed.children.nodes.lineage, _Grown.of(completed.grown)
        for k in range(len(completed.option.nodes)):
            number = number_of.get(lineage.path(k))
            if number is not None:  # else it went with a subtree that another choice has replaced
                yield _grafted(taken, number, completed, k, below)


@attrs.frozen(eq=False)
class _Grown:
    """What a recorder holds, each in one piece, and the root above each node."""

    parent: IndexArray
    branch: IndexArray
    counts: FloatArray
    tests: Tests
    root: IndexArray
    by_counts: bool

    @classmethod
    def of(cls, recorder: TreeRecorder) -> "_Grown":
        parent = recorder.parent
        root = np.arange(len(parent))
        for node in np.flatnonzero(parent >= 0):
            root[node] = root[parent[node]]
        nodes = parent, recorder.branch, recorder.counts
        return cls(*nodes, Tests.joined(recorder.tests), root, recorder.by_counts)

    def by_path(self) -> dict[bytes, int]:
        """Return the nodes by what stands for their paths; see `Lineage.path`."""
        paths = [b""]
        for parent, branch in zip(self.parent[1:].tolist(), self.branch[1:].tolist(), strict=True):
            paths.append(digest(paths[parent], branch))
        return {path: number for number, path in enumerate(paths)}

    def under(self, number: int) -> BoolArray:
        """Mark the nodes under a node."""
        under = np.zeros(len(self.parent), bool)
        for node in range(number + 1, len(under)):
            above = self.parent[node]
            under[node] = above == number or under[above]
        return under


def _grafted(
    tree: _Grown, number: int, completed: Completed, k: int, grown: _Grown
) -> TreeRecorder:
    """Return the tree in which a node takes the option that was completed at node k."""
    option, children = completed.option.take(np.array([k])), completed.children
    result = TreeRecorder(tree.counts[:1])
    result.by_counts = tree.by_counts and grown.by_counts and option.by_counts
    rest = np.flatnonzero(~tree.under(number))
    place = _places(rest, 0)
    others = rest[1:]
    result.add(place[tree.parent[others]], tree.branch[others], tree.counts[others])
    result.tests.append(tree.tests.moved(place, where=rest[rest != number]))
    here, missing = place[[number]], children.missing_branch[[k]]
    result.tests.append(Tests(here, option.splits, missing, option.scores))
    below = np.flatnonzero(children.parent[grown.root] == k)
    place = _places(below, result.n_nodes)
    # The children of the node, which are roots there, come first.
    is_child = grown.parent[below] < 0
    parent = np.where(is_child, here, place[grown.parent[below]])
    branch = np.where(is_child, children.branch[grown.root[below]], grown.branch[below])
    result.add(parent, branch, grown.counts[below])
    result.tests.append(grown.tests.moved(place, where=below))
    return result


def _places(nodes: IndexArray, first: int) -> IndexArray:
    """Return numbers from `first` on for some nodes, by their old numbers."""
    places = np.full(int(nodes.max(initial=0)) + 1, -1)
    places[nodes] = first + np.arange(len(nodes))
    return places
