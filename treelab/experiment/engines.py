"""What carries out the trials of a study: this process, others on this machine, or Dask."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any, Protocol, TypeAlias

import attrs
import joblib
from joblib.parallel import BACKENDS

from treelab._current_folder import left_by_children
from treelab.errors import ParameterError, TreelabError, check_choice, check_number, shown
from treelab.experiment.record import Record, Work

Outcome: TypeAlias = tuple[Work, Record]
Outcomes: TypeAlias = Generator[Outcome, None, None]

ENGINES = ("local", "dask")
ONE_AT_A_TIME = ("loky", "sequential")
"""Backends whose processes do one trial after the other."""


class TrialEngine(Protocol):
    """Carries out trials."""

    @property
    def measures_memory(self) -> bool:
        """Whether trials have their processes to themselves: tracing in threads crashes Python."""
        ...

    def outcomes(self, trials: list[Work]) -> Outcomes:
        """Give trials and their records as they are done; those under way end with it."""
        ...


@attrs.frozen
class LocalTrials:
    """Carries out trials in this process, or in so many at once by a backend of joblib."""

    jobs: int = 1
    backend: str = "loky"

    def __attrs_post_init__(self) -> None:
        check_number("jobs", self.jobs, -1, whole=True)
        if self.jobs == 0:
            raise ParameterError("jobs must be at least 1, or -1 for all processors, got 0")
        # Results come one by one, which the backend multiprocessing cannot do.
        known = sorted({*BACKENDS} - {"multiprocessing"})
        if not isinstance(self.backend, str) or self.backend not in known:
            raise ParameterError(
                f"backend must be one of {', '.join(known)}, got {shown(self.backend)}; Dask is "
                "engine='dask'"
            )

    @property
    def measures_memory(self) -> bool:
        return self.jobs == 1 or self.backend in ONE_AT_A_TIME

    def outcomes(self, trials: list[Work]) -> Outcomes:
        if self.jobs == 1:
            yield from map(_outcome, trials)
            return
        with joblib.parallel_config(self.backend), left_by_children():
            try:
                work = joblib.Parallel(n_jobs=self.jobs, return_as="generator_unordered")
                yield from work(joblib.delayed(_outcome)(trial) for trial in trials)
            except joblib.externals.loky.process_executor.TerminatedWorkerError:
                raise TreelabError(
                    "a worker process was killed, perhaps for want of memory; what is done is "
                    "kept: run the same again, with fewer jobs, to go on"
                ) from None


def _outcome(trial: Work) -> Outcome:
    return trial, trial.carry_out()


@contextmanager
def trial_engine(
    jobs: int = 1, backend: str = "loky", engine: str = "local", **resources: Any
) -> Iterator[TrialEngine]:
    """Give what carries out trials; `resources` are scheduler, workers and memory_limit of Dask."""
    check_choice("engine", engine, ENGINES)
    local = LocalTrials(jobs, backend)
    known = {name: value for name, value in resources.items() if value is not None}
    if engine == "local":
        if known:
            raise ParameterError(f"{', '.join(known)} is for engine='dask', not for 'local'")
        yield local
        return
    if local != LocalTrials():
        raise ParameterError("jobs and backend are for engine='local': on Dask, workers decide")
    from treelab._cluster import connected
    from treelab.experiment.dask_trials import DaskTrials

    with connected(**known) as client:
        yield DaskTrials(client)
