"""A numba whose private parts have moved: kernels run, and one warning says what it means."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.compiled("it is about machine code on disk")

KERNELS = """
from treelab.kernels._jit import kernel

@kernel
def twice(x):
    return 2 * x

@kernel
def thrice(x):
    return 3 * x
"""
CALL = """
from kernels import thrice, twice
print(twice(4), thrice(4), type(twice._cache).__module__, sum(twice.stats.cache_hits.values()))
"""
OWN, NUMBAS = "treelab.kernels._cache", "numba.core.caching"
CACHING = """
import sys, types, numba
import numba.core.caching as real, numba.core.ccallback

moved = types.ModuleType("numba.core.caching")  # as treelab sees it; numba sees its own
sys.modules[moved.__name__] = moved
"""
OTHER_NAME = """
class IndexDataCacheFile(real.IndexDataCacheFile):
    @property
    def _save_index(self):
        raise AttributeError("no _save_index")

moved.FunctionCache, moved.IndexDataCacheFile = real.FunctionCache, IndexDataCacheFile
"""
NO_NUMBERS = """
import sys, types, numba
sys.modules["numba.core.bytecode"] = types.ModuleType("numba.core.bytecode")
"""
NO_EVENTS = """
import numba, types
numba.core.event = types.ModuleType("numba.core.event")
"""


@pytest.fixture
def process(tmp_path, monkeypatch):
    """Give a function that runs a text in a new process: the words and the warnings it printed."""
    (tmp_path / "kernels.py").write_text(KERNELS)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)  # code is kept beside the file

    def run(text):
        done = subprocess.run(
            [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout.split(), done.stderr

    return run


def test_the_numba_that_is_installed_is_known(process):
    assert process(CALL) == (["8", "12", OWN, "0"], "")
    assert process(CALL) == (["8", "12", OWN, "1"], "")


@pytest.mark.parametrize("moved", [CACHING, CACHING + OTHER_NAME], ids=["all of it", "a method"])
def test_where_the_cache_has_moved_numba_keeps_the_code(process, moved):
    for hits in "01":
        words, complaint = process(moved + CALL)

        assert words == ["8", "12", NUMBAS, hits]
        assert complaint.count("RuntimeWarning: treelab does not know numba") == 1


def test_where_functions_cannot_be_numbered_nothing_is_kept(process, tmp_path):
    words, complaint = process(NO_NUMBERS + CALL)

    assert words[:2] == ["8", "12"]
    assert complaint.count("RuntimeWarning: treelab does not know numba") == 1
    assert not [*tmp_path.rglob("*.nbi")]


def test_where_nothing_reports_compilations_kernels_run_all_the_same(process):
    assert process(NO_EVENTS + CALL) == (["8", "12", OWN, "0"], "")
