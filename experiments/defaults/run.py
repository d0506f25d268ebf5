"""Which defaults? Accuracy and size of trees over all bundled data sets, on the same folds.

    make defaults

writes `table.md`. It guides the defaults of `treelab.Learner`; nothing is tuned per data set. Words
behind the command choose rows by their names, and only these are written anew:

    python experiments/defaults/run.py missing scikit

With `--outside` the data sets are those of `outside.py`, on which nothing was chosen, and the table
is `outside.md`.
"""

import sys
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import attrs
import numpy as np
from outside import load_outside, outside_names
from peers import ABSENT, ONCE, PEERS
from rich.progress import track

import treelab as tl
from treelab.data.folds import stratified_folds

HERE = Path(__file__).parent
HEAD = (
    "| learner | accuracy % | less the default's (s.e.) | leaves, mean | geometric mean |",
    "| --- | --- | --- | --- | --- |",
)
FOLDS, SEEDS = 10, (0, 1, 2)
DEFAULT = "**treelab, the defaults**"


def variants():
    """Return the defaults and everything that differs from them in one setting, by name."""
    default = tl.Learner()
    others = {
        "metric": ["gain", "gini", "gain-ratio", "gain-ratio-c45", "gain-ratio-c45:price=false",
                   "gain-ratio-c45:waive=false", "gain-ratio-c45:gate=false", "chi2"],
        "splits": ["multiway", "binary", "subset"],
        "pruner": ["none", "chance", "pessimistic", "pessimistic:cf=0.02,chance=0.5",
                   "pessimistic:cf=0.05,chance=0.5", "pessimistic:cf=0.1,chance=0.5",
                   "pessimistic:cf=0.2,chance=0.5", "pessimistic:cf=0.25,chance=0.5",
                   "pessimistic:cf=0.2,chance=0.25", "pessimistic:cf=0.2,chance=1",
                   "pessimistic:cf=0.2,chance=0.5,raising=false", "pep", "minimum-error",
                   "reduced-error", "cost-complexity:se=0,folds=5", "cost-complexity:se=1,folds=5"],
        "missing": ["fractional", "branch", "majority"],
        "min_branch": [1, 2, 3, 5],
        "cuts": ["all:side_share=0.1,side_most=25", "c45"],
        "discretizer": ["equal-width:10", "equal-frequency:10"],
    }  # fmt: skip
    learners = {DEFAULT: default}
    for setting, values in others.items():
        for value in values:
            if value != getattr(default, setting):
                learners[f"{setting} = {value}"] = attrs.evolve(default, **{setting: value})
    for width, price in ((2, 0.5), (3, 0.5), (3, 2), (3, 5)):
        search = attrs.evolve(default, search=f"lookahead:price={price}", width=width)
        learners[f"search = lookahead:price={price}, width = {width}"] = search
    learners["search = beam, width = 3"] = attrs.evolve(default, search="beam", width=3)
    learners["search = optimal, depth 4, leaf 0.01, missing = branch, 20 bins"] = attrs.evolve(
        default, search="optimal:price=0.01,time_limit=5", max_depth=4, missing="branch", bins=20,
        pruner="none",
    )  # fmt: skip
    gentle = attrs.evolve(default, pruner="pessimistic")
    careful = attrs.evolve(default, pruner="cost-complexity:se=1,folds=5")
    learners["pruner = the default's or pessimistic, by inner folds"] = ByInnerFolds(
        (default, gentle)
    )
    learners["pruner = the default's or cost-complexity:se=1, by inner folds"] = ByInnerFolds(
        (default, careful)
    )
    return learners | {"preset j48": tl.j48(), "preset c45": tl.c45()}


@attrs.frozen
class ByInnerFolds:
    """Fits the learner that is right most often in inner folds, the first among equals."""

    learners: tuple[tl.Learner, ...]
    folds: int = 5

    def fit(self, data):
        fold = stratified_folds(data.y, self.folds, seed=1)
        right = [
            sum(tested(data, learner, fold == f)[0] * (fold == f).sum() for f in range(self.folds))
            for learner in self.learners
        ]
        return self.learners[int(np.argmax(right))].fit(data)


