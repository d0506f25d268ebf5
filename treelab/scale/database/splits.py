"""Splits as SQL: the branch of each case, and where it leads."""

import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.kernels.partition import Rules


def targets_of(
    parent: IndexArray, branch: IndexArray, share: FloatArray, chosen: IndexArray
) -> dict[str, IndexArray | FloatArray]:
    """Return to which child each branch of each node leads, and each share of missing values.

    `parent` and `branch` are those of all children, of which some are chosen.
    """
    new = np.arange(len(chosen))
    parent, branch, part = parent[chosen], branch[chosen], np.ones(len(chosen))
    takes = np.flatnonzero(share[chosen] > 0.0) if len(share) else new[:0]
    return {
        "place": np.concatenate([parent, parent[takes]]),
        "branch": np.concatenate([branch, np.full(len(takes), -1)]),
        "child": np.concatenate([new, new[takes]]).astype(np.int32),
        "share": np.concatenate([part, share[chosen][takes] if len(share) else part[:0]]),
    }


def tables_of(nodes: IndexArray, rules: Rules) -> dict[str, dict[str, IndexArray]]:
    """Return splits as tables: one a node, and the branch of each code of the groupings."""
    mapped = np.flatnonzero(rules.first_map >= 0)
    sizes = rules.n_codes[mapped] + 1
    place = np.repeat(mapped, sizes)
    code = np.arange(len(place)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    branch = rules.maps[rules.first_map[place] + code].astype(np.int64)
    splits = {
        "node": nodes, "place": np.arange(len(nodes)), "feature": rules.feature,
        "n_codes": rules.n_codes, "low": rules.low, "side": rules.side_of_missing,
        "mapped": (rules.first_map >= 0).astype(np.int64),
    }  # fmt: skip
    return {"splits": splits, "maps": {"place": place, "code": code, "branch": branch}}


def branches_in(table: str, rules: Rules, columns: str) -> str:
    """Return the query of the branch of each case, -1 for none; see `kernels.partition`."""
    features = np.unique(rules.feature).tolist()
    code = " ".join(f"WHEN {f} THEN c.f{f}" for f in features)
    code = f"CASE s.feature {code} END"
    cases = f"SELECT *, {code} AS code FROM {table} AS c JOIN splits AS s USING (node)"
    branch = (
        "CASE WHEN c.mapped = 1 THEN coalesce(m.branch, -1) WHEN c.code = c.n_codes THEN c.side "
        "ELSE CAST(c.code > c.low AS BIGINT) END"
    )
    return (
        f"SELECT c.place, {branch} AS branch, {columns} FROM ({cases}) AS c "
        "LEFT JOIN maps AS m ON c.mapped = 1 AND c.place = m.place AND c.code = m.code"
    )
