"""Send the cases of nodes to the branches of their splits; what is sorted stays sorted.

`keys` and `order` are as in `kernels.cuts`. Weights and branches are found by the id of a case,
so that what is sorted can be moved without being renumbered.
"""

from typing import NamedTuple

import numpy as np

from treelab.kernels._arrays import (
    AnyArray,
    CodeArray,
    FloatArray,
    IndexArray,
    IntArray,
    SmallArray,
)
from treelab.kernels._jit import kernel
from treelab.kernels.nodes import Nodes


class Rules(NamedTuple):
    """The split of every node: a cut above the code `low`, or a map of codes to branches.

    Node k looks at `feature[k]`, which has `n_codes[k]` codes. It has a map where `first_map[k]` is
    not negative; the map's last entry is for missing. A cut sends missing values to the branch
    `side_of_missing[k]`, nowhere where that is -1.
    """

    feature: IndexArray
    n_codes: IndexArray
    low: IndexArray
    side_of_missing: IndexArray
    maps: IntArray
    first_map: IndexArray


@kernel
def branches_of(codes: CodeArray, nodes: Nodes, rules: Rules, branch: SmallArray) -> None:
    """Fill the branch of every case."""
    # Every code from `n` on stands for missing, and `min` turns them into the last code of a map.
    # By id, so that arrays sorted by any feature find it.
    for k in range(len(nodes.starts)):
        column, n = codes[rules.feature[k]], rules.n_codes[k]
        for place in range(nodes.starts[k], nodes.stops[k]):
            code = min(int(column[np.uint64(nodes.rows[place])]), n)
            if rules.first_map[k] >= 0:
                goes = int(rules.maps[rules.first_map[k] + code])
            elif code == n:
                goes = rules.side_of_missing[k]
            else:
                goes = int(code > rules.low[k])
            branch[np.uint64(nodes.ids[place])] = goes


@kernel
def most_branches(rules: Rules) -> IndexArray:
    """Return how many branches the split of every node can have, whatever its cases are."""
    most = np.empty(len(rules.feature), np.int64)
    for k in range(len(most)):
        most[k] = max(2, rules.side_of_missing[k] + 1)
        if rules.first_map[k] >= 0:
            most[k] = 0
            for code in range(rules.n_codes[k] + 1):
                most[k] = max(most[k], int(rules.maps[rules.first_map[k] + code]) + 1)
    return most


@kernel
def count_branches(
    branch: SmallArray,
    nodes: Nodes,
    first_child: IndexArray,
    counts: FloatArray,
    lost: FloatArray,
    n_cases: IndexArray,
    n_lost: IndexArray,
) -> None:
    """Add up the classes (child, class) and numbers of cases of all children.

    What has no branch is added to `lost` (node, class) and `n_lost` (node).
    """
    # Cases are counted besides their weights, because `places_of` needs room for them, whatever
    # they weigh.
    labels, weights = nodes.labels, nodes.weights
    for k in range(len(nodes.starts)):
        for place in range(nodes.starts[k], nodes.stops[k]):
            case = np.uint64(nodes.ids[place])
            weight = weights[case] if len(weights) else 1.0
            if branch[case] < 0:
                lost[k, labels[place]] += weight
                n_lost[k] += 1
            else:
                child = np.uint64(first_child[k] + branch[case])
                counts[child, np.uint64(labels[place])] += weight
                n_cases[child] += 1


class ChildCounts(NamedTuple):
    """What comes of the splits of some nodes.

    The children of node k are `first_child[k]` to `first_child[k + 1]`; child i is branch
    `branch[i]` of node `parent[i]`. The others are those of `count_branches`, which are additive:
    those of parts of the cases sum to those of the whole.
    """

    first_child: IndexArray
    parent: IndexArray
    branch: IndexArray
    counts: FloatArray
    lost: FloatArray
    n_cases: IndexArray
    n_lost: IndexArray


@kernel
def children_of(n_branches: IndexArray) -> tuple[IndexArray, IndexArray, IndexArray]:
    """Return the first child of each node, and the parent and branch of each child.

    Loops, here and in the kernels below: numba compiles an assignment of arrays for seconds.
    """
    n = len(n_branches)
    first_child = np.zeros(n + 1, np.int64)
    for k in range(n):
        first_child[k + 1] = first_child[k] + n_branches[k]
    parent, branch = np.empty(first_child[n], np.int64), np.empty(first_child[n], np.int64)
    for k in range(n):
        for child in range(first_child[k], first_child[k + 1]):
            parent[child], branch[child] = k, child - first_child[k]
    return first_child, parent, branch


