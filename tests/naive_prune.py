"""Pruning as a student would write it: recursive, case by case, nothing shared with treelab.

A *node* is a `Node` with children; a *case* is (values, class, weight), None being a missing
value, a code standing for a label or an interval. Every pruner returns a new node.
"""

import copy
import math
from itertools import pairwise, product
from typing import NamedTuple

from naive_errors import c45_errors
from scipy.stats import chi2

SLACK = 0.1
TINY = 1e-9


class Case(NamedTuple):
    values: tuple
    label: int
    weight: float


class Node:
    def __init__(self, counts):
        self.counts = list(counts)
        self.feature = self.threshold = self.missing = None
        self.branch_of, self.children = [], []

    def shape(self):
        """Everything but the counts, to be compared."""
        test = self.feature, self.threshold, tuple(self.branch_of), self.missing
        return test, tuple(child.shape() for child in self.children)

    def nodes(self):
        return [self, *(node for child in self.children for node in child.nodes())]

    def n_leaves(self):
        return sum(not node.children for node in self.nodes())

    def label(self):
        return self.counts.index(max(self.counts))

    def weight(self):
        return sum(self.counts)

    def errors(self):
        return self.weight() - max(self.counts)

    def as_leaf(self):
        return Node(self.counts)


def read_tree(tree):
    """Return the root of a treelab tree, copied."""
    return _read_node(tree.root)


def _read_node(node):
    copied = Node(node.counts.tolist())
    if not node.is_leaf:
        copied.feature = int(node.tree.feature[node.number])
        copied.threshold = node.threshold
        copied.branch_of = node.branch_of.tolist()
        copied.missing = node.missing_branch
        copied.children = [_read_node(child) for child in node.children]
    return copied


def read_cases(data, cuts=None):
    """Return the cases of a data set that have a class and a weight."""
    cuts = cuts or {}
    columns = [
        [_value(column, x, cuts.get(column.name)) for x in values.tolist()]
        for column, values in zip(data.schema.features, data.columns, strict=True)
    ]
    rows = zip(*columns, strict=True)
    labelled = zip(rows, data.y.tolist(), data.weights.tolist(), strict=True)
    return [Case(*case) for case in labelled if case[1] >= 0 and case[2] > 0]


def _value(column, x, cuts):
    if (x < 0) if column.is_nominal else math.isnan(x):
        return None
    return x if cuts is None else sum(cut <= x for cut in cuts)


def count(cases, n_classes):
    return [sum(c.weight for c in cases if c.label == k) for k in range(n_classes)]


def deal(node, cases, missing):
    """Return the cases of each branch, and those that end at the node."""
    parts, lost, stopped = [[] for _ in node.children], [], []
    for case in cases:
        where = branch(node, case.values[node.feature], missing)
        aside = {"lost": lost, "stop": stopped}
        (aside[where] if where in aside else parts[where]).append(case)
    known = [sum(c.weight for c in part) for part in parts]
    if lost and not sum(known):
        return parts, stopped + lost
    for part, weight in zip(parts, known, strict=True):
        if lost and weight > 0:
            share = weight / sum(known)
            part += [case._replace(weight=case.weight * share) for case in lost]
    return parts, stopped


def branch(node, value, missing):
    """Return the number of the branch of a value, or 'stop', or 'lost'."""
    if value is None:
        if node.missing is not None:
            return node.missing
        return "lost" if missing == "fractional" else "stop"
    if node.threshold is not None:
        return 0 if value <= node.threshold else 1
    found = node.branch_of[value]
    return found if found >= 0 else "stop"


# Pessimistic pruning (C4.5 release 8, Src/prune.c: EstimateErrors)


def pessimistic(root, cf=0.25, expected=c45_errors, collapse=True):
    """Only replace subtrees by leaves."""
    root = collapsed(root)[0] if collapse else root
    pruned, _ = _leaves_only(root, lambda n, e: expected(n, e, cf))
    return pruned


def collapsed(root):
    """Return the tree in which what spares no training error is a leaf (Src/build.c), its errors.

    An error less by no more than a thousandth is none. Where a leaf counts other cases than the
    node above it, nobody can tell.
    """
    noise = 1e-8 * root.weight()
    if not all(_counts_its_children(node, noise) for node in root.nodes()):
        return root, None
    return _collapsed(root)


