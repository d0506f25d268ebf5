"""What drawings share: which nodes are shown, in what colour, with which words."""

import math
import unicodedata
from heapq import heappop, heappush

from treelab.errors import check_number
from treelab.writers.export_tree import ExportNode, ExportTree


def shade(colour: str, strength: float) -> str:
    """Return a colour mixed with white: all of it at strength 1, none at 0.

    >>> shade("#0072b2", 0.5)
    '#80b8d8'
    """
    mixed = (round(255 + (int(colour[at : at + 2], 16) - 255) * strength) for at in (1, 3, 5))
    return "#" + "".join(f"{part:02x}" for part in mixed)


def purity(node: ExportNode) -> float:
    """Return how pure a node is: 0 if all classes are equally frequent, 1 if there is only one."""
    n_classes = len(node.counts)
    return (max(node.shares) * n_classes - 1) / (n_classes - 1) if n_classes > 1 else 1.0


def sizes_below(form: ExportTree) -> list[tuple[int, int]]:
    """Return the numbers of nodes and of leaves below each node, itself included."""
    sizes = [(1, 1)] * len(form.nodes)
    for place in reversed(range(len(form.nodes))):
        below = [sizes[child] for child in form.nodes[place].children]
        if below:
            sizes[place] = 1 + sum(n for n, _ in below), sum(leaves for _, leaves in below)
    return sizes


def check_extent(max_depth: int | None, max_nodes: int) -> None:
    """Raise unless these are limits of what is shown."""
    check_number("max_nodes", max_nodes, 1, whole=True)
    if max_depth is not None:
        check_number("max_depth", max_depth, 0, whole=True)


def opened(form: ExportTree, max_depth: int | None, max_nodes: int) -> set[int]:
    """Return the tests whose branches are shown: the heaviest, while there is room for them."""
    chosen: set[int] = set()
    room = max_nodes - 1
    waiting = [(-form.nodes[0].weight, 0, 0)]
    while waiting:
        _, place, depth = heappop(waiting)
        node = form.nodes[place]
        too_deep = max_depth is not None and depth >= max_depth
        if node.test is None or too_deep or len(node.children) > room:
            continue
        chosen.add(place)
        room -= len(node.children)
        for child in node.children:
            heappush(waiting, (-form.nodes[child].weight, child, depth + 1))
    return chosen


def edge_words(node: ExportNode, branch: int) -> str:
    """Return what leads to a branch, without the name of the feature and the sign of equality."""
    assert node.test is not None
    return printable(node.words[branch].removeprefix(node.test.feature).strip().removeprefix("= "))


def cases_in_words(node: ExportNode) -> str:
    """Return how many cases a node has, and how many of them are of other classes."""
    cases = f"{weight_in_words(node.weight)} {'case' if node.weight == 1 else 'cases'}"
    wrong = node.errors if node.errors > 1e-9 * node.weight else 0
    return f"{cases}, {weight_in_words(wrong)} wrong" if wrong else cases


def weight_in_words(weight: float) -> str:
    """Write a weight: whole where it is whole but for rounding, else with one or two digits."""
    if math.isclose(weight, round(weight), rel_tol=1e-9):
        return f"{round(weight):,}"
    return f"{weight:,.1f}" if weight >= 1 else f"{weight:.2g}"


def printable(text: str) -> str:
    """Return a text without line breaks and other characters that no picture can show."""
    return without_hidden(" ".join(text.splitlines()).replace("\t", " "))


def without_hidden(text: str) -> str:
    """Return a text in which characters that XML cannot hold are replaced."""
    return "".join("\ufffd" if _is_hidden(character) else character for character in text)


def _is_hidden(character: str) -> bool:
    if character in "\t\n\r":
        return False
    return unicodedata.category(character) in ("Cc", "Cs") or character in "\ufffe\uffff"


def shortened(text: str, most: int = 40) -> str:
    """Return a text, cut with an ellipsis where it is long."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
