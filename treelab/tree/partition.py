"""Send the training cases of a node to its branches."""

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray, IntArray
from treelab.data.coded import ANY_NUMBER, Axis
from treelab.stats.candidates import NONE, Cut, Grouping
from treelab.stats.impurity import majority
from treelab.stats.view import View
from treelab.tree.model import Missing, Node

Cases = tuple[IndexArray, FloatArray]


@attrs.frozen(eq=False)
class Rule:
    """A split in the terms of the finished tree: a threshold, or a branch for each code."""

    feature: int
    threshold: float
    branch_of: IntArray
    missing_branch: int


def carry_out(view: View, split: Cut | Grouping, missing: Missing) -> tuple[Rule, list[Cases]]:
    """Return the test of a split and the cases of each branch."""
    cases, missing_branch = part(view, split, missing)
    return rule_of(split, view.space.coded.axes[split.feature], missing_branch), cases


def part(view: View, split: Cut | Grouping, missing: Missing) -> tuple[list[Cases], int]:
    """Return the cases of each branch, and the branch of missing values."""
    n_codes = view.space.coded.axes[split.feature].n_codes
    branches = _branches(view, split, n_codes)
    cases = [(view.rows[branches == b], view.weights[branches == b]) for b in _range(branches)]
    lost = branches < 0
    missing_branch = _missing_branch(split, n_codes, missing, cases)
    if lost.any():
        _deal_out(cases, (view.rows[lost], view.weights[lost]), missing_branch)
    return cases, missing_branch


def _range(branches: IndexArray) -> range:
    return range(int(branches.max()) + 1)


def _branches(view: View, split: Cut | Grouping, n_codes: int) -> IndexArray:
    """Return the branch of each case; -1 where a missing value has none."""
    codes = view.space.coded.codes[split.feature][view.rows].astype(np.int64)
    if isinstance(split, Cut):
        is_missing = _missing_side(split) if view.space.missing_is_value else -1
        return np.asarray(np.where(codes >= n_codes, is_missing, codes > split.low))
    branch_of = np.full(n_codes + 1, -1)
    branch_of[split.codes] = split.branches
    return np.asarray(branch_of[np.minimum(codes, n_codes)])


def _missing_branch(
    split: Cut | Grouping, n_codes: int, missing: Missing, cases: list[Cases]
) -> int:
    """Return where missing values go; -1 for nowhere in particular."""
    if missing == "majority":
        return int(majority(np.array([weights.sum() for _, weights in cases])))
    if missing == "fractional":
        return -1
    if isinstance(split, Cut):
        return _missing_side(split) if len(cases) > _missing_side(split) else -1
    here = np.flatnonzero(split.codes == n_codes)
    return int(split.branches[here[0]]) if len(here) else -1


def _missing_side(cut: Cut) -> int:
    """Return the branch of missing values where they have one of their own."""
    return 1 if cut.high == NONE else 2


def _deal_out(cases: list[Cases], lost: Cases, branch: int) -> None:
    """Add the cases of missing value to one branch, or to all in proportion (C4.5)."""
    rows, weights = lost
    sizes = np.array([known.sum() for _, known in cases])
    shares = sizes / sizes.sum() if branch < 0 else np.arange(len(cases)) == branch
    for b, share in enumerate(shares):
        if share > 0:
            known_rows, known = cases[b]
            cases[b] = np.concatenate([known_rows, rows]), np.concatenate([known, weights * share])


def rule_of(split: Cut | Grouping, axis: Axis, missing_branch: int = -1) -> Rule:
    """Return the test of a split."""
    nothing = np.empty(0, np.int32)
    if isinstance(split, Cut) and axis.kind == "numeric":
        threshold = axis.threshold(split.low, split.high)
        return Rule(split.feature, threshold, nothing, missing_branch)
    if isinstance(split, Cut):
        low = axis.n_codes if split.high == NONE else split.low
        branch_of = (np.arange(axis.n_codes) > low).astype(np.int32)
    else:
        branch_of = np.full(axis.n_codes + 1, -1, np.int32)
        branch_of[split.codes] = split.branches
        branch_of = branch_of[:-1]
    return Rule(split.feature, np.nan, branch_of, missing_branch)


def split_of(node: Node, axis: Axis) -> Cut | Grouping:
    """Return the split that a finished test carries out."""
    feature = int(node.tree.feature[node.number])
    if node.threshold is not None:
        low = int(np.searchsorted(axis.points, node.threshold, side="right")) - 1
        return Cut(feature, low, NONE if node.threshold == ANY_NUMBER else low + 1)
    codes = np.flatnonzero(node.branch_of >= 0)
    branches = node.branch_of[codes].astype(np.int64)
    if node.tree.missing == "branch" and node.missing_branch is not None:
        codes, branches = np.append(codes, axis.n_codes), np.append(branches, node.missing_branch)
    return Grouping(feature, codes, branches)
