"""Inputs in child processes: a library in another language may end the process that calls it.

A child takes many inputs one after the other, and notes before each which one it is.
"""

import json
import mmap
import os
import resource
import signal
import struct
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

BATCH = 250
PATIENCE = 60
"""After so many seconds an input hangs, in whatever language."""
MEMORY = 4 * 2**30
"""A child may ask for so many bytes beyond what it has: no input is to fill the machine."""

Take = Callable[[bytes], object]
Judge = Callable[[Take, bytes], str]


def in_children(
    take: Take, seeds: Sequence[bytes], contents: Iterator[bytes], judge: Judge
) -> tuple[int, dict[str, bytes]]:
    """Return how many inputs there were, and what broke, by where it broke.

    Parameters
    ----------
    take
        What takes an input.
    seeds
        Inputs that must be taken.
    contents
        Inputs that may be refused, in treelab's own words.
    judge
        Returns what is wrong with how an input was taken.
    """
    wrong = [where for _, where in _judged(take, seeds, _accepted)]
    assert not wrong, f"a valid file was refused: {wrong}"
    done, broken = 0, dict[str, bytes]()
    while batch := list(islice(contents, BATCH)):
        done += len(batch)
        for at, where in _judged(take, batch, judge):
            broken.setdefault(where, batch[at])
    return done, broken


def keep(name: str, contents: Iterable[bytes]) -> list[Path]:
    """Keep inputs in files: they are too long to be shown."""
    folder = Path(tempfile.mkdtemp(prefix=f"broken-{name}-"))
    paths = []
    for number, content in enumerate(contents):
        paths.append(folder / str(number))
        paths[-1].write_bytes(content)
    return paths


def _accepted(take: Take, content: bytes) -> str:
    try:
        take(content)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def _judged(take: Take, batch: Sequence[bytes], judge: Judge) -> Iterator[tuple[int, str]]:
    """Give the inputs that broke something, in as many children as die of them."""
    first = 0
    with mmap.mmap(-1, 8) as current:
        while first < len(batch):
            lines, status = _child(_told(take, batch, judge, first, current))
            yield from lines
            if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0:
                return
            (died,) = struct.unpack("q", current[:])
            ended = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else status
            yield died, "hang" if ended == "SIGALRM" else f"the process died: {ended}"
            first = died + 1


def _told(
    take: Take, batch: Sequence[bytes], judge: Judge, first: int, current: mmap.mmap
) -> Iterator[tuple[int, str]]:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # ends a child that no Python could interrupt
    for at in range(first, len(batch)):
        signal.setitimer(signal.ITIMER_REAL, PATIENCE)
        current[:] = struct.pack("q", at)
        where = judge(take, batch[at])
        if where:
            yield at, where


def _child(work: Iterable[tuple[int, str]]) -> tuple[list[tuple[int, str]], int]:
    """Do work in a child; return what it told, and how it ended."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads: they do nothing now
        number = os.fork()
    if number == 0:
        try:
            _limit_memory()
            with os.fdopen(writing, "w") as out:
                for found in work:
                    print(json.dumps(found), file=out, flush=True)
        except BaseException:
            os._exit(2)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as lines:
        told = [tuple(json.loads(line)) for line in lines]
    return told, os.waitpid(number, 0)[1]


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
