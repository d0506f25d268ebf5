"""Tests of what differs, by counting: from lists of results or of P-values."""

from itertools import product
from math import comb


def wins(a, b):
    return sum(x > y for x, y in zip(a, b, strict=True))


def sign_test(a, b):
    """Return the probability of so uneven wins and losses, either way, by counting outcomes."""
    won, lost = wins(a, b), wins(b, a)
    n = won + lost
    found = [k for k in range(n + 1) if comb(n, k) <= comb(n, won)]
    return sum(comb(n, k) for k in found) / 2**n


def wilcoxon(a, b):
    """Return the share of all ways to deal out signs whose smaller rank sum is no larger."""
    size = [abs(x - y) for x, y in zip(a, b, strict=True)]
    ranks = [sorted(size).index(s) + 1 for s in size]  # no two are equal
    whole = sum(ranks)

    def smaller(signs):
        plus = sum(r for r, sign in zip(ranks, signs, strict=True) if sign)
        return min(plus, whole - plus)

    found = smaller([x > y for x, y in zip(a, b, strict=True)])
    every = list(product([False, True], repeat=len(ranks)))
    return found, sum(smaller(signs) <= found for signs in every) / len(every)


def holm(p):
    """Return the least alpha at which each hypothesis is rejected, going from the smallest on."""
    adjusted, so_far = {}, 0.0
    for place, (value, k) in enumerate(sorted((value, k) for k, value in enumerate(p))):
        so_far = max(so_far, min(1.0, value * (len(p) - place)))
        adjusted[k] = so_far
    return [adjusted[k] for k in range(len(p))]
