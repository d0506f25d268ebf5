"""Ten thousand fits and predictions: memory, open files and threads stay as they are.

python experiments/trust/soak.py [--quick]         needs Linux
"""

import gc
import os
import sys
import threading
from pathlib import Path

import numpy as np
from report import tell

import treelab as tl

METRICS = ("gain", "gini", "gain-ratio-c45", "chi2", "relieff", "normalized-gini")
WARM_UP = 0.2
MOST_MB = 4


def resident():
    """Return the memory of this process in megabytes."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000


def open_files():
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208  (each entry would be opened)


def state():
    gc.collect()
    return resident(), open_files(), threading.active_count()


def work():
    """Return what is done again and again: the learner, the estimator, predictions, a file."""
    lenses, iris = tl.load("lenses"), tl.load("iris").take(range(0, 150, 3))
    X = np.column_stack(iris.columns)
    y = iris.labels

    def once(number):
        metric = METRICS[number % len(METRICS)]
        if number % 2:
            tree = tl.Learner(metric=metric, seed=number).fit(lenses)
            tree.predict(lenses)
            tree.predict_proba(lenses)
            tl.export(tree, "rules")
        else:
            tl.TreeClassifier(metric=metric, max_depth=3).fit(X, y).predict_proba(X)

    return once


def soak(fits):
    """Do so many fits; return the growth in megabytes, files and threads after a warm-up."""
    once, warm = work(), int(fits * WARM_UP)
    for number in range(warm):
        once(number)
    before = state()
    for number in range(warm, fits):
        once(number)
        if number % 1000 == 0:
            print(f"{number:,} fits, {resident():.1f} MB", file=sys.stderr)
    return [after - start for after, start in zip(state(), before, strict=True)]


def main():
    fits = 1_000 if "--quick" in sys.argv else 10_000
    megabytes, files, threads = soak(fits)
    figure = f"{fits:,} fits: {megabytes:+.1f} MB, {files:+d} files, {threads:+d} threads"
    ok = megabytes < MOST_MB and files <= 0 and threads <= 0
    sys.exit(not tell("soak: memory, open files and threads after many fits", figure, ok))


if __name__ == "__main__":
    main()