@kernel
def count_children(
    codes: CodeArray, nodes: Nodes, rules: Rules, n_classes: int, branch: SmallArray
) -> ChildCounts:
    """Fill `branch` as `branches_of` does, and count all children that there may be.

    Their number comes from the splits, not from the cases, so that parts of the cases count the
    same children.
    """
    branches_of(codes, nodes, rules, branch)
    first_child, parent, number = children_of(most_branches(rules))
    n = len(nodes.starts)
    counts, lost = np.zeros((len(parent), n_classes)), np.zeros((n, n_classes))
    n_cases, n_lost = np.zeros(len(parent), np.int64), np.zeros(n, np.int64)
    count_branches(branch, nodes, first_child, counts, lost, n_cases, n_lost)
    return ChildCounts(first_child, parent, number, counts, lost, n_cases, n_lost)


@kernel
def last_taken(found: ChildCounts) -> IndexArray:
    """Return the number of branches of every node, without those behind the last one taken."""
    n_branches = np.zeros(len(found.n_lost), np.int64)
    for child in range(len(found.parent)):
        if found.n_cases[child]:
            n_branches[found.parent[child]] = found.branch[child] + 1
    return n_branches


@kernel
def trim(found: ChildCounts, n_branches: IndexArray) -> ChildCounts:
    """Return the same for the first branches of every node only."""
    # Where no branch is cut off, nothing has to be copied.
    first_child, parent, branch = children_of(n_branches)
    if len(parent) == len(found.parent):
        return found
    n_classes = found.counts.shape[1]
    counts, n_cases = np.empty((len(parent), n_classes)), np.empty(len(parent), np.int64)
    for child in range(len(parent)):
        before = found.first_child[parent[child]] + branch[child]
        n_cases[child] = found.n_cases[before]
        for c in range(n_classes):
            counts[child, c] = found.counts[before, c]
    return ChildCounts(first_child, parent, branch, counts, found.lost, n_cases, found.n_lost)


@kernel
def divide(
    codes: CodeArray, nodes: Nodes, rules: Rules, n_classes: int, branch: SmallArray
) -> ChildCounts:
    """Carry out the split of every node: fill `branch`, and count the children that have cases."""
    found = count_children(codes, nodes, rules, n_classes, branch)
    return trim(found, last_taken(found))


@kernel
def places_of(
    found: ChildCounts, share: FloatArray, chosen: IndexArray
) -> tuple[IndexArray, IndexArray, IndexArray, IndexArray]:
    """Return where the cases of the `chosen` children go, one child behind the other.

    Of cases without a branch each child of a `share` gets all. Returns the first place of every
    child, -1 for those that are not chosen, the first of its cases without a branch, and where
    the cases of the chosen ones begin and end.
    """
    # Cases without a branch come right behind the others of each child, so that all cases of a
    # child are one stretch.
    to, to_lost = np.full(len(found.parent), -1), np.full(len(found.parent), -1)
    starts, stops = np.empty(len(chosen), np.int64), np.empty(len(chosen), np.int64)
    end = 0
    for i in range(len(chosen)):
        child = chosen[i]
        starts[i] = to[child] = end
        end += found.n_cases[child]
        to_lost[child] = end
        if len(share) and share[child] > 0.0:
            end += found.n_lost[found.parent[child]]
        stops[i] = end
    return to, to_lost, starts, stops


@kernel
def share_out(found: ChildCounts, goes: IndexArray) -> tuple[FloatArray, FloatArray]:
    """Return what share of the cases of missing value each child takes, and its counts with these.

    All where its node sends them to it, which `goes` tells, else in proportion to its cases (C4.5).
    """
    # Twice through the children of a node, because a share is one of all that they have.
    n_classes = found.counts.shape[1]
    share, counts = np.zeros(len(found.parent)), np.empty((len(found.parent), n_classes))
    for k in range(len(goes)):
        first, last, total = found.first_child[k], found.first_child[k + 1], 0.0
        for child in range(first, last):
            for c in range(n_classes):
                share[child] += found.counts[child, c]
            total += share[child]
        for child in range(first, last):
            if goes[k] < 0:
                share[child] /= total
            else:
                share[child] = 1.0 if child - first == goes[k] else 0.0
            for c in range(n_classes):
                counts[child, c] = found.counts[child, c] + share[child] * found.lost[k, c]
    return share, counts


