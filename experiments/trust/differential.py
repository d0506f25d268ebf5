"""Random trees beside those of a brute-force builder: the same tests, counts and probabilities.

    python experiments/trust/differential.py [--quick] [--trees N] [--first K] [--jobs N]
    python experiments/trust/differential.py --tree K      # one tree again, with its traceback

Tree K is drawn from its number alone: data of all kinds (missing values, weights, ties, constant
and empty columns, labels and classes that do not occur), a metric, a kind of split, a policy for
missing values and stop rules. `tests/naive_grow.py` searches every node exhaustively. What differs
is told by its number on standard error and becomes a test in tests/trust/test_differential.py.
"""

import argparse
import os
import sys
import traceback
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from random import Random
from time import perf_counter

from report import tell

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

MANY, QUICK, PART = 100_000, 200, 500
ODD = (-0.0, 0.0, 5e-324, 1e-12, 1.0, 1.0 + 2**-52, 1e15)
APART = (-0.0, 0.0, 1e-300, 1e-12, 1.0, 1.5, 1e15)
"""Instead of the odd numbers where they are cut into intervals of equal width: between neighbours
there is no room for three, and the naive learner numbers those that are not made, too."""


def task(number):
    """Return the data and the setting of a tree."""
    import naive_formulas
    from oracle import MISSING, NUMBERS, SPLITS, Setting

    rng = Random(f"tree {number}")
    metrics = sorted(naive_formulas.FORMULAS)
    numbers = rng.choice(sorted(NUMBERS))
    setting = Setting(
        # C4.5's own metric compares candidates with each other, so it is drawn more often.
        metric=rng.choice([*metrics, "gain-ratio-c45", "gain-ratio-c45"]),
        # Bins move thresholds only, and leave no intervals to be grouped.
        splits="auto" if numbers == "bins" else rng.choice(SPLITS),
        missing=rng.choice(MISSING),
        numbers=numbers,
        min_cases=rng.choice([2, 2, 4, 7.5]),
        min_branch=rng.choice([1, 1, 2, 3]),
        max_depth=rng.choice([None, None, 1, 3]),
    )
    odd = APART if numbers == "intervals" else ODD
    return awkward(drawn(number, rng), odd, rng), setting


def drawn(number, rng):
    """Return random data, of which a feature or two have something to do with the class."""
    from strategies import WEIGHTS, random_dataset

    numeric = rng.randint(0, 3)
    return random_dataset(
        number,
        cases=rng.choice([1, 5, 10, 20, 20, 30, 30, 50]),
        numeric=numeric,
        nominal=rng.randint(not numeric, 3),
        labels=rng.choice([1, 2, 3, 4, 5, 9, 12]),
        classes=rng.choice([1, 2, 2, 2, 3, 3, 5]),
        missing=rng.choice([0, 0, 0.1, 0.3, 0.8]),
        weights=rng.choice(sorted(WEIGHTS)),
        ties=rng.random() < 0.6,
    )


def awkward(data, odd, rng):
    """Make a column of some data constant, empty or full of odd numbers, now and then."""
    import numpy as np
    from strategies import dataset

    columns = [np.array(column) for column in data.columns]
    for place, column in enumerate(columns):
        gap = np.nan if column.dtype.kind == "f" else -1
        match rng.randrange(12):
            case 0:
                columns[place] = np.full_like(column, column[0])
            case 1:
                columns[place] = np.full_like(column, gap)
            case 2 if column.dtype.kind == "f":
                columns[place] = np.array(rng.choices(odd, k=len(column)))
    labels = {p: len(c.labels) for p, c in enumerate(data.schema.features) if c.labels}
    weights = np.array(data.weights)
    weights[0] = max(weights[0], 1.0)  # else nothing is left to grow from
    return dataset(columns, np.array(data.y), len(data.classes), weights, labels)


def compare(number):
    """Grow a tree both ways; whatever differs is an AssertionError. Return its leaves."""
    import naive_grow
    from oracle import assert_same_predictions, assert_same_tree, grown

    data, setting = task(number)
    tree, problem = grown(data, setting)
    assert_same_tree(problem, tree.root, problem.cases, setting)
    expected = naive_grow.grow(problem, *setting.ways, **setting.stop())
    if outline(tree.root) == naive_outline(expected):  # else a tie was decided by rounding
        assert_same_predictions(problem, expected, tree, data)
    return tree.n_leaves


def outline(node):
    return int(node.tree.feature[node.number]), *map(outline, node.children)


def naive_outline(node):
    feature = -1 if node.split is None else node.split.feature
    return feature, *map(naive_outline, node.children)


def compared(numbers):
    """Compare some trees; return how many have a test, and what differs, by number."""
    grown, wrong = 0, {}
    for number in numbers:
        try:
            grown += compare(number) > 1
        except Exception as error:
            wrong[number] = "".join(traceback.format_exception_only(error)).strip()
    return grown, wrong


def differ(first, trees, jobs, minutes):
    """Compare many trees; return how many there was time for, had a test, and what differs."""
    end, done, grown, wrong = perf_counter() + 60 * minutes, 0, 0, {}
    parts = [range(k, min(k + PART, first + trees)) for k in range(first, first + trees, PART)]
    with ProcessPoolExecutor(jobs) as pool:
        for group in (parts[k : k + jobs] for k in range(0, len(parts), jobs)):
            if perf_counter() > end:
                break
            for numbers, (some, bad) in zip(group, pool.map(compared, group), strict=True):
                done, grown, wrong = done + len(numbers), grown + some, wrong | bad
            print(f"{done:,} trees; differ: {sorted(wrong)}", file=sys.stderr, flush=True)
    return done, grown, wrong


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help=f"{QUICK} trees")
    parser.add_argument("--trees", type=int, default=MANY)
    parser.add_argument("--first", type=int, default=0, help="the number of the first tree")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="at most")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tree", type=int, help="this one only")
    return parser.parse_args()


def main():
    os.environ.setdefault("TREELAB_THREADS", "1")
    options = arguments()
    if options.tree is not None:
        data, setting = task(options.tree)
        print(setting, data, f"{compare(options.tree)} leaves: the same both ways", sep="\n")
        return 0
    trees = QUICK if options.quick else options.trees
    done, grown, wrong = differ(options.first, trees, options.jobs, options.minutes)
    for number, words in sorted(wrong.items()):
        print(f"tree {number}: {words}", file=sys.stderr)
    figure = f"{done:,} trees, {grown:,} of them with a test, {len(wrong)} differ"
    check = "differential: random trees equal a brute-force builder's"
    ok = tell(check, figure, not wrong, ["treelab.learner"])
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
