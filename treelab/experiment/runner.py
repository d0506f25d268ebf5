"""Carry out the trials of a study, as many at once as asked, each kept as soon as it is done."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from os import PathLike
from typing import Any, TypeAlias
from warnings import catch_warnings

import attrs
import joblib
from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS

from treelab.errors import (
    MissingExtraError,
    ParameterError,
    TreelabError,
    check_function,
    check_number,
    shown,
)
from treelab.experiment.record import Record, Work
from treelab.experiment.results import Results
from treelab.experiment.simulation import Answers, Simulation
from treelab.experiment.store import Store
from treelab.experiment.study import Study

Outcome: TypeAlias = tuple[Work, Record]
Keep: TypeAlias = Store | str | PathLike[str]
Watch: TypeAlias = Callable[[Iterator[Outcome], int, int], Iterable[Outcome]]
"""Sees outcomes pass by; it is told how many are to come, and how many there are in all."""


def _unwatched(outcomes: Iterator[Outcome], _to_come: int, _all: int) -> Iterable[Outcome]:
    return outcomes


ONE_AT_A_TIME = ("loky", "sequential")
"""Backends whose processes do one trial after the other."""


class TrialError(TreelabError):
    """A trial failed and the study was to stop at that."""


def run_study(
    study: Study,
    store: Keep = ":memory:",
    *,
    jobs: int = 1,
    backend: str = "loky",
    strict: bool = False,
    watch: Watch = _unwatched,
) -> Results:
    """Carry out the trials that the store does not have, and return all results.

    What failed before is tried again, and so are learners with functions or objects of your own,
    which may have changed without a sign. The results are the same whatever the number of jobs,
    the backend, and the number of times the work was interrupted.

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
        scheduler, such as 'tcp://10.0.0.1:8786'. Memory is not measured by several threads, nor
        by Dask.
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
    if not isinstance(study, Study):
        raise ParameterError(f"expected a Study, got {shown(study)}")
    options = RunOptions(jobs, backend, strict, watch)
    options.check(study)
    trials = study.trials()
    return Results(study, tuple(trials), complete(trials, store, options))


def run_simulation(
    simulation: Simulation, store: Keep = ":memory:", *, jobs: int = 1, watch: Watch = _unwatched
) -> Answers:
    """Answer the questions that the store has no answer to, and return all of them."""
    options = RunOptions(jobs, "loky", strict=False, watch=watch)
    with nullcontext(store) if isinstance(store, Store) else Store(store) as opened:
        return answer(simulation, opened, options)


def answer(simulation: Simulation, store: Store, options: "RunOptions") -> Answers:
    """Answer the questions of a simulation, and those that follow from their answers."""
    questions = simulation.trials()
    answers = Answers(simulation, tuple(questions), complete(questions, store, options))
    longer = answers.following
    return answers if longer is None else answer(longer, store, options)


@attrs.frozen
class RunOptions:
    """How work is carried out."""

    jobs: int
    backend: str
    strict: bool
    watch: Watch

    def __attrs_post_init__(self) -> None:
        check_means(self.jobs, self.backend)
        check_function("watch", self.watch)

    def check(self, study: Study | Simulation) -> None:
        """Raise if memory is to be measured by threads: tracing in several crashes Python."""
        alone = self.backend in ONE_AT_A_TIME or not _is_parallel(self.jobs, self.backend)
        if isinstance(study, Study) and "memory" in study.record and not alone:
            raise ParameterError(
                "memory is measured by one job, or by jobs of the backend 'loky', got the backend "
                f"{shown(self.backend)}"
            )


def complete(trials: Sequence[Work], store: Keep, options: RunOptions) -> dict[str, Record]:
    """Carry out the work that the store does not have, or that failed before; return all."""
    if not isinstance(store, Store):
        with Store(store) as opened:
            return complete(trials, opened, options)
    known = store.records(trial.key for trial in trials)
    # Learners under two names that are the same share their trials.
    waiting = {t.key: t for t in trials if t.key not in known or known[t.key].error is not None}
    if not waiting:
        return known
    outcomes = _outcomes(list(waiting.values()), options.jobs, options.backend)
    try:
        for trial, record in options.watch(outcomes, len(waiting), len(trials)):
            store.add(trial, record)
            if options.strict and record.error is not None:
                raise TrialError(f"{trial} failed: {record.error}")
    finally:
        with catch_warnings(action="ignore"):  # joblib regrets the work it throws away
            outcomes.close()
    return store.records(trial.key for trial in trials)


def check_means(jobs: int, backend: str) -> None:
    """Raise unless it is a number of jobs and a backend that can be had."""
    check_number("jobs", jobs, -1, whole=True)
    if jobs == 0:
        raise ParameterError("jobs must be at least 1, or -1 for all processors, got 0")
    # Results come one by one, which the backend multiprocessing cannot do.
    known = sorted({*BACKENDS, *EXTERNAL_BACKENDS} - {"multiprocessing"})
    if not isinstance(backend, str) or ("://" not in backend and backend not in known):
        raise ParameterError(
            f"backend must be one of {', '.join(known)}, or the address of a Dask scheduler such "
            f"as tcp://host:8786, got {shown(backend)}"
        )


def _outcomes(trials: list[Work], jobs: int, backend: str) -> Generator[Outcome, None, None]:
    if not _is_parallel(jobs, backend):
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


def _is_parallel(jobs: int, backend: str) -> bool:
    """Tell whether joblib does the work; a Dask scheduler is somewhere else, for one job, too."""
    return jobs != 1 or "://" in backend


def _outcome(trial: Work) -> Outcome:
    return trial, trial.carry_out()


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
