"""Wrong calls and failures: one sentence, the right exit code, nothing half-written."""

import os

import pytest
from called import WEATHER, done, run

TRAIN = ("train", "weather.csv", "-o", "new.json")


WRONG_CALLS = [
    ((*TRAIN, "--metric", "normalized:gan"), "unknown metric 'gan': did you mean 'gain'?"),
    ((*TRAIN, "--metric", "normalized:relieff"), "either sign by chance"),
    ((*TRAIN, "--metric", "normalized:relieff:kk=3,summary=z"), "'kk' of metric 'relieff'"),
    ((*TRAIN, "--metric", "normalized:gain,of=cut"), "of must be one of 'candidate'"),
    ((*TRAIN, "--metric", "pi:theta=0/0/1"), "theta must be four numbers, got (0, 0, 1)"),
    (("nonsense",), "nonsense"),
    (("train",), "DATA"),
    ((*TRAIN, "--metrc", "gain"), "--metrc"),
    ((*TRAIN, "more"), "more"),
    ((*TRAIN, "--metric", "gini-"), "did you mean 'gini'?"),
    ((*TRAIN, "--metric", "gini:5"), "gini"),
    ((*TRAIN, "--discretizer", "equal-widht"), "did you mean 'equal-width'?"),
    ((*TRAIN, "--discretizer", "equal-width:x"), "bins"),
    ((*TRAIN, "--pruner", "pesimistic"), "did you mean 'pessimistic'?"),
    ((*TRAIN, "--pruner", "pessimistic:cf=7"), "cf"),
    ((*TRAIN, "--missing", "brunch"), "did you mean 'branch'?"),
    ((*TRAIN, "--splits", "binray"), "did you mean 'binary'?"),
    ((*TRAIN, "--bins", "1"), "bins"),
    ((*TRAIN, "--bins", "many"), "--bins"),
    ((*TRAIN, "--min-cases", "0"), "min_cases"),
    ((*TRAIN, "--max-depth", "-1"), "max_depth"),
    ((*TRAIN, "--folds", "1"), "folds"),
    ((*TRAIN, "--folds", "99"), "folds"),
    ((*TRAIN, "--target", "plya"), "did you mean 'play'?"),
    ((*TRAIN, "--nominal", "outlok"), "did you mean 'outlook'?"),
    ((*TRAIN, "--numeric", "levle"), "did you mean 'level'?"),
    ((*TRAIN, "--weights", "wnd"), "did you mean 'wind'?"),
    (("train", "irsi", "-o", "new.json"), "no file 'irsi' and no bundled data set"),
    (("train", "irsi", "-o", "new.json"), "did you mean 'iris'?"),
    (("train", "", "-o", "new.json"), "no file ''"),
    (("train", "iris", "--target", "x", "-o", "new.json"), "is a bundled data set"),
    (("train", "weather.csv", "-o", "weather.csv"), "overwrite"),
    (("predict", "m.json", "weather.csv", "-o", "m.json"), "overwrite"),
    (("predict", "m.json", "irsi"), "did you mean 'iris'?"),
    (("show", "m.json", "--max-depth", "-1"), "--max-depth"),
    (("datasets", "irsi"), "did you mean 'iris'?"),
    (("datasets", "make:exr"), "did you mean 'exor'?"),
    (("metrics", "--json", "--markdown"), "exclude each other"),
    (("train", "make:", "-o", "new.json"), "unknown generator ''"),
    (("train", "make:exr,n=3", "-o", "new.json"), "did you mean 'exor'?"),
    (("train", "make:exor,case=9", "-o", "new.json"), "did you mean 'cases'?"),
    (("train", "make:exor,n=three", "-o", "new.json"), "whole number of at least 1, got 'three'"),
    (("train", "make:exor", "--target", "X1", "-o", "new.json"), "is a generated data set"),
    (("show", "none.json"), "cannot read none.json: there is no such file"),
    (("predict", "none.json", "weather.csv", "-o", "new.csv"), "cannot read none.json"),
    (("render", "none.json", "-o", "new.svg"), "cannot read none.json"),
    (("export", "none.json", "--to", "text"), "cannot read none.json"),
    (("why", "none.json", "weather.csv"), "cannot read none.json"),
    (("train", "iris", "--discretizer", "cuts:2;1", "-o", "new.json"), "must be finite and asc"),
    (("why", "m.json"), "DATA"),
    (("why", "m.json", "weather.csv", "--metrics", "gian"), "unknown metric 'gian'"),
    (("why", "m.json", "weather.csv", "--node", "7"), "no node 7: node root has branches 0 ("),
    (("why", "m.json", "weather.csv", "--node", "left"), "such as '0.2.1', or by 'root', got"),
    (("why", "m.json", "weather.csv", "--node", "1"), "is a leaf, where nothing is split"),
    (("why", "m.json", "weather.csv", "--csv", "--json"), "exclude each other"),
    (("why", "m.json", "weather.csv", "-n", "0"), "--top"),
    (("why", "m.json", "weather.csv", "--weights", "wnd"), "did you mean 'wind'?"),
    (("why", "m.json", "iris", "--weights", "wind"), "is a bundled data set"),
]


