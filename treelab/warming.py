"""Compile before the first call: small data take the roads that train, predict and rank take."""

from contextlib import suppress
from time import perf_counter

from treelab.data.bundled import load
from treelab.errors import MissingExtraError
from treelab.learner import grow
from treelab.metrics import metric_info, metric_names
from treelab.selection import rank

DATA = ("iris", "labor", "diabetes-pima")
"""Numbers; labels, numbers and missing values; more numbers than a byte can count."""


def warmup() -> float:
    """Compile the kernels that growing, predicting and ranking need, and keep their code on disk.

    The first call of any of them would do so otherwise, and wait. Where the code is kept already,
    next to nothing is left to do.

    Returns
    -------
    float
        The seconds that it took.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.warmup() < 600.0
    True
    """
    start = perf_counter()
    for name in DATA:
        data = load(name)
        tree = grow(data)
        tree.predict_proba(data)
        with suppress(MissingExtraError):  # without frames there is nothing of theirs to compile
            tree.predict(data.to_frame())
    small = load("labor")
    # Only this search has a time limit, which compiling would use up.
    grow(small, search="optimal", max_depth=3, missing="branch", bins=5)
    for name in metric_names():
        if metric_info(name).needs == "pairs":
            rank(small, name)
    rank(small, "gain")
    return perf_counter() - start