def _counts_its_children(node, noise):
    pairs = zip(*(child.counts for child in node.children), strict=True)
    below = map(sum, pairs) if node.children else [0.0] * len(node.counts)
    return all(b <= n + noise for n, b in zip(node.counts, below, strict=True))


def _collapsed(node):
    if not node.children:
        return node.as_leaf(), node.errors()
    below = [_collapsed(child) for child in node.children]
    stopped = stopped_counts(node)
    wrong = sum(errors for _, errors in below) + sum(stopped) - stopped[node.label()]
    if wrong >= node.errors() - 1e-3:
        return node.as_leaf(), node.errors()
    kept = copy.copy(node)
    kept.children = [child for child, _ in below]
    return kept, wrong


def _leaves_only(node, expected):
    as_leaf = expected(node.weight(), node.errors())
    if not node.children:
        return node.as_leaf(), as_leaf
    below = [_leaves_only(child, expected) for child in node.children]
    as_tree = sum(errors for _, errors in below) + _of_stopped(node, expected)
    if as_leaf <= as_tree + SLACK:
        return node.as_leaf(), as_leaf
    kept = copy.copy(node)
    kept.children = [child for child, _ in below]
    return kept, as_tree


def _of_stopped(node, expected):
    stopped = stopped_counts(node)
    return expected(sum(stopped), sum(stopped) - stopped[node.label()])


def stopped_counts(node):
    """The class weights at a test that none of its children count."""
    below = [sum(child.counts[k] for child in node.children) for k in range(len(node.counts))]
    rest = [max(all_ - part, 0.0) for all_, part in zip(node.counts, below, strict=True)]
    return [x if x > 1e-9 * node.weight() else 0.0 for x in rest]


def raising(root, cases, missing, cf=0.25, expected=c45_errors, collapse=True):
    """Also replace nodes by their largest branch. Returns the root and its predicted errors."""
    root = copy.deepcopy(collapsed(root)[0] if collapse else root)
    for node in root.nodes():
        add_empty_leaves(node)
    root, errors = _raise(root, cases, missing, lambda n, e: expected(n, e, cf))
    for node in root.nodes():
        drop_empty_leaves(node)
    return root, errors


def add_empty_leaves(node):
    """As in C4.5, every value has a branch; values in groups: all others are one group."""
    seen = [branch for branch in node.branch_of if branch >= 0]
    in_groups = len(seen) > len(set(seen))
    added = None
    for value, branch in enumerate(list(node.branch_of)):
        if branch < 0:
            if added is None or not in_groups:
                added = len(node.children)
                node.children.append(Node([0.0] * len(node.counts)))
            node.branch_of[value] = added


def drop_empty_leaves(node):
    for number in reversed(range(len(node.children))):
        if not node.children[number].weight():
            del node.children[number]
            node.branch_of = [-1 if b == number else b - (b > number) for b in node.branch_of]


def _raise(node, cases, missing, expected):
    counts = count(cases, len(node.counts))
    if not sum(counts):
        return node.as_leaf(), 0.0  # C4.5 does not look at a branch without cases
    node.counts = counts
    as_leaf = expected(node.weight(), node.errors())
    if not node.children:
        return node, as_leaf
    parts, stopped = deal(node, cases, missing)
    pruned = [
        _raise(c, part, missing, expected) for c, part in zip(node.children, parts, strict=True)
    ]
    node.children = [child for child, _ in pruned]
    as_tree = sum(errors for _, errors in pruned) + _ended(node, stopped, counts, expected)
    sizes = [sum(c.weight for c in part) for part in parts]
    largest = max(b for b, size in enumerate(sizes) if size >= max(sizes) - 1e-12 * max(sizes))
    as_branch = estimate(node.children[largest], cases, missing, expected)
    if as_leaf <= as_branch + SLACK and as_leaf <= as_tree + SLACK:
        return node.as_leaf(), as_leaf
    if as_branch <= as_tree + SLACK:
        return _raise(node.children[largest], cases, missing, expected)
    return node, as_tree


