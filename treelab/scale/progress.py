"""`Watched`: an engine that says what it is at, how far it is, and how long that may take."""

from collections.abc import Iterable, Sequence
from functools import partial
from time import monotonic
from typing import Any

import attrs

from treelab.scale.axes import counted_digits
from treelab.scale.distinct import keys_in
from treelab.scale.facts import facts_of
from treelab.scale.folds import judged
from treelab.scale.held_out import different_in, ended_in
from treelab.scale.parts import fitted, part_of
from treelab.scale.predictions import write_predictions
from treelab.scale.signatures import signatures_of
from treelab.scale.weighing import sums_in
from treelab.stats.stores.engine import Add, Common, Done, Engine, Say, Task
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
    sums_in: "weighing classes",
    different_in: "looking for equal cases",
    ended_in: "testing by what was held out",
}

EVERY = 1.0
"""Seconds between two words about the same phase."""


@attrs.define(eq=False)
class Watched:
    """Hands work on to another engine, and says in a few words what becomes of it."""

    engine: Engine
    say: Say
    level: int = 1
    moved: bool = False
    phase: str = ""
    turn: int = 0
    n_parts: int = 0
    n_done: int = 0
    began: float = attrs.field(factory=monotonic)
    entered: float = 0.0
    said: float = 0.0

    def watched(self, done: Done, say: Say) -> Engine:
        return self.engine.watched(done, say)

    def deal(self, pieces: Iterable[Any]) -> Iterable[Any]:
        return self.engine.deal(pieces)

    def each(self, task: Task, *of_part: Iterable[Any], common: Common = ()) -> list[Any]:
        engine = self._entered(task, of_part[0], common)
        return engine.each(task, *of_part, common=common)

    def total(self, add: Add, task: Task, *of_part: Iterable[Any], common: Common = ()) -> Any:
        engine = self._entered(task, of_part[0], common)
        return engine.total(add, task, *of_part, common=common)

    def join(self, task: Task, handles: Sequence[Any], common: Common = ()) -> Any:
        self.phase = ""
        return self.engine.join(task, handles, common)

    def fetch(self, handles: Sequence[Any]) -> list[Any]:
        return self.engine.fetch(handles)

    def _entered(self, task: Task, parts: Iterable[Any], common: Common) -> Engine:
        """Return an engine that counts these tasks: others may be done at any time."""
        self.turn += 1
        self._enter(task, parts, common)
        return self.engine.watched(partial(self._done, self.turn), self._waits)

    def _enter(self, task: Task, parts: Iterable[Any], common: Common) -> None:
        self.moved |= task is Part.moved
        if task not in PHASES:
            self.phase = ""
            return
        self.phase = PHASES[task]
        if task is Part.histograms:
            self.level, self.moved = self.level + self.moved, False
            self.phase += f" level {self.level} ({len(common[0]):,} nodes)"
        self.n_parts = len(parts) if isinstance(parts, Sequence) else 0
        self.n_done, self.entered = 0, monotonic()
        self._say()

    def report(self, phase: str) -> None:
        """Say what is being done besides the tasks, and since when."""
        self.phase = ""
        self.say(f"{phase} ({monotonic() - self.began:.0f} s)")

    def _waits(self, why: str) -> None:
        """Say what keeps the work from being done, which may change."""
        self.say(f"{self.phase or 'waiting'}: {why} ({monotonic() - self.began:.0f} s)")

    def _done(self, turn: int) -> None:
        if turn != self.turn:
            return
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
