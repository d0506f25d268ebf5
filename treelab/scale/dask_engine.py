"""`DaskEngine`: the parts live on Dask workers; counts are summed there, and decided upon here.

Every task is a pure function of others' results, down to reading a partition, so what a lost worker
held is computed again: plain futures, nothing scattered, no worker is bound to anything.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from typing import Any, ClassVar
from weakref import WeakSet

import attrs

from treelab import __version__, _cluster
from treelab.scale.pieces import DelayedPiece, FramePiece
from treelab.stats.stores.engine import Add, Common, Done, Say, Task, do_nothing, say_nothing

TOGETHER = 4
"""So many results are added up in one task, which holds all of them."""


@attrs.frozen(eq=False, repr=False)
class Call:
    """A task with what is common to all parts, in one piece that Dask does not look into.

    It goes to workers of the same version only, which may have joined at any time.
    """

    task: Task
    common: Common
    version: str = __version__

    @property
    def name(self) -> str:
        """What the tasks are called on the cluster."""
        return f"treelab-{getattr(self.task, '__qualname__', 'task')}"

    def __repr__(self) -> str:
        return self.name  # which Dask asks for at every turn: all that is common would take long

    def __call__(self, own: tuple[Any, ...]) -> Any:
        _cluster.check_version(self.version)
        found = self.task(*own, *self.common)
        _cluster.make_room()
        return found


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
    say: Say = say_nothing
    futures: WeakSet[Any] = attrs.field(factory=WeakSet)

    def watched(self, done: Done, say: Say) -> "DaskEngine":
        return attrs.evolve(self, done=done, say=say)

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
        lookout = _cluster.Lookout(self.client, self.say)
        while True:
            try:
                return future.result(timeout=_cluster.LOOK)
            except TimeoutError:
                lookout.look()
            except (ImportError, AttributeError):  # what was sent is not known there
                _cluster.check_versions(self.client)
                raise


@contextmanager
def dask_engine(
    scheduler: Any = None, workers: int | None = None, memory_limit: str | None = None
) -> Iterator[DaskEngine]:
    """Give an engine on a running cluster, or on one that is started here and closed again."""
    with _cluster.connected(scheduler, workers, memory_limit) as client:
        engine = DaskEngine(client)
        try:
            yield engine
        except KeyboardInterrupt:
            engine.cancel()
            raise
