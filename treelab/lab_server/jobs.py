"""Long work in worker processes: started, watched, cancelled, and survived when one dies."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from threading import Condition, Thread
from typing import Any

import attrs

from treelab.lab_server.worker import DONE, PROGRESS, READY

MOST_WORKERS = max(2, (os.cpu_count() or 2) // 2)
"""So many worker processes at once; further jobs wait."""

KEPT = 200
"""So many finished jobs are remembered."""

RUNNING, FINISHED, FAILED, CANCELLED = "running", "done", "failed", "cancelled"

START = "from treelab.lab_server.worker import main; main()"


class WorkerProcess:
    """A worker process, and the pipes to it. `has` is the key of the data that it keeps."""

    def __init__(self) -> None:
        # -P: a file called numpy.py in the folder at hand is data, and no module to import.
        home = str(Path(__file__).parents[2])
        path = os.pathsep.join(filter(None, [home, os.environ.get("PYTHONPATH")]))
        self.process = subprocess.Popen(  # noqa: S603  (ourselves)
            [sys.executable, "-P", "-c", START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": path},
        )
        self.has: str | None = None
        self.was_ready = False

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self.process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self.process.poll() is None

    def ask(self, name: str, key: str, data: Any, given: dict[str, Any]) -> None:
        """Send a task; data that it has already are not sent again."""
        assert self.process.stdin is not None
        sent = None if key == self.has else data
        pickle.dump((name, key, sent, given), self.process.stdin)
        self.process.stdin.flush()
        self.has = key

    def answer(self) -> tuple[str, Any]:
        """Wait for what it says next; EOFError where it has ended."""
        assert self.process.stdout is not None
        found: tuple[str, Any] = pickle.load(self.process.stdout)  # noqa: S301  (our own process)
        return found

    def end(self) -> None:
        """Kill it, and wait until it is gone."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):  # what was still to be written is lost, as it should be
                if pipe is not None:
                    pipe.close()


@attrs.define(eq=False)
class Job:
    """A piece of long work, as the page sees it."""

    id: str
    owner: str
    name: str
    state: str = RUNNING
    progress: float = 0.0
    words: str = "waiting"
    result: Any = None
    error: str | None = None
    worker: WorkerProcess | None = None

    def view(self) -> dict[str, Any]:
        """Return what the page is told."""
        names = ("state", "progress", "words", "result", "error")
        return {"job": self.id, **{name: getattr(self, name) for name in names}}


