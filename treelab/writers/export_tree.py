"""The neutral form of a tree that every writer starts from: tests, branches, distributions.

A number is tested by ascending `limits` and falls into one of the steps between them; a label is
looked up. A step or label without a branch ends the case there, with the probabilities of the node.
A missing value goes to `missing`, or down every branch by `spread`, or ends at the node.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from numbers import Real
from typing import Any

import attrs

from treelab.data.moments import Moments
from treelab.data.schema import Column
from treelab.errors import DataError, shown
from treelab.kernels.ties import TIE
from treelab.tree.model import Tree
from treelab.tree.node import Node

STOP = -1


@attrs.frozen
class NumberTest:
    """Which branch a number takes: `branches[k]` between the limits k-1 and k.

    A limit itself belongs to the step below it if `closed`, else to the one above.
    """

    feature: str
    limits: tuple[float, ...]
    closed: bool
    branches: tuple[int, ...]

    def branch(self, value: float) -> int:
        place = bisect_left if self.closed else bisect_right
        return self.branches[place(self.limits, value)]


@attrs.frozen
class LabelTest:
    """Which branch a label takes."""

    feature: str
    branch_of: Mapping[str, int]

    def branch(self, value: str) -> int:
        return self.branch_of.get(value, STOP)

    def labels(self, branch: int) -> tuple[str, ...]:
        """Return the labels of a branch."""
        return tuple(label for label, to in self.branch_of.items() if to == branch)


@attrs.frozen(eq=False, slots=False)
class ExportNode:
    """A node: weight and probability of each class; unless it is a leaf, a test and its branches.

    `words` say in the language of the data what leads to each child. `best` is the number of the
    class that is predicted, the most probable or the cheapest one.
    """

    counts: tuple[float, ...]
    probabilities: tuple[float, ...]
    test: NumberTest | LabelTest | None = None
    children: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    missing: int = STOP
    spread: tuple[float, ...] = ()
    score: float = math.nan
    best: int = attrs.field()

    @best.default
    def _most_probable(self) -> int:
        return first_of_the_largest(self.probabilities)

    @cached_property
    def weight(self) -> float:
        return math.fsum(self.counts)

    @property
    def shares(self) -> tuple[float, ...]:
        """The share of each class among the training cases."""
        return tuple(count / self.weight for count in self.counts)

    @property
    def errors(self) -> float:
        """The weight of the training cases of other classes."""
        return max(0.0, self.weight - self.counts[self.best])


@attrs.frozen(eq=False, slots=False)
class ExportTree:
    """A tree: its columns, and its nodes in preorder.

    `costs` are of mistakes, a row for each actual class; without any the most probable class is
    predicted. `follows_majority` says that the tree sends a missing value down every branch, but
    what is written cannot.
    """

    target: str
    classes: tuple[str, ...]
    features: tuple[Column, ...]
    nodes: tuple[ExportNode, ...]
    learner: str = ""
    costs: tuple[tuple[float, ...], ...] = ()
    follows_majority: bool = False

    @property
    def missing_in_words(self) -> str:
        """What a missing value does in what is written, where that is not what it does here."""
        return (
            "A missing value follows the branch of most training cases; the tree itself sends it "
            "down every branch, in parts."
        )

    @property
    def spreads(self) -> bool:
        """Whether a missing value may go down several branches."""
        return any(node.spread for node in self.nodes)

    @property
    def names(self) -> Iterator[str]:
        """Every word of the data in it."""
        yield from (self.target, *self.classes)
        for column in self.features:
            yield from (column.name, *column.words)

    @cached_property
    def columns(self) -> Mapping[str, Column]:
        """The features by name."""
        return {column.name: column for column in self.features}

    def walk(self, case: Mapping[str, Any]) -> list[tuple[int, float, bool]]:
        """Return every node a case visits, the part of it that does, and whether it ends there.

        A value that is None, NaN or not there is missing; a date or time may be ISO text, an
        object of `datetime`, or the number that stands for it.
        """
        case = {column.name: _value(column, case) for column in self.features}
        visited, waiting = [], [(0, 1.0)]
        while waiting:
            number, part = waiting.pop()
            node = self.nodes[number]
            onward = _onward(node, case)
            visited.append((number, part, not onward))
            waiting += [(node.children[branch], part * share) for branch, share in onward]
        return visited

    def probabilities(self, case: Mapping[str, Any]) -> list[float]:
        """Return the probability of each class for a case."""
        ends = [
            (self.nodes[at].probabilities, part) for at, part, ended in self.walk(case) if ended
        ]
        places = range(len(self.classes))
        return [math.fsum(part * given[place] for given, part in ends) for place in places]


def export_tree_of(tree: Tree) -> ExportTree:
    """Return the neutral form of a tree."""
    nodes = tuple(_node(node) for node in tree.nodes)
    target = tree.schema.target.name
    costs = () if tree.costs is None else tuple(map(tuple, tree.costs.tolist()))
    return ExportTree(target, tree.classes, tree.schema.features, nodes, tree.learner, costs)


def along_the_majority(form: ExportTree) -> ExportTree:
    """Return the tree in which a missing value follows the branch of most cases."""
    nodes = (
        attrs.evolve(node, missing=first_of_the_largest(node.spread), spread=())
        if node.spread else node
        for node in form.nodes
    )  # fmt: skip
    return attrs.evolve(form, nodes=tuple(nodes), follows_majority=True)


def first_of_the_largest(values: tuple[float, ...]) -> int:
    """Return the place of the largest value; the first of those equal but for rounding."""
    enough = max(values) * (1 - TIE)
    return next(place for place, value in enumerate(values) if value >= enough)


def is_missing(value: Any) -> bool:
    """Tell whether a value is missing: None or NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def _value(column: Column, case: Mapping[str, Any]) -> Any:
    """Return the value of a feature, the number of a date or time."""
    value: Any = case.get(column.name)
    is_given = is_missing(value) or isinstance(value, Real)
    if is_given or not isinstance(column.scale, Moments):
        return value
    text = value.isoformat() if hasattr(value, "isoformat") else str(value)
    try:
        return column.scale.read(text)
    except ValueError as error:
        raise DataError(f"{column.name!r} of the case: {error}") from None


