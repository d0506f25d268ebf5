"""Who takes part in a study: treelab's own learners, and whatever has `fit` and `predict`.

*competitor*  what makes models, under the name it has in the tables.
"""

from typing import Any

import attrs

from treelab.data.dataset import Dataset
from treelab.discretize import discretizer
from treelab.errors import ParameterError, shown
from treelab.experiment.fingerprint import fingerprint
from treelab.experiment.models import Model, ModelFactory
from treelab.experiment.peers import CopiedLearner, learns
from treelab.experiment.sklearn_learner import SklearnLearner, has_parameters
from treelab.learner import Learner, metric_or_chooser
from treelab.metrics import metric
from treelab.presets import preset
from treelab.tree.predict import predicted_codes
from treelab.tree.prune import pruner

PRESET = "preset:"
"""A learner whose text begins so is a preset of treelab's own."""


@attrs.frozen
class TreeFactory:
    """A treelab learner; its seed is the trial's."""

    learner: Learner

    def fit(self, data: Dataset, seed: int) -> Model:
        tree = attrs.evolve(self.learner, seed=seed).fit(data)
        return Model(
            lambda test: predicted_codes(tree, test),
            tree.predict_proba,
            tree.n_leaves,
            tree.depth,
        )

    @property
    def fingerprint(self) -> str:
        """The learner with its names looked up, so that what they stand for counts."""
        learner = attrs.evolve(
            self.learner,
            metric=metric_or_chooser(self.learner.metric),
            cut_metric=metric(self.learner.cut_metric),
            discretizer=self.learner.discretizer and discretizer(self.learner.discretizer),
            pruner=pruner(self.learner.pruner),
            seed=0,
        )
        return fingerprint(learner)

    def __str__(self) -> str:
        default = Learner()
        fields = [f.name for f in attrs.fields(Learner)]
        given = {name: getattr(self.learner, name) for name in fields}
        changed = [f"{n}={v!r}" for n, v in given.items() if v != getattr(default, n)]
        return f"Learner({', '.join(changed)})"


@attrs.frozen
class Competitor:
    """A learner under the name it has in the tables; `place` is where it stands in a grid.

    One that is `apart` has a column of its own and takes no part in the contest: it neither wins
    nor is it beaten, and no test counts it.
    """

    name: str
    factory: ModelFactory
    place: tuple[str, ...] = ()
    apart: bool = False


def competitor(name: str, learner: Any) -> Competitor:
    """Return a competitor of a `Learner`, an object with fit and predict, or a text that names one.

    'preset:j48' names a preset. An object that does not say its parameters is copied.
    """
    if isinstance(learner, Learner):
        return Competitor(name, TreeFactory(learner))
    if isinstance(learner, str) and learner.startswith(PRESET):
        return Competitor(name, TreeFactory(Learner(**preset(learner.removeprefix(PRESET)))))
    if isinstance(learner, str):
        return Competitor(name, SklearnLearner.parse(learner))
    is_made = not isinstance(learner, type)
    if is_made and learns(learner):
        made = SklearnLearner.of if has_parameters(learner) else CopiedLearner
        return Competitor(name, made(learner))
    if is_made and isinstance(learner, ModelFactory):
        return Competitor(name, learner)
    raise ParameterError(
        f"the learner {name!r} must be a Learner, an object with fit and predict or a text that "
        f"names a class of such, got {shown(learner)}"
    )
