"""`edit` and `replay`: a new tree for every change, and the same one again from the data."""

from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import Any

import attrs

from treelab.data.checks import check_dataset
from treelab.editing.applying import applied, path_of
from treelab.editing.ground import Ground
from treelab.errors import ParameterError
from treelab.learner import Learner
from treelab.tree.edits import MOST, edits_of, locked_paths
from treelab.tree.model import Tree
from treelab.tree.path import ROOT
from treelab.tree.revisit import training_data


def edit(tree: Tree, *edits: Any, data: Any = None) -> Tree:
    """Return a tree changed by hand, with the changes in its log, `Tree.edits`.

    Parameters
    ----------
    tree
        The tree; it is not changed.
    edits
        What to change, one after the other, as values of `treelab.editing` (`Split`, `Prune`,
        `Regrow`, `Relabel`, `Lock`, `Unlock`) or as plain data. Each names its node by the path
        that it has by then.
    data
        The data the tree was grown from, a `Dataset` or a frame; they need not be given while they
        are alive, nor for edits that look at no case.

    Examples
    --------
    >>> import treelab as tl
    >>> from treelab.editing import Prune, Split
    >>> iris = tl.load("iris")
    >>> tree = tl.grow(iris)
    >>> other = tl.edit(tree, Split("root", "petal width", 1.7), Prune("0"))
    >>> other.root.threshold, other.node("0").is_leaf, len(other.edits)
    (1.7, True, 2)
    """
    *_, last = versions(tree, edits, data)
    return last


def versions(tree: Tree, edits: Iterable[Any], data: Any = None) -> Iterator[Tree]:
    """Yield a tree, and what it is after each of some edits: to go back is to take an earlier one.

    Parameters
    ----------
    tree, data
        See `edit`.
    edits
        What to change, one after the other.
    """
    if not isinstance(tree, Tree):
        raise ParameterError(f"expected a Tree to edit, got {type(tree).__name__}")
    ground = cache(partial(Ground.of, tree, data))
    wanted = edits_of([*edits])
    if len(tree.edits) + len(wanted) > MOST:
        raise ParameterError(f"an edit log has at most {MOST:,} lines")
    if data is not None:  # even for edits that look at no case: they are made for these data
        ground().at(tree.root, ROOT)
    yield tree
    for each in wanted:
        tree = applied(tree, each, ground)
        yield tree


def replay(source: Tree | Learner, edits: Iterable[Any] | None = None, data: Any = None) -> Tree:
    """Grow a tree from data and make all edits again: the same bytes as of the tree in its file.

    Parameters
    ----------
    source
        A tree, whose learner grows it again; or a learner.
    edits
        The edits; without them, those of the tree. One fewer undoes the last one.
    data
        The data, a `Dataset` or, for a tree, a frame; they need not be given while those that a
        tree was grown from are alive.

    Examples
    --------
    >>> import treelab as tl
    >>> from treelab.editing import Relabel
    >>> tree = tl.grow(tl.load("lenses"))
    >>> changed = tl.edit(tree, Relabel("1", "soft"))
    >>> tl.replay(changed) == changed, tl.replay(changed, changed.edits[:-1]) == tree
    (True, True)
    """
    base = grown(source, data)
    given = source.edits if edits is None and isinstance(source, Tree) else edits or ()
    return edit(base, *given, data=base.grown_from and base.grown_from())


def grown(source: Tree | Learner, data: Any) -> Tree:
    """Return the tree of some data before any edit, by a learner or by that of a tree."""
    learner = learner_of(source)
    if not isinstance(source, Tree):
        check_dataset(data)
        return learner.fit(data)
    base = learner.fit(training_data(source, data))
    # What was said of the tree, not found in the data.
    return attrs.evolve(
        base, probabilities=source.probabilities, metric_choice=source.metric_choice
    )


def learner_of(source: Tree | Learner) -> Learner:
    """Return a learner, or that of a tree."""
    if isinstance(source, Learner):
        return source
    if not isinstance(source, Tree):
        raise ParameterError(f"expected a Tree or a Learner, got {type(source).__name__}")
    return Learner.of_settings(source.settings)


def locked(tree: Tree) -> tuple[str, ...]:
    """Return the paths of the nodes that are locked."""
    return locked_paths(tree.edits)


def relabelled(tree: Tree) -> dict[str, str]:
    """Return the leaves that were given a class by hand, by their paths, with the class."""
    if tree.relabelled is None:
        return {}
    return {
        path_of(tree, number): tree.classes[label]
        for number, label in enumerate(tree.relabelled.tolist())
        if label >= 0
    }
