"""The formats of `treelab.tree` itself: the model file, which `Tree.load` reads, and plain text."""

from treelab.tree import file, show
from treelab.tree.model import Tree


def json(tree: Tree) -> str:
    """Return the model file, as described by `treelab/tree/model.schema.json`."""
    return file.dumps(tree)


def text(tree: Tree, max_depth: int | None = None) -> str:
    """Return the tree as indented text."""
    return f"{show.text(tree, max_depth)}\n"
