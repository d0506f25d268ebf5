"""A tour of treelab: a tree grown, pruned and shown; then split metrics compared on several sets.

Run it with `make run`; it takes less than a minute.
"""

from collections.abc import Callable, Iterable
from statistics import fmean

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import treelab as tl

DATA = ("heart", "hepatitis", "iris", "labor", "monks-1", "wine", "zoo")
METRICS = ("gain", "gain-ratio-c45", "gini", "chi2", "mdl", "hellinger", "relieff")
FOLDS = 10

Result = tuple[float, float]  # accuracy, leaves

console = Console(highlight=False, markup=False, emoji=False)


def main() -> None:
    one_tree()
    several_metrics()


def one_tree() -> None:
    title("1. One tree")
    data = tl.load("voting")
    say(f"{data}\n")
    full = tl.grow(data, "gain", pruner="none")
    pruned = tl.prune(full, "pessimistic", data)
    say(f"Grown with the metric 'gain' as far as it goes: {full.n_leaves} leaves.")
    say(f"Pruned with 'pessimistic': {pruned.n_leaves} leaves. This is the tree:\n")
    say(f"{pruned}\n")
    say(f"How good are they on new cases? By {FOLDS}-fold cross-validation:")
    for name, pruner in (("full", "none"), ("pruned", "pessimistic")):
        accuracy, leaves = tested("voting", tl.Learner(metric="gain", pruner=pruner))
        say(f"  {name:7}{accuracy:6.1%} of the cases right, {leaves:.1f} leaves")


def several_metrics() -> None:
    title(f"2. {len(METRICS)} of {len(tl.metric_names())} split metrics on {len(DATA)} data sets")
    say(f"Each is the mean of {FOLDS}-fold cross-validation; pruning and all else is as it comes.")
    results = compare()
    accuracy = {metric: [100 * right for right, _ in row] for metric, row in results.items()}
    leaves = {metric: [size for _, size in row] for metric, row in results.items()}
    say("\nAccuracy in %, the best of a column starred:\n")
    show(accuracy, star=max)
    say("\nLeaves, the fewest of a column starred:\n")
    show(leaves, star=min)
    say("\nNext: treelab train voting --metric gini --folds 10, or treelab --help.")


def compare() -> dict[str, list[Result]]:
    """Return what each metric gives on each data set."""
    results: dict[str, list[Result]] = {metric: [] for metric in METRICS}
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=len(METRICS) * len(DATA))
        for data in DATA:
            for metric in METRICS:
                progress.update(task, description=f"{data}: {metric}")
                results[metric].append(tested(data, tl.Learner(metric=metric)))
                progress.advance(task)
    return results


def tested(data: str, learner: tl.Learner) -> Result:
    result = tl.cross_validate(tl.load(data), learner.fit, FOLDS)
    return result.accuracy, result.leaves


def show(rows: dict[str, list[float]], star: Callable[[Iterable[float]], float]) -> None:
    """Print a line a metric and a column a data set, then the mean of each line."""
    best = [round(star(column), 1) for column in zip(*rows.values(), strict=True)]
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("metric", no_wrap=True)
    for name in (*DATA, "mean"):
        table.add_column(name, justify="right", no_wrap=True)
    for metric, row in rows.items():
        values = [round(value, 1) for value in row]
        marks = ["*" if value == top else "" for value, top in zip(values, best, strict=True)]
        cells = [f"{mark}{value:.1f}" for value, mark in zip(values, marks, strict=True)]
        table.add_row(metric, *cells, f"{fmean(row):.1f}")
    console.print(table, width=max(console.width, 100))


def say(text: str) -> None:
    console.print(text, soft_wrap=True)


def title(text: str) -> None:
    say(f"\n{text}\n{'=' * len(text)}\n")


if __name__ == "__main__":
    main()
