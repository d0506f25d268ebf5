"""Stores: where the cases of nodes lie, and how they are sent to branches.

`nodes` is the seam: who grows a tree asks a `CaseStore` for candidates and splits, and does not
know where the cases are. `in_memory` has them in this process, `partitioned` in parts that need not
lie in one place; both move them as `partition` says. `context` is what all nodes of a tree share,
`node` what a metric sees of a single one.
"""
