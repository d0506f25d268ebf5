"""Bring the cases of nodes into the order of their codes; `keys` and `order` are as in `cuts`."""

import numpy as np

from treelab.kernels._arrays import AnyArray, CodeArray, FloatArray, IndexArray, IntArray
from treelab.kernels._jit import kernel
from treelab.kernels.nodes import Nodes

FEW = 24
"""So many cases are sorted by insertion."""

DIGIT = 11
"""More cases are sorted by so many bits of their codes at a time."""


@kernel
def sort_cases(
    codes: CodeArray,
    features: IndexArray,
    n_codes: IndexArray,
    nodes: Nodes,
    bits: int,
    span: tuple[int, int],
    keys: AnyArray,
    order: IntArray,
) -> None:
    """Sort the cases of every node by their codes, missing last, equal ones as they come."""
    starts, stops, n_cases = nodes.starts, nodes.stops, len(nodes.rows)
    other_keys, other_order = np.empty(n_cases, keys.dtype), np.empty(n_cases, order.dtype)
    for f in range(span[0], span[1]):
        column, n = codes[features[f]], n_codes[f]
        n_digits = 1
        while n >> n_digits * DIGIT:
            n_digits += 1
        for k in range(len(starts)):
            here, there = (keys[f], order[f]), (other_keys, other_order)
            if stops[k] - starts[k] <= FEW:
                _insert(column, n, nodes, k, bits, *here)
                continue
            # Each digit moves the cases to the other room: begin where the last one will end in
            # `keys` and `order`.
            if n_digits % 2:
                here, there = there, here
            for place in range(starts[k], stops[k]):
                # The class rides along in the lowest bits: who sums up need not look it up.
                code = min(int(column[nodes.rows[place]]), n)
                here[0][place] = code << bits | int(nodes.labels[place])
                here[1][place] = nodes.ids[place]
            for digit in range(n_digits):
                _deal_by_digit(*here, starts[k], stops[k], bits + digit * DIGIT, *there)
                here, there = there, here


@kernel
def _deal_by_digit(
    keys: AnyArray,
    order: IntArray,
    start: int,
    stop: int,
    shift: int,
    new_keys: AnyArray,
    new_order: IntArray,
) -> None:
    """Sort by some bits of the keys, equal ones as they come.

    Few bits at a time, because the processor can follow writes to a few thousand places, not to a
    million.
    """
    mask = np.uint64((1 << DIGIT) - 1)
    firsts = np.zeros(2 + (1 << DIGIT), np.int64)
    for place in range(start, stop):
        firsts[(np.uint64(keys[place]) >> np.uint64(shift) & mask) + np.uint64(1)] += 1
    firsts[0] = start
    for digit in range(1 << DIGIT):
        firsts[digit + 1] += firsts[digit]
    for place in range(start, stop):
        own = np.uint64(keys[place]) >> np.uint64(shift) & mask
        there = firsts[own]
        firsts[own] += 1
        new_keys[there], new_order[there] = keys[place], order[place]


@kernel
def _insert(
    column: AnyArray,
    n_codes: int,
    nodes: Nodes,
    k: int,
    bits: int,
    keys: AnyArray,
    order: IntArray,
) -> None:
    """Sort the cases of node k, one after the other, among those before."""
    # So few cases are sorted sooner than `_deal_by_digit` clears and adds up its counters. Codes
    # alone are compared, by `>`, so cases of the same code stay as they come.
    start = nodes.starts[k]
    for place in range(start, nodes.stops[k]):
        code = min(int(column[nodes.rows[place]]), n_codes)
        there = place
        while there > start and keys[there - 1] >> bits > code:
            keys[there], order[there] = keys[there - 1], order[there - 1]
            there -= 1
        keys[there] = (code << bits) | int(nodes.labels[place])
        order[there] = nodes.ids[place]


@kernel
def tally_cases(
    codes: CodeArray,
    features: IndexArray,
    n_codes: IndexArray,
    nodes: Nodes,
    bits: int,
    span: tuple[int, int],
    to: IndexArray,
    keys: AnyArray,
    order: IntArray,
    tallies: FloatArray,
    ends: IndexArray,
) -> None:
    """Sort the cases of every node by code and class, those that are equal added up to one.

    The keys of node k begin at place `to[k]` and end before `ends[f, k]`; `tallies` are their
    weights, and `order` is where these are found. There must be one place more than all keys take.
    """
    # A key is the place of its tally, so adding up sorts, too. One table serves all nodes, because
    # `_list_out` leaves it cleared.
    for f in range(span[0], span[1]):
        tally = np.zeros((n_codes[f] + 1) << bits)
        column, missing = codes[features[f]], np.uint64(n_codes[f])
        for k in range(len(nodes.starts)):
            first = to[k]
            _add_up(column, missing, nodes, k, np.uint64(bits), tally)
            ends[f, k] = first + _list_out(tally, keys[f, first:], tallies[f, first:])
            for place in range(first, ends[f, k]):
                order[f, place] = f * tallies.shape[1] + place


@kernel
def _add_up(
    column: CodeArray, missing: np.uint64, nodes: Nodes, k: int, bits: np.uint64, tally: FloatArray
) -> None:
    """Add the weight of every case of node k to the tally of its key."""
    start, stop, weights = nodes.starts[k], nodes.stops[k], nodes.weights
    rows, labels, ids = nodes.rows[start:stop], nodes.labels[start:stop], nodes.ids[start:stop]
    for place in range(len(rows)):
        # Unsigned, because such an index need not be checked.
        code = min(np.uint64(column[np.uint64(rows[place])]), missing)
        key = code << bits | np.uint64(labels[place])
        tally[key] += weights[ids[place]] if len(weights) else 1.0


@kernel
def _list_out(tally: FloatArray, keys: AnyArray, tallies: FloatArray) -> int:
    """List the keys that occur and what they weigh, set all to 0, and return how many they are."""
    there = np.uint64(0)
    for key in range(len(tally)):
        # What does not occur is written, too, and the next one over it: without a guess.
        keys[there], tallies[there] = key, tally[key]
        there += np.uint64(tally[key] > 0.0)
        tally[key] = 0.0
    return int(there)


@kernel
def list_histograms(
    histograms: FloatArray,
    offsets: IndexArray,
    bits: int,
    to: IndexArray,
    keys: AnyArray,
    order: IntArray,
    tallies: FloatArray,
    ends: IndexArray,
) -> None:
    """List out histograms (node, code, class) that were counted elsewhere, as `tally_cases` does.

    The codes of feature f, and one for missing, are those from `offsets[f]` on.
    """
    # Cells without weight are left out: a code that no case has must not make another cut.
    n_classes = histograms.shape[2]
    for f in range(len(offsets) - 1):
        for k in range(len(histograms)):
            there = to[k]
            for code in range(offsets[f + 1] - offsets[f]):
                for c in range(n_classes):
                    weight = histograms[k, offsets[f] + code, c]
                    if weight > 0.0:
                        keys[f, there], tallies[f, there] = code << bits | c, weight
                        order[f, there] = f * tallies.shape[1] + there
                        there += 1
            ends[f, k] = there
