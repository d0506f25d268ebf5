"""Simulations: experiments that are not about learners, such as what a measure makes of noise.

*part*      a question asked for every combination of settings and every seed.
*question*  one of them: the piece of work that is carried out, and kept, by itself.
"""

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from inspect import getsource
from itertools import product
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import attrs
import numpy as np

from treelab import __version__
from treelab._typing import FloatArray
from treelab.errors import DataError, ParameterError, UnknownNameError, shown
from treelab.experiment.record import Record, recorded
from treelab.experiment.results import Findings
from treelab.experiment.study import Note

if TYPE_CHECKING:
    from treelab.experiment.report.article import Article, Statement

Settings: TypeAlias = Mapping[str, Any]
Ask: TypeAlias = Callable[[Settings, int], dict[str, float]]
"""Answers a question, given settings and a seed, with figures by name; a function of a module."""


@attrs.frozen
class Part:
    """A question for every combination of the values in `over`, and every seed below `seeds`.

    `settings` are the same for all.
    """

    name: str
    ask: Ask
    over: Mapping[str, Sequence[Any]] = attrs.field(factory=dict)
    settings: Settings = attrs.field(factory=dict)
    seeds: int = 1

    def combinations(self) -> Iterator[dict[str, Any]]:
        """Yield the combinations of what varies."""
        for values in product(*self.over.values()):
            yield dict(zip(self.over, values, strict=True))


def _source(module: str) -> str:
    """Return the text of a module, so that answers of a question that was changed are not kept."""
    try:
        return getsource(sys.modules[module])
    except (KeyError, OSError, TypeError):  # typed in, or a module without a file
        return ""


@attrs.frozen
class Run:
    """One piece of work of a simulation; `varied` are those settings that vary within the part."""

    table: ClassVar[str] = "answers"

    simulation: str
    part: str
    ask: Ask
    settings: Settings
    varied: Settings
    seed: int

    @cached_property
    def key(self) -> str:
        """The name of the answer: another one for other settings, versions or code."""
        parts = [__version__, self.simulation, self.part, self.settings, self.varied, self.seed]
        parts.append(_source(self.ask.__module__))
        return sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def columns(self) -> dict[str, object]:
        """What a store keeps of the question."""
        settings = json.dumps({**self.settings, **self.varied}, sort_keys=True)
        return {
            "inquiry": self.simulation, "part": self.part, "settings": settings, "seed": self.seed
        }  # fmt: skip

    def carry_out(self) -> Record:
        """Answer it."""
        return recorded(self._figures)

    def _figures(self) -> dict[str, float]:
        figures = self.ask({**self.settings, **self.varied}, self.seed)
        if not isinstance(figures, Mapping):
            raise ParameterError(f"a question must give figures by name, got {shown(figures)}")
        for name, value in figures.items():
            if not isinstance(value, Real | np.bool_):
                raise ParameterError(f"the figure {name!r} must be a number, got {shown(value)}")
        return figures

    def __str__(self) -> str:
        varied = [f"{name} {value}" for name, value in self.varied.items()]
        return f"{self.part} ({', '.join([*varied, f'seed {self.seed}'])})"


@attrs.frozen(kw_only=True, eq=False)
class Simulation:
    """An experiment of questions, and how its answers are told.

    Parameters
    ----------
    name, title, citation
        What to call it, and the paper it is of.
    parts
        The questions.
    to_article
        Makes an article of the answers.
    folder
        Where the paper's figures are, as CSV files.
    notes
        Paragraphs for the report.
    then
        Returns further parts, given the answers to all of these: what a study asks may depend on
        what it has seen, as in successive halving.
    statements
        From the answers to the paper's statements with verdicts; None for a question of our own,
        which states nothing.
    """

    name: str
    title: str
    citation: str
    parts: tuple[Part, ...]
    to_article: "Callable[[Answers], Article]"
    folder: Path
    notes: tuple[Note, ...] = ()
    then: "Callable[[Answers], Sequence[Part]] | None" = None
    statements: "Callable[[Answers], list[Statement]] | None" = None

    def trials(self) -> list[Run]:
        """Return all questions."""
        return [
            Run(self.name, part.name, part.ask, part.settings, varied, seed)
            for part in self.parts
            for seed in range(part.seeds)
            for varied in part.combinations()
        ]

    def printed(self, file: str = "expected.csv") -> list[dict[str, str]]:
        """Return the rows of a file of figures as the paper prints them."""
        path = self.folder / file
        try:
            with path.open(encoding="utf-8", newline="") as lines:
                return list(csv.DictReader(lines))
        except OSError as error:
            raise DataError(f"cannot read {path}: {error.strerror}") from None


@attrs.frozen(eq=False)
class Answers(Findings[Simulation, Run]):
    """The questions of a simulation, with the records there are."""

    def of(self, part: str, **varied: Any) -> list[tuple[Run, dict[str, float]]]:
        """Return questions and figures of a part: those that are answered and agree in `varied`."""
        parts = {each.name for each in self.study.parts} | {q.part for q in self.trials}
        if part not in parts:
            raise UnknownNameError("part", part, parts)
        return [
            (question, record.values)
            for question in self.trials
            if question.part == part
            and varied.items() <= question.varied.items()
            and (record := self[question]) is not None
            and record.error is None
        ]

    def figures(self, part: str, name: str, **varied: Any) -> FloatArray:
        """Return one figure of all those answers, in the order of the questions."""
        found = [values for _, values in self.of(part, **varied)]
        for values in found:
            if name not in values:
                raise UnknownNameError("figure", name, values, of=f"part {part!r}")
        return np.array([values[name] for values in found], dtype=float)

    @property
    def following(self) -> Simulation | None:
        """The simulation with the parts that follow from the answers; None where there are none."""
        study = self.study
        if study.then is None or self.is_partial:
            return None
        return attrs.evolve(study, parts=(*study.parts, *study.then(self)), then=None)
