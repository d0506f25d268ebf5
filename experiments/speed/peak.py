"""How much memory a binned fit takes, in megabytes: `python peak.py CASES`; needs Linux.

The process is its own, so that it holds nothing but the modules, the input and what the fit takes.
"""

import json
import sys
from pathlib import Path

from bench import THREADS, classes, dataset, grown, numbers

import treelab as tl


def resident(which):
    """Return the memory of this process: VmRSS, what it has now, or VmHWM, its peak."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(which)) / 1000


def forget_the_peak():
    """Let the peak begin anew: making the data took more than they take."""
    Path("/proc/self/clear_refs").write_text("5")


def made(n):
    x = numbers(n)
    return dataset(x, classes(x))


def fit(data):
    grown(data, bins=255, max_depth=10)()


def main(n):
    tl.set_threads(THREADS)
    fit(made(1_000))  # imports and compiles everything
    before = resident("VmRSS")
    data = made(n)
    forget_the_peak()
    fit(data)
    size = sum(column.nbytes for column in (*data.columns, data.y, data.weights)) / 1e6
    print(json.dumps({"peak": resident("VmHWM") - before, "input": size}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
