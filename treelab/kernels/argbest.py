"""The best candidate of every node."""

import numpy as np

from treelab.kernels._arrays import FloatArray, IndexArray
from treelab.kernels._jit import kernel


@kernel
def first_best(
    scores: FloatArray,
    feature: IndexArray,
    node: IndexArray,
    ends: IndexArray,
    n_nodes: int,
    tie: float,
) -> IndexArray:
    """Return the best candidate of every node, -1 where none can be judged.

    The candidates of run r, all of `feature[r]` at `node[r]`, end before `ends[r]`. Among
    candidates that are equal within `tie`, relative to a best above 1, the lowest feature wins,
    then the first candidate.
    """
    # Twice through the runs: what ties with the best is known only when the best is.
    best_of_run, best = np.empty(len(ends)), np.empty(n_nodes)
    chosen, chosen_feature = np.empty(n_nodes, np.int64), np.empty(n_nodes, np.int64)
    for k in range(n_nodes):
        best[k], chosen[k], chosen_feature[k] = np.nan, -1, np.iinfo(np.int64).max
    start = 0
    for r in range(len(ends)):
        top = np.nan
        for place in range(start, ends[r]):
            if scores[place] > top or (np.isnan(top) and not np.isnan(scores[place])):
                top = scores[place]
        best_of_run[r] = top
        if top > best[node[r]] or np.isnan(best[node[r]]):
            best[node[r]] = top
        start = ends[r]
    start = 0
    for r in range(len(ends)):
        k = node[r]
        slack = tie * max(1.0, abs(best[k])) if np.isfinite(best[k]) else 0.0
        if feature[r] < chosen_feature[k] and best_of_run[r] >= best[k] - slack:
            place = start
            while not scores[place] >= best[k] - slack:
                place += 1
            chosen[k], chosen_feature[k] = place, feature[r]
        start = ends[r]
    return chosen


@kernel
def first_of_runs(scores: FloatArray, ends: IndexArray, tie: float) -> IndexArray:
    """Return the first best candidate of each run; -1 for none.

    The candidates of run r end before `ends[r]`. From the first to the last, one is better than
    the best before it if its score is above that by more than `tie`.
    """
    # `>= -np.inf` holds for every number and not for NaN, so a candidate that cannot be judged
    # neither comes first nor is compared with.
    first, start = np.empty(len(ends), np.int64), 0
    for r in range(len(ends)):
        first[r] = -1
        for place in range(start, ends[r]):
            is_first = first[r] < 0 and scores[place] >= -np.inf
            if is_first or (first[r] >= 0 and scores[place] > scores[first[r]] + tie):
                first[r] = place
        start = ends[r]
    return first
