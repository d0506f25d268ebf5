"""Which probabilities? Log loss and accuracy of the default tree over all bundled data sets.

    python experiments/defaults/probabilities.py

grows the default tree once for each fold and asks it with every kind of probabilities, so that all
are compared on the same trees. Writes `probabilities.md` (means, and differences to the shares with
their standard errors over the data sets) and `probabilities.csv` (every data set).
"""

import csv
from pathlib import Path

import numpy as np
from rich.progress import track

import treelab as tl
from treelab.data.folds import stratified_folds
from treelab.experiment.trial import log_loss

HERE = Path(__file__).parent
FOLDS, SEEDS = 10, (0, 1, 2)

KINDS = (
    "shares", "laplace", "m-estimate:m=2", "m-estimate:m=5", "shrunk:lambda=0.5", "shrunk:lambda=1",
    "shrunk:lambda=2", "shrunk:lambda=5", "shrunk:lambda=10", "shrunk:lambda=25",
    "shrunk:lambda=50", "shrunk:lambda=100",
)  # fmt: skip
"""The first is what the others are compared with."""


def evaluate(name):
    """Return (log loss, accuracy) of every kind on one data set, means over all folds."""
    data, results = tl.load(name), []
    for seed in SEEDS:
        fold = stratified_folds(data.y, FOLDS, seed)
        for f in range(FOLDS):
            tree, test = tl.grow(data.take(fold != f)), data.take(fold == f)
            results.append([_tested(tree.with_probabilities(kind), test) for kind in KINDS])
    return np.mean(results, axis=0)


def _tested(tree, test):
    right = np.mean(tree.predict(test) == test.labels)
    return log_loss(tree.predict_proba(test), test), right


def table(results):
    """Return the means, and the differences to the first kind, as a table of Markdown."""
    lines = [
        "| probabilities | log loss | difference (s.e.) | accuracy % | difference (s.e.) |",
        "| --- | --- | --- | --- | --- |",
    ]
    for kind, of_kind in zip(KINDS, np.moveaxis(results, 1, 0), strict=True):
        loss, right = of_kind.mean(axis=0)
        more = of_kind - results[:, 0]
        error = more.std(axis=0, ddof=1) / np.sqrt(len(more))
        (d_loss, d_right), (e_loss, e_right) = more.mean(axis=0), error
        lines.append(
            f"| `{kind}` | {loss:.4f} | {d_loss:+.4f} ({e_loss:.4f}) "
            f"| {100 * right:.2f} | {100 * d_right:+.2f} ({100 * e_right:.2f}) |"
        )
    head = f"The default tree on {len(results)} bundled data sets, {len(SEEDS)} x {FOLDS}-fold."
    return head + "\n\n" + "\n".join(lines) + "\n"


def main():
    names = tl.dataset_names()
    results = np.array([evaluate(name) for name in track(names, "cross-validating")])
    with (HERE / "probabilities.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["probabilities", "data set", "log loss", "accuracy"])
        for place, kind in enumerate(KINDS):
            for name, (loss, right) in zip(names, results[:, place], strict=True):
                writer.writerow([kind, name, f"{loss:.6f}", f"{right:.6f}"])
    (HERE / "probabilities.md").write_text(table(results))
    print(table(results))


if __name__ == "__main__":
    main()
