"""The line, and on a terminal the bar, that say why the first call takes so long."""

import sys
from time import perf_counter
from typing import TYPE_CHECKING

from treelab.cli.output import note

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

SECONDS = 15
"""What `treelab train` takes to compile where nothing is compiled yet, on a machine of 2020."""

FUNCTIONS = 75
"""So many kernels are compiled then."""

UNNOTICED = 1.0
"""Seconds that nobody wonders about: a kernel or two that are compiled for a rare kind of data."""


class Compiling:
    """A watcher of kernels that are compiled: one line on standard error, a bar on a terminal."""

    def __init__(self) -> None:
        self._depth, self._done, self._spent, self._since = 0, 0, 0.0, 0.0
        self._noted = False
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def begins(self, cold: bool) -> None:
        """Hear that a kernel is begun."""
        if self._depth == 0:
            self._since = perf_counter()
        self._depth += 1
        if not self._noted and (cold or self._seconds() > UNNOTICED):
            self._noted = True
            note(f"compiling kernels, once; {f'about {SECONDS} s' if cold else 'some seconds'}")
        if self._noted and sys.stderr.isatty():
            self._show()

    def ends(self) -> None:
        """Hear that a kernel is done; what is shown is gone before any result is printed."""
        self._depth -= 1
        self._done += 1
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=min(self._done, FUNCTIONS))
        if self._depth == 0:
            self._spent += perf_counter() - self._since
            self._hide()

    def _seconds(self) -> float:
        return self._spent + perf_counter() - self._since

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        if self._bar is None:
            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("compiling", total=FUNCTIONS, completed=self._done)
            self._bar.start()

    def _hide(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