class Jobs:
    """All jobs of a server. One of a session runs at a time; the others wait their turn."""

    def __init__(self, most: int = MOST_WORKERS) -> None:
        self.most = most
        self.changed = Condition()
        self.jobs: dict[str, Job] = {}
        self.idle: list[WorkerProcess] = []
        self.n_workers = 0
        self.is_closed = False

    def start(self, owner: str, name: str, key: str, data: Any, given: dict[str, Any]) -> Job:
        """Begin a job of a session; a job of the same name that it still has is cancelled."""
        for other in [*self.jobs.values()]:
            if (other.owner, other.name) == (owner, name):
                self.cancel(other.id)
        job = Job(token_hex(8), owner, name)
        with self.changed:
            self.jobs[job.id] = job
            self._forget()
        Thread(target=self._run, args=(job, key, data, given), daemon=True).start()
        return job

    def warm_up(self) -> None:
        """Start a worker before it is needed: to import everything takes seconds."""
        with self.changed:
            if self.is_closed or self.idle or self.n_workers >= self.most:
                return
            self.n_workers += 1
        Thread(target=lambda: self._give_back(self._started()), daemon=True).start()

    def find(self, number: str, owner: str | None = None) -> Job | None:
        """Return a job, of a session if one is named."""
        job = self.jobs.get(number)
        return None if job is None or owner not in (None, job.owner) else job

    def cancel(self, number: str) -> Job | None:
        """End a job; the process that did it is killed, and another one started."""
        with self.changed:
            job = self.jobs.get(number)
            if job is None or job.state != RUNNING:
                return job
            job.state, job.words = CANCELLED, "cancelled"
            if job.worker is not None:
                job.worker.process.kill()  # whoever waits for its answer hears of it
            self.changed.notify_all()
        return job

    def cancel_all(self, owner: str) -> None:
        """End the jobs of a session."""
        for job in [*self.jobs.values()]:
            if job.owner == owner:
                self.cancel(job.id)

    def close(self) -> None:
        """End all jobs and all workers."""
        with self.changed:
            self.is_closed = True
            workers = [*self.idle, *(job.worker for job in self.jobs.values() if job.worker)]
            self.idle.clear()
            self.changed.notify_all()
        for worker in workers:
            worker.end()

    # In the thread of a job

    def _run(self, job: Job, key: str, data: Any, given: dict[str, Any]) -> None:
        try:
            worker = self._worker(lambda: self._has_turn(job))
        except InterruptedError:
            return
        with self.changed:
            job.worker = worker
            is_cancelled = job.state != RUNNING
        try:
            if not is_cancelled:
                self._watch(job, worker, (job.name, key, data, given))
        except (EOFError, OSError, pickle.UnpicklingError):
            self._died(job, worker)
        except Exception as error:
            self._died(job, worker, f"it cannot be sent to a worker: {error}")
        finally:
            with self.changed:
                job.worker = None
            self._give_back(worker)

    def _watch(self, job: Job, worker: WorkerProcess, task: tuple[str, str, Any, Any]) -> None:
        worker.ask(*task)
        while True:
            kind, what = worker.answer()
            with self.changed:
                if job.state != RUNNING:
                    raise EOFError  # cancelled: what comes now is not wanted
                if kind == PROGRESS:
                    job.progress, job.words = what
                    continue
                if kind == DONE:
                    job.progress, job.words, job.result = 1.0, "done", what
                    job.state = FINISHED
                else:
                    job.state, job.words, job.error = FAILED, "failed", what
                return

    def _died(self, job: Job, worker: WorkerProcess, why: str = "") -> None:
        worker.end()
        code = worker.process.returncode
        with self.changed:
            if job.state == RUNNING:
                what = why or f"the worker process ended unexpectedly (exit code {code})"
                job.state, job.words = FAILED, "failed"
                job.error = f"{what}; everything else is as it was, so the work can be asked again"

    def _has_turn(self, job: Job) -> bool:
        """Tell whether a job may begin; InterruptedError where it has been cancelled."""
        if job.state != RUNNING:
            raise InterruptedError
        return not any(
            other.worker is not None and other.owner == job.owner for other in self.jobs.values()
        )

    def _worker(self, has_turn: Callable[[], bool]) -> WorkerProcess:
        """Wait for a worker that is free, or start one; InterruptedError at the end of all."""
        with self.changed:
            while True:
                if self.is_closed:
                    raise InterruptedError
                if has_turn():
                    self.idle = [worker for worker in self.idle if self._is_sound(worker)]
                    if self.idle:
                        return self.idle.pop()
                    if self.n_workers < self.most:
                        self.n_workers += 1
                        break
                self.changed.wait(1.0)
        return self._started()

    def _started(self) -> WorkerProcess:
        worker = WorkerProcess()
        try:
            kind, _ = worker.answer()
            worker.was_ready = kind == READY
        except (EOFError, OSError):
            worker.end()
        return worker  # whoever asks one that has ended hears of it

    def _is_sound(self, worker: WorkerProcess) -> bool:
        """Tell whether an idle worker still runs; one that does not is forgotten."""
        if worker.is_alive:
            return True
        worker.end()
        self.n_workers -= 1
        return False

    def _give_back(self, worker: WorkerProcess) -> None:
        with self.changed:
            if worker.is_alive and not self.is_closed:
                self.idle.append(worker)
                self.changed.notify_all()
                return
            self.n_workers -= 1
            self.changed.notify_all()
        worker.end()
        if worker.was_ready:  # else another one would not start either
            self.warm_up()

    def _forget(self) -> None:
        done = [number for number, job in self.jobs.items() if job.state != RUNNING]
        for number in done[: max(0, len(self.jobs) - KEPT)]:
            del self.jobs[number]
