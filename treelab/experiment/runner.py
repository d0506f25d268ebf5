"""Carry out the trials of a study, as many at once as asked, each kept as soon as it is done."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from os import PathLike
from typing import Any, TypeAlias
from warnings import catch_warnings

import joblib
from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS

from treelab.errors import MissingExtraError, ParameterError, TreelabError, check_number
from treelab.experiment.results import Results
from treelab.experiment.store import Store
from treelab.experiment.study import Study
from treelab.experiment.trial import Record, Trial, carry_out

Outcome: TypeAlias = tuple[Trial, Record]
Watch: TypeAlias = Callable[[Iterator[Outcome], int, int], Iterable[Outcome]]
"""Sees outcomes pass by; it is told how many are to come, and how many there are in all."""


class TrialError(TreelabError):
    """A trial failed and the study was to stop at that."""


def run_study(
    study: Study,
    store: Store | str | PathLike[str] = ":memory:",
    *,
    jobs: int = 1,
    backend: str = "loky",
    strict: bool = False,
    watch: Watch = lambda outcomes, _to_come, _all: outcomes,
) -> Results:
    """Carry out the trials that the store does not have, and return all results.

    What failed before is tried again. The results are the same whatever the number of jobs, the
    backend, and the number of times the work was interrupted.

    Parameters
    ----------
    study
        What to do.
    store
        Where results are kept: a `Store`, or the file of one, which is made if there is none.
    jobs
        How many trials at once; -1: as many as there are processors.
    backend
        Any backend joblib knows, such as 'loky' or 'threading', or the address of a Dask
        scheduler, such as 'tcp://10.0.0.1:8786'.
    strict
        Whether to stop at the first trial that fails.
    watch
        Sees outcomes pass by as they come, for a progress bar.

    Examples
    --------
    >>> import treelab as tl
    >>> study = Study(data=["lenses"], learners={"gain": tl.Learner(metric="gain")}, folds=3)
    >>> results = run_study(study)
    >>> results.cube("accuracy").shape
    (1, 1, 1, 3)
    """
    check_means(jobs, backend)
    if not isinstance(store, Store):
        with Store(store) as opened:
            return run_study(study, opened, jobs=jobs, backend=backend, strict=strict, watch=watch)
    trials = study.trials()
    known = store.records(trial.key for trial in trials)
    # Learners under two names that are the same share their trials.
    waiting = {t.key: t for t in trials if t.key not in known or known[t.key].error is not None}
    if waiting:
        outcomes = _outcomes(list(waiting.values()), jobs, backend)
        try:
            for trial, record in watch(outcomes, len(waiting), len(trials)):
                store.add(trial, record)
                if strict and record.error is not None:
                    raise TrialError(f"{describe(trial)} failed: {record.error}")
        finally:
            with catch_warnings(action="ignore"):  # joblib regrets the work it throws away
                outcomes.close()
    return Results.of(study, trials, store)


def describe(trial: Trial) -> str:
    """Name a trial, counting from 1 as people do."""
    place = f"repetition {trial.repetition + 1}, fold {trial.fold + 1}"
    return f"{trial.learner} on {trial.data} ({place}, seed {trial.seed})"


def check_means(jobs: int, backend: str) -> None:
    """Raise unless it is a number of jobs and a backend that can be had."""
    check_number("jobs", jobs, -1, whole=True)
    if jobs == 0:
        raise ParameterError("jobs must be at least 1, or -1 for all processors, got 0")
    # Results come one by one, which the backend multiprocessing cannot do.
    known = sorted({*BACKENDS, *EXTERNAL_BACKENDS} - {"multiprocessing"})
    if "://" not in backend and backend not in known:
        raise ParameterError(
            f"backend must be one of {', '.join(known)}, or the address of a Dask scheduler such "
            f"as tcp://host:8786, got {backend!r}"
        )


def _outcomes(trials: list[Trial], jobs: int, backend: str) -> Generator[Outcome, None, None]:
    if jobs == 1 and "://" not in backend:
        yield from map(_outcome, trials)
        return
    with _backend(backend):
        try:
            work = joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")
            yield from work(joblib.delayed(_outcome)(trial) for trial in trials)
        except joblib.externals.loky.process_executor.TerminatedWorkerError:
            raise TreelabError(
                "a worker process was killed, perhaps for want of memory; what is done is kept: "
                "run the same again, with fewer jobs, to go on"
            ) from None


def _outcome(trial: Trial) -> Outcome:
    return trial, carry_out(trial)


@contextmanager
def _backend(name: str) -> Iterator[None]:
    """Let joblib work by a backend while the context lasts."""
    with ExitStack() as stack:
        if "://" in name:
            stack.enter_context(_dask(name))
            name = "dask"
        stack.enter_context(joblib.parallel_config(name))
        yield


def _dask(address: str) -> AbstractContextManager[object]:
    try:
        from distributed import Client
    except ImportError:
        raise MissingExtraError("a Dask cluster", "distributed", "dask") from None
    try:
        connect: Any = Client  # which has no types, if it is there
        client: AbstractContextManager[object] = connect(address, timeout=10)
    except (OSError, ValueError) as error:
        raise TreelabError(f"cannot reach a Dask scheduler at {address}: {error}") from None
    return client
