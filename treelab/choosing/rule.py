"""`Rule`: which metric to take for data, by what it gave on data that are like them.

*lead*   the accuracy of a metric on a data set, less the mean of all metrics there, in points.
*near*   data sets are alike where their characteristics are, each in standard deviations.

The lead expected for new data is the mean of the leads known, weighted by nearness, and drawn
towards the plain mean: where nothing is near, the metric that is best on average is taken.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property

import attrs
import numpy as np

from treelab._typing import FloatArray
from treelab.errors import DataError

COUNTS = ("cases", "features", "classes", "values")
"""Characteristics that are compared by their logarithm."""

PRIOR = 1.0
"""The plain mean counts as much as one data set that is exactly alike."""


@attrs.frozen(eq=False)
class Domain:
    """A data set that metrics were tried on: its characteristics, and their accuracies in %.

    Data sets of one `family`, such as the same problem with more noise, count as one together.
    """

    name: str
    family: str
    meta: Mapping[str, float]
    accuracy: Mapping[str, float]


@attrs.frozen(eq=False)
class Expected:
    """What a rule expects of metrics for some data, and the data sets it goes by, nearest first."""

    leads: Mapping[str, float]
    neighbours: tuple[str, ...]

    @property
    def best(self) -> str:
        """The metric of the largest lead; of equal ones the first."""
        return max(self.leads, key=lambda name: round(self.leads[name], 9))


@attrs.frozen(eq=False)
class Rule:
    """What is known of metrics on other data. Nothing but `domains` is ever looked at."""

    domains: tuple[Domain, ...]

    def __attrs_post_init__(self) -> None:
        if not self.domains:
            raise DataError("a rule needs at least one data set that metrics were tried on")

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were tried."""
        return tuple(self.domains[0].accuracy)

    def without(self, family: str) -> "Rule":
        """Return the rule that knows nothing of a family."""
        return Rule(tuple(each for each in self.domains if each.family != family))

    def expected(self, meta: Mapping[str, float], among: Sequence[str] = ()) -> Expected:
        """Return what to expect of some of the metrics, or of all, for data of such a kind."""
        names = tuple(among) or self.metrics
        leads = self._leads(names)
        weight = self._share * self._nearness(meta)
        plain = self._share @ leads / self._share.sum()
        drawn = (weight @ leads + PRIOR * plain) / (weight.sum() + PRIOR)
        order = np.argsort(-weight, kind="stable")
        near = tuple(self.domains[place].name for place in order[:3])
        return Expected(dict(zip(names, drawn.tolist(), strict=True)), near)

    def _leads(self, names: Sequence[str]) -> FloatArray:
        accuracy = np.array([[each.accuracy[name] for name in names] for each in self.domains])
        return np.asarray(accuracy - accuracy.mean(axis=1, keepdims=True))

    @cached_property
    def _share(self) -> FloatArray:
        """What each data set counts: those of a family count as one together."""
        families = [each.family for each in self.domains]
        return np.array([1.0 / families.count(family) for family in families])

    @cached_property
    def _known(self) -> FloatArray:
        return np.stack([_numbers(each.meta) for each in self.domains])

    @cached_property
    def _scale(self) -> FloatArray:
        deviation = self._known.std(axis=0)
        return np.where(deviation > 1e-12, deviation, 1.0)

    @cached_property
    def _width(self) -> float:
        """Half the median distance of two data sets."""
        between = [self._distances(row) for row in self._known]
        apart = np.concatenate([d[:place] for place, d in enumerate(between)] or [np.ones(1)])
        return max(float(np.median(apart)) / 2, 1e-9) if len(apart) else 1.0

    def _distances(self, numbers: FloatArray) -> FloatArray:
        apart = (self._known - numbers) / self._scale
        return np.asarray(np.sqrt((apart**2).mean(axis=1)))

    def _nearness(self, meta: Mapping[str, float]) -> FloatArray:
        return np.asarray(np.exp(-0.5 * (self._distances(_numbers(meta)) / self._width) ** 2))


def _numbers(meta: Mapping[str, float]) -> FloatArray:
    return np.array(
        [np.log2(max(value, 1.0)) if name in COUNTS else value for name, value in meta.items()]
    )
