"""Dask clusters of real processes: those of the commands `dask scheduler` and `dask worker`."""

import os
import signal
import socket
import subprocess
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
        log = self.stack.enter_context((self.folder / f"{words[0]}.log").open("a"))
        how = {"stdout": log, "stderr": log, "cwd": self.folder, "start_new_session": True}
        command = [sys.executable, "-m", "dask", *words]
        process = subprocess.Popen(command, env=environment(path), **how)
        self.stack.callback(process.wait)
        self.stack.callback(_end, process.pid)
        return process

    @contextmanager
    def client(self):
        from distributed import Client

        with Client(self.address, timeout=60, set_as_default=False) as client:
            yield client

    def wait(self, n_workers):
        with self.client() as client:
            client.wait_for_workers(n_workers, timeout=60)


def _end(group):
    """End a process and all that it started, without farewells, which take seconds."""
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


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
    """Kill one of the workers that are there; if there is none, as soon as one is."""
    while True:
        client.wait_for_workers(1, timeout=60)
        answers = client.run(os.getpid, on_error="return").values()
        pids = sorted(pid for pid in answers if isinstance(pid, int))
        if pids:
            os.kill(pids[choice % len(pids)], signal.SIGKILL)
            return


def treelab_command(*words):
    return [sys.executable, "-m", "treelab", *map(str, words)]
