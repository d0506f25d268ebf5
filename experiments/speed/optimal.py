"""Trees of least cost beside pystreed's, with the same candidates, on one thread.

Labels are one against the rest, thresholds lie between any two values, and cases with missing
values are left out: what pystreed can be given. It is compiled C++; treelab also looks for the
smallest of the best trees, which takes time of its own. Both must find the same number of errors.
"""

import numpy as np
from bench import compare, main
from peers import streed_tree

import treelab as tl

SETS = {
    2: ("iris", "car", "tic-tac-toe", "kr-vs-kp", "heart-cleveland", "bupa", "diabetes-pima"),
    3: ("iris", "car", "tic-tac-toe", "kr-vs-kp", "heart-cleveland", "bupa"),
    4: ("hayes-roth", "car", "tic-tac-toe", "kr-vs-kp", "voting"),
}
"""The sets whose trees of each depth both find within a minute."""


def complete(data):
    """Return the cases without a missing value."""
    columns = zip(data.schema.features, data.columns, strict=True)
    known = [x >= 0 if column.is_nominal else ~np.isnan(x) for column, x in columns]
    return data.take(np.all(known, axis=0))


def optimal(data, depth):
    """Return what grows the tree of fewest errors."""
    settings = {"splits": "binary", "missing": "majority", "min_branch": 1, "pruner": None}
    return lambda: tl.grow(data, "gini", search="optimal", max_depth=depth, **settings)


def rows(quick):
    tl.set_threads(1)
    for depth, names in {2: ("car",)}.items() if quick else SETS.items():
        for name in names:
            data = complete(tl.load(name))
            yield from compare(
                f"optimal tree, depth {depth}",
                f"{name}, {len(data):,} x {len(data.features)}",
                optimal(data, depth),
                streed_tree(data, depth),
                runs=1 if quick else 3,
            )


if __name__ == "__main__":
    main(rows)
