"""Which defaults? Accuracy and size of trees over all bundled data sets, on the same folds.

    make defaults

writes `table.md` (means) and `results.csv` (every data set). The table guides the defaults of
`treelab.Learner`; nothing is tuned per data set.
"""

import csv
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import attrs
import numpy as np
from peers import encode, fit_plain, fit_pruned
from rich.progress import track

import treelab as tl
from treelab.data.folds import stratified_folds

HERE = Path(__file__).parent
FOLDS, SEED = 10, 0

PEERS = {
    "scikit-learn, ordinal": (False, fit_plain),
    "scikit-learn, one-hot": (True, fit_plain),
    "scikit-learn, ordinal, cost-complexity by inner folds": (False, fit_pruned),
    "scikit-learn, one-hot, cost-complexity by inner folds": (True, fit_pruned),
}


def variants():
    """Return the defaults and everything that differs from them in one setting, by name."""
    default = tl.Learner()
    others = {
        "metric": ["gain", "gini", "gain-ratio", "gain-ratio-c45", "gain-ratio-c45:price=false",
                   "gain-ratio-c45:waive=false", "gain-ratio-c45:gate=false", "chi2"],
        "splits": ["multiway", "binary", "subset"],
        "pruner": ["none", "chance", "pessimistic", "pessimistic:cf=0.1", "pessimistic:cf=0.2",
                   "pessimistic:cf=0.1,chance=0.5", "pessimistic:cf=0.2,chance=0.5",
                   "pessimistic:cf=0.25,chance=0.5", "pessimistic:cf=0.2,chance=0.25",
                   "pessimistic:cf=0.2,chance=1", "pessimistic:cf=0.2,chance=0.5,raising=false",
                   "pessimistic:cf=0.2,chance=0.5,method=exact", "pep", "minimum-error",
                   "reduced-error", "cost-complexity:se=0,folds=5", "cost-complexity:se=1,folds=5"],
        "missing": ["fractional", "branch", "majority"],
        "min_branch": [1, 2, 3, 5],
        "discretizer": ["equal-width:10", "equal-frequency:10"],
    }  # fmt: skip
    learners = {"**treelab, the defaults**": default}
    for setting, values in others.items():
        for value in values:
            if value != getattr(default, setting):
                learners[f"{setting} = {value}"] = attrs.evolve(default, **{setting: value})
    return learners


def evaluate(job):
    """Return (accuracy, leaves) of one learner on one data set."""
    label, name, learner = job
    data = tl.load(name)
    test = tested if isinstance(learner, tl.Learner) else tested_peer
    fold = stratified_folds(data.y, FOLDS, SEED)  # of the rows as they come: peers depend on them
    results = [test(data, learner, fold == f) for f in range(FOLDS)]
    return label, name, *np.mean(results, axis=0)


def tested(data, learner, held):
    tree, test = learner.fit(data.take(~held)), data.take(held)
    return np.mean(tree.predict(test) == test.labels), tree.n_leaves


def tested_peer(data, peer, held):
    one_hot, fit = peer
    X, y = encode(data, one_hot), data.y
    tree = fit(X[~held], y[~held])
    return np.mean(tree.predict(X[held]) == y[held]), tree.get_n_leaves()


def main():
    learners = {**PEERS, **variants()}
    jobs = [
        (label, name, learner) for label, learner in learners.items() for name in tl.dataset_names()
    ]
    with ProcessPoolExecutor(2) as pool:
        results = list(track(pool.map(evaluate, jobs), "cross-validating", len(jobs)))
    write_results(results)
    text = table(results, list(learners))
    (HERE / "table.md").write_text(text)
    print(text)


def write_results(results):
    with (HERE / "results.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["learner", "data set", "accuracy", "leaves"])
        writer.writerows(
            (label, name, f"{a:.6f}", f"{size:.1f}") for label, name, a, size in results
        )


def table(results, labels):
    lines = [
        "| learner | accuracy % | leaves, mean | leaves, median |",
        "| --- | --- | --- | --- |",
    ]
    for label in labels:
        mine = np.array([(a, size) for learner, _, a, size in results if learner == label])
        accuracy, leaves = mine.mean(axis=0)
        lines.append(
            f"| {label} | {100 * accuracy:.2f} | {leaves:.1f} | {np.median(mine[:, 1]):.1f} |"
        )
    head = f"Means over {len(tl.dataset_names())} bundled data sets, {FOLDS}-fold, seed {SEED}.\n\n"
    return head + "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
