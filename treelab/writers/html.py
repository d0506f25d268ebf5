"""One interactive page that needs nothing else: no network, no library.

The tree travels as JSON inside the page, in which no '<' can occur, and the script writes names
as text only: none of them can become markup. Where that JSON is large, it travels packed: the
page of a tree of many thousand nodes stays below 2 MB.
"""

import math
from typing import Any

from treelab.data.moments import Moments
from treelab.data.schema import Column
from treelab.page import page, script, style
from treelab.plots.style import colours
from treelab.writers import look
from treelab.writers.export_tree import ExportNode, ExportTree, LabelTest
from treelab.writers.rules import narrowings

FIRST_SHOWN = 60
"""So many nodes are shown at first; the others are collapsed."""


def write(form: ExportTree) -> str:
    """Return the page."""
    title = f"Decision tree for {look.printable(form.target) or 'class'}"
    return page(title, "page.html", style("viewer"), script("static"), page_model(form))


def page_model(form: ExportTree) -> dict[str, Any]:
    """Return a tree as the browser's module takes it, in plain values."""
    said = dict(narrowings(form))
    return {
        "title": look.printable(form.target),
        "target": form.target,
        "classes": form.classes,
        "colours": colours(len(form.classes)),
        "learner": form.learner,
        **({"costs": form.costs} if form.costs else {}),
        "features": [_feature(column) for column in form.features],
        "open": sorted(look.opened(form, None, FIRST_SHOWN)),
        "nodes": [_node(node, said) for node in form.nodes],
    }


def _feature(column: Column) -> dict[str, Any]:
    labels = column.words if column.has_labels else None
    scale = column.scale.name if isinstance(column.scale, Moments) else None
    return {"name": column.name, "labels": labels, "scale": scale}


def _probabilities(node: ExportNode) -> dict[str, Any]:
    """Return what the page could not compute of the counts."""
    are_shares = all(map(math.isclose, node.probabilities, node.shares))
    return {} if are_shares else {"probabilities": node.probabilities}


def _node(node: ExportNode, said: dict[int, str]) -> dict[str, Any]:
    facts: dict[str, Any] = {"counts": node.counts, **_probabilities(node)}
    if node.test is None:
        return facts
    pairs = zip(node.children, node.words, strict=True)
    return facts | {
        "feature": node.test.feature,
        "test": _test(node),
        "children": node.children,
        "said": [said.get(child, words) for child, words in pairs],
        "edges": [look.edge_words(node, branch) for branch in range(len(node.children))],
        "missing": node.missing,
        "spread": node.spread,
        "score": node.score if math.isfinite(node.score) else None,
    }


def _test(node: ExportNode) -> dict[str, Any]:
    assert node.test is not None
    if isinstance(node.test, LabelTest):
        # Pairs and not an object: '__proto__' is a label like any other.
        return {"labels": list(node.test.branch_of.items())}
    test = node.test
    return {"limits": test.limits, "closed": test.closed, "branches": test.branches}
