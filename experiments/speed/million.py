"""Exact trees of a million cases: as `trees.py`, by themselves because they take so long."""

from bench import classes, dataset, grown, main, numbers
from trees import of_size


def rows(quick):
    x = numbers(100_000 if not quick else 1_000)
    grown(dataset(x, classes(x)), max_depth=3)()  # compiles what larger data need
    yield from of_size(10_000 if quick else 1_000_000, 8.0, 1 if quick else 3, is_warm=not quick)


if __name__ == "__main__":
    main(rows)
