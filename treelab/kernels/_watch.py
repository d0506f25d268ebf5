"""Who hears that a kernel has to be compiled: nobody, unless somebody asks.

Numba is not imported here, so that the command line can ask before there is anything to hear.
"""

from pathlib import Path
from typing import Any, Protocol


class Watcher(Protocol):
    """Hears of every kernel that is compiled, not of those whose code was found on disk."""

    def begins(self, cold: bool) -> None:
        """Hear that one is begun, perhaps within another; `cold`: no code is kept at all yet."""

    def ends(self) -> None:
        """Hear that the last one begun is done."""


watchers: list[Watcher] = []
"""Those who asked."""


def listen() -> None:
    """Let numba report its compilations."""
    from numba.core import event

    class Report(event.Listener):
        def on_start(self, event: Any) -> None:
            for watcher in _watchers_of(event):
                watcher.begins(_is_cold(event.data["dispatcher"]))

        def on_end(self, event: Any) -> None:
            for watcher in _watchers_of(event):
                watcher.ends()

    event.register("numba:compile", Report())  # type: ignore[no-untyped-call]


def _watchers_of(event: Any) -> list[Watcher]:
    """Return who is to hear of an event: nobody if what is compiled is not treelab's."""
    name = watchers and event.data["dispatcher"].py_func.__module__
    return watchers if str(name).startswith("treelab.") else []


def _is_cold(compiled: Any) -> bool:
    place = code_place(compiled)
    return place is None or not any(place.glob("*.nbi"))


def code_place(compiled: Any) -> Path | None:
    """Return the directory in which the code of a kernel is kept; None where it is not kept."""
    place = getattr(compiled._cache, "cache_path", None)
    return None if place is None else Path(place)
