"""A tree as text: one line a branch, indented by depth.

>>> import treelab as tl
>>> print(tl.grow(tl.load("lenses"), "gain", pruner="pessimistic", splits="multiway"))
class: 24 cases, 4 leaves, depth 3; all: none (24 cases: none 62%, soft 21%, hard 17%)
tear_rate = normal
|   astigmatic = no: soft (6 cases: soft 83%, none 17%)
|   astigmatic = yes
|   |   prescription = hypermetrope: none (3 cases: none 67%, hard 33%)
|   |   prescription = myope: hard (3 cases)
tear_rate = reduced: none (12 cases)
"""

from collections.abc import Iterator
from itertools import count

import numpy as np

from treelab._text import visible, weight_text
from treelab._typing import FloatArray
from treelab.data.coded import ANY_NUMBER
from treelab.data.scales import limit_in_words
from treelab.data.schema import Column
from treelab.errors import check_number
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.path import ROOT

INDENT = "|   "
MANY_VALUES = 8
"""A branch names at most so many values and counts the others."""
MANY_CLASSES = 4


def text(tree: Tree, max_depth: int | None = None, paths: bool = False) -> str:
    """Return the tree, or its top down to a depth, without recursion however deep it is.

    With `paths`, each line names its node by the branches from the root: '[0.2.1]'.
    """
    max_depth = tree.depth if max_depth is None else max_depth
    check_number("max_depth", max_depth, 0, whole=True)
    head = f"[{ROOT}] {_head(tree)}" if paths else _head(tree)
    return "\n".join(map(visible, [head, *_lines(tree, max_depth, paths)]))


def branch_labels(node: Node) -> tuple[str, ...]:
    """Return what leads to each child, in the words of the data."""
    column = node.column
    if column is None:
        return ()
    if node.threshold == ANY_NUMBER:
        return f"{column.name} known", f"{column.name} missing"
    if node.threshold is not None:
        limit = limit_of(column, node.threshold)
        labels = [f"{column.name} <= {limit}", f"{column.name} > {limit}"]
    else:
        count = len(node.children)
        labels = [_value_label(column, node, branch) for branch in range(count)]
    return tuple(_with_missing(labels, node, column))


def limit_of(column: Column, value: float, closed: bool = True) -> str:
    """Write a limit of a column, on its scale if it has one: for `<=` and `>` if closed."""
    return number(value) if column.scale is None else limit_in_words(column.scale, value, closed)


def number(value: float) -> str:
    """Write a number in full where that is short, else with six digits."""
    short = f"{value:.6g}"
    return f"{value:.12g}" if len(f"{value:.12g}") <= 10 else short


def _value_label(column: Column, node: Node, branch: int) -> str:
    codes = np.flatnonzero(node.branch_of == branch)
    names = [(column.labels or ())[code] for code in codes]
    if len(names) == 1:
        # An interval names its own comparison: '< 3', '3..5', '>= 5'.
        sign = "" if names[0].startswith(("< ", ">= ")) and node.is_cut else "= "
        return f"{column.name} {sign}{names[0]}"
    more = f", and {len(names) - MANY_VALUES} more" if len(names) > MANY_VALUES else ""
    return f"{column.name} in {{{', '.join(names[:MANY_VALUES])}{more}}}" if names else ""


def _with_missing(labels: list[str], node: Node, column: Column) -> Iterator[str]:
    """Say where missing values go, if that is somewhere in particular."""
    labels += [""] * (len(node.children) - len(labels))
    for branch, label in enumerate(labels):
        if branch != node.missing_branch:
            yield label
        else:
            yield f"{label} or missing" if label else f"{column.name} missing"


def _head(tree: Tree) -> str:
    leaves = f"{tree.n_leaves} {'leaf' if tree.n_leaves == 1 else 'leaves'}"
    size = f"{_cases(tree.root)}, {leaves}, depth {tree.depth}"
    return f"{tree.schema.target.name}: {size}; all: {_verdict(tree.root)}"


def _lines(tree: Tree, max_depth: int, paths: bool) -> Iterator[str]:
    waiting = [(tree.root, "", 0, "")]
    while waiting:
        node, label, depth, path = waiting.pop()
        is_cut_off = depth >= max_depth and not node.is_leaf
        if depth > 0:
            line = f"{INDENT * (depth - 1)}{f'[{path}] ' if paths else ''}{label}"
            line += f": {_verdict(node)}" if node.is_leaf or is_cut_off else ""
            yield f"{line} ..." if is_cut_off else line
        if not is_cut_off:
            below = zip(node.children, node.branch_labels, _steps(path, paths), strict=False)
            waiting.extend(reversed([(node, name, depth + 1, at) for node, name, at in below]))


def _steps(path: str, wanted: bool) -> Iterator[str]:
    """Yield the paths of all children, if they are wanted: those of a deep tree are long."""
    for branch in count():
        yield f"{path}.{branch}".lstrip(".") if wanted else ""


def _verdict(node: Node) -> str:
    """Return the class of a node with its cases and the shares of the classes there."""
    by_hand = " by hand" if node.is_relabelled else ""
    return f"{node.label}{by_hand} ({_cases(node)}{_shares(node.tree, node.counts)})"


def _cases(node: Node) -> str:
    cases = weight_text(node.weight)
    return f"{cases} {'case' if cases == '1' else 'cases'}"


def _shares(tree: Tree, counts: FloatArray) -> str:
    order = np.argsort(-counts, kind="stable")
    present = [c for c in order if counts[c] > 0]
    if len(present) == 1:
        return ""
    parts = [f"{tree.classes[c]} {_percent(counts[c] / counts.sum())}" for c in present]
    more = ", ..." if len(present) > MANY_CLASSES else ""
    return f": {', '.join(parts[:MANY_CLASSES])}{more}"


def _percent(share: float) -> str:
    """Write a share that is neither 0 nor 1 as neither 0 nor 100 percent."""
    if share < 0.005:
        return "<1%"
    return ">99%" if share > 0.995 else f"{share:.0%}"
