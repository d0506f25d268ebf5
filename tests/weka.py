"""A tree as Weka's J48 prints it: branches, and of each leaf its class, cases and errors."""

import math
import re

import numpy as np

from treelab.stats.formulas.impurity import majority


def printed(tree, binary=False):
    """Return the lines of a tree; a label that a test has not seen has an empty leaf."""
    if not tree.root.children:
        return [f": {leaf(tree, tree.counts[0], tree.counts[0])}"]
    return list(_lines(tree, tree.root, 0, binary))


def _lines(tree, node, depth, binary):
    here = tree.counts[node.number]
    for test, child in _branches(node, binary):
        start = f"{'|' * depth}{node.column.name} {test}"
        if child is None:
            yield f"{start}: {leaf(tree, np.zeros(len(here)), here)}"
        elif not child.children:
            yield f"{start}: {leaf(tree, tree.counts[child.number], here)}"
        else:
            yield start
            yield from _lines(tree, child, depth + 1, binary)


def _branches(node, binary):
    """Yield each branch of a test in words, with its node; None for an empty leaf."""
    if node.threshold is not None:
        for sign, child in zip(("<=", ">"), node.children, strict=True):
            yield f"{sign} {number(node.threshold, binary)}", child
        return
    labels, branch_of = node.column.labels, list(node.branch_of)
    if binary:
        value = labels[branch_of.index(0)]
        yield from zip((f"= {value}", f"!= {value}"), node.children, strict=True)
        return
    for label, branch in zip(labels, branch_of, strict=True):
        yield f"= {label}", node.children[branch] if branch >= 0 else None


def leaf(tree, counts, above):
    """Return a leaf's class and its cases and errors, to two decimals; an empty one is as above."""
    [label] = majority((counts if counts.sum() > 0 else above)[None, :])
    n, wrong = counts.sum(), counts.sum() - counts[label]
    errors = f"/{_rounded(wrong)}" if wrong > 1e-6 else ""
    return f"{tree.classes[label]} ({_rounded(n)}{errors})"


def _rounded(value):
    # Sums of parts of cases that are half a hundredth but for rounding go up; J48's own rounding of
    # other sums may go down, so `same` forgives a hundredth.
    return math.floor(value * 100 + 0.5) / 100


def number(value, binary):
    """Return a threshold: in full with binary splits, else to six decimals."""
    return repr(float(value)) if binary else f"{value:.6f}".rstrip("0").rstrip(".")


def same(ours, theirs):
    """Tell whether two printed trees are equal: tests and classes exactly, counts to 0.01."""
    pairs = list(zip(ours, theirs, strict=False))
    return len(ours) == len(theirs) and all(map(_same_line, *zip(*pairs, strict=True)))


def _same_line(ours, theirs):
    (test, counts), (their_test, their_counts) = _parts(ours), _parts(theirs)
    close = len(counts) == len(their_counts) and np.allclose(counts, their_counts, 0, 0.0101)
    return close and test == their_test


def _parts(line):
    """Return a line up to the counts, thresholds as numbers, and the counts."""
    found = re.fullmatch(r"(.*) \(([\d.]+)(?:/([\d.]+))?\)", line)
    test, *counts = found.groups("0") if found else (line, "0", "0")
    sign = re.fullmatch(r"(.* (?:<=|>)) ([-+.\dE]+)(:.*)?", test, re.IGNORECASE)
    words = (sign[1], float(sign[2]), sign[3]) if sign else (test,)
    return words, [float(count) for count in counts]
