"""The benchmarks of experiments/speed run and report; how fast anything is, is not asserted."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import treelab as tl

FOLDER = Path(__file__).parents[1] / "experiments" / "speed"
MODULES = ("agree", "bench", "peers", "rpart", "run", "trees")


@pytest.fixture(autouse=True)
def _scripts(monkeypatch):
    """The folder of the scripts is on the path, as if one of them were run."""
    monkeypatch.syspath_prepend(str(FOLDER))
    yield
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The folder of a quick run of one benchmark."""
    folder = tmp_path_factory.mktemp("speed")
    call = [sys.executable, FOLDER / "run.py", "nominal", "--quick", "--to", folder]
    here = os.environ | {"PYTHONPATH": str(FOLDER.parents[1])}  # this treelab, installed or not
    subprocess.run(call, check=True, env=here, capture_output=True)
    return folder


def test_a_run_keeps_the_machine_and_a_line_per_comparison(kept):
    first, *lines = map(json.loads, (kept / "results.jsonl").read_text("utf-8").splitlines())

    assert {"cpu", "cores", "python", "numpy", "numba", "scikit-learn", "ydf"} <= set(
        first["machine"]
    )
    (line,) = lines
    assert line["case"] == "car, 1,728 x 6"
    assert line["ratio"] == pytest.approx(line["peer_s"] / line["ours_s"], rel=1e-3)  # 4 figures


def test_a_run_writes_a_table_of_as_many_rows(kept):
    text = (kept / "table.md").read_text("utf-8")

    assert "| nominal multiway tree | car, 1,728 x 6 | scikit-learn | " in text
    assert len({line.count("|") for line in text.splitlines() if line.startswith("|")}) == 1


def test_lines_of_another_machine_are_not_mixed_in(kept):
    import run

    path = kept / "results.jsonl"
    facts = json.loads(path.read_text("utf-8").splitlines()[0])["machine"]

    assert len(run.kept(path, facts)) == 1
    assert run.kept(path, facts | {"cpu": "another"}) == []


@pytest.mark.parametrize(
    ("ratio", "wanted", "said"),
    [
        (8.14, 8.0, ("8.14x faster", "8x faster", "yes")),
        (4.0, 8.0, ("4x faster", "8x faster", "2x short")),
        (0.5, 1 / 3, ("2x slower", "3x slower", "yes")),
        (0.25, 0.5, ("4x slower", "2x slower", "2x short")),
        (2.0, None, ("2x faster", "-", "-")),
    ],
)
def test_the_table_says_how_far_a_ratio_is_from_the_wanted_one(ratio, wanted, said):
    import bench
    import run

    line = bench.row("task", "case", 1.0, "peer", ratio, wanted)

    assert run.cells(line)[3:6] == said


def test_a_peer_that_is_not_there_is_said_to_be_not_installed():
    import bench
    import run

    (line,) = bench.compare("task", "case", lambda: 1, bench.Peer("rpart", None, 1.0), runs=1)

    assert line["ratio"] is None
    assert run.cells(line)[3:6] == ("not installed", "1x faster", "-")


def test_treelab_and_its_peer_take_turns_and_the_first_round_does_not_count():
    import bench

    calls = []
    times = iter([9.0, 2.0, 3.0])

    def ours():
        calls.append("ours")
        return bench.Timed(next(times), "result")

    found = bench.alternating([ours, lambda: calls.append("peer")], runs=2)

    assert calls == ["ours", "peer"] * 3
    assert found[0] == (2.0, "result")


def test_trees_are_equal_but_for_ties_to_those_of_scikit_learn_and_to_no_others():
    from agree import same_tree
    from bench import classes, dataset, grown, numbers
    from sklearn.tree import DecisionTreeClassifier

    x = numbers(400, 6)
    y = classes(x)
    gain, gini = (DecisionTreeClassifier(criterion=c).fit(x, y) for c in ("entropy", "gini"))
    ours = grown(dataset(x, y))()

    found = same_tree(ours, gain)
    assert found["equal"]
    assert found["same"] > 50
    assert not same_tree(ours, gini)["equal"]
    assert not same_tree(tl.prune(ours, "pessimistic"), gain)["equal"]
