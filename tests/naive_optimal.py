"""All trees there are: the fewest errors for every number of leaves, by trying everything.

No bound, no memory, no kernel: what an optimal tree is, as its definition reads.
"""

import copy

import naive
import naive_candidates


def fewest_errors(task, depth, splits="auto", missing="branch", min_cases=2, min_branch=1):
    """Return the fewest errors of trees of up to a depth, by their number of leaves.

    The candidates are those of the root; at a node all are allowed that leave two branches large
    enough.
    """
    offered = naive_candidates.candidates(task, task.cases, splits, missing)
    return _fewest(task, task.cases, depth, offered, missing, min_cases, min_branch)


def _fewest(task, cases, depth, offered, missing, min_cases, min_branch):
    counts = naive.class_weights(cases, task.n_classes)
    fewest = {1: sum(counts) - max(counts)}
    if depth == 0 or sum(counts) < min_cases - 1e-9:
        return fewest
    for branches in branchings(task, cases, offered, missing, min_branch):
        ways = {0: 0.0}
        for branch in branches:
            below = _fewest(task, branch, depth - 1, offered, missing, min_cases, min_branch)
            ways = _together(ways, below)
        _keep_fewest(fewest, ways)
    return fewest


def branchings(task, cases, offered, missing, min_branch):
    """Yield the branches of every candidate that is allowed, without empty ones."""
    for candidate in map(copy.copy, offered):
        candidate.table = naive_candidates.branch_table(candidate, cases, task.n_classes)
        if naive_candidates.is_admissible(candidate, min_branch):
            yield [branch for branch in naive_candidates.part(candidate, cases, missing) if branch]


def _together(ways, below):
    joined = {}
    for n, errors in ways.items():
        _keep_fewest(joined, {n + m: errors + more for m, more in below.items()})
    return joined


def _keep_fewest(fewest, others):
    for n, errors in others.items():
        fewest[n] = min(fewest.get(n, errors), errors)


def least_cost(fewest, leaf_price, max_leaves=None):
    """Return the least errors + price x leaves, and the fewest leaves that have it."""
    costs = [
        (round(errors + leaf_price * n, 9), n)
        for n, errors in fewest.items()
        if max_leaves is None or n <= max_leaves
    ]
    return min(costs)
