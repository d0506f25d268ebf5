"""What cuts are worth: their tables, and scores by formulas of tables, sums or sizes.

The cuts, and the words for them, are those of `kernels.cuts`; they are numbered feature by feature,
node by node.
"""

from collections.abc import Callable

import numpy as np

from treelab.kernels._arrays import AnyArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.cuts import KNOWN, Cuts, move_to
from treelab.kernels.fixed_point import FixedPoint, look_up

BLOCK = 256
"""A formula sees the sums of so many cuts at a time."""


@kernel
def cut_tables(
    cuts: Cuts,
    span: tuple[int, int],
    tables: FloatArray,
) -> None:
    """Fill the table (cut, branch, class) of every cut; a third branch holds missing values."""
    # From one cut to the next only the cases between them move: one pass over the cases makes the
    # tables of all cuts of a node.
    cut = 0
    for f in range(span[0], span[1]):
        for k in range(len(cuts.starts)):
            place, known, missing = cuts.starts[k], cuts.known[f, k], cuts.missing[f, k]
            left = np.zeros(len(known))
            for last in cuts.at[f, place : place + cuts.n_cuts[f, k]]:
                place = move_to(
                    cuts.keys[f], cuts.order[f], cuts.bits, cuts.weights, place, last, left
                )
                _fill(tables[cut], last, left, known, missing)
                cut += 1


@kernel
def table_scores(
    formula: Callable[[FloatArray], float],
    cuts: Cuts,
    span: tuple[int, int],
    table: FloatArray,
    scores: FloatArray,
) -> None:
    """Score every cut by a formula over its table (branch, class), which is made for it only."""
    # As in `cut_tables`, but one table is filled again and again: those of all cuts together
    # would take far more memory.
    cut = 0
    for f in range(span[0], span[1]):
        for k in range(len(cuts.starts)):
            place, known, missing = cuts.starts[k], cuts.known[f, k], cuts.missing[f, k]
            left = np.zeros(len(known))
            for last in cuts.at[f, place : place + cuts.n_cuts[f, k]]:
                place = move_to(
                    cuts.keys[f], cuts.order[f], cuts.bits, cuts.weights, place, last, left
                )
                _fill(table, last, left, known, missing)
                scores[cut] = formula(table)
                cut += 1


@kernel
def _fill(
    table: FloatArray, last: int, left: FloatArray, known: FloatArray, missing: FloatArray
) -> None:
    # The cut KNOWN occurs only where missing values are a branch, so there are three rows then.
    # `max`, because a difference of fractional weights may be rounded to less than 0.
    if len(table) > 2:
        table[2] = missing
    if last == KNOWN:
        table[0], table[1], table[2] = known, missing, 0.0
        return
    for c in range(len(left)):
        table[0, c] = left[c]
        table[1, c] = max(known[c] - left[c], 0.0)


@kernel
def sum_scores(
    combine: Callable[..., None],
    cuts: Cuts,
    span: tuple[int, int],
    missing_branch: bool,
    with_shares: bool,
    fixed: FixedPoint,
    scores: FloatArray,
) -> None:
    """Fill the scores (which, cut) by sums of h(count) over tables; see `formulas.sums`, `combine`.

    All weights must be whole numbers, because h is looked up: in the first table of `fixed` that is
    long enough for a node's cases.
    """
    sums, first = np.empty((6, BLOCK)), 0
    for f in range(span[0], span[1]):
        n_cuts = cuts.n_cuts[f].sum()
        _sum_scores_of_feature(
            combine, cuts.keys[f], cuts.order[f], cuts.bits, cuts.weights, cuts.starts, cuts.at[f],
            cuts.n_cuts[f], cuts.known[f], cuts.missing[f], missing_branch, with_shares, fixed,
            sums, scores[:, first : first + n_cuts],
        )  # fmt: skip
        first += n_cuts


