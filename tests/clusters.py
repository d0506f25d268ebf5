"""Dask clusters of real processes: those of the commands `dask scheduler` and `dask worker`."""

import os
import signal
import socket
import sys
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import treelab

ROOT = Path(treelab.__file__).parents[1]
PATIENT = {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "50"}


def environment(path=ROOT):
    """Return what the processes find treelab by."""
    return {**os.environ, **PATIENT, "PYTHONPATH": str(path), "TREELAB_THREADS": "1"}


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """A scheduler and workers, each a process, with an end of its own."""

    def __init__(self, folder, stack):
        self.folder, self.stack = folder, stack
        self.port = free_port()
        self.address = f"tcp://127.0.0.1:{self.port}"
        self.scheduler, self.workers = None, []

    def start_scheduler(self):
        options = ("--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        self.scheduler = self._started("scheduler", *options)

    def start_worker(self, *options, path=ROOT):
        words = self.address, "--nthreads", "1", "--no-dashboard", "--memory-limit", "0", *options
        self.workers.append(self._started("worker", *words, path=path))

    def _started(self, *words, path=ROOT):
        from distributed.utils_test import popen

        log = self.stack.enter_context((self.folder / f"{words[0]}.log").open("a"))
        how = {"stdout": log, "stderr": log, "cwd": self.folder, "start_new_session": True}
        return self.stack.enter_context(popen(["dask", *words], env=environment(path), **how))

    @contextmanager
    def client(self):
        from distributed import Client

        with Client(self.address, timeout=60, set_as_default=False) as client:
            yield client

    def wait(self, n_workers):
        with self.client() as client:
            client.wait_for_workers(n_workers, timeout=60)


@contextmanager
def processes(folder, n_workers=2):
    """Give a cluster, with a nanny for each worker that starts another one where it was killed."""
    with ExitStack() as stack:
        cluster = Cluster(folder, stack)
        cluster.start_scheduler()
        for _ in range(n_workers):
            cluster.start_worker()
        cluster.wait(n_workers)
        yield cluster


def kill_a_worker(client, choice=0):
    """Kill one of the workers that are there, if any is; return how many were killed."""
    pids = sorted(
        pid for pid in client.run(os.getpid, on_error="return").values() if isinstance(pid, int)
    )
    if pids:
        kill(pids[choice % len(pids)])
    return min(1, len(pids))


def kill(pid):
    with suppress(ProcessLookupError):  # another kill was faster
        os.kill(pid, signal.SIGKILL)


def treelab_command(*words):
    return [sys.executable, "-m", "treelab", *map(str, words)]