def evaluate(job):
    """Return (seed, accuracy, leaves) of one learner on one data set, means over the folds."""
    label, name, learner = job
    data = load_outside(name) if "/" in name else tl.load(name)
    test = tested_peer if label in PEERS else tested
    results = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of peers
        for seed in SEEDS[:1] if label in ONCE else SEEDS:
            fold = stratified_folds(data.y, FOLDS, seed)  # of the rows as they come
            of_folds = [test(data, learner, fold == f) for f in range(FOLDS)]
            results.append((label, name, seed, *np.mean(of_folds, axis=0)))
    return results


def tested(data, learner, held):
    tree, test = learner.fit(data.take(~held)), data.take(held)
    return np.mean(tree.predict(test) == test.labels), tree.n_leaves


def tested_peer(data, peer, held):
    encoded, fit, _ = peer
    X, y = encoded(data, ~held), data.y
    try:
        model = fit(X[~held], y[~held])
    except ImportError:  # what it needs itself is missing
        return np.nan, np.nan
    return np.mean(model.predict(X[held]) == y[held]), model.leaves


def main(words):
    outside = "--outside" in words
    words = [word for word in words if word != "--outside"]
    names = outside_names() if outside else tl.dataset_names()
    table = HERE / ("outside.md" if outside else "table.md")
    learners = {**{n: p for n, p in PEERS.items() if n not in ABSENT}, **variants()}
    chosen = {n for n in learners if n == DEFAULT or not words or any(word in n for word in words)}
    jobs = [
        (label, name, learners[label]) for label in learners if label in chosen for name in names
    ]
    with ProcessPoolExecutor(2) as pool:
        done = track(pool.map(evaluate, jobs), "cross-validating", len(jobs))
        results = [result for of_job in done for result in of_job]
    rows = {label: row(results, label) for label in learners if label in chosen}
    kind = f"{len(names)} {'outside' if outside else 'bundled'} data sets"
    print(written(rows, learners, kind))
    known = earlier(table) if words else {}
    table.write_text(written(known | rows, {**PEERS, **learners}, kind))


def row(results, label):
    """Return a line of the table: means, and the paired difference to the defaults."""
    n_rounds = 1 if label in ONCE else len(SEEDS)
    mine, others = means(results, label, n_rounds), means(results, DEFAULT, n_rounds)
    (accuracy, leaves), more = mine.mean(axis=0), mine[:, 0] - others[:, 0]
    error = more.std(ddof=1) / np.sqrt(len(more))
    size = f"{leaves:.1f} | {np.exp(np.log(mine[:, 1]).mean()):.1f}"
    mark = "" if n_rounds == len(SEEDS) else " †"
    return f"| {label}{mark} | {accuracy:.2f} | {more.mean():+.2f} ({error:.2f}) | {size} |"


def earlier(table):
    """Return the lines that earlier runs have written, by learner."""
    lines = table.read_text().splitlines() if table.exists() else []
    if HEAD[0] not in lines:  # a table of another form
        return {}
    rows = [line for line in lines if line.startswith("| ") and line not in HEAD]
    return {line.split(" | ")[0].removeprefix("| ").removesuffix(" †"): line for line in rows}


def written(rows, labels, kind):
    """Return the table of some rows, in the order of the labels."""
    first = (
        f"Means over {kind}, {len(SEEDS)} x {FOLDS}-fold, the same folds for all. Differences are "
        "paired over the data sets; s.e.: their standard error."
    )
    note = "† The first round of folds only, and the difference to the defaults in that round."
    lines = [first, "", *HEAD, *(rows[label] for label in labels if label in rows), "", note]
    absent = [name for name in PEERS if name not in rows]
    return "\n".join([*lines, *([f"Not run: {', '.join(absent)}."] if absent else [])]) + "\n"


def means(results, label, n_rounds):
    """Return (accuracy in percent, leaves) of a learner on each data set, over its first rounds."""
    rows = [(100 * a, n) for each, _, seed, a, n in results if each == label and seed < n_rounds]
    return np.array(rows).reshape(-1, n_rounds, 2).mean(axis=1)


if __name__ == "__main__":
    main(sys.argv[1:])
