"""`Engine`: who does the work of the parts of the cases, and sums up what they find."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce
from typing import Any, Protocol

import attrs

Task = Callable[..., Any]
Add = Callable[[Any, Any], Any]
Common = tuple[Any, ...]
Done = Callable[[], None]
Say = Callable[[str], None]


def do_nothing() -> None:
    """Take no notice of what is done."""


def say_nothing(_: str) -> None:
    """Take no notice of what is said."""


class Engine(Protocol):
    """Does the same task for each part; what it returns are handles, of use to it alone.

    A task is a pure function of module level: it may run elsewhere, and again if it is lost.
    """

    def deal(self, pieces: Iterable[Any]) -> Iterable[Any]:
        """Return a handle for each piece of the data."""
        ...

    def each(self, task: Task, *of_part: Iterable[Any], common: Common = ()) -> list[Any]:
        """Do a task for each part, with what is given of the part and what is common to all."""
        ...

    def total(self, add: Add, task: Task, *of_part: Iterable[Any], common: Common = ()) -> Any:
        """Do a task for each part and return the sum, as a value; the order must not matter."""
        ...

    def join(self, task: Task, handles: Sequence[Any], common: Common = ()) -> Any:
        """Do a task with the list of the values of some handles; return a handle."""
        ...

    def fetch(self, handles: Sequence[Any]) -> list[Any]:
        """Return the values of handles."""
        ...

    def watched(self, done: Done, say: Say) -> "Engine":
        """Return an engine of the same means that calls a function when a part is done.

        Another one is told what keeps the work from being done.
        """
        ...


@attrs.frozen
class InProcess:
    """Does the work here, a part at a time; handles are the values themselves."""

    done: Done = do_nothing

    def deal(self, pieces: Iterable[Any]) -> Iterable[Any]:
        return pieces

    def each(self, task: Task, *of_part: Iterable[Any], common: Common = ()) -> list[Any]:
        return list(self._results(task, of_part, common))

    def _results(
        self, task: Task, of_part: Sequence[Iterable[Any]], common: Common
    ) -> Iterator[Any]:
        for own in zip(*of_part, strict=True):
            yield task(*own, *common)
            self.done()

    def total(self, add: Add, task: Task, *of_part: Iterable[Any], common: Common = ()) -> Any:
        return reduce(add, self._results(task, of_part, common))

    def join(self, task: Task, handles: Sequence[Any], common: Common = ()) -> Any:
        return task(handles, *common)

    def fetch(self, handles: Sequence[Any]) -> list[Any]:
        return list(handles)

    def watched(self, done: Done, say: Say) -> "InProcess":  # noqa: ARG002 (nothing does)
        return attrs.evolve(self, done=done)
