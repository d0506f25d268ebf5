"""Nominal data, a branch for each value, against scikit-learn on the codes of the values.

The trees are of different kinds, so only the times are compared. Missing values are fractional
cases here and NaN there, which is how each treats them by default.
"""

import numpy as np
from bench import compare, grown, main
from peers import sklearn_tree

import treelab as tl


def rows(quick):
    for name in ("car",) if quick else ("mushroom", "kr-vs-kp", "car"):
        data = tl.load(name)
        codes = np.column_stack(data.columns).astype(float)
        yield from compare(
            "nominal multiway tree",
            f"{name}, {len(data):,} x {len(data.features)}",
            grown(data, splits="multiway"),
            sklearn_tree(np.where(codes < 0, np.nan, codes), data.y, None, 1.0, exact=False),
            runs=1 if quick else 10,
        )


if __name__ == "__main__":
    main(rows)