def estimate(node, cases, missing, expected):
    """The errors to expect of a subtree as it is, with other cases."""
    counts = count(cases, len(node.counts))
    if not node.children or not sum(counts):
        return expected(sum(counts), sum(counts) - max(counts))
    parts, stopped = deal(node, cases, missing)
    below = zip(node.children, parts, strict=True)
    errors = sum(estimate(child, part, missing, expected) for child, part in below)
    return errors + _ended(node, stopped, counts, expected)


def _ended(node, stopped, counts, expected):
    """The errors to expect of cases that end at a test: they get the class of its cases."""
    ended = count(stopped, len(node.counts))
    return expected(sum(ended), sum(ended) - ended[counts.index(max(counts))])


# Pruning by the counts in the tree


def chance(root, n_features, n_values, level):
    """Keep a subtree where it costs fewer bits than a leaf.

    `n_values[f]` are the values of a feature that is cut, None those of a nominal one.
    """
    return _by_chance(root, n_features, n_values, level)[0]


def _by_chance(node, n_features, n_values, level):
    """Return the pruned node and its bits."""
    as_leaf = node.weight() * _entropy(node.counts)
    if not node.children:
        return node.as_leaf(), as_leaf
    kept = copy.copy(node)
    parts = [_by_chance(child, n_features, n_values, level) for child in node.children]
    kept.children = [part for part, _ in parts]
    ways = n_features * _ways(node, n_values[node.feature])
    freedom = (len(parts) - 1) * (sum(count > 0 for count in node.counts) - 1)
    price = chi2.isf(level / ways, freedom) / (2 * math.log(2)) if freedom else 0.0
    as_tree = price + sum(bits for _, bits in parts)
    return (node.as_leaf(), as_leaf) if as_leaf <= as_tree + TINY else (kept, as_tree)


