"""What a study gave so far: records in the order of the study, as arrays."""

from collections.abc import Collection
from typing import Any, Generic, TypeVar

import attrs
import numpy as np

from treelab._markup import Table, notebook_html
from treelab._text import aligned, count
from treelab._typing import FloatArray
from treelab.errors import MissingExtraError, UnknownNameError
from treelab.experiment.record import Record, Work
from treelab.experiment.study import Study
from treelab.experiment.trial import MEASURES, Trial

Asked = TypeVar("Asked")
Done = TypeVar("Done", bound=Work)


@attrs.frozen(eq=False)
class Findings(Generic[Asked, Done]):
    """What was asked, its pieces of work, and the records there are."""

    study: Asked
    trials: tuple[Done, ...]
    records: dict[str, Record]

    def __getitem__(self, trial: Done) -> Record | None:
        return self.records.get(trial.key)

    @property
    def done(self) -> int:
        """The number of trials that gave a result."""
        return sum(1 for trial in self.trials if (r := self[trial]) and r.error is None)

    @property
    def failures(self) -> list[tuple[Done, str]]:
        """The trials that ended in an error, with it."""
        return [(t, r.error) for t in self.trials if (r := self[t]) and r.error is not None]

    @property
    def is_partial(self) -> bool:
        """Whether trials failed or are still to be made."""
        return self.done < len(self.trials)

    @property
    def state(self) -> str:
        """In words, how much there is; empty if it is all."""
        if not self.is_partial:
            return ""
        text = f"PARTIAL: {self.done} of {len(self.trials)} trials"
        failed = len(self.failures)
        return f"{text}, {failed} failed" if failed else text

    def environments(self) -> list[str]:
        """Return the versions the results were made with."""
        return sorted({r.environment for t in self.trials if (r := self[t])})


@attrs.frozen(eq=False)
class Results(Findings[Study, Trial]):
    """The trials of a study of learners, with the records there are."""

    def to_frame(self) -> Any:
        """Return all trials as a pandas frame: a row each, the measures beside who and what."""
        try:
            import pandas
        except ModuleNotFoundError:
            raise MissingExtraError("Results.to_frame()", "pandas", "frames") from None
        rows = [
            {
                "data": trial.data, "learner": trial.learner, "seed": trial.seed,
                "repetition": trial.repetition, "fold": trial.fold,
                **{name: record.values.get(name, np.nan) for name in self.study.record},
                "error": record.error,
            }
            for trial in self.trials
            if (record := self[trial]) is not None
        ]  # fmt: skip
        return pandas.DataFrame(rows)

    def of(self, learners: Collection[str]) -> "Results":
        """Return the results of some of the learners only, as if there were no others."""
        kept = tuple(each for each in self.study.learners if each.name in learners)
        trials = tuple(trial for trial in self.trials if trial.learner in learners)
        return attrs.evolve(self, study=attrs.evolve(self.study, learners=kept), trials=trials)

    # For people

    @property
    def heading(self) -> str:
        """What there is, and of how much."""
        study = self.study
        sets, learners = count(len(study.data), "data set"), count(len(study.learners), "learner")
        state = self.state or count(len(self.trials), "trial")
        return f"{sets}, {learners}, {state}: accuracy in %"

    def _table(self) -> Table:
        from treelab.experiment.summary import Summary

        summary = Summary(self)
        rows = [
            [name, *("-" if np.isnan(value) else f"{value:.2f}" for value in row)]
            for name, row in zip(summary.data, summary.accuracy, strict=True)
        ]
        return ["data", *summary.learners], rows, [False] + [True] * len(summary.learners)

    def __str__(self) -> str:
        heads, rows, to_the_right = self._table()
        return f"{self.heading}\n\n{aligned([heads, *rows], to_the_right)}"

    def __repr__(self) -> str:
        return f"<Results: {self.heading}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        return notebook_html(self.heading, self._table())

    # For programs

    def cube(self, measure: str) -> FloatArray:
        """Return a measure of every trial: (data, learner, round, fold); NaN where there is none.

        A round is a seed and a repetition.
        """
        if measure not in MEASURES:
            raise UnknownNameError("measure", measure, MEASURES)
        study = self.study
        rounds = study.rounds()
        shape = (len(rounds), len(study.data), study.folds, len(study.learners))
        records = (self[trial] for trial in self.trials)
        values = [r.values.get(measure, np.nan) if r else np.nan for r in records]
        return np.array(values, dtype=float).reshape(shape).transpose(1, 3, 0, 2)
