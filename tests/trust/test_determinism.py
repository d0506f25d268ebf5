"""The same bytes for any order of the rows, number of threads, process and hash seed.

The long form, with reports, is experiments/trust/determinism.py.
"""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from called import done, outside

import treelab as tl
from treelab.cli.tables import as_csv
from treelab.experiment import Study, run_study
from treelab.experiment.report import write_tables
from treelab.experiment.sources import InMemory
from treelab.experiment.summary import Summary
from treelab.tree.file import dumps

FOLDER = Path(__file__).parents[2] / "experiments" / "trust"
sys.path.insert(0, str(FOLDER))
try:
    import determinism
finally:
    sys.path.remove(str(FOLDER))

DATA = determinism.mixed(60)
LEARNERS = determinism.learners()


@pytest.fixture
def threads():
    yield tl.set_threads
    tl.set_threads(None)


@pytest.mark.parametrize("settings", LEARNERS)
def test_neither_the_order_of_the_rows_nor_threads_change_a_byte(settings, threads):
    learner = LEARNERS[settings]
    threads(1)
    expected = determinism.digest(learner, DATA)
    threads(4)

    assert determinism.digest(learner, DATA) == expected
    assert determinism.digest(learner, determinism.shuffled(DATA, 1)) == expected


def test_other_data_make_another_digest():
    """Else the test above would show nothing."""
    digests = {
        determinism.digest(tl.Learner(seed=seed), data)
        for seed in (0, 1)
        for data in (DATA, DATA.take(range(59)), tl.load("iris"))
    }

    assert len(digests) == 6


PROCESS = """
import json, sys
sys.path.insert(0, sys.argv[1])
import determinism
data, learners = determinism.mixed(60), determinism.learners()
print(json.dumps({key: determinism.digest(learners[key], data) for key in sys.argv[2:]}))
"""


def test_another_process_with_another_hash_seed_makes_the_same():
    keys = list(LEARNERS)[::9]
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONHASHSEED": "12345", "TREELAB_THREADS": "2",
    }  # fmt: skip
    call = [sys.executable, "-c", PROCESS, str(FOLDER), *keys]
    done = subprocess.run(call, env=environment, capture_output=True, text=True, check=True)

    assert json.loads(done.stdout) == {k: determinism.digest(LEARNERS[k], DATA) for k in keys}


TIMED = {"seconds.svg", "seconds.png", "times.csv", "report.html", "trials.sqlite"}
COMPARE = ("compare", "lenses", "labor", "--metric", "gain,gini,relieff", "--folds", "2")


def report_of(folder):
    """Return the files of a report in which no times are told."""
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.name not in TIMED}


def test_reports_of_several_jobs_and_hash_seeds_are_the_same(tmp_path, monkeypatch):
    """One is written here, the other by a process with workers."""
    done(*COMPARE, "-o", tmp_path / "here", "-j", 1)
    for name, value in determinism.RUNS[1].items():
        monkeypatch.setenv(name, value)
    assert outside(*COMPARE, "-o", str(tmp_path / "there"), "-j", "2").returncode == 0
    one, other = report_of(tmp_path / "here"), report_of(tmp_path / "there")

    assert [name for name in one if one[name] != other[name]] == []
    assert {"critical-difference.svg", "table.md", "results.csv"} <= one.keys() == other.keys()


RIVALS = {
    "gain": tl.Learner(metric="gain"),
    "relieff": tl.Learner(metric="relieff"),
    "CART": "sklearn.tree:DecisionTreeClassifier",
    "bayes": "sklearn.naive_bayes:GaussianNB",
    "logistic": "sklearn.linear_model:LogisticRegression",
    "forest": "sklearn.ensemble:RandomForestClassifier(n_estimators=5)",
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", ["zoo", "mixed"])
def test_the_order_of_the_rows_changes_no_byte_of_the_results(name, tmp_path):
    """The weights of the mixed data are odd: their sums differ with the order."""
    data, found = DATA if name == "mixed" else tl.load(name), set()
    for each in (data, determinism.shuffled(data, 1)):
        results = run_study(Study(data=[InMemory(each, name)], learners=RIVALS, folds=2))
        write_tables(Summary(results), tmp_path)
        found.add((tmp_path / "results.csv").read_bytes())

    assert results.failures == []
    assert len(found) == 1


@pytest.mark.parametrize("name", ["labor", "zoo"])
def test_a_file_with_its_lines_shuffled_makes_the_same_model(name, tmp_path):
    """The order in which labels first come up must not matter."""
    head, *lines = as_csv(tl.load(name)).splitlines()
    models = set()
    for turn in range(3):
        random.Random(turn).shuffle(lines)
        (tmp_path / "data.csv").write_text("\n".join([head, *lines]) + "\n")
        models.add(dumps(tl.Learner().fit(tl.read(tmp_path / "data.csv"))))

    assert len(models) == 1
