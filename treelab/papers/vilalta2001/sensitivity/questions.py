"""One cell of Table 1 with one of our choices made otherwise.

A *variant* changes `settings` of the learner, the `metrics` of some columns, the `data`, or the
`folds`; all else is as in the study of the table, with its folds: seed s is repetition s + 1.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

import attrs
import numpy as np

from treelab import Dataset, Learner, Study, discretizer, load
from treelab.discretize import Cuts
from treelab.evaluate import by_content, folds_by_content, stratified_folds
from treelab.experiment import TreeFactory
from treelab.experiment.simulation import Settings
from treelab.papers.catalog import paper_study
from treelab.papers.vilalta2001.readings import metric_of
from treelab.protocols import IndexArray
from treelab.reduce import stratified


def cell(settings: Settings, seed: int) -> dict[str, float]:
    """Return the accuracy in %: the mean over the folds of one repetition."""
    change = settings["variants"][settings["variant"]]
    data = prepared(settings["data"], change.get("data", {}), seed)
    learner = changed(table_learners()[settings["learner"]], settings["learner"], change, data)
    held = _folds(data, change, settings["folds"], seed)
    parts = (
        (data.take(held != fold), by_content(data.take(held == fold)))
        for fold in range(settings["folds"])
    )
    models = ((TreeFactory(learner).fit(train, 0), test) for train, test in parts)
    right = [(model.codes(test) == test.y).mean() for model, test in models]
    return {"accuracy": 100 * float(np.mean(right))}


@cache
def table_learners() -> Mapping[str, Learner]:
    """Return the learners of the table by column."""
    study = paper_study("vilalta2001")
    assert isinstance(study, Study)
    factories = {each.name: each.factory for each in study.learners}
    return {name: f.learner for name, f in factories.items() if isinstance(f, TreeFactory)}


def changed(learner: Learner, column: str, change: Mapping[str, Any], data: Dataset) -> Learner:
    """Return the learner of a column as a variant has it."""
    found = attrs.evolve(learner, **change.get("settings", {}))
    if column in change.get("metrics", {}):
        found = attrs.evolve(found, metric=metric_of(change["metrics"][column]))
    if change.get("cuts") == "of all cases" and found.discretizer is not None:
        cuts = discretizer(found.discretizer).fit(data).cuts
        found = attrs.evolve(found, discretizer=Cuts({f: tuple(at) for f, at in cuts.items()}))
    return found


def prepared(name: str, how: Mapping[str, Any], seed: int) -> Dataset:
    """Return a domain: one `part` of it, a random sample of `cases`, of two `classes` only."""
    data = load(name, how.get("part"))
    data = data.usable()
    if how.get("cases", len(data)) < len(data):
        data = stratified(data, how["cases"], seed=seed).data
    return two_classes(data) if how.get("classes") == 2 else data


def two_classes(data: Dataset) -> Dataset:
    """Return the data with the largest class against all others.

    >>> two_classes(load("iris")).classes
    ('Iris-setosa', 'other')
    """
    largest = int(np.bincount(data.y).argmax())
    target = attrs.evolve(data.schema.target, labels=(data.classes[largest], "other"))
    schema = attrs.evolve(data.schema, target=target)
    return attrs.evolve(data, schema=schema, y=(data.y != largest).astype(data.y.dtype))


def _folds(data: Dataset, change: Mapping[str, Any], folds: int, seed: int) -> IndexArray:
    if change.get("folds") == "not stratified":
        return stratified_folds(np.zeros_like(data.y), folds, 0, seed)
    return folds_by_content(data, folds, 0, seed)
