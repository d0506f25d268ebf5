"""CSV files: every answer of a simulation; of a study, every trial, every time, every test."""

import csv
import io
from collections.abc import Iterable, Sequence

from treelab.experiment.results import Results
from treelab.experiment.simulation import Answers, Part
from treelab.experiment.study import Study
from treelab.experiment.summary import Summary
from treelab.experiment.trial import NOISY, Trial

_TRIAL = ("data", "learner", "seed", "repetition", "fold")


def results_csv(results: Results) -> str:
    """Return every trial with the measures that are the same in every run."""
    measures = results.study.steady
    return csv_text(
        (*_TRIAL, *measures, "error"),
        (
            (*_place(trial), *(record.values.get(m) for m in measures), record.error)
            for trial in results.trials
            if (record := results[trial])
        ),
    )


def times_csv(results: Results) -> str:
    """Return what differs from run to run: seconds of learning and of the whole trial, memory."""
    measures = tuple(m for m in NOISY if m in results.study.record)
    return csv_text(
        (*_TRIAL, *measures, "all_seconds"),
        (
            (*_place(trial), *(record.values.get(m) for m in measures), record.spent)
            for trial in results.trials
            if (record := results[trial])
        ),
    )


def tests_csv(summary: Summary) -> str:
    """Return every test of every pair of learners in the contest."""
    plain = ("test", "first", "second", "difference", "statistic", "p", "p_holm")
    rows = (
        (t.scope, *(getattr(t, name) for name in plain), *(t.belief or (None,) * 3))
        for t in summary.contest.tested
    )
    return csv_text(("data", *plain, "worse", "equal", "better"), rows)


def paper_csv(summary: Summary) -> str:
    """Return every figure of the paper beside ours, in %; the difference is ours minus theirs."""
    names = ("data", "learner", "paper", "ours", "difference")
    rows = ([getattr(cell, name) for name in names] for cell in summary.beside_paper)
    return csv_text(names, ([_or_nothing(value) for value in row] for row in rows))


def _or_nothing(value: object) -> object:
    return None if value != value else value


def folds_csv(study: Study) -> str:
    """Return the fold of every case in every repetition."""
    return csv_text(("data", "seed", "repetition", "case", "fold"), study.folds_table())


def answers_csv(answers: Answers, part: Part) -> str:
    """Return the answers of a part: what varies, the seed, every figure, a question a line."""
    of_part = (question for question in answers.trials if question.part == part.name)
    told = [(question, record) for question in of_part if (record := answers[question])]
    figures = list(dict.fromkeys(name for _, record in told for name in record.values))
    return csv_text(
        (*part.over, "seed", *figures, "error"),
        (
            (*asked.varied.values(), asked.seed, *map(record.values.get, figures), record.error)
            for asked, record in told
        ),
    )


def csv_text(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a CSV file; numbers are written so that they read back as they were."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return text.getvalue()


def _place(trial: Trial) -> tuple[object, ...]:
    return trial.data, trial.learner, trial.seed, trial.repetition + 1, trial.fold + 1
