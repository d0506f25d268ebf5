"""Exact threshold trees: gain, three classes, 20 numeric features."""

from bench import classes, compare, dataset, grown, main, numbers
from peers import sklearn_tree, ydf_tree
from rpart import rpart_tree

WANTED = {1_000: 5.0, 10_000: 8.0, 100_000: 8.0}
RUNS = {1_000: 30, 10_000: 15}  # what is short is disturbed more easily


def rows(quick):
    for n, wanted in list(WANTED.items())[: 1 if quick else None]:
        yield from of_size(n, wanted, 1 if quick else RUNS.get(n, 3))


def of_size(n, wanted, runs, is_warm=False):
    """Grow trees of n cases to depth 10 and to the end."""
    x = numbers(n)
    y = classes(x)
    data = dataset(x, y)
    for depth in (10, None):
        yield from compare(
            "exact tree",
            f"{n:,} x 20, {f'depth {depth}' if depth else 'full depth'}",
            grown(data, max_depth=depth),
            sklearn_tree(x, y, depth, wanted),
            ydf_tree(x, y, depth, 1.0),
            rpart_tree(x, y, depth, 1.0),
            runs=runs,
            is_warm=is_warm,
        )


if __name__ == "__main__":
    main(rows)
