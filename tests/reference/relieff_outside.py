"""Write relieff_outside.json: ReliefF, k = 10, as other tools compute it.

Run once, with fast-select 0.3.0 and skrebate 0.8.4 installed; the tests read the figures only:

    python tests/reference/relieff_outside.py
"""

import csv
import json
from pathlib import Path

import numpy as np
from fast_select import ReliefF as FastSelect
from skrebate import ReliefF as Skrebate

HERE = Path(__file__).parent
K = 10
NOMINAL = {"tic-tac-toe"}


def read(name):
    """Return the features of a data set, labels by their codes, and its class codes."""
    with (HERE.parents[1] / "datasets" / f"{name}.csv").open() as file:
        columns = list(zip(*list(csv.reader(file))[1:], strict=True))
    *features, y = [np.unique(column, return_inverse=True)[1] for column in columns]
    if name not in NOMINAL:
        features = [np.array(column, float) for column in columns[:-1]]
    return np.column_stack(features).astype(float), y


def fast_select(x, y, discrete_limit=0):
    tool = FastSelect(
        n_features_to_select=1, n_neighbors=K, discrete_limit=discrete_limit, backend="cpu"
    )
    return tool.fit(x, y).feature_importances_


def fast_select_nominal(x, y):
    return fast_select(x, y, discrete_limit=10)


def skrebate(x, y):
    tool = Skrebate(n_features_to_select=1, n_neighbors=K, categorical_threshold=0)
    return tool.fit(x, y).feature_importances_


def main():
    # skrebate weighs the miss classes alike and divides by the range, so it is asked where there
    # are two classes and no constant column.
    asked = [
        ("wine", "fast-select 0.3.0", fast_select),
        ("ionosphere", "fast-select 0.3.0", fast_select),
        ("diabetes-pima", "fast-select 0.3.0", fast_select),
        ("tic-tac-toe", "fast-select 0.3.0", fast_select_nominal),
        ("diabetes-pima", "skrebate 0.8.4", skrebate),
    ]
    found = [
        {"data": data, "tool": tool, "k": K, "scores": [float(s) for s in scores(*read(data))]}
        for data, tool, scores in asked
    ]
    lines = ",\n".join(json.dumps(entry) for entry in found)
    (HERE / "relieff_outside.json").write_text(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main()
