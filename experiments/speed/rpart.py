"""rpart as a peer, where `Rscript` and its package are found.

R takes the time itself, for the fit alone: starting R and reading the data do not count.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from bench import Peer, Timed

DEEPEST = 30  # rpart numbers nodes by their path: it grows no deeper

SCRIPT = """
args <- commandArgs(TRUE)
n <- as.integer(args[2]); f <- as.integer(args[3]); depth <- as.integer(args[4])
values <- readBin(args[1], "double", n * (f + 1))
data <- as.data.frame(matrix(values, n))
data[[f + 1]] <- factor(data[[f + 1]])
names(data)[f + 1] <- "y"
how <- rpart::rpart.control(minsplit = 2, minbucket = 1, cp = 0, maxdepth = depth, xval = 0,
                            maxcompete = 0, maxsurrogate = 0)
start <- proc.time()[["elapsed"]]
tree <- rpart::rpart(y ~ ., data, method = "class", parms = list(split = "information"),
                     control = how)
cat(proc.time()[["elapsed"]] - start, nrow(tree$frame))
"""


def rpart_tree(x: np.ndarray, y: np.ndarray, depth: int | None, wanted: float) -> Peer:
    """Return rpart's tree by the gain, neither pruned nor cross-validated."""
    if not is_installed():
        return Peer("rpart", None, wanted)
    return Peer("rpart", lambda: fit(x, y, min(depth or DEEPEST, DEEPEST)), wanted, size)


def is_installed() -> bool:
    """Tell whether R and its package rpart are there."""
    r = shutil.which("Rscript")
    call = [r, "-e", "library(rpart)"]
    return r is not None and not subprocess.run(call, check=False, capture_output=True).returncode


def fit(x: np.ndarray, y: np.ndarray, depth: int) -> Timed:
    """Grow a tree; return the time and the number of its nodes."""
    with tempfile.TemporaryDirectory() as folder:
        values, script = Path(folder) / "values", Path(folder) / "grow.R"
        script.write_text(SCRIPT)
        np.column_stack([x, y]).T.tofile(values)
        size = map(str, (len(x), x.shape[1], depth))
        call = ["Rscript", script, values, *size]
        said = subprocess.run(call, capture_output=True, text=True, check=True).stdout.split()
    return Timed(float(said[0]), int(said[1]))


def size(ours, nodes: int) -> dict:
    """Tell the sizes of treelab's tree and rpart's, which differ: see README, Limits."""
    return {"nodes": [ours.n_nodes, nodes]}
