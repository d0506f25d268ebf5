"""Data sets of a scenario, many at a time: as tables for some metrics, whole for the others."""

from collections.abc import Iterator

import attrs
import numpy as np

from treelab._typing import FloatArray, IndexArray
from treelab.data.dataset import Dataset
from treelab.data.synth.draw import source
from treelab.data.synth.multivalued import attribute, first_half, halved_codes, skewed_codes
from treelab.data.synth.table import counted, together
from treelab.laboratory.scenarios import Scenario, scenario

AT_ONCE = 50
"""Trials that are drawn together; the first 50 are the same, however many there are."""

SIGNAL = "signal"


@attrs.frozen
class Design:
    """What is drawn: `cases` cases of `classes` classes, an attribute for each number of values."""

    scenario: str
    classes: int
    values: tuple[int, ...]
    cases: int
    seed: int = 0

    @property
    def sizes(self) -> dict[str, int]:
        """The number of values of each attribute, by name."""
        sizes = {f"V{size}": size for size in self.values}
        return sizes | {SIGNAL: 2} if scenario(self.scenario).has_signal else sizes

    def draws(self, trials: int) -> Iterator["Draw"]:
        """Yield the trials, some at a time; each attribute has random numbers of its own."""
        for first in range(0, trials, AT_ONCE):
            yield self._draw(first, min(AT_ONCE, trials - first))

    def _draw(self, first: int, trials: int) -> "Draw":
        rule = scenario(self.scenario)
        y = skewed_codes(self._source(first, "class"), self.classes, rule.class_skew,
                         (trials, self.cases))  # fmt: skip
        codes = {name: self._codes(rule, name, size, y, first) for name, size in self.sizes.items()}
        return Draw(self, y, codes)

    def _codes(self, rule: Scenario, name: str, size: int, y: IndexArray, first: int) -> IndexArray:
        rng = self._source(first, name)
        if not rule.tells and name != SIGNAL:
            return skewed_codes(rng, size, rule.value_skew, y.shape)
        k = rule.k if rule.attributes == "informative" else None
        return halved_codes(rng, size, first_half(self.classes, k, rule.delta)[y])

    def _source(self, first: int, what: str) -> np.random.Generator:
        return source(self.seed, "bias", self.scenario, self.classes, self.cases, first, what)


@attrs.frozen(eq=False)
class Draw:
    """Some trials: classes (trial, case), and by name the values (trial, case) of attributes."""

    design: Design
    y: IndexArray
    codes: dict[str, IndexArray]

    def tables(self, name: str) -> FloatArray:
        """Return the tables (trial, value, class) of an attribute."""
        shape = (len(self.y), self.design.sizes[name], self.design.classes)
        trial = np.arange(shape[0])[:, None]
        cells = (trial * shape[1] + self.codes[name]) * shape[2] + self.y
        return np.bincount(cells.ravel(), minlength=np.prod(shape)).reshape(shape).astype(float)

    def data(self) -> Iterator[Dataset]:
        """Yield the data set of each trial, all attributes side by side."""
        for trial, y in enumerate(self.y):
            parts = [
                attribute(name, size, self.codes[name][trial])
                for name, size in self.design.sizes.items()
            ]
            yield together(self.design.scenario, parts, y, counted(self.design.classes))
