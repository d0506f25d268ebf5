"""One line says that kernels are compiled, the first time only; `treelab warmup` compiles ahead."""

import json
import os
import subprocess
import sys

import pytest

import treelab as tl
from treelab import warming
from treelab.cli import compiling
from treelab.cli.compiling import Compiling

TRAIN = ["train", "iris", "--json"]


def run(words, cache):
    return subprocess.run(
        [sys.executable, "-m", "treelab", *words],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )


@pytest.mark.slow
@pytest.mark.compiled("it is about machine code on disk")
def test_the_first_call_says_that_it_compiles_and_the_next_says_nothing(tmp_path):
    first, second = run(TRAIN, tmp_path), run(TRAIN, tmp_path)

    assert first.stderr.splitlines() == ["compiling kernels, once; about 15 s"]
    assert second.stderr == ""
    assert json.loads(first.stdout) == json.loads(second.stdout)


@pytest.mark.slow
@pytest.mark.compiled("it is about machine code on disk")
@pytest.mark.parametrize("words", [TRAIN, ["rank", "iris", "--metric", "relieff"]])
def test_after_warmup_nothing_is_compiled(tmp_path, words):
    report = json.loads(run(["warmup", "--json"], tmp_path).stdout)
    kept = {*tmp_path.rglob("*.nbc")}

    assert report["cache"].startswith(str(tmp_path))
    assert run(words, tmp_path).stderr == ""
    assert {*tmp_path.rglob("*.nbc")} == kept


def test_help_needs_no_numba():
    code = "import sys\nfrom treelab.cli.app import app\nassert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_library_is_silent_and_warmup_says_how_long_it_took(capfd, monkeypatch):
    """The example of `warmup` takes all its roads; here some of them must do."""
    monkeypatch.setattr(warming, "DATA", ("labor",))
    monkeypatch.setattr(warming, "metric_names", lambda: ["gain", "relieff"])
    assert tl.warmup() > 0.0
    assert capfd.readouterr() == ("", "")


@pytest.fixture
def clock(monkeypatch):
    times = [0.0]
    monkeypatch.setattr(compiling, "perf_counter", lambda: times[0])
    return times


def test_kernels_within_kernels_make_one_line(capsys):
    watcher = Compiling()
    for _ in range(2):
        watcher.begins(cold=True)
        watcher.begins(cold=True)
        watcher.ends()
        watcher.ends()

    assert capsys.readouterr() == ("", "compiling kernels, once; about 15 s\n")


def test_where_much_is_kept_short_waits_need_no_words(capsys, clock):
    watcher = Compiling()
    for seconds, said in [(0.5, ""), (0.9, ""), (0.1, "compiling kernels, once; some seconds\n")]:
        watcher.begins(cold=False)
        assert capsys.readouterr() == ("", said)
        clock[0] += seconds
        watcher.ends()


def test_on_a_terminal_a_bar_is_shown_while_the_compiler_works(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    watcher = Compiling()
    watcher.begins(cold=True)
    assert watcher._bar is not None
    watcher.ends()

    assert watcher._bar is None
    assert capsys.readouterr().out == ""