@kernel
def _sum_scores_of_feature(
    combine: Callable[..., None],
    keys: AnyArray,
    order: IntArray,
    bits: int,
    weights: FloatArray,
    starts: IndexArray,
    at: IntArray,
    n_cuts: IndexArray,
    known: FloatArray,
    missing: FloatArray,
    missing_branch: bool,
    with_shares: bool,
    fixed: FixedPoint,
    sums: FloatArray,
    scores: FloatArray,
) -> None:
    """Score the cuts of one feature at all nodes, a block at a time.

    Counts are unsigned, because such an index need not be checked.
    """
    n_classes = known.shape[1]
    mask, weight = np.uint64((1 << bits) - 1), np.uint64(1)
    left, right = np.zeros(n_classes, np.uint64), np.zeros(n_classes, np.uint64)
    cells, branches, shares = sums[0], sums[1], sums[2]
    classes, whole, total = sums[3], sums[4], sums[5]
    done, i = 0, 0
    for k in range(len(starts)):
        if not n_cuts[k]:
            continue
        n, away = np.uint64(known[k].sum()), np.uint64(missing[k].sum() if missing_branch else 0.0)
        h, unit = look_up(fixed, n + away)
        below, above, of_away, of_all = 0, 0, 0, 0  # sums of h over classes
        for c in range(n_classes):
            lost = np.uint64(missing[k, c] if missing_branch else 0.0)
            left[c], right[c] = 0, np.uint64(known[k, c])
            above += h[right[c]]
            of_away += h[lost]
            of_all += h[right[c] + lost]
        size, share_away = np.uint64(0), of_away * unit / max(float(away), 1.0)
        place = starts[k]
        for number in range(starts[k], starts[k] + n_cuts[k]):
            if at[number] == KNOWN:
                cells[i], branches[i] = (above + of_away) * unit, (h[n] + h[away]) * unit
                shares[i] = above * unit / n + share_away
            else:
                while place <= at[number]:
                    label = np.uint64(keys[place]) & mask
                    if len(weights):
                        weight = np.uint64(weights[order[place]])
                    had, has = left[label], right[label]
                    below += h[had + weight] - h[had]
                    above += h[has - weight] - h[has]
                    left[label], right[label] = had + weight, has - weight
                    size += weight
                    place += 1
                cells[i] = (below + above + of_away) * unit
                branches[i] = (h[size] + h[n - size] + h[away]) * unit
                if with_shares:
                    shares[i] = below * unit / size + above * unit / (n - size) + share_away
            classes[i], whole[i], total[i] = of_all * unit, h[n + away] * unit, float(n + away)
            i += 1
            if i == BLOCK:
                combine(sums, scores[:, done : done + i])
                done, i = done + i, 0
    combine(sums, scores[:, done : done + i])


@kernel
def size_scores(
    cuts: Cuts,
    span: tuple[int, int],
    missing_branch: bool,
    firsts: IndexArray,
    by_size: FloatArray,
    scores: FloatArray,
) -> None:
    """Score every cut by what branches of its sizes give, added up.

    What is given to a branch of size a of feature f at node k is `by_size[firsts[f, k] + a]`. All
    weights must be whole numbers.
    """
    cut = 0
    for f in range(span[0], span[1]):
        for k in range(len(cuts.starts)):
            start, given = cuts.starts[k], by_size[firsts[f, k] :]
            n = int(cuts.known[f, k].sum())
            away = int(cuts.missing[f, k].sum()) if missing_branch else 0
            place, size = start, 0
            for last in cuts.at[f, start : start + cuts.n_cuts[f, k]]:
                if last == KNOWN:
                    scores[cut] = given[n] + given[away]
                else:
                    # Without weights the place of a cut says how many cases are below it.
                    if len(cuts.weights):
                        while place <= last:
                            size += int(cuts.weights[cuts.order[f, place]])
                            place += 1
                    else:
                        size = last - start + 1
                    scores[cut] = given[size] + given[n - size] + given[away]
                cut += 1


@kernel
def scores_of(
    formula: Callable[[FloatArray], float], tables: FloatArray, scores: FloatArray
) -> None:
    """Score tables one by one."""
    for i in range(len(tables)):
        scores[i] = formula(tables[i])
