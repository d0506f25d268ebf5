"""One edit at a time: what becomes of a tree."""

from collections.abc import Callable
from typing import TypeAlias

import attrs
import numpy as np

from treelab.data.constraints import constraints
from treelab.editing.grafting import grafted
from treelab.editing.ground import Ground
from treelab.editing.parts import regrown, with_split
from treelab.errors import ParameterError, UnknownNameError
from treelab.tree.edits import Edit, Lock, Prune, Regrow, Relabel, Split, Unlock, locked_paths
from treelab.tree.keeping import misplaced
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.path import read_path, write_path
from treelab.tree.prune.cutting import cut

GroundOf: TypeAlias = Callable[[], Ground]
"""Finds the cases of a tree when an edit needs them."""


def applied(tree: Tree, edit: Edit, ground: GroundOf) -> Tree:
    """Return the tree after an edit, which is the last line of its log."""
    node = tree.node(edit.node)
    _check_locks(tree, edit)
    found = _changed(node, edit, ground)
    optimum = tree.optimum if found is tree else None
    return attrs.evolve(found, edits=(*tree.edits, edit), optimum=optimum)


def _changed(node: Node, edit: Edit, ground: GroundOf) -> Tree:
    match edit:
        case Prune():
            return _pruned(node, edit)
        case Relabel():
            return _relabelled(node, edit)
        case Split() | Regrow():
            return _with_part(node, edit, ground())
        case Lock() | Unlock():
            return node.tree


def _pruned(node: Node, edit: Prune) -> Tree:
    if node.is_leaf:
        raise ParameterError(f"node {edit.node} is a leaf already")
    at = np.zeros(node.tree.n_nodes, bool)
    at[node.number] = True
    return cut(node.tree, at)


def _with_part(node: Node, edit: Split | Regrow, ground: Ground) -> Tree:
    """Return the tree with a new part at a node, within the constraints of the tree."""
    found = _in_place(node, edit, ground)
    given = constraints(node.tree.settings.get("constraints"))
    if given is None or not misplaced(found, given):
        return found
    # Raised branches are higher up than they grew: only replacing by leaves keeps all depths.
    found = _in_place(node, edit, ground, raising=False)
    if misplaced(found, given):
        what = f"{edit.feature!r} there" if isinstance(edit, Split) else "what would grow there"
        raise ParameterError(f"node {edit.node}: the tree's constraints do not allow {what}")
    return found


def _in_place(node: Node, edit: Split | Regrow, ground: Ground, raising: bool = True) -> Tree:
    make = with_split if isinstance(edit, Split) else regrown
    part = ground.as_they_are(make(node, edit, ground, raising))  # type: ignore[arg-type]
    counts = part.counts.copy()
    counts[0] = node.counts  # the same cases, whatever the rounding
    found = grafted(node.tree, node.number, attrs.evolve(part, counts=counts))
    check_labels(found)
    return ground.under(found)


def _relabelled(node: Node, edit: Relabel) -> Tree:
    tree = node.tree
    if not node.is_leaf:
        raise ParameterError(f"node {edit.node} is no leaf: only leaves are given another class")
    if edit.label not in tree.classes:
        raise UnknownNameError("class", edit.label, tree.classes)
    labels = np.full(tree.n_nodes, -1, np.int32)
    if tree.relabelled is not None:
        labels[:] = tree.relabelled
    labels[node.number] = -1
    by_cases, label = attrs.evolve(tree, relabelled=labels.copy()), tree.classes.index(edit.label)
    if by_cases.winners[node.number] == label:
        return by_cases
    labels[node.number] = label
    found = attrs.evolve(tree, relabelled=labels)
    check_labels(found)
    _check_others(found, by_cases, node.number)
    return found


def _check_others(found: Tree, before: Tree, number: int) -> None:
    """Raise where a label changes what other nodes predict, to keep them in a direction."""
    changed = np.flatnonzero(found.winners != before.winners)
    changed = changed[changed != number]
    if len(changed):
        label = found.classes[found.winners[changed[0]]]
        names = ", ".join(map(repr, found.monotone))
        raise ParameterError(
            f"node {path_of(found, number)} cannot be given another class alone: to be monotone in "
            f"{names}, node {path_of(found, changed[0])} would have to predict {label!r}"
        )


def check_labels(tree: Tree) -> None:
    """Raise unless the leaves that were given a class predict it."""
    if tree.relabelled is None:
        return
    wrong = np.flatnonzero((tree.relabelled >= 0) & (tree.winners != tree.relabelled))
    if len(wrong):
        label = tree.classes[tree.relabelled[wrong[0]]]
        why = "the costs leave it no chance"
        if tree.monotone:
            names = ", ".join(map(repr, tree.monotone))
            why = f"its probability would not be monotone in {names}"
        raise ParameterError(f"node {path_of(tree, wrong[0])} cannot predict {label!r}: {why}")


def path_of(tree: Tree, number: int) -> str:
    """Return the path of a node by its number."""
    steps: list[int] = []
    while number > 0:
        parent = int(tree.parents[number])
        first, last = tree.first_child[parent : parent + 2]
        steps.append(int(np.flatnonzero(tree.children[first:last] == number)[0]))
        number = parent
    return write_path(steps[::-1])


def _check_locks(tree: Tree, edit: Edit) -> None:
    """Raise where an edit would change what is locked, or locks and unlocks it in vain."""
    held, path = locked_paths(tree.edits), read_path(edit.node)
    if isinstance(edit, Unlock):
        if edit.node not in held:
            known = f"locked are {', '.join(held)}" if held else "nothing is locked"
            raise ParameterError(f"node {edit.node} is not locked: {known}")
        return
    for lock in held:
        other = read_path(lock)
        if path[: len(other)] == other:
            where = "" if other == path else f" as part of node {lock}"
            raise ParameterError(f"node {edit.node} is locked{where}: unlock it first")
        if other[: len(path)] == path and not isinstance(edit, Lock):
            raise ParameterError(f"node {lock} under node {edit.node} is locked: unlock it first")
