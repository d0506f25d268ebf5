"""Carry out the trials of a study, as many at once as asked, each kept as soon as it is done."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from os import PathLike
from typing import Any, TypeAlias
from warnings import catch_warnings

import attrs

from treelab.errors import ParameterError, TreelabError, check_function, shown
from treelab.experiment.engines import Outcome, TrialEngine, trial_engine
from treelab.experiment.record import Record, Work
from treelab.experiment.results import Results
from treelab.experiment.simulation import Answers, Simulation
from treelab.experiment.store import Store
from treelab.experiment.study import Study
from treelab.experiment.study_file import read_study

Keep: TypeAlias = Store | str | PathLike[str]
Watch: TypeAlias = Callable[[Iterator[Outcome], int, int], Iterable[Outcome]]
"""Sees outcomes pass by; it is told how many are to come, and how many there are in all."""


def _unwatched(outcomes: Iterator[Outcome], _to_come: int, _all: int) -> Iterable[Outcome]:
    return outcomes


class TrialError(TreelabError):
    """A trial failed and the study was to stop at that."""


def run_study(
    study: Study | str | PathLike[str],
    store: Keep = ":memory:",
    *,
    jobs: int = 1,
    backend: str = "loky",
    engine: str = "local",
    scheduler: Any = None,
    workers: int | None = None,
    memory_limit: str | None = None,
    strict: bool = False,
    watch: Watch = _unwatched,
    allow: Iterable[str] = (),
) -> Results:
    """Carry out the trials that the store does not have, and return all results.

    What failed before is tried again, and so are learners with functions or objects of your own,
    which may have changed without a sign. The results are the same whatever the number of jobs,
    the backend, the engine, and the number of times the work was interrupted.

    Parameters
    ----------
    study
        What to do, or the file that says so.
    store
        Where results are kept: a `Store`, or the file of one, which is made if there is none.
    jobs
        How many trials at once; -1: as many as there are processors.
    backend
        What joblib does several jobs by: 'loky', 'threading' or 'sequential'. Memory is not
        measured by several threads, nor on Dask.
    engine
        'local': jobs on this machine; 'dask': trials are tasks on the workers of a Dask cluster.
        A worker that dies costs its running trials, which another one begins again.
    scheduler, workers, memory_limit
        For Dask: the address of a scheduler (``tcp://10.0.0.1:8786``), a `distributed.Client`,
        or, without one, how many workers of how much memory ('2GB') are started here, and closed
        in the end. Files of data must be there for the workers under the same path.
    strict
        Whether to stop at the first trial that fails.
    watch
        Sees outcomes pass by as they come, for a progress bar.
    allow
        Modules besides scikit-learn's whose classifiers a file may name; see `read_study`.

    Examples
    --------
    >>> import treelab as tl
    >>> study = Study(data=["lenses"], learners={"gain": tl.Learner(metric="gain")}, folds=3)
    >>> results = run_study(study)
    >>> results.cube("accuracy").shape
    (1, 1, 1, 3)
    """
    if isinstance(study, str | PathLike):
        study = read_study(study, allow=allow)
    if not isinstance(study, Study):
        raise ParameterError(f"expected a Study, got {shown(study)}")
    resources = {"scheduler": scheduler, "workers": workers, "memory_limit": memory_limit}
    with trial_engine(jobs, backend, engine, **resources) as means:
        options = RunOptions(means, strict, watch)
        options.check(study)
        trials = study.trials()
        return Results(study, tuple(trials), complete(trials, store, options))


def run_simulation(
    simulation: Simulation, store: Keep = ":memory:", *, jobs: int = 1, watch: Watch = _unwatched
) -> Answers:
    """Answer the questions that the store has no answer to, and return all of them."""
    with trial_engine(jobs) as means:
        options = RunOptions(means, watch=watch)
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

    engine: TrialEngine
    strict: bool = False
    watch: Watch = _unwatched

    def __attrs_post_init__(self) -> None:
        check_function("watch", self.watch)

    def check(self, study: Study | Simulation) -> None:
        """Raise if memory is to be measured where it cannot be."""
        wanted = isinstance(study, Study) and "memory" in study.record
        if wanted and not self.engine.measures_memory:
            raise ParameterError(
                "memory is measured by one job, or by jobs of the backend 'loky', not by threads "
                "nor on Dask"
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
    outcomes = options.engine.outcomes(list(waiting.values()))
    try:
        for trial, record in options.watch(outcomes, len(waiting), len(trials)):
            store.add(trial, record)
            if options.strict and record.error is not None:
                raise TrialError(f"{trial} failed: {record.error}")
    finally:
        with catch_warnings(action="ignore"):  # joblib regrets the work it throws away
            outcomes.close()
    return store.records(trial.key for trial in trials)
