"""No two processes give one name to two compiled functions: the linker takes the first for both."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.compiled("it is about machine code on disk")

SORTING = """
import numpy as np
from treelab.kernels._jit import kernel

@kernel
def places(x):
    return np.argsort(x)

@kernel
def ordered(x):
    copy = x.copy()
    copy.sort()
    return copy

numbers = np.array([4 * i % 15 for i in range(15)] + [15])

def names():
    [made] = ordered.overloads.values()
    return [part.name for part in made.library._final_module.functions if "sort" in part.name]
"""
COMPILED_BEFORE = """
import numba, numpy as np
numba.njit(lambda x: x.sort())(np.arange(16))
"""


@pytest.fixture
def process(tmp_path, monkeypatch):
    """Give a function that runs a text in a new process and returns the words that it prints."""
    (tmp_path / "sorting.py").write_text(SORTING)
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)  # code is kept beside the file

    def run(text):
        done = subprocess.run(
            [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout.split()

    return run


SLOW = [pytest.param(count, marks=pytest.mark.slow) for count in (0, 1, 2, 3, 5, 6, 7, 8)]


@pytest.mark.parametrize("count", [4, *SLOW])
def test_code_of_two_processes_is_not_mixed_up_in_a_third(process, count):
    # With numba's own numbers, after 4 functions, argsort's partition was taken for sort's.
    count_on = f"import numba\nfor _ in range({count}): numba.njit(lambda x: x)(1)\n"
    process("from sorting import *; places(numbers)")
    process(count_on + "from sorting import *; ordered(numbers)")
    third = "from sorting import *; places(numbers); print(*ordered(numbers))"

    assert process(third) == [str(i) for i in range(16)]


def test_what_is_compiled_anew_has_a_new_name_and_is_kept(process, tmp_path):
    compiling = "from sorting import *; {}ordered(numbers); print(*names())"
    first = process(compiling.format("ordered._cache.disable(); "))
    second = process(compiling.format(""))

    assert first
    assert not {*first} & {*second}
    assert len([*tmp_path.glob("__pycache__/*.nbc")]) == 1


def test_what_was_named_before_treelab_was_there_is_not_kept(process, tmp_path):
    process(COMPILED_BEFORE + "from sorting import *; ordered(numbers)")

    assert not [*tmp_path.glob("__pycache__/*.nbc")]
