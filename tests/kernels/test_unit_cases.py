"""Units, candidates and branches of the search for optimal trees, beside plain loops."""

import naive
import naive_candidates
import naive_optimal
import numpy as np
import pytest
from strategies import random_dataset

from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.kernels.candidate_list import list_candidates
from treelab.kernels.unit_cases import unit_branches, weight_outside
from treelab.stats.stores.in_memory import root_node
from treelab.tree.optimal.problem import Problem
from treelab.tree.stop import Stop

MADE = [
    {"cases": 30, "missing": 0},
    {"cases": 30, "missing": 0.3, "weights": "whole"},
    {"cases": 30, "missing": 0.2, "weights": "fraction", "numeric": 3},
]


def problem_of(data, splits, missing, min_branch):
    coded = Coded.of(data, Coding())
    root = root_node(coded, splits, missing == "branch", min_branch)
    return Problem.of(root, Stop(2, min_branch), 0.0)


def weights_of(problem, rows):
    """Return the class weights of some units, in the data's own unit."""
    counts = [0.0] * problem.units.n_classes
    for row in rows:
        counts[problem.units.label[row]] += problem.costs.to_weight(int(problem.units.weight[row]))
    return tuple(round(count, 6) for count in counts)


def parts(problem, rows, feature, candidate):
    branch = np.empty(len(rows), np.int32)
    n = unit_branches(problem.units, rows, feature, candidate, branch)
    return tuple(sorted(weights_of(problem, rows[branch == b]) for b in range(n)))


@pytest.mark.parametrize("made", MADE, ids=range(len(MADE)))
@pytest.mark.parametrize("splits", ["auto", "multiway", "binary", "subset"])
@pytest.mark.parametrize("missing", ["branch", "majority"])
@pytest.mark.parametrize("min_branch", [0, 3])
def test_candidates_and_branches_are_those_of_plain_loops(made, splits, missing, min_branch):
    """Six decimals: weights of tenths are added up in another order."""
    data = random_dataset(4, **made)
    problem = problem_of(data, splits, missing, min_branch)
    rows = np.arange(problem.n_units)
    listed = list_candidates(problem.units, rows, problem.rules)
    ours = [
        parts(problem, rows, f, k) for f, k in zip(listed.feature, listed.candidate, strict=True)
    ]

    task = naive.problem(data)
    offered = naive_candidates.candidates(task, task.cases, splits, missing)
    theirs = [
        tuple(sorted(tuple(round(w, 6) for w in naive.class_weights(b, 3)) for b in branches))
        for branches in naive_optimal.branchings(task, task.cases, offered, missing, min_branch)
    ]
    assert sorted(ours) == sorted(theirs)


def naive_weight_outside(problem, rows, inside):
    return sum(int(problem.units.weight[row]) for row in set(rows) - set(inside))


def test_the_weight_outside_a_set():
    problem = problem_of(random_dataset(4, cases=30, weights="whole"), "binary", "branch", 1)
    rng = np.random.default_rng(1)
    for _ in range(5):
        rows, others = (rng.permutation(problem.n_units)[:12] for _ in range(2))
        mask = np.isin(np.arange(problem.n_units), others)

        expected = naive_weight_outside(problem, rows.tolist(), others.tolist())
        assert weight_outside(problem.units, rows, mask) == expected
