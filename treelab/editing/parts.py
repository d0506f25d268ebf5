"""New parts of a tree, from a node down: under another split, or grown again."""

from collections.abc import Mapping
from typing import Any

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.editing.corresponding import kept_branches
from treelab.editing.grafting import end_of, grafted, part_of
from treelab.editing.ground import Ground
from treelab.editing.growing import Grower
from treelab.editing.keeping import dealt_again
from treelab.editing.splitting import Asked, asked_for
from treelab.learner import Learner
from treelab.stats.stores.nodes import Children, NodeBatch
from treelab.tree.edits import Regrow, Split
from treelab.tree.grow import with_rest
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.recorder import Tests, TreeRecorder
from treelab.tree.stop import Stop
from treelab.tree.weighting import altered

OF_CANDIDATES = ("splits", "min_branch", "seed", "cuts")
"""Settings that say which splits a node can have."""


def with_split(node: Node, edit: Split, ground: Ground, raising: bool = True) -> Tree:
    """Return what a node becomes with another split."""
    here = ground.at(node, edit.node)
    asked = asked_for(edit, node.tree, here.node(0))
    children = here.split(asked.splits, node.tree.missing)
    if edit.below == "grow":
        return _grown_under(node, here, asked, children, _own(node, ground, raising))
    roots = children.keep(np.arange(len(children)))
    stump = _finished(_stump(here, asked, children, ground.counts(roots)), node.tree, here, asked)
    if edit.below == "leaves":
        return stump
    return _kept_under(stump, node, kept_branches(node, edit, here, asked), roots, ground)


def regrown(node: Node, edit: Regrow, ground: Ground, raising: bool = True) -> Tree:
    """Return what grows from a node with other parameters of the learner."""
    changed = {name: edit.learner[name] for name in OF_CANDIDATES if name in edit.learner}
    here, depth = ground.at(node, edit.node, changed), int(node.tree.depths[node.number])
    own = {k: v for k, v in edit.learner.items() if k not in ("max_depth", "max_leaves")}
    settings = {**node.tree.settings, **own}
    stop = _limited(_stop(node), edit.learner, depth)
    grower = Grower(Learner.of_settings(settings), ground, stop, raising)
    return grower.pruned(_plain(grower.grown(here, depth), settings, node.tree, here), here)


def _own(node: Node, ground: Ground, raising: bool) -> Grower:
    """Return the tree's own learner, for a part of it."""
    return Grower(Learner.of_settings(node.tree.settings), ground, _stop(node), raising)


def _stop(node: Node) -> Stop:
    """Return when the tree's own learner stops under a node."""
    names = [field.name for field in attrs.fields(Stop)]
    stop = Stop(**{k: v for k, v in node.tree.settings.items() if k in names})
    under = node.tree.feature[node.number : end_of(node.tree, node.number)]
    return stop.further_down(0, node.tree.n_leaves - int((under < 0).sum()))


def _limited(stop: Stop, given: Mapping[str, Any], depth: int) -> Stop:
    """Return rules within those that are given for a part alone, at a depth of the tree."""
    own = {name: given[name] for name in ("min_cases", "min_branch") if name in given}
    for name, above in (("max_depth", depth), ("max_leaves", 0)):
        limits = [getattr(stop, name), None if given.get(name) is None else given[name] + above]
        own[name] = min((limit for limit in limits if limit is not None), default=None)
    return attrs.evolve(stop, **own)


def _grown_under(
    node: Node, here: NodeBatch, asked: Asked, children: Children, grower: Grower
) -> Tree:
    """Return a split with what a learner grows under it, each branch pruned by itself."""
    recorder = _stump(here, asked, children, children.counts)
    roots = children.keep(np.arange(len(children)))
    depth = int(node.tree.depths[node.number]) + 1
    recorder.graft(np.arange(1, len(children) + 1), grower.grown(roots, depth))
    part = _finished(recorder, node.tree, here, asked)
    for branch in range(len(children))[::-1]:
        child = int(part.children[branch])
        below = grower.pruned(part_of(part, child), roots.only(np.array([branch])))
        part = grafted(part, child, below)
    return part


def _stump(here: NodeBatch, asked: Asked, children: Children, counts: FloatArray) -> TreeRecorder:
    """Return a node with its branches."""
    recorder = TreeRecorder(here.class_counts)
    recorder.by_counts = asked.by_counts
    score = np.array([asked.score])
    recorder.tests.append(Tests(np.zeros(1, int), asked.splits, children.missing_branch, score))
    recorder.add(children.parent, children.branch, counts)
    return recorder


def _finished(recorder: TreeRecorder, tree: Tree, here: NodeBatch, asked: Asked) -> Tree:
    """Return a tree of what was recorded, its threshold as it was asked for."""
    part = _plain(recorder, tree.settings, tree, here)
    if asked.threshold is None:
        return part
    threshold = part.threshold.copy()
    threshold[0] = asked.threshold
    return attrs.evolve(part, threshold=threshold)


def _plain(
    recorder: TreeRecorder, settings: Mapping[str, Any], tree: Tree, here: NodeBatch
) -> Tree:
    part = recorder.finish(here.context, tree.schema, tree.coding, tree.missing, settings)
    is_rest = settings.get("unseen") == "rest" and settings.get("splits") == "binary"
    return with_rest(part) if is_rest else part


# Subtrees that stay


def _kept_under(
    part: Tree, node: Node, kept: list[int | None], roots: NodeBatch, ground: Ground
) -> Tree:
    """Return a split with the subtrees of old branches under the new ones."""
    tree = altered(node.tree)
    for branch, old in [*enumerate(kept)][::-1]:
        if old is not None:
            before = part_of(tree, node.children[old].number)
            below = dealt_again(before, roots.only(np.array([branch])), ground)
            part = grafted(part, int(part.children[branch]), below)
    return part