def _onward(node: ExportNode, case: Mapping[str, Any]) -> list[tuple[int, float]]:
    if node.test is None:
        return []
    value: Any = case.get(node.test.feature)
    if is_missing(value) and node.spread:
        return list(enumerate(node.spread))
    if isinstance(node.test, NumberTest) and not (is_missing(value) or isinstance(value, Real)):
        raise DataError(f"{node.test.feature!r} of the case must be a number, got {shown(value)}")
    branch = node.missing if is_missing(value) else node.test.branch(value)
    return [] if branch == STOP else [(branch, 1.0)]


def _node(node: Node) -> ExportNode:
    counts, probabilities = tuple(node.counts.tolist()), tuple(node.probabilities.tolist())
    best = int(node.tree.winners[node.number])
    if node.is_leaf:
        return ExportNode(counts, probabilities, best=best)
    children = node.children
    missing = STOP if node.missing_branch is None else node.missing_branch
    return ExportNode(
        counts,
        probabilities,
        _test(node),
        tuple(child.number for child in children),
        node.branch_labels,
        missing,
        _spread(node) if missing == STOP else (),
        node.score,
        best,
    )


def _spread(node: Node) -> tuple[float, ...]:
    if node.tree.missing != "fractional":
        return ()
    weights = [child.weight for child in node.children]
    return tuple(weight / sum(weights) for weight in weights)


def _test(node: Node) -> NumberTest | LabelTest:
    column = node.tree.schema.features[node.tree.feature[node.number]]
    if column.is_nominal:
        return _label_test(column, node.branch_of.tolist())
    test = _number_test(node, column.name)
    if column.has_labels:  # other programs know the labels of an order, not their places in it
        return _label_test(column, [test.branch(place) for place in range(len(column.words))])
    return test


def _label_test(column: Column, branches: list[int]) -> LabelTest:
    pairs = zip(column.words, branches, strict=True)
    return LabelTest(column.name, {label: to for label, to in pairs if to != STOP})


def _number_test(node: Node, feature: str) -> NumberTest:
    if node.threshold is not None:
        return NumberTest(feature, (node.threshold,), True, (0, 1))
    return _steps(feature, node.tree.coding.cuts[feature].tolist(), node.branch_of.tolist())


def _steps(feature: str, cuts: list[float], branches: list[int]) -> NumberTest:
    """Return the test of a cut feature, neighbouring intervals of one branch as one."""
    changes = [cut for cut, (a, b) in zip(cuts, pairwise(branches), strict=True) if a != b]
    firsts = [b for a, b in pairwise([None, *branches]) if a != b]
    return NumberTest(feature, tuple(changes), False, tuple(b for b in firsts if b is not None))
