"""A connection to a Dask cluster: what trees of scanned data and studies share.

`connected` gives a client of a running cluster, or of one that is started here and closed again,
and turns what can happen to a cluster into one sentence.
"""

import asyncio
import ctypes
import logging
import os
import signal
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import resource_tracker
from time import monotonic
from typing import Any

import attrs

from treelab import __version__
from treelab._current_folder import SAFE, left_by_children
from treelab.errors import MissingExtraError, ParameterError, TreelabError, check_number, shown

PATIENCE = 30.0
"""Seconds without a single worker after which nobody is waited for."""

PAUSED = 60.0
"""Seconds with all workers paused for memory, none at work, after which nobody is waited for."""

NEAR = 0.65
"""The share of its memory limit from which on a worker gives free memory back after every task."""

LOOK = 5.0
"""Seconds without a result after which somebody looks what the workers do."""

CONNECT = 10.0
"""Seconds that a scheduler has to answer."""

FAILURES = 50
"""So many workers may die under one task before the task is blamed for it."""

SETTINGS = {
    "distributed.scheduler.allowed-failures": FAILURES,
    "distributed.deploy.lost-worker-timeout": "1h",  # else workers that die twice are given up
    "distributed.worker.profile.enabled": False,  # takes a tenth of the time, and nobody looks
    # Else memory goes back to the system after every array, and comes back a page at a time.
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,
    "distributed.admin.large-graph-warning-threshold": "1TB",  # data travel with their tasks
}
"""Settings of a cluster of one's own; the last one is the client's."""

LOGGERS = ("distributed", "distributed.client", "tornado", "tornado.application")
"""Those that print; what matters of it is raised as an error."""

VERSION = "__import__('treelab').__version__"
"""Evaluated on the cluster, where treelab may be another or missing, so by no function of it."""


class EngineError(TreelabError):
    """The cluster is gone; the text says what of it."""


@contextmanager
def connected(
    scheduler: Any = None, workers: int | None = None, memory_limit: str | None = None
) -> Iterator[Any]:
    """Give a client of a cluster that has workers, all of them with this version of treelab."""
    try:
        import distributed  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtraError("engine='dask'", "distributed", "dask") from None
    _check_resources(scheduler, workers, memory_limit)
    with _client(scheduler, workers, memory_limit) as client, losses_told(client):
        check_workers(client)
        check_versions(client)
        yield client


@contextmanager
def _client(scheduler: Any, workers: int | None, memory_limit: str | None) -> Iterator[Any]:
    import dask
    import distributed

    theirs = scheduler if isinstance(scheduler, distributed.Client) else None
    if scheduler is None and workers is None and memory_limit is None:
        theirs = running_client()
    if theirs is not None:
        yield theirs
        return
    with _quiet(), dask.config.set(SETTINGS), ExitStack() as stack:
        if scheduler is None:
            cluster = stack.enter_context(_started(workers, memory_limit))
            yield stack.enter_context(distributed.Client(cluster, set_as_default=False))
        else:
            yield stack.enter_context(_reached(scheduler))


def _started(workers: int | None, memory_limit: str | None) -> Any:
    from distributed import LocalCluster

    with _uninterrupted(), left_by_children():
        return LocalCluster(
            n_workers=workers or os.cpu_count(), threads_per_worker=1, processes=True,
            memory_limit=memory_limit or "auto", dashboard_address=":0",
            silence_logs=logging.CRITICAL, env={"TREELAB_THREADS": "1", SAFE: "1"},
        )  # fmt: skip


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Keep Ctrl-C from threads and processes that begin here: whoever started them ends them."""
    if not hasattr(signal, "pthread_sigmask"):  # as on Windows
        yield
        return
    resource_tracker.ensure_running()  # else the first process started begins it, and lets it in
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def running_client() -> Any:
    """Return the client that is the default here, if any."""
    try:
        import distributed

        return distributed.default_client()
    except (ModuleNotFoundError, ValueError):
        return None


def check_workers(client: Any) -> None:
    """Raise unless there is a worker, if only a paused one, or one comes before long."""
    if _workers(client):
        return
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise EngineError(
            f"there has been no Dask worker for {PATIENCE:.0f} seconds: start some, and try again"
        ) from None


def _workers(client: Any) -> list[dict[str, Any]]:
    """Return what the scheduler knows of each worker."""
    return list(client.scheduler_info()["workers"].values())


@attrs.define
class Lookout:
    """Looks after the workers while a result is waited for, and says what keeps them."""

    client: Any
    say: Callable[[str], None] = lambda _: None
    since: float | None = None

    def look(self) -> None:
        """Raise where nothing is to be expected: no worker, or none at work, some being paused."""
        from dask.utils import format_bytes

        workers = _workers(self.client)
        if not workers:
            check_workers(self.client)
        paused = [each for each in workers if each["status"] == "paused"]
        if not paused or any(map(_is_at_work, workers)):
            self.since = None
            return
        limit = format_bytes(min(each["memory_limit"] for each in paused))
        which = f"{len(paused)} of {len(workers)} workers are"
        text = f"nothing goes on: {which} paused, near their memory limit of {limit}"
        if self.since is None:
            self.since = monotonic()
            self.client.run(trim, on_error="ignore")
        elif monotonic() - self.since > PAUSED:
            raise EngineError(
                f"{text}, for {PAUSED:.0f} seconds now: make partitions smaller, or give workers "
                "more memory"
            )
        self.say(text)


def _is_at_work(worker: dict[str, Any]) -> bool:
    counts = worker.get("metrics", {}).get("task_counts", {})
    return bool(counts.get("executing", 0))


def make_room() -> None:
    """Give memory that is free back to the system where a worker is near its limit.

    Dask pauses a worker by what the system says it holds, free or not, and a paused one does not
    begin the tasks that it has.
    """
    from distributed import get_worker

    worker = get_worker()
    limit = worker.memory_manager.memory_limit
    if limit and worker.monitor.proc.memory_info().rss > NEAR * limit:
        trim()


def trim() -> None:
    """Give memory that is free back to the system, where the C library can."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def check_version(asked: str) -> None:
    """Raise on a worker, which may have come after all had been checked, of another treelab."""
    if asked != __version__:
        raise ParameterError(
            f"a Dask worker has treelab {__version__}, but where the work was started it is "
            f"{asked}: results need the same one everywhere"
        )


