"""Exact threshold trees: gain, three classes, 20 numeric features."""

from bench import classes, compare, dataset, grown, main, numbers
from peers import sklearn_tree, ydf_tree
from rpart import rpart_tree

WANTED = {1_000: 5.0, 10_000: 8.0, 100_000: 8.0, 1_000_000: 8.0}
RUNS = {1_000: 30, 10_000: 15, 100_000: 3, 1_000_000: 3}  # what is short is disturbed more easily


def rows(quick):
    for n, wanted in list(WANTED.items())[: 1 if quick else None]:
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
                runs=1 if quick else RUNS[n],
                is_warm=n >= 1_000_000,
            )


if __name__ == "__main__":
    main(rows)