FAILURES = [
    (("show", "folder"), "cannot read folder"),
    (("train", "broken.csv", "-o", "new.json"), "broken.csv, line 3"),
    (("train", "empty.csv", "-o", "new.json"), "empty"),
    (("train", "folder", "-o", "new.json"), "directory"),
    ((*TRAIN, "--numeric", "outlook"), "'sunny' is not a number"),
    (("train", "weather.csv", "-o", "none/m.json"), "no folder none"),
    (("train", "weather.csv", "-o", "folder"), "not a plain file"),
    (("train", "weather.csv", "-o", os.devnull), "not a plain file"),
    (("show", "weather.csv"), "not a treelab model"),
    (("show", "cut.json"), "cut.json"),
    (("predict", "cut.json", "weather.csv", "-o", "new.csv"), "cut.json"),
    (("predict", "m.json", "other.csv", "-o", "new.csv"), "did you mean 'levels'?"),
    (("predict", "m.json", "words.csv", "-o", "new.csv"), "'strong' is not a number"),
    (("predict", "m.json", "iris", "-o", "new.csv"), "the tree needs a column"),
    (("predict", "m.json", "weather.csv", "-o", "none/new.csv"), "no folder none"),
    (("why", "m.json", "iris"), "need the target 'play'"),
    (("why", "m.json", "other.csv"), "did you mean 'levels'?"),
    (("why", "m.json", "untold.csv"), "target"),
]


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    """The weather, its tree, and all kinds of files that are no good; no test may change them."""
    folder = tmp_path_factory.mktemp("mess")
    (folder / "weather.csv").write_text(WEATHER)
    model = folder / "m.json"
    done("train", folder / "weather.csv", "--nominal", "level", "--pruner", "none", "-o", model)
    (folder / "folder").mkdir()
    (folder / "broken.csv").write_text("a,b,c\n1,2,x\n1,2\n")
    (folder / "empty.csv").write_text("")
    (folder / "cut.json").write_text(model.read_text()[:-20])
    (folder / "other.csv").write_text("outlook,levels,wind\nsunny,1,2\n")
    (folder / "untold.csv").write_text("outlook,level,wind\nsunny,1,2\n")
    (folder / "words.csv").write_text("outlook,level,wind\nsunny,1,strong\n")
    return folder


@pytest.fixture
def mess(made_once, monkeypatch):
    monkeypatch.chdir(made_once)
    return made_once


def contents(folder):
    return {path: path.is_file() and path.read_bytes() for path in folder.rglob("*")}


def complaint(folder, arguments):
    """Run a command that must fail, and return its exit code and its only line."""
    before = contents(folder)
    result = run(*arguments)
    lines = result.stderr.splitlines()

    assert result.stdout == ""
    assert len(lines) == 1
    assert lines[0].startswith("treelab: ")
    assert contents(folder) == before
    return result.exit_code, lines[0]


@pytest.mark.parametrize(("arguments", "words"), WRONG_CALLS)
def test_wrong_calls_end_with_2_and_one_sentence(mess, arguments, words):
    status, line = complaint(mess, arguments)

    assert status == 2
    assert words in line


@pytest.mark.parametrize(("arguments", "words"), FAILURES)
def test_failures_end_with_1_and_one_sentence(mess, arguments, words):
    status, line = complaint(mess, arguments)

    assert status == 1
    assert words in line


def test_an_interrupt_is_quiet(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("treelab.data.bundled.dataset_names", interrupt)
    result = run("datasets")

    assert (result.exit_code, result.output) == (130, "")


def test_what_the_system_refuses_is_one_sentence(monkeypatch):
    def refuse(*_):
        raise PermissionError(13, "Permission denied", "some.csv")

    monkeypatch.setattr("treelab.data.bundled.dataset_names", refuse)
    result = run("datasets")

    assert (result.exit_code, result.stderr) == (1, "treelab: some.csv: Permission denied\n")
