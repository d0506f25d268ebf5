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


def listen(event: Any) -> None:
    """Let numba report its compilations; `event` is its module of that name."""

    class Report(event.Listener):  # type: ignore[misc]
        def on_start(self, event: Any) -> None:
            if watchers and _is_ours(event.data["dispatcher"]):
                for watcher in watchers:
                    watcher.begins(_is_cold(event.data["dispatcher"]))

        def on_end(self, event: Any) -> None:
            if watchers and _is_ours(event.data["dispatcher"]):
                for watcher in watchers:
                    watcher.ends()

    event.register("numba:compile", Report())


def _is_ours(compiled: Any) -> bool:
    return str(compiled.py_func.__module__).startswith("treelab.")


def _is_cold(compiled: Any) -> bool:
    place = code_place(compiled)
    return place is None or not any(place.glob("*.nbi"))


def code_place(compiled: Any) -> Path | None:
    """Return the directory in which the code of a kernel is kept; None where it is not kept."""
    place = getattr(compiled._cache, "cache_path", None)
    return None if place is None else Path(place)
