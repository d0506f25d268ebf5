"""`DaskEngine`: the parts live on Dask workers; counts are summed there, and decided upon here.

Every task is a pure function of others' results, down to reading a partition, so what a lost worker
held is computed again: plain futures, nothing scattered, no worker is bound to anything.
"""

import logging
import os
from asyncio import CancelledError
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any, ClassVar
from weakref import WeakSet

import attrs

from treelab import __version__
from treelab.errors import MissingExtraError, ParameterError, TreelabError, shown
from treelab.scale.pieces import DelayedPiece, FramePiece
from treelab.stats.engine import Add, Common, Done, Task, do_nothing

TOGETHER = 8
"""So many results are added up in one task."""

PATIENCE = 30.0
"""Seconds without a single worker after which nobody is waited for."""

CONNECT = 10.0
"""Seconds that a scheduler has to answer."""

FAILURES = 50
"""So many workers may die under one task before the task is blamed for it."""

PATIENT = {
    "distributed.scheduler.allowed-failures": FAILURES,
    "distributed.deploy.lost-worker-timeout": "1h",  # else workers that die twice are given up
    "distributed.admin.large-graph-warning-threshold": "1TB",  # frames travel with their tasks
}
"""Settings of a cluster of one's own."""


class EngineError(TreelabError):
    """The cluster is gone; the text says what of it."""


@attrs.frozen(eq=False)
class Call:
    """A task with what is common to all parts, in one piece that Dask does not look into."""

    task: Task
    common: Common

    @property
    def name(self) -> str:
        """What the tasks are called on the cluster."""
        return f"treelab-{getattr(self.task, '__qualname__', 'task')}"

    def __call__(self, own: tuple[Any, ...]) -> Any:
        return self.task(*own, *self.common)


@attrs.frozen(eq=False)
class Sum:
    """Adds up some results."""

    add: Add
    name: ClassVar[str] = "treelab-sum"

    def __call__(self, found: list[Any]) -> Any:
        return reduce(self.add, found)


@attrs.frozen(eq=False)
class DaskEngine:
    """Does the work on the workers of a client; handles are futures."""

    client: Any
    done: Done = do_nothing
    futures: WeakSet[Any] = attrs.field(factory=WeakSet)

    def watched(self, done: Done) -> "DaskEngine":
        return attrs.evolve(self, done=done)

    def cancel(self) -> None:
        """Give up what is still to be done, which nobody else waits for: the client may live on."""
        for future in list(self.futures):
            future.release()

    def deal(self, pieces: Iterable[Any]) -> list[Any]:
        """Return what tasks read: partitions of a `dask.dataframe` are computed on workers."""
        return [self._dealt(piece) for piece in pieces]

    def _dealt(self, piece: Any) -> Any:
        if not isinstance(piece, DelayedPiece):
            return piece
        frame = self.client.compute(piece.delayed)
        return self.client.submit(FramePiece, frame, piece.name, pure=False)

    def each(self, task: Task, *of_part: Iterable[Any], common: Common = ()) -> list[Any]:
        own = [tuple(each) for each in zip(*of_part, strict=True)]
        found = self._map(Call(task, common), own)
        if self.done is not do_nothing:
            for future in found:
                future.add_done_callback(lambda _: self.done())
        return found

    def _map(self, task: "Call | Sum", of_part: Sequence[Any]) -> list[Any]:
        # Named, else Dask would write out all that is common to find a name.
        found: list[Any] = self.client.map(task, of_part, pure=False, key=task.name)
        self.futures.update(found)
        return found

    def total(self, add: Add, task: Task, *of_part: Iterable[Any], common: Common = ()) -> Any:
        found, together = self.each(task, *of_part, common=common), Sum(add)
        while len(found) > 1:
            groups = [found[k : k + TOGETHER] for k in range(0, len(found), TOGETHER)]
            found = self._map(together, groups)
        return self._waited(found[0])

    def join(self, task: Task, handles: Sequence[Any], common: Common = ()) -> Any:
        return self._map(Call(task, common), [(list(handles),)])[0]

    def fetch(self, handles: Sequence[Any]) -> list[Any]:
        return [self._waited(handle) for handle in handles]

    def _waited(self, future: Any) -> Any:
        while True:
            try:
                return future.result(timeout=PATIENCE)
            except TimeoutError:
                self._check_workers()

    def _check_workers(self) -> None:
        """Raise unless there is a worker, or one comes before long."""
        try:
            self.client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise EngineError(
                f"there has been no Dask worker for {PATIENCE:.0f} seconds: start some, and try "
                "again"
            ) from None


@contextmanager
def dask_engine(
    scheduler: Any = None, workers: int | None = None, memory_limit: str | None = None
) -> Iterator[DaskEngine]:
    """Give an engine on a running cluster, or on one that is started here and closed again."""
    try:
        import distributed
    except ModuleNotFoundError:
        raise MissingExtraError("engine='dask'", "distributed", "dask") from None
    from distributed.client import FutureCancelledError
    from distributed.comm.core import CommClosedError

    with _client(scheduler, workers, memory_limit) as client:
        _check_versions(client)
        engine = DaskEngine(client)
        try:
            yield engine
        except KeyboardInterrupt:
            engine.cancel()
            raise
        except distributed.KilledWorker as error:
            raise EngineError(
                f"workers died again and again under the same task ({error.task}): it may need "
                "more memory than they have"
            ) from None
        except (CancelledError, CommClosedError, FutureCancelledError):
            raise EngineError("the Dask scheduler is gone, and what it was doing with it") from None


@contextmanager
def _client(scheduler: Any, workers: int | None, memory_limit: str | None) -> Iterator[Any]:
    import dask
    import distributed

    if isinstance(scheduler, distributed.Client):
        yield scheduler
        return
    if scheduler is not None:
        with _connected(scheduler) as client:
            yield client
        return
    if workers is None and memory_limit is None and (running := running_client()) is not None:
        yield running
        return
    with dask.config.set(PATIENT), distributed.LocalCluster(
        n_workers=workers or os.cpu_count(), threads_per_worker=1, processes=True,
        memory_limit=memory_limit or "auto", dashboard_address=":0",
        silence_logs=logging.CRITICAL, env={"TREELAB_THREADS": "1"},
    ) as cluster, distributed.Client(cluster) as client:  # fmt: skip
        yield client


def running_client() -> Any:
    """Return the client that is the default here, if any."""
    try:
        import distributed

        return distributed.default_client()
    except (ModuleNotFoundError, ValueError):
        return None


def _connected(address: Any) -> Any:
    import distributed

    if not isinstance(address, str):
        raise ParameterError(f"scheduler must be an address or a Client, got {shown(address)}")
    try:
        return distributed.Client(address, timeout=CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError):
        raise ParameterError(f"no Dask scheduler answers at {address!r}") from None


def _check_versions(client: Any) -> None:
    for worker, version in client.run(_version).items():
        if version != __version__:
            raise ParameterError(
                f"the worker {worker} has treelab {version}, but here it is {__version__}: trees "
                "need the same one everywhere"
            )


def _version() -> str:
    return __version__
