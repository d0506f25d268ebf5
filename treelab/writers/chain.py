"""Trees whose every test is `value <= limit`: several branches become chains of such tests.

Labels are numbered by their place in the column; any other label has the next number.
"""

import math
from itertools import pairwise

import attrs
import numpy as np

from treelab.writers.export_tree import STOP, ExportNode, ExportTree, LabelTest


@attrs.frozen
class Link:
    """A test, true on the left and false on the right; a leaf has no feature (-1).

    `node` is the node of the form whose class shares it has.
    """

    node: int
    feature: int = -1
    limit: float = math.nan
    missing_left: bool = False
    left: int = -1
    right: int = -1

    def joined(self, side: str, to: int) -> "Link":
        """Return the test with its left or right side known."""
        return attrs.evolve(self, left=to) if side == "left" else attrs.evolve(self, right=to)


def chained(form: ExportTree) -> list[Link]:
    """Return the tree as binary tests in preorder; missing values may not be parted."""
    place_of = {column.name: place for place, column in enumerate(form.features)}
    links: list[Link] = []
    # What to make, and where its number is to be written: the link before and its side.
    waiting: list[tuple[int, int, int, str]] = [(0, 0, -1, "")]
    while waiting:
        number, step, before, side = waiting.pop()
        here = len(links)
        if before >= 0:
            links[before] = links[before].joined(side, here)
        node = form.nodes[number]
        if node.test is None or step == STOP:
            links.append(Link(number))
            continue
        steps = _steps(form, node, place_of[node.test.feature])
        limit, branch, is_missing = steps[step]
        links.append(Link(number, place_of[node.test.feature], limit, is_missing))
        onward = _after(node, number, steps, step)
        waiting += [(*onward, here, "right"), (*_to(node, number, branch), here, "left")]
    return links


def _after(
    node: ExportNode, number: int, steps: list[tuple[float, int, bool]], step: int
) -> tuple[int, int]:
    """Return what follows where a test is false: the next of the chain, or its end."""
    if step + 2 < len(steps):
        return number, step + 1
    return _to(node, number, steps[-1][1])


def _to(node: ExportNode, number: int, branch: int) -> tuple[int, int]:
    return (number, STOP) if branch == STOP else (node.children[branch], 0)


def _steps(form: ExportTree, node: ExportNode, place: int) -> list[tuple[float, int, bool]]:
    """Return the upper limit, the branch, and whether missing values belong to it, of all steps.

    The last one has no limit. Where the branch of missing values has no step, one that no value
    falls into is made for it.
    """
    test = node.test
    assert test is not None
    if isinstance(test, LabelTest):
        limits, branches = _by_number(form.features[place].words, test)
    else:
        limits = [
            limit if test.closed else float(np.nextafter(limit, -np.inf)) for limit in test.limits
        ]
        branches = list(test.branches)
    if node.missing not in branches[:-1] and (node.missing != branches[-1] or len(branches) == 1):
        limits, branches = [-math.inf, *limits], [node.missing, *branches]
    first = branches.index(node.missing)
    ends = [*limits, math.inf]
    return [(end, to, k == first) for k, (end, to) in enumerate(zip(ends, branches, strict=True))]


def _by_number(labels: tuple[str, ...], test: LabelTest) -> tuple[list[float], list[int]]:
    """Return limits between the numbers of the labels, and the branch of each step."""
    branches = [*(test.branch(label) for label in labels), STOP]
    changes = [number + 0.5 for number, (a, b) in enumerate(pairwise(branches)) if a != b]
    kept = [branches[0], *(b for a, b in pairwise(branches) if a != b)]
    return changes, kept
