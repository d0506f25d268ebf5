"""The same bytes from every run: models and reports.

    python experiments/trust/determinism.py [--quick]

Models are grown with every metric, pruner, discretizer and kind of setting on data with numbers,
labels, missing values, weights and ties, in processes of their own: 1, 2 and 4 threads, another
hash seed in each, and the rows shuffled. A report is made with 1, 2 and 4 jobs.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from report import tell

import treelab as tl
from treelab._random import stream
from treelab.tree.file import dumps
from treelab.tree.prune import PRUNERS

RUNS = [{"TREELAB_THREADS": str(n), "PYTHONHASHSEED": str(n)} for n in (1, 2, 4)]
REPORT = ("results.csv", "tests.csv", "table.md", "table.tex")
SETTINGS = [
    {"splits": "binary"}, {"splits": "subset"}, {"splits": "multiway", "discretizer": "mdlp"},
    {"missing": "branch"}, {"missing": "majority"}, {"bins": 8}, {"max_leaves": 9},
    {"search": "beam", "width": 3, "max_depth": 3}, {"max_depth": 2}, {"min_cases": 10},
    {"metric": "relieff", "cut_metric": "gini"}, {"metric": "relieff:max_cases=30"},
    {"metric": "contextual-merit:max_cases=30"}, {"pruner": "cost-complexity", "seed": 3},
    {"pruner": "reduced-error", "seed": 4}, {"metric": "gini", "seed": 5},
]  # fmt: skip


def learners():
    """Return every learner that is checked, by name."""
    settings = [
        *({"metric": name, "max_depth": 4} for name in tl.metric_names()),
        *({"pruner": name} for name in PRUNERS.names()),
        *({"discretizer": name} for name in tl.discretizer_names() if name != "cuts"),
        *SETTINGS,
    ]
    return {json.dumps(given): tl.Learner(**given) for given in settings}


def mixed(cases=120):
    """Return data that invite differences: sums of many magnitudes, ties, holes, weights."""
    rng = stream(0, "determinism")
    y = rng.integers(0, 3, cases)
    wide = 10.0 ** rng.integers(-6, 6, cases) * (1 + 0.1 * y)
    tied = np.round(y + rng.normal(0, 1, cases), 1)
    labels = rng.integers(0, 4, cases)
    wide[rng.random(cases) < 0.1] = np.nan
    columns = {
        "wide": wide.tolist(), "tied": tied.tolist(), "again": tied.tolist(),
        "label": [None if rng.random() < 0.1 else f"v{n}" for n in labels.tolist()],
        "class": [f"c{n}" for n in y.tolist()],
    }  # fmt: skip
    import pandas as pd

    data = tl.Dataset.from_frame(pd.DataFrame(columns), target="class")
    return data.reweighted(rng.choice([0.1, 0.3, 1.0, 2.5], cases))


def data_sets(quick):
    names = ("iris",) if quick else ("iris", "labor", "zoo", "heart-cleveland")
    return {"mixed": mixed(), **{name: tl.load(name) for name in names}}


def shuffled(data, seed):
    return data.take(np.random.default_rng(seed).permutation(len(data)))


def digest(learner, data):
    """Return the digest of the file of a model, or the sentence that refuses it."""
    try:
        text = dumps(learner.fit(data))
    except tl.errors.TreelabError as error:
        text = str(error)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digests(quick):
    """Return the digest of every model, and the models that another order of the rows changes."""
    found, moved = {}, []
    for name, data in data_sets(quick).items():
        for settings, learner in learners().items():
            key = f"{settings} on {name}"
            found[key] = digest(learner, data)
            orders = range(1 if quick else 3)
            if any(digest(learner, shuffled(data, seed)) != found[key] for seed in orders):
                moved.append(key)
    return found, moved


def in_a_process(quick, environment):
    call = [sys.executable, __file__, "--digests", *(["--quick"] if quick else [])]
    done = subprocess.run(
        call, env={**os.environ, **environment}, stdout=subprocess.PIPE, check=True
    )
    return json.loads(done.stdout)


def models(quick):
    runs = [in_a_process(quick, environment) for environment in RUNS]
    first = runs[0][0]
    differing = sorted({key for found, _ in runs for key in first if found[key] != first[key]})
    moved = sorted({key for _, keys in runs for key in keys})
    for key in (*differing, *moved):
        print(f"differs: {key}", file=sys.stderr)
    n = f"{len(first):,} models"
    return [
        tell("determinism: 1, 2 and 4 threads, other processes and hash seeds, the same bytes",
             f"{n} x {len(RUNS)} runs, {len(differing)} differ", not differing),
        tell("determinism: shuffled rows, the same bytes", f"{n}, {len(moved)} differ", not moved),
    ]  # fmt: skip


def report_of(folder, jobs, environment, quick):
    metrics = "gain,gini,relieff" if quick else "gain,gini,relieff,normalized-contextual-merit"
    words = ["lenses", "iris", "zoo", "--metric", metrics, "--folds", "3", "--repeats", "2"]
    call = [sys.executable, "-m", "treelab", "compare", *words, "-o", folder, "-j", str(jobs)]
    subprocess.run(call, env={**os.environ, **environment}, stdout=subprocess.PIPE, check=True)
    timed = {"seconds.svg", "seconds.png", "times.csv", "report.html"}
    files = {p.name: p.read_bytes() for p in Path(folder).iterdir() if "sqlite" not in p.name}
    return {name: content for name, content in files.items() if name not in timed}


def reports(quick):
    with tempfile.TemporaryDirectory() as folder:
        made = [
            report_of(Path(folder) / str(jobs), jobs, environment, quick)
            for jobs, environment in zip((1, 2, 4), RUNS, strict=True)
        ]
    same = all(other == made[0] for other in made[1:])
    figure = f"{len(made[0])} files x 3 runs, {'all the same' if same else 'they differ'}"
    return [tell("determinism: reports with 1, 2 and 4 jobs, the same bytes", figure, same)]


def main():
    quick = "--quick" in sys.argv
    if "--digests" in sys.argv:
        print(json.dumps(digests(quick)))
        return
    sys.exit(not all([*models(quick), *reports(quick)]))


if __name__ == "__main__":
    main()
