"""Write optimal_outside.json: the least cost of small trees as another tool finds it.

Run once, with pystreed 1.4.0 installed; the tests read the figures only:

    python tests/reference/optimal_outside.py

Features are given to it as yes or no: one for every label, one for every threshold between two
values. Cases with a missing value are left out.
"""

import json
from pathlib import Path

import numpy as np
from pystreed import STreeDClassifier

import treelab as tl

HERE = Path(__file__).parent
SETS = {
    "balance-scale": 4,
    "breast-cancer-ljubljana": 4,
    "breast-cancer-wisconsin": 4,
    "bupa": 3,
    "car": 4,
    "hayes-roth": 4,
    "heart-cleveland": 2,
    "iris": 4,
    "kr-vs-kp": 4,
    "lymphography": 4,
    "monks-1": 4,
    "monks-2": 4,
    "monks-3": 4,
    "promoters": 2,
    "tic-tac-toe": 4,
    "voting": 4,
    "zoo": 4,
}
"""How deep the trees of each set are searched for."""


def complete(data):
    """Return the cases without a missing value."""
    columns = zip(data.schema.features, data.columns, strict=True)
    known = [x >= 0 if column.is_nominal else ~np.isnan(x) for column, x in columns]
    return data.take(np.all(known, axis=0))


def yes_or_no(data):
    """Return a matrix (case, question) of 0 and 1."""
    questions = []
    for column, values in zip(data.schema.features, data.columns, strict=True):
        distinct = np.unique(values)
        if column.is_nominal:
            questions += [values == value for value in distinct if len(distinct) > 1]
        else:
            questions += [values <= value for value in distinct[:-1]]
    return np.array(questions).T.astype(int)


def found(name, depth, price):
    """Return what the tool finds."""
    data = complete(tl.load(name))
    x, y = yes_or_no(data), data.y
    task = "cost-complex-accuracy" if price else "accuracy"
    model = STreeDClassifier(task, max_depth=depth, cost_complexity=price, time_limit=600)
    model.fit(x, y)
    wrong = int((model.predict(x) != y).sum())
    entry = {"data": name, "tool": "pystreed 1.4.0", "depth": depth, "price": price}
    return entry | {"errors": wrong, "leaves": int(model.get_n_leaves())}


def main():
    """Write the figures."""
    asked = [
        (name, depth, price)
        for name, deepest in SETS.items()
        for depth in range(2, deepest + 1)
        for price in ((0.0, 0.01) if depth < 4 else (0.0,))
    ]
    lines = [json.dumps(found(*what)) for what in asked]
    (HERE / "optimal_outside.json").write_text("[\n  " + ",\n  ".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