def check_versions(client: Any) -> None:
    """Raise unless scheduler and workers have this version of treelab."""
    found = client.run(eval, VERSION, on_error="return")
    for who, version in {**_of_scheduler(client), **found}.items():
        gone = isinstance(version, Exception) and not isinstance(version, ImportError)
        if version != __version__ and not gone:
            other = f"treelab {version}" if isinstance(version, str) else "no treelab"
            raise ParameterError(
                f"the Dask {_role(who)} has {other}, but here it is {__version__}: results need "
                "the same one everywhere"
            )


def _of_scheduler(client: Any) -> dict[str, Any]:
    """Return what the scheduler has: tasks pass through its hands."""
    try:
        return {"": client.run_on_scheduler(eval, VERSION)}
    except ImportError as error:
        return {"": error}


def _role(address: str) -> str:
    return f"worker {address}" if address else "scheduler"


def _check_resources(scheduler: Any, workers: int | None, memory_limit: str | None) -> None:
    from dask.utils import parse_bytes

    given = {"workers": workers, "memory_limit": memory_limit}
    told = [name for name, value in given.items() if value is not None]
    if scheduler is not None and told:
        raise ParameterError(
            f"{' and '.join(told)} is for workers that are started here: a scheduler has its own"
        )
    if workers is not None:
        check_number("workers", workers, 1, whole=True)
    try:
        parse_bytes(0 if memory_limit is None else memory_limit)
    except (ValueError, TypeError, AttributeError):
        raise ParameterError(
            f"memory_limit must be a size such as '2GB', got {shown(memory_limit)}"
        ) from None


def _reached(address: Any) -> Any:
    import distributed
    from distributed.comm.addressing import resolve_address

    if not isinstance(address, str):
        raise ParameterError(f"scheduler must be an address or a Client, got {shown(address)}")
    try:
        resolve_address(address)  # else what is no address is said a second time, when time is up
        return distributed.Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, OverflowError, ValueError, TimeoutError):
        raise ParameterError(f"no Dask scheduler answers at {address!r}") from None


@contextmanager
def losses_told(client: Any) -> Iterator[None]:
    """Say in one sentence what became of a cluster."""
    from distributed import KilledWorker

    try:
        yield
    except KilledWorker as error:
        raise EngineError(killed(error)) from None
    except (Exception, asyncio.CancelledError) as error:
        if isinstance(error, TreelabError) or not _is_lost(client, error):
            raise
        raise EngineError("the Dask scheduler is gone, and what it was doing with it") from None


def killed(error: Any) -> str:
    """Return what Dask says of a task under which workers died, in one sentence."""
    return (
        f"{error.allowed_failures + 1} workers died under the same task ({error.task}): it may "
        "need more memory than they have"
    )


def _is_lost(client: Any, error: BaseException) -> bool:
    from distributed.comm.core import CommClosedError

    ends = (asyncio.CancelledError, futures.CancelledError, CommClosedError)
    return isinstance(error, ends) or client.status != "running"


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what Dask logs from being printed."""
    handlers = {handler for name in LOGGERS for handler in logging.getLogger(name).handlers}
    levels = {handler: handler.level for handler in handlers}
    for handler in levels:
        handler.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for handler, level in levels.items():
            handler.setLevel(level)
