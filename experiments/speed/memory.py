"""How much memory reading a file takes at its peak, beside the data set that comes of it.

`python memory.py`: rows for Parquet and CSV; `python memory.py FILE`: reads it in this process,
which then holds nothing but the modules and what reading takes. Needs Linux.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from bench import main, row
from peak import forget_the_peak, resident

import treelab as tl

WANTED = 1 / 1.5
COLOURS = np.array(["red", "dark blue", "green", "it is grey"])
FEATURES, LABELS = 20, 4


def rows(quick):
    n = 2_000 if quick else 2_000_000
    with tempfile.TemporaryDirectory() as folder:
        for path in written(Path(folder), n):
            call = [sys.executable, __file__, str(path)]
            found = subprocess.run(call, capture_output=True, check=True, text=True).stdout
            peak, size = json.loads(found)
            megabytes = path.stat().st_size / 1e6
            case = f"{path.suffix[1:]}, {n:,} x {FEATURES}, {LABELS} nominal, {megabytes:.0f} MB"
            yield row("peak memory of reading", case, peak, "the data set", size, WANTED, "mb")


def written(folder, n):
    """Write the same cases as Parquet and as CSV."""
    import pyarrow as pa
    from pyarrow import csv, parquet

    rng = np.random.default_rng(0)
    columns = {f"x{f}": rng.normal(size=n).round(6) for f in range(FEATURES - LABELS)}
    columns |= {f"c{f}": COLOURS[rng.integers(0, 4, n)] for f in range(LABELS)}
    table = pa.table({**columns, "class": rng.choice(["no", "yes"], n)})
    paths = folder / "cases.parquet", folder / "cases.csv"
    parquet.write_table(table, paths[0])
    csv.write_csv(table, paths[1], csv.WriteOptions(quoting_style="needed"))
    return paths


def read(path):
    """Print the peak of reading a file and the size of the data set, in megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        for small in written(Path(folder), 100):
            tl.read(small, "class")  # imports and compiles everything
    before = resident("VmRSS")
    forget_the_peak()
    data = tl.read(path, "class")
    size = sum(column.nbytes for column in (*data.columns, data.y, data.weights)) / 1e6
    print(json.dumps([resident("VmHWM") - before, size]))


if __name__ == "__main__":
    if sys.argv[1:2] and not sys.argv[1].startswith("-"):
        read(Path(sys.argv[1]))
    else:
        main(rows)
