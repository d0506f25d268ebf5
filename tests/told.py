"""Results of studies with accuracies that a test chooses."""

import numpy as np

import treelab as tl
from treelab.experiment import Study
from treelab.experiment.record import Record
from treelab.experiment.results import Results

LEARNERS = {name: tl.Learner(metric=name) for name in ("gain", "gini", "mdl")}


def told(accuracies, **changes):
    """Return results with given accuracies (data, learner, repetition, fold)."""
    accuracies = np.asarray(accuracies, float)
    names = ["lenses", "zoo", "iris", "wine", "labor"][: len(accuracies)]
    study = Study(
        **{
            "data": names,
            "learners": dict(list(LEARNERS.items())[: accuracies.shape[1]]),
            "repeats": accuracies.shape[2],
            "folds": accuracies.shape[3],
        }
        | changes
    )
    trials, records = study.trials(), {}
    for trial in trials:
        row, column = names.index(trial.data), list(LEARNERS).index(trial.learner)
        value = accuracies[row, column, trial.repetition, trial.fold]
        if np.isfinite(value):
            record = Record({"accuracy": value, "leaves": 3, "seconds": 0.5}, None, 0.6, "here")
            records[trial.key] = record
    return Results(study, tuple(trials), records)


def spread(means, deviation=0.001, repeats=5, folds=2):
    """Return accuracies around means (data, learner), with folds and repetitions that differ."""
    means = np.asarray(means, float)
    noise = np.random.default_rng(0).normal(0, deviation, (*means.shape, repeats, folds))
    return means[:, :, None, None] + noise