def _ways(node, n_values):
    """Return how many splits there are of the feature tested, of this kind and size."""
    if node.threshold is not None:
        return max(1, min(n_values, node.weight()) - 1)
    sizes = [node.branch_of.count(branch) for branch in range(len(node.children))]
    if len(sizes) > 2:
        return 1
    values, size = sum(sizes), min(sizes)
    halves = 2 if 2 * size == values else 1
    return max(values // 2, 1) * math.comb(values, size) / halves


def _entropy(counts):
    shares = [count / sum(counts) for count in counts if count > 0]
    return -sum(share * math.log2(share) for share in shares)


def pep(root):
    """Quinlan 1987: top-down, half an error a leaf."""
    n, wrong = root.weight(), _subtree_errors(root) + root.n_leaves() / 2
    if not root.children:
        return root.as_leaf()
    if root.errors() + 0.5 <= wrong + math.sqrt(max(wrong * (n - wrong) / n, 0.0)):
        return root.as_leaf()
    kept = copy.copy(root)
    kept.children = [pep(child) for child in root.children]
    return kept


def _subtree_errors(node):
    if not node.children:
        return node.errors()
    stopped = stopped_counts(node)
    here = sum(stopped) - stopped[node.label()]
    return here + sum(_subtree_errors(child) for child in node.children)


def minimum_error(root, m=2.0):
    """Cestnik and Bratko 1991."""
    prior = [count / root.weight() for count in root.counts]
    return _minimum_error(root, prior, m)[0]


def _minimum_error(node, prior, m):
    pairs = zip(node.counts, prior, strict=True)
    as_leaf = min(1 - (n + m * p) / (node.weight() + m) for n, p in pairs)
    if not node.children:
        return node.as_leaf(), as_leaf
    below = [_minimum_error(child, prior, m) for child in node.children]
    weights = [child.weight() for child in node.children]
    weighted = zip(weights, below, strict=True)
    as_tree = sum(w * error for w, (_, error) in weighted) / sum(weights)
    if as_leaf <= as_tree + 1e-12:
        return node.as_leaf(), as_leaf
    kept = copy.copy(node)
    kept.children = [child for child, _ in below]
    return kept, as_tree


# Pruning by held-out cases


def reduced_error(root, cases, missing):
    return _reduced_error(root, held(root, cases, missing))[0]


def _reduced_error(node, errors):
    as_leaf, here = errors[id(node)]
    if not node.children:
        return node.as_leaf(), as_leaf
    below = [_reduced_error(child, errors) for child in node.children]
    as_tree = here + sum(error for _, error in below)
    if as_leaf <= as_tree + TINY:
        return node.as_leaf(), as_leaf
    kept = copy.copy(node)
    kept.children = [child for child, _ in below]
    return kept, as_tree


def held(root, cases, missing):
    """For each node: the errors of all cases that reach it, and of those that end there."""
    errors = {id(node): [0.0, 0.0] for node in root.nodes()}
    for case in cases:
        for node, share, ends in path(root, case.values, missing):
            wrong = share * case.weight * (case.label != node.label())
            errors[id(node)][0] += wrong
            errors[id(node)][1] += wrong * ends
    return errors


def path(node, values, missing, share=1.0):
    """Every node a case visits, with its share there and whether it ends there."""
    where = branch(node, values[node.feature], missing) if node.children else "stop"
    if where == "stop":
        return [(node, share, True)]
    visited = [(node, share, False)]
    chosen = node.children if where == "lost" else [node.children[where]]
    total = sum(child.weight() for child in chosen)
    for child in chosen:
        visited += path(child, values, missing, share * child.weight() / total)
    return visited


def held_errors(root, cases, missing):
    return sum(ended for _, ended in held(root, cases, missing).values())


# Cost-complexity


def subtrees(node):
    """All trees that pruning can leave."""
    yield node.as_leaf()
    if node.children:
        for children in product(*map(subtrees, node.children)):
            kept = copy.copy(node)
            kept.children = list(children)
            yield kept


def cost_complexity(root, alpha):
    """The smallest of the subtrees of least error rate + alpha * leaves."""
    trees = list(subtrees(root))
    costs = [_subtree_errors(t) / root.weight() + alpha * t.n_leaves() for t in trees]
    cheap = [t for t, cost in zip(trees, costs, strict=True) if cost <= min(costs) + 1e-12]
    return min(cheap, key=Node.n_leaves)


def weakest_links(root):
    """The alpha at which each node, in preorder, is a leaf or gone; inf at a leaf."""
    root, alpha, found = copy.deepcopy(root), 0.0, {}
    nodes = root.nodes()
    while root.children:
        links = {
            id(t): (t.errors() - _subtree_errors(t)) / root.weight() / (t.n_leaves() - 1)
            for t in root.nodes()
            if t.children
        }
        alpha = max(alpha, min(links.values()))
        for node in root.nodes():
            if links.get(id(node), math.inf) <= alpha + 1e-12:
                for gone in node.nodes():
                    if gone.children:
                        found[id(gone)] = alpha
                        links.pop(id(gone))
                        gone.children = []
    return [found.get(id(node), math.inf) for node in nodes]


def alphas(root):
    """One alpha for each tree of the sequence: geometric means of neighbouring borders."""
    trees = {(t.n_leaves(), _subtree_errors(t) / root.weight()) for t in subtrees(root)}
    best = cost_complexity(root, 0.0)
    leaves, rate, borders = best.n_leaves(), _subtree_errors(best) / root.weight(), [0.0]
    while leaves > 1:
        slopes = [((r - rate) / (leaves - n), n, r) for n, r in trees if n < leaves]
        least = min(slope for slope, _, _ in slopes)
        _, leaves, rate = min((s for s in slopes if s[0] <= least + 1e-12), key=lambda s: s[1])
        borders.append(least)
    inner = [math.sqrt(a * b) for a, b in pairwise(borders)]
    return [*inner, borders[-1]]


def chosen_alpha(candidates, trees_and_cases, missing, se=1.0):
    """The largest alpha within `se` standard errors of the least error on held-out cases."""
    n = sum(case.weight for _, cases in trees_and_cases for case in cases)
    rates = [
        sum(held_errors(cost_complexity(t, a), cases, missing) for t, cases in trees_and_cases) / n
        for a in candidates
    ]
    least = min(rates)
    allowed = least + se * math.sqrt(least * (1 - least) / n)
    return max(a for a, rate in zip(candidates, rates, strict=True) if rate <= allowed + 1e-12)
