"""Binned trees, 255 bins, depth 10: against scikit-learn's exact tree, LightGBM, and in memory."""

import json
import subprocess
import sys
from pathlib import Path

from bench import classes, compare, dataset, grown, main, numbers, row
from peers import lightgbm_tree, sklearn_tree

PEAK = Path(__file__).with_name("peak.py")
BINS, DEPTH = 255, 10
WANTED = {100_000: 20.0, 1_000_000: 30.0}


def rows(quick):
    sizes = {2_000: 20.0} if quick else WANTED
    for n, wanted in sizes.items():
        x = numbers(n)
        for n_classes, peer in ((3, exact), (2, lightgbm_tree)):
            y = classes(x, n_classes)
            yield from compare(
                "binned tree",
                f"{n:,} x 20, {n_classes} classes",
                grown(dataset(x, y), bins=BINS, max_depth=DEPTH),
                peer(x, y, DEPTH, wanted if peer is exact else 1.0),
                runs=1 if quick else 3,
                is_warm=n >= 1_000_000,
            )
    yield memory(max(sizes))


def exact(x, y, depth, wanted):
    return sklearn_tree(x, y, depth, wanted, exact=False)


def memory(n):
    """Return the peak of a fit in a process of its own, input included, beside the input."""
    call = [sys.executable, PEAK, str(n)]
    found = json.loads(subprocess.run(call, capture_output=True, check=True, text=True).stdout)
    case = f"peak memory, {n:,} x 20, input included"
    return row("binned tree", case, found["peak"], "the input", found["input"], 1 / 2, unit="mb")


if __name__ == "__main__":
    main(rows)
