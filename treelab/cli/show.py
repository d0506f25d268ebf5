"""`treelab show`: a saved tree as text, and how it was made."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.edit import say_edits
from treelab.cli.inputs import ModelName
from treelab.cli.output import AsJson, count, say, say_facts, say_json

if TYPE_CHECKING:
    from treelab.data.schema import Column
    from treelab.tree.model import Tree


def show(
    model: ModelName,
    max_depth: Annotated[
        int | None, typer.Option(min=0, help="Show the tree down to this depth only.")
    ] = None,
    paths: Annotated[
        bool, typer.Option("--paths", help="Name each node by its branches, as `why` takes it.")
    ] = False,
    edits: Annotated[
        bool, typer.Option("--edits", help="Show what was changed by hand, line by line.")
    ] = False,
    json: AsJson = False,
) -> None:
    """Show a saved tree and how it was made."""
    from treelab.tree.model import Tree
    from treelab.tree.show import text

    tree = Tree.load(model)
    if json:
        say_json(_facts(tree, tree.depth if max_depth is None else max_depth))
        return
    say(text(tree, max_depth, paths))
    say("")
    facts = [("made by", tree.learner), ("missing values", tree.missing)]
    more: list[tuple[str, object]] = [
        ("metric chosen", tree.metric_choice),
        ("search", tree.optimum),
    ]
    more += [("changed by hand", count(len(tree.edits), "edit"))] if tree.edits else []
    say_facts([*facts, *((name, str(known)) for name, known in more if known is not None)])
    if edits:
        say_edits(tree)


def _facts(tree: "Tree", depth: int) -> dict[str, Any]:
    return {
        "target": tree.schema.target.name,
        "classes": list(tree.classes),
        "features": [_column(column) for column in tree.schema.features],
        "learner": tree.learner,
        "missing": tree.missing,
        "edits": [edit.plain for edit in tree.edits],
        "leaves": tree.n_leaves,
        "depth": tree.depth,
        "nodes": _nodes(tree, depth),
    }


def _column(column: "Column") -> dict[str, Any]:
    scale = {} if column.scale is None else {"scale": column.scale.name}
    return {"name": column.name, "kind": column.kind, **scale}


def _nodes(tree: "Tree", depth: int) -> list[dict[str, Any]]:
    """Return the nodes down to a depth in preorder, each with the branch that leads to it."""
    above: dict[int, tuple[int, str]] = {}
    nodes = []
    for node, below in zip(tree.nodes, tree.depths.tolist(), strict=True):
        for child, label in zip(node.children, node.branch_labels, strict=True):
            above[child.number] = node.number, label
        parent, branch = above.get(node.number, (None, None))
        facts = {"number": node.number, "parent": parent, "branch": branch, "depth": below}
        counts = dict(zip(tree.classes, node.counts.tolist(), strict=True))
        nodes.append(facts | {"test": node.feature, "class": node.label, "counts": counts})
    return [facts for facts in nodes if facts["depth"] <= depth]
