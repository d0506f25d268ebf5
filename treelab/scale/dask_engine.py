"""`DaskEngine`: the parts live on Dask workers; counts are summed there, and decided upon here.

Every task is a pure function of others' results, down to reading a partition, so what a lost worker
held is computed again: plain futures, nothing scattered, no worker is bound to anything.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import attrs

from treelab import _cluster
from treelab.scale.pieces import DelayedPiece, FramePiece
from treelab.stats.engine import Add, Common, Task

TOGETHER = 8
"""So many results are added up in one task."""


@attrs.frozen(eq=False)
class Call:
    """A task with what is common to all parts, in one piece that Dask does not look into."""

    task: Task
    common: Common

    def __call__(self, *own: Any) -> Any:
        return self.task(*own, *self.common)


@attrs.frozen(eq=False)
class Sum:
    """Adds up some results."""

    add: Add

    def __call__(self, first: Any, *others: Any) -> Any:
        for other in others:
            first = self.add(first, other)
        return first


@attrs.frozen(eq=False)
class DaskEngine:
    """Does the work on the workers of a client; handles are futures."""

    client: Any

    def deal(self, pieces: Iterable[Any]) -> list[Any]:
        """Return what tasks read: partitions of a `dask.dataframe` are computed on workers."""
        return [self._dealt(piece) for piece in pieces]

    def _dealt(self, piece: Any) -> Any:
        if not isinstance(piece, DelayedPiece):
            return piece
        frame = self.client.compute(piece.delayed)
        return self.client.submit(FramePiece, frame, piece.name, pure=False)

    def each(self, task: Task, *of_part: Iterable[Any], common: Common = ()) -> list[Any]:
        call = Call(task, common)
        return [self.client.submit(call, *own, pure=False) for own in zip(*of_part, strict=True)]

    def total(self, add: Add, task: Task, *of_part: Iterable[Any], common: Common = ()) -> Any:
        found, together = self.each(task, *of_part, common=common), Sum(add)
        while len(found) > 1:
            groups = [found[k : k + TOGETHER] for k in range(0, len(found), TOGETHER)]
            found = [self.client.submit(together, *group, pure=False) for group in groups]
        return self._waited(found[0])

    def fetch(self, handles: Sequence[Any]) -> list[Any]:
        return [self._waited(handle) for handle in handles]

    def _waited(self, future: Any) -> Any:
        while True:
            try:
                return future.result(timeout=_cluster.PATIENCE)
            except TimeoutError:
                _cluster.check_workers(self.client)


@contextmanager
def dask_engine(
    scheduler: Any = None, workers: int | None = None, memory_limit: str | None = None
) -> Iterator[DaskEngine]:
    """Give an engine on a running cluster, or on one that is started here and closed again."""
    with _cluster.connected(scheduler, workers, memory_limit) as client:
        yield DaskEngine(client)
