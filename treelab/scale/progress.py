"""`Watched`: an engine that says what it is at."""

from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Any

import attrs

from treelab.scale.axes import counted_digits
from treelab.scale.facts import facts_of
from treelab.scale.folds import judged
from treelab.scale.parts import fitted, part_of
from treelab.scale.predictions import write_predictions
from treelab.stats.engine import Add, Common, Engine, Task
from treelab.stats.part import Part, scatter_part

PHASES: dict[Task, str] = {
    facts_of: "reading columns and classes",
    counted_digits: "looking for the borders of bins",
    part_of: "coding partitions",
    Part.histograms: "counting",
    fitted: "reading the cases to prune by",
    write_predictions: "predicting",
    judged: "testing",
}


@attrs.define(eq=False)
class Watched:
    """Hands work on to another engine, and says in a few words what it is, and since when."""

    engine: Engine
    say: Callable[[str], None]
    level: int = 1
    since: float = attrs.field(factory=monotonic)

    def deal(self, pieces: Iterable[Any]) -> Iterable[Any]:
        return self.engine.deal(pieces)

    def each(self, task: Task, *of_part: Iterable[Any], common: Common = ()) -> list[Any]:
        self._tell(task)
        return self.engine.each(task, *of_part, common=common)

    def total(self, add: Add, task: Task, *of_part: Iterable[Any], common: Common = ()) -> Any:
        self._tell(task)
        return self.engine.total(add, task, *of_part, common=common)

    def fetch(self, handles: Sequence[Any]) -> list[Any]:
        return self.engine.fetch(handles)

    def _tell(self, task: Task) -> None:
        self.level += task is scatter_part
        if task in PHASES:
            level = f" level {self.level}" if task is Part.histograms else ""
            self.report(f"{PHASES[task]}{level}")

    def report(self, phase: str) -> None:
        """Say what is being done, and since when."""
        self.say(f"{phase} ({monotonic() - self.since:.0f} s)")
