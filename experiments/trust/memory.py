"""The peak memory of every main command.

    python experiments/trust/memory.py [--quick]         needs Linux

The data are a CSV file of numbers: 20,000 cases (--quick: 2,000) of 20 features and two classes;
commands that look at pairs of cases get 1,000 such. The peak is that of the whole process,
Python, numpy and numba included, and how much that is above the peak for 200 cases in a process
that has loaded the same modules: few cases may not need them all (learners that tie on every fold
need no t-test, and so none of the 40 MB of scipy.stats).
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from report import tell

FEATURES = 20
FEW, SOME = 200, 1_000
MOST_TABLES = 25
"""A command may take so many tables of numbers (8 bytes a cell) beyond what it takes for a few
cases: every cell is a cut, and an exact search holds the order of the cases at two depths and, for
all cuts of a depth, their counts, gains and about a dozen arrays that these are computed from."""
MOST_CODE = 10
"""So many megabytes more are allowed for kernels that a few cases do not need."""

MODULES = "modules.txt"
"""Where a process leaves the names of the modules that it has loaded."""

# The peak of a process begins anew with its program, unlike what getrusage tells.
RUN = """
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from treelab.cli import main
here, modules, *words = sys.argv[1:]
sys.argv = ["treelab", *words]
for name in Path(modules).read_text().split() if modules else ():
    with suppress(ImportError):
        import_module(name)
try:
    main()
finally:
    lines = Path("/proc/self/status").read_text().splitlines()
    print(next(line.split()[1] for line in lines if line.startswith("VmHWM")), file=sys.stderr)
    Path(here).write_text("\\n".join(sys.modules))
"""

COMMANDS = {
    "datasets": ["datasets"],
    "train": ["train", "DATA", "-q", "-o", "m.json"],
    "train --bins 255": ["train", "DATA", "-q", "--bins", "255", "-o", "b.json"],
    "predict": ["predict", "m.json", "DATA", "-o", "p.csv"],
    "render": ["render", "m.json", "-o", "t.svg"],
    "export html": ["export", "m.json", "--to", "html", "-o", "t.html"],
    "why": ["why", "m.json", "DATA"],
    "rank gain": ["rank", "DATA", "--metric", "gain"],
    "rank relieff": ["rank", "SOME", "--metric", "relieff"],
    "select": ["select", "SOME", "-k", "2"],
    "discretize": ["discretize", "DATA", "--method", "mdlp", "-o", "d.csv"],
    "reduce cases": ["reduce", "cases", "DATA", "--method", "stratified", "--size", "0.2",
                     "-o", "r.csv"],
    "reduce features": ["reduce", "features", "DATA", "--method", "pca", "-o", "f.csv"],
    "compare": ["compare", "SOME", "--folds", "2", "--metric", "gain,gini", "-o", "c"],
}  # fmt: skip


def write_data(path, cases):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(cases, FEATURES)).round(4)
    y = (x[:, 0] + x[:, 1] * x[:, 2] + rng.normal(0, 0.5, cases) > 0).astype(int)
    head = ",".join([*(f"x{j}" for j in range(FEATURES)), "class"])
    rows = np.char.mod("%g", x)
    lines = (",".join([*row, f"c{label}"]) for row, label in zip(rows.tolist(), y, strict=True))
    path.write_text("\n".join([head, *lines]) + "\n")


def peak(words, folder, modules=""):
    """Run a command, some modules being loaded; return the peak of its memory in megabytes."""
    paths = os.pathsep.join(filter(None, map(os.path.abspath, sys.path)))
    call = [sys.executable, "-c", RUN, MODULES, str(modules), *words]
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(
        call, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"treelab {' '.join(words)}: {done.stderr}")
    return int(done.stderr.split()[-1]) / 1000


def folder_with(cases, folder):
    """Make a folder with the data."""
    folder.mkdir()
    write_data(folder / "data.csv", cases)
    write_data(folder / "some.csv", min(cases, SOME))


def main():
    cases = 2_000 if "--quick" in sys.argv else 20_000
    names, verdicts = {"DATA": "data.csv", "SOME": "some.csv"}, []
    with tempfile.TemporaryDirectory() as name:
        large, small = Path(name) / "large", Path(name) / "small"
        folder_with(cases, large)
        folder_with(FEW, small)
        for command, words in COMMANDS.items():
            n = min(cases, SOME) if "SOME" in words else cases
            given, table = [names.get(word, word) for word in words], n * FEATURES * 8 / 1e6
            peak(given, large)  # the first run may have to compile
            megabytes = peak(given, large)
            base = peak(given, small, large / MODULES)
            more = f"{megabytes - base:+,.0f} MB for a table of {table:.1f} MB"
            ok = megabytes < base + MOST_CODE + MOST_TABLES * table
            check, figure = f"treelab {command}, {n:,} x {FEATURES}", f"{megabytes:,.0f} MB, {more}"
            verdicts.append(tell(f"memory: {check}", figure, ok))
    sys.exit(not all(verdicts))


if __name__ == "__main__":
    main()
