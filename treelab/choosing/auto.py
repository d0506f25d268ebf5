"""`Auto`: a metric chosen for the data at hand, by inner folds or by a rule."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

import attrs

from treelab._registry import Registry
from treelab.characteristics import meta
from treelab.choosing.race import race
from treelab.choosing.shipped import portfolios, shipped_rule
from treelab.data.dataset import Dataset
from treelab.errors import ParameterError, UnknownNameError, check_choice, check_number
from treelab.reduce.sampling import capped
from treelab.tree.metric_choice import MetricChoice

By = Literal["folds", "rule"]


def _names(given: Any) -> str | tuple[str, ...]:
    listed = not isinstance(given, str) and isinstance(given, Iterable)
    return tuple(given) if listed else given


@attrs.frozen
class Auto:
    """What chooses a metric for the data at hand, where a learner is given it as its metric.

    The learner asks it before a tree grows; the tree is that of the metric chosen, and its
    `metric_choice` says which it was and why. As a text: 'auto', 'auto:pi', 'auto:pi,by=rule'.

    Parameters
    ----------
    among
        A portfolio by name: 'metrics', or 'pi' for settings of vilalta2001's framework; or the
        names of metrics.
    by
        'folds': the most accurate on inner folds of the training cases. 'rule': the one that was
        most accurate on data that are like these (`treelab.meta`), as the study
        `treelab reproduce pi-question` found; much faster, and it sees no accuracy of these data.
    folds
        The number of inner folds, the same for all.
    max_cases
        Choose by no more than so many cases, a random stratified part; None: by all.

    Examples
    --------
    >>> import treelab as tl
    >>> tree = tl.grow(tl.make("exor", n=2, m=3, cases=200), "auto")
    >>> tree.metric_choice.by, len(tree.metric_choice.considered) > 3
    ('folds', True)
    """

    among: str | tuple[str, ...] = attrs.field(default="metrics", converter=_names)
    by: By = "folds"
    folds: int = 5
    max_cases: int | None = 1000

    def __attrs_post_init__(self) -> None:
        check_choice("by", self.by, get_args(By))
        check_number("folds", self.folds, 2, whole=True)
        if self.max_cases is not None:
            check_number("max_cases", self.max_cases, 2, whole=True)
        if not self.portfolio or not all(isinstance(name, str) for name in self.portfolio):
            raise ParameterError(f"among must be a portfolio or names, got {self.among!r}")
        if self.by == "rule":
            self._check_rule()

    def _check_rule(self) -> None:
        for name in self.portfolio:
            if name not in shipped_rule().metrics:
                raise UnknownNameError("metric of the rule", name, shipped_rule().metrics)

    @property
    def portfolio(self) -> tuple[str, ...]:
        """The metrics that it chooses among."""
        if not isinstance(self.among, str):
            return self.among
        if self.among not in portfolios():
            raise UnknownNameError("portfolio", self.among, portfolios())
        return portfolios()[self.among]

    def choose(self, learner: Any, data: Dataset) -> MetricChoice:
        """Return the metric that a learner should take for some data."""
        part = data.usable()
        if self.max_cases is not None:
            part = capped(part, self.max_cases, learner.seed)
        return (
            self._by_rule(part, learner.seed) if self.by == "rule" else self._raced(learner, part)
        )

    def _raced(self, learner: Any, data: Dataset) -> MetricChoice:
        folds = min(self.folds, len(data))
        if folds < 2:  # nothing to be judged by
            return MetricChoice(self.portfolio[0], "order", "there is a single case", {})
        learners = {name: attrs.evolve(learner, metric=name) for name in self.portfolio}
        result = race(data, learners, folds, learner.seed)
        considered = {
            name: float(mean) for name, mean in zip(result.names, result.means, strict=True)
            if name not in result.errors
        }  # fmt: skip
        best = result.names[result.best]
        why = (
            f"the most accurate of {len(considered)} on {folds} inner folds of {len(data):,} cases:"
            f" {100 * considered[best]:.1f} %{_runner_up(considered, best)}"
        )
        return MetricChoice(best, self.by, why, considered)

    def _by_rule(self, data: Dataset, seed: int) -> MetricChoice:
        found = shipped_rule().expected(meta(data, seed=seed), self.portfolio)
        why = (
            f"the data are most like {', '.join(found.neighbours)}: it should be "
            f"{found.leads[found.best]:.1f} points above the mean of {len(found.leads)} metrics"
        )
        return MetricChoice(found.best, self.by, why, dict(found.leads))


def _runner_up(considered: Mapping[str, float], best: str) -> str:
    others = [name for name in considered if name != best]
    if not others:
        return ""
    second = max(others, key=lambda name: considered[name])
    return f", {second} {100 * considered[second]:.1f} %"


CHOOSERS: Registry[Auto] = Registry("choice of a metric", "treelab.choosers")
CHOOSERS.add("auto", Auto)
