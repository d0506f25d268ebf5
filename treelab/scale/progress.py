"""`Watched`: an engine that says what it is at, how far it is, and how long that may take."""

from collections.abc import Callable, Iterable, Sequence
from time import monotonic
from typing import Any

import attrs

from treelab.scale.axes import counted_digits
from treelab.scale.distinct import keys_in
from treelab.scale.facts import facts_of
from treelab.scale.folds import judged
from treelab.scale.parts import fitted, part_of
from treelab.scale.predictions import write_predictions
from treelab.scale.signatures import signatures_of
from treelab.stats.stores.engine import Add, Common, Engine, Task
from treelab.stats.stores.part import Part

PHASES: dict[Task, str] = {
    facts_of: "reading columns and classes",
    counted_digits: "looking for the borders of bins",
    part_of: "coding",
    Part.histograms: "counting",
    Part.rows: "bringing small nodes together",
    Part.drawn: "bringing cases of a node together",
    signatures_of: "putting cases together that the tree cannot tell apart",
    keys_in: "counting distinct numbers",
    fitted: "reading the cases to prune by",
    write_predictions: "predicting",
    judged: "testing",
}

EVERY = 1.0
"""Seconds between two words about the same phase."""


@attrs.define(eq=False)
class Watched:
    """Hands work on to another engine, and says in a few words what becomes of it."""

    engine: Engine
    say: Callable[[str], None]
    level: int = 1
    phase: str = ""
    n_parts: int = 0
    n_done: int = 0
    began: float = attrs.field(factory=monotonic)
    entered: float = 0.0
    said: float = 0.0

    def __attrs_post_init__(self) -> None:
        self.engine = self.engine.watched(self._done)

    def watched(self, done: Callable[[], None]) -> Engine:
        return self.engine.watched(done)

    def deal(self, pieces: Iterable[Any]) -> Iterable[Any]:
        return self.engine.deal(pieces)

    def each(self, task: Task, *of_part: Iterable[Any], common: Common = ()) -> list[Any]:
        self._enter(task, of_part[0], common)
        return self.engine.each(task, *of_part, common=common)

    def total(self, add: Add, task: Task, *of_part: Iterable[Any], common: Common = ()) -> Any:
        self._enter(task, of_part[0], common)
        return self.engine.total(add, task, *of_part, common=common)

    def join(self, task: Task, handles: Sequence[Any], common: Common = ()) -> Any:
        self.phase = ""
        return self.engine.join(task, handles, common)

    def fetch(self, handles: Sequence[Any]) -> list[Any]:
        return self.engine.fetch(handles)

    def _enter(self, task: Task, parts: Iterable[Any], common: Common) -> None:
        self.level += task is Part.moved
        if task not in PHASES:
            self.phase = ""
            return
        self.phase = PHASES[task]
        if task is Part.histograms:
            self.phase += f" level {self.level} ({len(common[0]):,} nodes)"
        self.n_parts = len(parts) if isinstance(parts, Sequence) else 0
        self.n_done, self.entered = 0, monotonic()
        self._say()

    def report(self, phase: str) -> None:
        """Say what is being done besides the tasks, and since when."""
        self.phase = ""
        self.say(f"{phase} ({monotonic() - self.began:.0f} s)")

    def _done(self) -> None:
        self.n_done += 1
        if self.phase and monotonic() - self.said >= EVERY:
            self._say()

    def _say(self) -> None:
        now = monotonic()
        self.said = now
        done = f"{self.n_done:,} of {self.n_parts:,}" if self.n_parts else f"{self.n_done:,}"
        left = ""
        if 0 < self.n_done < self.n_parts:
            rest = (now - self.entered) / self.n_done * (self.n_parts - self.n_done)
            left = f", about {rest:.0f} s left of this"
        self.say(f"{self.phase}: {done} partitions ({now - self.began:.0f} s{left})")
