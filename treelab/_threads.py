"""How many threads treelab uses, and the one place where they are started.

Kernels let go of Python's lock, so threads run them side by side. A result never depends on the
number of threads: jobs write to places of their own, or their results are joined in order.
"""

import os
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

from treelab.errors import check_number

Job = TypeVar("Job")
Result = TypeVar("Result")

LIMITS = ("TREELAB_THREADS", "OMP_NUM_THREADS")
"""What limits threads, the first one that is set; joblib sets the second in its workers."""

NAME = "treelab"

MOST = 256
"""More threads would take longer to start than they save."""

_chosen: int | None = None


def set_threads(n: int | None) -> None:
    """Set how many threads treelab uses.

    Results do not depend on it. Without a call it is the environment variable TREELAB_THREADS, or
    OMP_NUM_THREADS, or one thread per core the process may use.

    Parameters
    ----------
    n
        The number of threads; None: as the environment says.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.set_threads(1)
    >>> tl.set_threads(None)
    """
    global _chosen  # noqa: PLW0603  (a setting of the process)
    if n is not None:
        check_number("n", n, 1, whole=True)
    _chosen = n


def threads() -> int:
    """Return how many threads treelab uses."""
    chosen = _chosen  # read once: another thread may set it meanwhile
    if chosen is not None:
        return chosen
    for name in LIMITS:
        given = os.environ.get(name, "").strip()
        if given.isdecimal() and int(given) > 0:
            return int(given)
    return cores()


def cores() -> int:
    """Return how many cores the process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_parallel(function: Callable[[Job], Result], jobs: Iterable[Job]) -> list[Result]:
    """Return the function of every job, in the order of the jobs.

    A job that has jobs of its own does them itself: threads that wait for each other never end.

    >>> in_parallel(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    jobs = list(jobs)
    workers = min(threads(), len(jobs), MOST)
    if workers < 2 or threading.current_thread().name.startswith(NAME):
        return [function(job) for job in jobs]
    return list(_pool(workers, os.getpid()).map(function, jobs))


@cache
def _pool(workers: int, _process: int) -> ThreadPoolExecutor:
    """Return a pool that is kept; a forked process, which inherits no threads, makes its own."""
    return ThreadPoolExecutor(workers, thread_name_prefix=NAME)
