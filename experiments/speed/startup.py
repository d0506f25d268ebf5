"""What a new process waits for: imports, help, the first tree, and the first compilation ever.

Whole processes are timed, the start of Python included, as a user waits for them.
"""

import os
import subprocess
import sys
import tempfile

from bench import Peer, alternating, compare, main, row, timed

SKLEARN = "import sklearn.tree"
FIT = "import treelab as tl; data = tl.load('iris'); tl.grow(data).predict(data)"
COMMON = FIT + "; data = tl.load('mushroom'); tl.grow(data).predict(data)"


def rows(quick):
    runs = 1 if quick else 5
    sklearn = python("-c", SKLEARN)
    for case, ours, wanted in (
        ("import treelab", python("-c", "import treelab"), 1.5),
        ("treelab --help", python("-m", "treelab", "--help"), 0.5),
    ):
        yield from compare("start", case, ours, Peer(SKLEARN, sklearn, wanted), runs=runs)
    (fit, _), (peer, _) = alternating([python("-c", FIT), sklearn], runs)
    case = "first tree, compiled before: at most one second more"
    yield row("start", case, fit, SKLEARN, peer, peer / (peer + 1.0))
    if not quick:
        yield first_ever()


def python(*arguments, **environment):
    """Return a function that runs Python."""
    call, env = [sys.executable, *arguments], os.environ | environment
    return lambda: subprocess.run(call, env=env, capture_output=True, check=True)


def first_ever():
    """Time trees of numeric and nominal data and their predictions, nothing being compiled."""
    with tempfile.TemporaryDirectory() as empty:
        first = timed(python("-c", COMMON, NUMBA_CACHE_DIR=empty)).seconds
    return row("start", "first trees ever, nothing compiled", first, "30 seconds", 30.0, 1.0)


if __name__ == "__main__":
    main(rows)
