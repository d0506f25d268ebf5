"""Silence what others print: LightGBM and its kind report on every tree they grow."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, TextIO

_LOCK = Lock()
_waiting: list[Any] = []
"""Whoever prints nothing at the moment; the streams come back when the last one is done."""
_streams: list[TextIO] = []


@contextmanager
def silence() -> Iterator[None]:
    """Let nothing be printed by Python meanwhile; several threads may ask for it at once."""
    me = object()
    with _LOCK:
        if not _waiting:
            _streams[:] = [sys.stdout, sys.stderr]
            sys.stdout = sys.stderr = Path(os.devnull).open(  # noqa: SIM115
                "w", encoding="utf-8"
            )
        _waiting.append(me)
    try:
        yield
    finally:
        with _LOCK:
            _waiting.remove(me)
            if not _waiting:
                nowhere = sys.stdout
                sys.stdout, sys.stderr = _streams
                nowhere.close()
