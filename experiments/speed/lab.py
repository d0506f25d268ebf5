"""How long the lab takes: data of 10,000 cases opened, grown and answered; a `why` table.

    python experiments/speed/lab.py

Requests go through the whole application but for the network. The first of each kind loads compiled
kernels; the time is that of the best of three after it, and beside it stands the time of the
processor, which is what a machine without other work takes. The table is of 40 features by all
metrics at the root, made where the lab makes it: in a worker process.
"""

import os
import time
import warnings
from statistics import median

import numpy as np

import treelab as tl
from treelab.data.dataset import Dataset
from treelab.data.schema import Column, Schema
from treelab.lab_server.app import application
from treelab.lab_server.asking import why_table
from treelab.lab_server.desk import Desk
from treelab.lab_server.folder import Folder
from treelab.lab_server.sources import InMemory

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

CASES, NUMERIC, NOMINAL = 10_000, 20, 20
PORT = 4321


def mixed(cases: int = CASES) -> Dataset:
    """Return data of 20 numeric and 20 nominal features, of which a few matter."""
    rng = np.random.default_rng(0)
    numbers = [rng.normal(size=cases) for _ in range(NUMERIC)]
    widths = [2 + k % 8 for k in range(NOMINAL)]
    codes = [rng.integers(0, width, cases) for width in widths]
    noise = 0.5 * rng.normal(size=cases)
    y = numbers[0] + numbers[1] * numbers[2] + codes[5] % 2 + noise > 0.5
    features = [Column(f"x{k}") for k in range(NUMERIC)]
    features += [
        Column(f"c{k}", tuple(f"v{i}" for i in range(width))) for k, width in enumerate(widths)
    ]
    schema = Schema(tuple(features), Column("class", ("no", "yes")))
    return Dataset.of(schema, [*numbers, *codes], y.astype(int), name="mixed")


class Lab:
    """The application, asked without a network."""

    def __init__(self, data: Dataset) -> None:
        self.desk = Desk(Folder("."), InMemory({"from": "given"}, "data", data))
        host = f"http://127.0.0.1:{PORT}"
        self.client = TestClient(application(self.desk, PORT), base_url=host)

    def ask(self, name: str, **asked: object) -> dict:
        answer = self.client.post(f"/{self.desk.token}/api/{name}", json={"tab": "a", **asked})
        found = answer.json()
        while answer.status_code == 202 or found.get("state") == "running":
            time.sleep(0.02)
            answer = self.client.get(f"/{self.desk.token}/api/jobs/{found['job']}")
            found = answer.json()
        return found.get("result", found)


def timed(work) -> tuple[float, float]:
    """Return the seconds, and those of the processor, of the best of three calls."""
    work()
    found = []
    for _ in range(3):
        start, busy = time.perf_counter(), time.process_time()
        work()
        found.append((time.perf_counter() - start, time.process_time() - busy))
    return min(found)


def main() -> None:
    data = mixed()
    lab = Lab(data)
    try:
        print(
            f"{len(data):,} cases, {len(data.features)} features, {len(tl.metric_names())} metrics"
        )
        print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
        requests = {
            "open (columns, histograms)": ("open", {"source": {"from": "given"}}),
            "grow (tree and page)": ("grow", {"settings": {}}),
            "node": ("node", {"path": [0]}),
            "cases": ("cases", {"path": [0]}),
        }
        for words, (name, asked) in requests.items():
            wall, busy = timed(lambda name=name, asked=asked: lab.ask(name, **asked))
            print(f"{words:28} {wall:6.2f} s   {busy:6.2f} s of the processor")
        edit = lab.ask("why", metrics=["gain", "gini"])["candidates"][1]["edit"]

        def change() -> None:
            lab.ask("edit", edit=edit)
            lab.ask("undo")

        wall, busy = timed(change)
        print(f"{'edit and undo':28} {wall:6.2f} s   {busy:6.2f} s of the processor")
        walls = []
        for _ in range(3):
            start = time.perf_counter()
            table = lab.ask("why", metrics="all")
            walls.append(time.perf_counter() - start)
        tree = tl.grow(data)
        names = tl.metric_names()
        for _ in range(2):  # the second one finds its kernels loaded
            start = time.process_time()
            why_table((data, None), lambda _share, _words: None, tree, (), names, "best")
            busy = time.process_time() - start
        print(
            f"{'why, all metrics (a job)':28} {median(walls):6.2f} s   {busy:6.2f} s of the "
            f"processor   {len(table['candidates'])} candidates"
        )
        print(table["sample"]["words"])
    finally:
        lab.desk.close()


if __name__ == "__main__":
    main()
