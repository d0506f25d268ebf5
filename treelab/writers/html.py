"""One interactive page that needs nothing else: no network, no library.

The tree travels as JSON inside the page, in which no '<' can occur, and the script writes names
as text only: none of them can become markup. Where that JSON is large, it travels packed: the
page of a tree of many thousand nodes stays below 2 MB.
"""

import gzip
import json
import math
import re
from base64 import b64encode
from html import escape
from importlib.resources import files
from typing import Any

from treelab.data.moments import Moments
from treelab.data.schema import Column
from treelab.plots.style import colours
from treelab.writers import look
from treelab.writers.export_tree import ExportNode, ExportTree, LabelTest
from treelab.writers.rules import narrowings

PACKED = 300_000
"""Longer JSON is packed with gzip, which every browser since 2023 unpacks."""

FIRST_SHOWN = 60
"""So many nodes are shown at first; the others are collapsed."""


def write(form: ExportTree) -> str:
    """Return the page."""
    title = f"Decision tree for {look.printable(form.target) or 'class'}"
    return page(title, part("page.html"), part("page.css"), part("page.js"), _data(form))


def page(title: str, body: str, style: str, script: str, data: Any) -> str:
    """Return a page that carries its data, made of what all pages share and its own parts."""
    named = {"title": escape(title), "style": part("base.css") + style}
    return filled(
        body,
        {
            "head": filled(part("head.html"), named),
            "title": named["title"],
            "script": part("base.js") + script,
            **carried(data),
        },
    )


def carried(data: Any) -> dict[str, str]:
    """Return what is to stand in a page's script element for data: their type and their text."""
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    if len(text) <= PACKED:
        return {"type": "application/json", "data": text}
    packed = gzip.compress(text.encode(), mtime=0)
    return {"type": "application/gzip", "data": b64encode(packed).decode()}


def filled(page: str, parts: dict[str, str]) -> str:
    """Return a page with its parts, which are written @name@ there, put in."""
    names = "|".join(parts)
    return re.sub(f"@({names})@", lambda found: parts[found[1]], page)


def part(name: str, folder: str = "treelab.writers.page") -> str:
    """Return a file that pages are made of."""
    package, _, last = folder.rpartition(".")
    return (files(package) / last / name).read_text(encoding="utf-8")


def _data(form: ExportTree) -> dict[str, Any]:
    said = dict(narrowings(form))
    return {
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
