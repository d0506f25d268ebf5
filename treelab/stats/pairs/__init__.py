"""Pairs of cases: how far apart two cases are, which pairs count, and with what weight.

`pairing` has the cases of a node as pairs see them, `gaps` the distance from a missing value,
`schemes` the pairs that count: all, the nearest or those in a context. `pair_profile` sorts pairs
by distance for the framework Pi, `spread` has the mean distance of two values, `distances` weights
of one's own, and `rounding` the sieve through which nearest cases are looked for.
"""
