"""Data sets of a scenario, many at a time: as tables for some metrics, whole for the others."""

from collections.abc import Iterator

import attrs
import numpy as np

from treelab._typing import AnyArray, FloatArray, IndexArray
from treelab.data.dataset import Dataset
from treelab.data.schema import Column
from treelab.data.synth.draw import chance, source
from treelab.data.synth.multivalued import (
    attribute,
    first_half,
    halved_codes,
    halved_numbers,
    skewed_codes,
)
from treelab.data.synth.table import Part, counted, together
from treelab.laboratory.scenarios import Scenario, scenario

AT_ONCE = 50
"""Trials that are drawn together; the first 50 are the same, however many there are."""

SIGNAL = "signal"
NUMERIC = "numeric"


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
        """The number of values of each attribute that is not numeric, by name."""
        sizes = {f"V{size}": size for size in self.values}
        return sizes | {SIGNAL: 2} if scenario(self.scenario).has_signal else sizes

    @property
    def names(self) -> list[str]:
        """The attributes: those of some number of values, the numeric one, the signal."""
        names = [f"V{size}" for size in self.values]
        rule = scenario(self.scenario)
        return names + [NUMERIC] * rule.has_numeric + [SIGNAL] * rule.has_signal

    def draws(self, trials: int) -> Iterator["Draw"]:
        """Yield the trials, some at a time; each attribute has random numbers of its own."""
        for first in range(0, trials, AT_ONCE):
            yield self._draw(first, min(AT_ONCE, trials - first))

    def _draw(self, first: int, trials: int) -> "Draw":
        rule = scenario(self.scenario)
        y = skewed_codes(self._source(first, "class"), self.classes, rule.class_skew,
                         (trials, self.cases))  # fmt: skip
        drawn = {name: self._drawn(rule, name, y, first) for name in self.names}
        return Draw(self, y, {name: self._known(rule, name, drawn[name], first) for name in drawn})

    def _drawn(self, rule: Scenario, name: str, y: IndexArray, first: int) -> AnyArray:
        rng = self._source(first, name)
        if not rule.tells and name != SIGNAL:
            return self._noise(rng, rule, name, y.shape)
        k = rule.k if rule.attributes == "informative" else None
        chances = first_half(self.classes, k, rule.delta)[y]
        if name == NUMERIC:
            return halved_numbers(rng, chances)
        return halved_codes(rng, self.sizes[name], chances)

    def _noise(
        self, rng: np.random.Generator, rule: Scenario, name: str, shape: tuple[int, ...]
    ) -> AnyArray:
        if name == NUMERIC:
            return rng.random(shape)
        return skewed_codes(rng, self.sizes[name], rule.value_skew, shape)

    def _known(self, rule: Scenario, name: str, values: AnyArray, first: int) -> AnyArray:
        """Return the values as they are known: some are missing, but none of the signal."""
        if not rule.missing or name == SIGNAL:
            return values
        is_missing = chance(self._source(first, f"{name} missing"), rule.missing, values.shape)
        return np.where(is_missing, np.nan if name == NUMERIC else -1, values)

    def _source(self, first: int, what: str) -> np.random.Generator:
        return source(self.seed, "bias", self.scenario, self.classes, self.cases, first, what)


@attrs.frozen(eq=False)
class Draw:
    """Some trials: classes (trial, case), and by name the values (trial, case) of attributes.

    A missing value is -1, a missing number NaN.
    """

    design: Design
    y: IndexArray
    columns: dict[str, AnyArray]

    def tables(self, name: str) -> FloatArray:
        """Return the tables (trial, value, class) of an attribute without missing values."""
        shape = (len(self.y), self.design.sizes[name], self.design.classes)
        trial = np.arange(shape[0])[:, None]
        cells = (trial * shape[1] + self.columns[name]) * shape[2] + self.y
        return np.bincount(cells.ravel(), minlength=np.prod(shape)).reshape(shape).astype(float)

    def data(self) -> Iterator[Dataset]:
        """Yield the data set of each trial, all attributes side by side."""
        for trial, y in enumerate(self.y):
            parts = [self._part(name, values[trial]) for name, values in self.columns.items()]
            yield together(self.design.scenario, parts, y, counted(self.design.classes))

    def _part(self, name: str, values: AnyArray) -> Part:
        if name == NUMERIC:
            return Column(name), values
        return attribute(name, self.design.sizes[name], values)
