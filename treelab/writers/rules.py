"""IF-THEN rules: one for every way through the tree, each feature in it once.

The rules exclude each other, and every case fits one. A missing value may fit several in parts:
each condition says how much of it passes.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import attrs

from treelab._text import visible
from treelab.data.coded import ANY_NUMBER
from treelab.data.schema import Column
from treelab.tree.show import limit_of, number
from treelab.writers.export_tree import (
    STOP,
    ExportNode,
    ExportTree,
    LabelTest,
    NumberTest,
    is_missing,
)


@attrs.frozen
class Range:
    """The numbers from `low` to `high`; one end belongs to it, the upper one if `closed`."""

    low: float
    high: float
    low_closed: bool
    high_closed: bool

    def __contains__(self, value: float) -> bool:
        above = value >= self.low if self.low_closed else value > self.low
        return above and (value <= self.high if self.high_closed else value < self.high)

    def meet(self, other: "Range") -> "Range | None":
        """Return the numbers that are in both; None if there are none."""
        low, low_open = max((self.low, not self.low_closed), (other.low, not other.low_closed))
        high, closed = min((self.high, self.high_closed), (other.high, other.high_closed))
        is_empty = low > high or (low == high and (low_open or not closed))
        return None if is_empty else Range(low, high, not low_open, closed)


@attrs.frozen
class Numbers:
    """A union of ranges."""

    ranges: tuple[Range, ...]

    def __contains__(self, value: float) -> bool:
        return any(value in piece for piece in self.ranges)

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def meet(self, other: "Numbers") -> "Numbers":
        pairs = (a.meet(b) for a in self.ranges for b in other.ranges)
        return Numbers(tuple(piece for piece in pairs if piece is not None))


@attrs.frozen
class Labels:
    """Some labels, or with `others` all labels but these."""

    labels: tuple[str, ...]
    others: bool = False

    def __contains__(self, value: str) -> bool:
        return (value in self.labels) != self.others

    def __bool__(self) -> bool:
        return self.others or bool(self.labels)

    def meet(self, other: "Labels") -> "Labels":
        if self.others and other.others:
            return Labels(tuple(dict.fromkeys(self.labels + other.labels)), others=True)
        a, b = (other, self) if self.others else (self, other)
        return Labels(tuple(label for label in a.labels if label in b))


@attrs.frozen
class Condition:
    """Which values of a feature fit, and which part of a missing value does."""

    accepted: Any
    missing: float

    def part(self, value: Any) -> float:
        return self.missing if is_missing(value) else float(value in self.accepted)

    def meet(self, other: "Condition") -> "Condition":
        return Condition(self.accepted.meet(other.accepted), self.missing * other.missing)

    @property
    def can_hold(self) -> bool:
        return bool(self.accepted) or self.missing > 0


@attrs.frozen
class Rule:
    """What a case must fulfil to end at a node."""

    node: int
    conditions: Mapping[str, Condition]

    def part(self, case: Mapping[str, Any]) -> float:
        """Return which part of a case fits."""
        parts = (condition.part(case.get(name)) for name, condition in self.conditions.items())
        return math.prod(parts)


def rules_of(form: ExportTree) -> Iterator[Rule]:
    """Yield the rules in the order of the nodes."""
    waiting: list[tuple[int, dict[str, Condition]]] = [(0, {})]
    while waiting:
        place, above = waiting.pop()
        node = form.nodes[place]
        if node.test is None:
            yield Rule(place, above)
            continue
        ended = _narrowed(above, node, STOP)
        if ended is not None:
            yield Rule(place, ended)
        below = [(child, _narrowed(above, node, b)) for b, child in enumerate(node.children)]
        waiting += reversed([(child, known) for child, known in below if known is not None])


def narrowings(form: ExportTree) -> Iterator[tuple[int, str]]:
    """Yield the nodes below tests with what all tests above say of the feature tested last.

    The rule of a leaf is made of these: of each feature what was said of it last. Nodes that no
    value leads to are left out.
    """
    waiting: list[tuple[int, dict[str, Condition]]] = [(0, {})]
    while waiting:
        place, above = waiting.pop()
        node = form.nodes[place]
        for branch, child in enumerate(node.children):
            known = _narrowed(above, node, branch)
            if known is not None and node.test is not None:
                name = node.test.feature
                yield child, _one_line(_condition(form.columns[name], known[name]))
                waiting.append((child, known))


def write(form: ExportTree) -> str:
    """Return the rules as text, with their cases and how often they are right.

    >>> import treelab as tl
    >>> how = {"missing": "majority", "probabilities": "shares"}
    >>> print(tl.export(tl.grow(tl.load("lenses"), max_depth=1, **how), "rules"))
    IF tear_rate not in {normal, reduced} THEN class = none (24 cases, 62 % right)
    IF tear_rate = normal (or missing) THEN class = soft (12 cases, 42 % right)
    IF tear_rate = reduced THEN class = none (12 cases, 100 % right)
    <BLANKLINE>
    """
    return "".join(f"{_line(form, rule)}\n" for rule in rules_of(form))


def in_words(form: ExportTree, rule: Rule) -> str:
    """Return the conditions of a rule in the words of the data; '' if there are none."""
    pairs = rule.conditions.items()
    return " AND ".join(_one_line(_condition(form.columns[name], c)) for name, c in pairs)


def _condition(column: Column, condition: Condition) -> str:
    """Return a condition in the words of the data."""
    name, accepted = column.name, condition.accepted
    write = _numbers if isinstance(accepted, Numbers) else _ordered if column.scale else _labels
    words = write(column, accepted)
    if not condition.missing:
        return words
    if not words:
        words = f"{name} missing"
    elif condition.missing == 1:
        return f"{words} (or missing)"
    return words if condition.missing == 1 else f"{words} (missing: {condition.missing:.0%})"


def _narrowed(
    above: dict[str, Condition], node: ExportNode, branch: int
) -> dict[str, Condition] | None:
    """Return the conditions of a branch, or of ending at its node; None if nothing fits them."""
    assert node.test is not None
    name = node.test.feature
    here = Condition(_accepted(node.test, branch), _missing_part(node, branch))
    here = above[name].meet(here) if name in above else here
    if not here.can_hold:
        return None
    return {**above, name: here}


def _accepted(test: NumberTest | LabelTest, branch: int) -> Numbers | Labels:
    if isinstance(test, LabelTest):
        return (
            Labels(tuple(test.branch_of), True) if branch == STOP else Labels(test.labels(branch))
        )
    ends = pairwise((-math.inf, *test.limits, math.inf))
    steps = zip(ends, test.branches, strict=True)
    return Numbers(tuple(_range(low, high, test) for (low, high), to in steps if to == branch))


def _range(low: float, high: float, test: NumberTest) -> Range:
    return Range(low, high, not test.closed or low == -math.inf, test.closed or high == math.inf)


def _missing_part(node: ExportNode, branch: int) -> float:
    if node.spread:
        return 0.0 if branch == STOP else node.spread[branch]
    return float(branch == node.missing)


def _line(form: ExportTree, rule: Rule) -> str:
    node = form.nodes[rule.node]
    right = f"{100 * node.shares[node.best]:.0f} % right"
    cases = f"{number(node.weight)} {'case' if node.weight == 1 else 'cases'}"
    when = f"IF {in_words(form, rule)} THEN" if rule.conditions else "ALWAYS"
    then = _one_line(f"{form.target} = {form.classes[node.best]}")
    return f"{when} {then} ({cases}, {right})"


def _numbers(column: Column, numbers: Numbers) -> str:
    shown = (piece for piece in numbers.ranges if piece.low < ANY_NUMBER)
    return _either([_range_in_words(column, piece) for piece in shown])


def _either(words: Sequence[str]) -> str:
    return f"({' or '.join(words)})" if len(words) > 1 else "".join(words)


def _range_in_words(column: Column, piece: Range) -> str:
    name, is_above, is_below = column.name, piece.low > -math.inf, piece.high < ANY_NUMBER
    low = limit_of(column, piece.low, not piece.low_closed) if is_above else ""
    high = limit_of(column, piece.high, piece.high_closed) if is_below else ""
    below = f"{'<=' if piece.high_closed else '<'} {high}"
    if not is_above:
        return f"{name} {below}" if is_below else f"{name} known"
    if not is_below:
        return f"{name} {'>=' if piece.low_closed else '>'} {low}"
    return f"{low} {'<=' if piece.low_closed else '<'} {name} {below}"


def _ordered(column: Column, labels: Labels) -> str:
    """Return labels that have an order as what lies between two of them."""
    if labels.others:
        return _labels(column, labels)
    places = sorted(map(column.words.index, labels.labels))
    firsts = [place for place in places if place - 1 not in places]
    lasts = [place for place in places if place + 1 not in places]
    return _either([_from_to(column, *ends) for ends in zip(firsts, lasts, strict=True)])


def _from_to(column: Column, first: int, last: int) -> str:
    name, words = column.name, column.words
    if first == last:
        return f"{name} = {words[first]}"
    if first == 0:
        return f"{name} <= {words[last]}"
    if last == len(words) - 1:
        return f"{name} >= {words[first]}"
    return f"{words[first]} <= {name} <= {words[last]}"


def _labels(column: Column, labels: Labels) -> str:
    name = column.name
    if not labels:
        return ""
    if len(labels.labels) == 1:
        return f"{name} {'!=' if labels.others else '='} {labels.labels[0]}"
    return f"{name} {'not in' if labels.others else 'in'} {{{', '.join(labels.labels)}}}"


def _one_line(text: str) -> str:
    return visible(" ".join(text.split()))
