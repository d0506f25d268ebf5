"""`DaskTrials`: trials as tasks on the workers of a Dask cluster.

A trial is a plain future. When its worker dies, Dask gives it to another one; what is done is here
already.
"""

from collections.abc import Generator
from contextlib import closing
from itertools import islice
from typing import Any

import attrs

from treelab import __version__, _cluster
from treelab.experiment.engines import Outcomes
from treelab.experiment.record import Record, Work

AHEAD = 2
"""So many trials a thread are with the cluster: one at work, one to go on with."""


@attrs.frozen(eq=False)
class DaskTrials:
    """Carries out trials on the workers of a client."""

    client: Any
    measures_memory: bool = False

    def outcomes(self, trials: list[Work]) -> Outcomes:
        suspects = []
        with _cluster.losses_told(self.client):
            with closing(self._results(trials)) as results:
                for trial, result in results:
                    if isinstance(result, Record):
                        yield trial, result
                    else:
                        suspects.append(trial)
            # Of the trials that a dead worker had, one may be to blame: now each is on its own.
            for trial in suspects:
                with closing(self._results([trial])) as results:
                    yield from ((trial, _blamed(result)) for _, result in results)

    def _results(self, trials: list[Work]) -> Generator[tuple[Work, Any], None, None]:
        """Give trials with their records, or with the error if workers died again and again."""
        waiting, under_way = iter(trials), dict[Any, Work]()
        try:
            while True:
                for trial in islice(waiting, max(0, self._room - len(under_way))):
                    under_way[self._submitted(trial)] = trial
                if not under_way:
                    return
                for future in self._done(list(under_way)):
                    yield under_way.pop(future), self._result(future)
        finally:
            self._cancel(list(under_way))

    @property
    def _room(self) -> int:
        n_threads: int = sum(self.client.nthreads().values())
        return AHEAD * max(1, n_threads)

    def _submitted(self, trial: Work) -> Any:
        return self.client.submit(carried_out, trial, __version__, pure=False)

    def _done(self, futures: list[Any]) -> list[Any]:
        """Return those that are done, as soon as one is."""
        from distributed import wait

        lookout = _cluster.Lookout(self.client)
        while True:
            try:
                with self.client.as_current():
                    wait(futures, timeout=_cluster.LOOK, return_when="FIRST_COMPLETED")
            except TimeoutError:
                lookout.look()
            else:
                return [future for future in futures if future.done()]

    def _result(self, future: Any) -> Any:
        from distributed import KilledWorker

        try:
            return future.result()
        except KilledWorker as error:
            return error

    def _cancel(self, futures: list[Any]) -> None:
        if futures and self.client.status == "running":
            self.client.cancel(futures)


def _blamed(result: Any) -> Record:
    return result if isinstance(result, Record) else Record(error=_cluster.killed(result))


def carried_out(trial: Work, version: str) -> Record:
    """Carry out a trial on a worker, which may have come after all had been checked."""
    _cluster.check_version(version)
    return trial.carry_out()
