"""Trees of partitions: on Dask, in this process and in memory; beside LightGBM on Dask.

    python experiments/speed/scale.py --cases 1 4 10 --folder generated    # millions of cases
    python experiments/speed/scale.py --cases 25 --runs local dask --memory-limit 1GB

Each run is a process of its own and prints a line: seconds of the clock and of processors (workers
included), the phases of a scan, a digest of the tree, peak memory of the process and, on Dask, of
the largest worker: as the system kept it, and as it was seen ten times a second, with those that
were started anew. `start_s` is how long a cluster takes before there are any data.
"""

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

FEATURES, BINS, DEPTH, WORKERS = 20, 255, 10, 2
ROWS_OF_A_FILE = 2**19
RUNS = ("memory", "local", "dask", "lightgbm")


def write(folder, millions):
    """Write files of 15 continuous numbers and 5 of few values, two classes with noise."""
    folder.mkdir(parents=True, exist_ok=True)
    import pyarrow as pa
    import pyarrow.parquet as pq

    left = int(millions * 1e6)
    for k in range(-(-left // ROWS_OF_A_FILE)):
        path, n = folder / f"part-{k:04}.parquet", min(ROWS_OF_A_FILE, left)
        left -= n
        if path.exists():
            continue
        rng = np.random.default_rng([7, k])
        x = rng.normal(size=(FEATURES, n))
        x[15:] = rng.integers(0, 50, (5, n))
        signal = x[0] + x[1] * x[2] + np.sin(3 * x[3]) + (x[15] > 30) * x[4]
        y = np.array(["n", "p"])[(signal + rng.normal(size=n) > 0).astype(int)]
        columns = {f"x{f}": x[f] for f in range(FEATURES)} | {"y": y}
        pq.write_table(pa.table(columns), path)


def memory(folder):
    """Read everything, then grow."""
    import treelab as tl

    start = time.perf_counter(), time.process_time()
    whole = _read(folder)
    read = time.perf_counter() - start[0], time.process_time() - start[1]
    tl.grow(whole.take(range(20_000)), **how())  # what is compiled is not timed
    start = time.perf_counter(), time.process_time()
    tree = tl.grow(whole, **how())
    grown = time.perf_counter() - start[0], time.process_time() - start[1]
    return of_tree(tree) | {"read_s": read, "grow_s": grown}


def of_tree(tree):
    """Return what a tree is, to be compared between runs."""
    from treelab.tree.model import ARRAYS

    content = b"".join(getattr(tree, name).tobytes() for name in ARRAYS)
    return {"nodes": tree.n_nodes, "tree": hashlib.sha256(content).hexdigest()[:16]}


def _read(folder):
    import pyarrow.parquet as pq

    import treelab as tl

    return tl.Dataset.from_frame(pq.read_table(folder), "y")


def how():
    return {"bins": BINS, "max_depth": DEPTH, "pruner": PRUNER, "metric": "gain"}


PRUNER = os.environ.get("SCALE_PRUNER", "none")


def local(folder):
    return scanned(folder, engine="local")


def dask(folder):
    with cluster(os.environ.get("SCALE_MEMORY")) as (client, about):
        found = scanned(folder, engine="dask", scheduler=client)
        return found | about()


def scanned(folder, **settings):
    import treelab as tl

    phases, last = {}, ["", time.perf_counter()]

    def note(text):
        now = time.perf_counter()
        phases[last[0]] = phases.get(last[0], 0.0) + now - last[1]
        last[:] = [text.split(":")[0].split(" level")[0], now]

    tree = tl.grow(tl.scan(str(folder), "y", progress=note, **settings), **how())
    note("")
    return of_tree(tree) | {"phases": {k: round(v, 2) for k, v in phases.items() if k}}


def lightgbm(folder):
    import dask.dataframe as dd
    from lightgbm import DaskLGBMClassifier

    with cluster() as (client, about), client.as_current():
        # Not `read_parquet`, which may read features and classes in different partitions.
        frame = dd.from_map(_frame, sorted(folder.iterdir()))
        model = DaskLGBMClassifier(
            client=client, n_estimators=1, max_depth=DEPTH, num_leaves=2**DEPTH, max_bin=BINS,
            min_child_samples=2, min_child_weight=0, learning_rate=1.0, verbose=-1, num_threads=1,
        )  # fmt: skip
        start = time.perf_counter()
        model.fit(frame.drop(columns="y"), frame["y"])
        leaves = model.booster_.trees_to_dataframe().left_child.isna().sum()
        fitted = time.perf_counter() - start
        return {"leaves": int(leaves), "fit_s": fitted} | about()


def _frame(path):
    import pandas as pd

    return pd.read_parquet(path)


@contextmanager
def cluster(limit=None):
    """Start two workers of one thread, as treelab does; give a client, and what they took."""
    from treelab._cluster import connected

    start = time.perf_counter()
    with connected(workers=WORKERS, memory_limit=limit) as client:
        watch = Watch(client.run(os.getpid).values())
        started = time.perf_counter() - start

        def about():
            kept = max(client.run(_peak).values())
            return {"start_s": round(started, 1), "worker_peak_mb": kept} | watch.ended()

        yield client, about


class Watch(threading.Thread):
    """Looks at the memory of all workers, new ones included, ten times a second."""

    def __init__(self, pids):
        super().__init__(daemon=True)
        self.first, self.seen, self.n_looks, self.over = set(pids), {}, 0, threading.Event()
        self.start()

    def run(self):
        import psutil

        while not self.over.wait(0.1):
            self.n_looks += 1
            for process in psutil.Process().children(recursive=True):
                try:
                    resident = process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue
                self.seen[process.pid] = max(resident, self.seen.get(process.pid, 0))

    def ended(self):
        self.over.set()
        seen = max(self.seen.values(), default=0) // 2**20
        fresh = len(self.seen.keys() - self.first)
        return {"worker_seen_mb": seen, "looks": self.n_looks, "other_processes": fresh}


def _peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def one(what, folder):
    """Run one thing in this process and print what it took."""
    start = time.perf_counter()
    found = globals()[what](folder)
    of_all = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(usage.ru_utime + usage.ru_stime for usage in of_all)
    line = {"run": what, "folder": folder.name, "wall_s": round(time.perf_counter() - start, 1)}
    line |= {"cpu_s": round(cpu, 1), "peak_mb": _peak(), "load": round(os.getloadavg()[0], 1)}
    print(json.dumps(line | found), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=float, nargs="+", default=[1.0, 4.0, 10.0])
    parser.add_argument("--folder", type=Path, default=Path("scale-data"))
    parser.add_argument("--runs", nargs="+", choices=RUNS, default=RUNS)
    parser.add_argument("--memory-limit", help="of each Dask worker, such as 1GB")
    parser.add_argument("--one", choices=RUNS)
    given = parser.parse_args()
    if given.one:
        one(given.one, given.folder)
        return
    environment = os.environ | {"TREELAB_THREADS": "2"}
    if given.memory_limit:
        environment["SCALE_MEMORY"] = given.memory_limit
    for millions in given.cases:
        folder = given.folder / f"{millions:g}M"
        write(folder, millions)
        for run in given.runs:
            call = [sys.executable, __file__, "--one", run, "--folder", str(folder)]
            subprocess.run(call, check=False, env=environment)


if __name__ == "__main__":
    main()
