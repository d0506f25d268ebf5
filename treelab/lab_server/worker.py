"""The worker process: long work, one piece after the other, until nobody is there any more.

It is a program of its own and no fork of the server: a fork would share locks that nobody unlocks.
It reads pickles from its standard input and writes them to its standard output; both are pipes of
the server that started it. When the pipe is closed, the server has ended, in whatever way, and so
does the worker, whatever it is doing.
"""

import os
import pickle
import signal
import sys
import traceback
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, BinaryIO

from treelab.errors import TreelabError

READY, PROGRESS, DONE, FAILED = "ready", "progress", "done", "failed"

UNEXPECTED = "something unexpected went wrong ({}); details are in the terminal of treelab lab"


def main() -> None:
    """Work until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server hears it as well, and ends us
    asked, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints must not get among the answers
    Worker(answers).run(asked)


class Worker:
    """Carries out tasks; `kept` are the data it was sent, so that they travel once."""

    def __init__(self, answers: BinaryIO) -> None:
        self.answers, self.lock = answers, Lock()
        self.kept: dict[str, Any] = {}

    def run(self, asked: BinaryIO) -> None:
        """Carry out what comes in."""
        from treelab.lab_server.tasks import TASKS  # takes a while, in which nothing is asked

        waiting: SimpleQueue[Any] = SimpleQueue()
        Thread(target=_listen, args=(asked, waiting), daemon=True).start()
        self._send(READY, os.getpid())
        while True:
            name, key, data, given = waiting.get()
            if data is not None:
                self.kept = {key: data}  # only the last: data may be large
            self._carry_out(TASKS[name], self.kept.get(key), given)

    def _carry_out(self, task: Any, data: Any, given: dict[str, Any]) -> None:
        try:
            answer = task(data, self._progress, **given)
        except TreelabError as error:
            self._send(FAILED, " ".join(str(error).split()))
        except MemoryError:
            self._send(FAILED, "there is not enough memory for this")
        except Exception as error:  # a bug is told, and the worker goes on
            traceback.print_exc()
            self._send(FAILED, UNEXPECTED.format(type(error).__name__))
        else:
            self._send(DONE, answer)

    def _progress(self, share: float, words: str) -> None:
        self._send(PROGRESS, (share, words))

    def _send(self, kind: str, what: Any) -> None:
        with self.lock:
            try:
                pickle.dump((kind, what), self.answers)
                self.answers.flush()
            except BrokenPipeError:  # the server has ended, which `_listen` is about to notice
                os._exit(0)


def _listen(asked: BinaryIO, waiting: "SimpleQueue[Any]") -> None:
    """Hand on what comes in; end the process when nothing can come any more."""
    try:
        while True:
            waiting.put(pickle.load(asked))  # noqa: S301  (of the process that started us)
    except (EOFError, OSError, pickle.UnpicklingError):
        os._exit(0)