@kernel
def scatter(
    branch: SmallArray,
    nodes: Nodes,
    first_child: IndexArray,
    to: IndexArray,
    to_lost: IndexArray,
    share: FloatArray,
    unit: float,
    new_rows: IntArray,
    new_labels: IntArray,
    new_ids: IntArray,
    new_weights: FloatArray,
    place_of: IntArray,
) -> None:
    """Copy the cases to the children, each from place `to[child]` on; a child at -1 gets none.

    Cases without a branch go to all children, from `to_lost[child]` on, with a `share` of their
    weight, in multiples of `unit`: see `data.weights.on_grid`. Where there are such, every case
    of the children gets a new id, its place, and
    `place_of[id]` tells where in the arrays, or how many'th among those without a branch, the case
    went; else ids and weights stay, and `place_of` and `new_weights` are empty.
    """
    # A part of a case weighs less than the case, so it needs an id of its own to find its weight.
    # Where no case is parted ids can stay, and nothing sorted has to be renumbered.
    rows, labels, weights = nodes.rows, nodes.labels, nodes.weights
    next_place = to.copy()
    for k in range(len(nodes.starts)):
        n_lost = 0
        for place in range(nodes.starts[k], nodes.stops[k]):
            case = nodes.ids[place]
            if branch[case] >= 0:
                child = first_child[k] + branch[case]
                there = next_place[child]
                if there >= 0:
                    next_place[child] = there + 1
                    new_rows[there], new_labels[there] = rows[place], labels[place]
                    new_ids[there] = case
                    if len(place_of):
                        new_ids[there] = there
                        place_of[case] = there
                        new_weights[there] = weights[case] if len(weights) else 1.0
                continue
            for child in range(first_child[k], first_child[k + 1]):
                if to[child] >= 0 and share[child] > 0.0:
                    there = to_lost[child] + n_lost
                    new_rows[there], new_labels[there] = rows[place], labels[place]
                    new_ids[there] = there
                    weight = weights[case] if len(weights) else 1.0
                    new_weights[there] = np.rint(share[child] * weight / unit) * unit
            place_of[case] = n_lost
            n_lost += 1


@kernel
def scatter_sorted(
    keys: AnyArray,
    order: IntArray,
    branch: SmallArray,
    place_of: IntArray,
    nodes: Nodes,
    first_child: IndexArray,
    to: IndexArray,
    to_lost: IndexArray,
    share: FloatArray,
    span: tuple[int, int],
    new_keys: AnyArray,
    new_order: IntArray,
) -> None:
    """Carry the order of every feature over to the children; see `scatter`."""
    starts, stops = nodes.starts, nodes.stops
    for f in range(span[0], span[1]):
        next_place = to.copy()
        for k in range(len(starts)):
            first, last = first_child[k], first_child[k + 1] - 1
            if last == first + 1 and not len(place_of):
                _scatter_in_two(
                    keys[f], order[f], branch, starts[k], stops[k], to[first : last + 1],
                    to_lost[first : last + 1], new_keys[f], new_order[f],
                )  # fmt: skip
                continue
            for place in range(starts[k], stops[k]):
                case = order[f, place]
                if branch[case] >= 0:
                    child = first + branch[case]
                    there = next_place[child]
                    if there >= 0:
                        next_place[child] = there + 1
                        new_keys[f, there] = keys[f, place]
                        new_order[f, there] = place_of[case] if len(place_of) else case
                    continue
                for child in range(first, last + 1):
                    there = next_place[child]
                    if there >= 0 and share[child] > 0.0:
                        next_place[child] = there + 1
                        new_keys[f, there] = keys[f, place]
                        new_order[f, there] = to_lost[child] + place_of[case]


@kernel
def _scatter_in_two(
    keys: AnyArray,
    order: IntArray,
    branch: SmallArray,
    start: int,
    stop: int,
    to: IndexArray,
    ends: IndexArray,
    new_keys: AnyArray,
    new_order: IntArray,
) -> None:
    """Carry the order over to two children, or to the one that gets cases: without a guess."""
    left, right = to[0], to[1]
    if left >= 0 and right >= 0:
        for place in range(start, stop):
            goes_right = int(branch[np.uint64(order[place])])
            there = np.uint64(right if goes_right else left)
            new_keys[there], new_order[there] = keys[place], order[place]
            left += 1 - goes_right
            right += goes_right
        return
    wanted = int(right >= 0)
    goes_to, end, place = to[wanted], ends[wanted], start
    while 0 <= goes_to < end:
        # What is not wanted is written, too, and the next one over it.
        there = np.uint64(goes_to)
        new_keys[there], new_order[there] = keys[place], order[place]
        goes_to += int(branch[np.uint64(order[place])] == wanted)
        place += 1
