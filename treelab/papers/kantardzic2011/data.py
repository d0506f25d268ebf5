"""The data of the chapter's examples and problems."""

from collections.abc import Mapping, Sequence

import numpy as np

from treelab import Column, Dataset, Schema


def data_of(columns: Mapping[str, Sequence[object]], classes: Sequence[object] = ()) -> Dataset:
    """Return a data set: words are nominal, numbers numeric; without classes, none is known."""
    features, values = [], []
    for name, given in columns.items():
        if isinstance(given[0], str):
            labels, codes = np.unique(np.array(given), return_inverse=True)
            features.append(Column(name, tuple(labels.tolist())))
            values.append(codes)
        else:
            features.append(Column(name))
            values.append(np.array(given, dtype=float))
    n = len(next(iter(columns.values())))
    labels, y = np.unique(np.array(list(classes) or ["?"] * n, dtype=str), return_inverse=True)
    schema = Schema(tuple(features), Column("class", tuple(labels.tolist())))
    return Dataset.of(schema, values, y)


TABLE_3_1 = data_of(
    {"X": [0.3, 0.2, 0.6, 0.5, 0.7, 0.4], "Y": [0.7, 0.9, 0.6, 0.5, 0.7, 0.9]}, "ABAABB"
)
TABLE_3_2 = data_of({"F1": [3, 2, 6, 5], "F2": [4, 5, 7, 6]}, ["C1", "C1", "C2", "C2"])
FIGURE_3_3 = data_of({"F1": list("ABCBC"), "F2": list("XYYXZ"), "F3": list("12213")})
TABLE_3_6 = data_of({"F": [1, 3, 7, 8, 9, 11, 23, 37, 39, 45, 46, 59]}, "121112212111")
PROBLEM_3 = data_of(
    {
        "I1": [2.5, 7.2, 3.4, 5.6, 4.8, 8.1, 6.3],
        "I2": [1.6, 4.3, 5.8, 3.6, 7.2, 4.9, 4.8],
        "I3": [5.9, 2.1, 1.6, 6.8, 3.1, 8.3, 2.4],
    },
    "0110101",
)
PROBLEM_4 = data_of(
    {
        "X1": [2.7, 3.1, 4.5, 5.3, 6.6, 5.0],
        "X2": [3.4, 6.2, 2.8, 5.8, 3.1, 4.1],
        "X3": list("121212"),
        "X4": list("AABBAB"),
    }
)
PROBLEM_4B = data_of(
    {name: [float(v) for v in PROBLEM_4[name]] for name in ("X1", "X2")} | {"X3": list("121212")},
    "AABBAB",
)
BINNED = (3, 2, 1, 5, 4, 3, 1, 7, 5, 3)
MOVED = (5, 1, 8, 2, 2, 9, 2, 1, 8, 6)
PROBLEM_12 = (4, 2, 1, 6, 4, 3, 1, 7, 2, 2)
