"""What a notebook shows of a tree."""

from treelab._markup import framed, inline
from treelab.tree.model import Tree
from treelab.writers import export

LARGE = 60
"""A picture of more nodes is too wide to read."""


def view(tree: Tree) -> str:
    """Return the picture of a tree, or of a large one the interactive page in a frame."""
    if tree.n_nodes > LARGE:
        return framed(export(tree, "html"))
    return f'<div style="overflow:auto">{inline(export(tree, "svg"))}</div>'
