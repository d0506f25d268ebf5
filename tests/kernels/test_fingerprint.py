"""Machine code is made again when anything it is made of changes, in whatever file."""

import importlib
import math
import os
import subprocess
import sys
from enum import IntEnum
from types import ModuleType

import numba
import numpy as np
import pytest

from treelab.kernels._fingerprint import made_of
from treelab.kernels._jit import kernel
from treelab.stats.formulas.per_table import PerTableFormula

FILES = {
    "caller.py": """
import others
from numbers_of_mine import OFFSET, STEPS
from others import added
from treelab.kernels._jit import elementwise, kernel

added = elementwise(added)

@kernel
def by_kernel(x):
    return added(x, 1.0) + others.times(x) + OFFSET + STEPS[1]

def by_formula(table):
    return added(table[0, 0], 1.0) + others.times(table[0, 0]) + OFFSET + STEPS[1]
""",
    "others.py": """
from treelab.kernels._jit import elementwise, kernel

def added(x, y):
    return x + y

@elementwise
def factor(x):
    return sum([10.0 for _ in range(2)])

@kernel
def times(x):
    return factor(x) * x
""",
    "numbers_of_mine.py": "OFFSET, STEPS = 100.0, (1000.0, 2000.0)\n",
}
CHANGES = {
    "a function": ("others.py", "x + y", "x - y", 3 - 1 + 60 + 2100),
    "a number in it": ("others.py", "10.0", "11.0", 3 + 1 + 66 + 2100),
    "a number it reads": ("numbers_of_mine.py", "100.0", "200.0", 3 + 1 + 60 + 2200),
    "one of several numbers": ("numbers_of_mine.py", "2000.0", "3000.0", 3 + 1 + 60 + 3100),
}


@pytest.fixture
def caller(tmp_path, monkeypatch):
    """Give a function that imports the files anew, as another process would."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # a change within a second is seen
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)  # code is kept beside the files

    def imported():
        for name in FILES:
            sys.modules.pop(name.removesuffix(".py"), None)
        importlib.invalidate_caches()
        return importlib.import_module("caller")

    yield imported
    for name in FILES:
        sys.modules.pop(name.removesuffix(".py"), None)


def changed(folder, file, before, after):
    path = folder / file
    path.write_text(path.read_text().replace(before, after))


def worth(caller):
    """Return what the kernel and the formula give, and whether each was compiled before."""
    module = caller()
    formula = PerTableFormula(module.by_formula)
    values = {module.by_kernel(3.0), float(formula(np.array([[3.0]])))}
    hits = sum(module.by_kernel.stats.cache_hits.values()), formula.compiled._compiled.cache_hits
    return values, hits


@pytest.mark.compiled("without machine code none is kept")
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_kernels_and_formulas_follow_what_they_call_in_other_files(caller, change, tmp_path):
    *where, expected = change

    assert worth(caller) == ({2164.0}, (0, 0))
    assert worth(caller) == ({2164.0}, (1, 1)), "the same code serves the next process"
    changed(tmp_path, *where)
    assert worth(caller) == ({expected}, (0, 0))
    assert worth(caller) == ({expected}, (1, 1))


def digest(text, **values):
    """Return what the function `f` of a text, which sees some values, is made of."""
    seen = {"__name__": "somewhere", **values}
    exec(text, seen)
    return made_of(seen["f"])


CALLS = "def f(x):\n    return g(x) if x > {limit} else [x for _ in range(3)]\n"


@pytest.mark.parametrize(
    "others",
    [
        {"text": CALLS.format(limit=2)},
        {"text": CALLS.format(limit="LIMIT"), "LIMIT": 1},
        {"text": CALLS.format(limit=1).replace("g(x)", "h(x)")},
        {"text": CALLS.format(limit=1).replace("range(3)", "range(4)")},
        {"text": CALLS.format(limit=1).replace("f(x)", "f(x, y=1)")},
        {"text": CALLS.format(limit=1), "g": lambda x: x + 2},
        {"text": CALLS.format(limit=1), "g": np.array([1.0, 2.0])},
    ],
)
def test_another_function_is_made_of_other_things(others):
    same = {"text": CALLS.format(limit=1), "g": lambda x: x + 1}

    assert digest(**same) == digest(**same)
    assert digest(**same) != digest(**{**same, **others})


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        ((1, 2), (2, 1)),
        (np.array([1.0, 2.0]), np.array([2.0, 1.0])),
        (np.array([1, 2]), np.array([1, 2], np.int32)),
        (np.zeros((2, 3)), np.zeros((3, 2))),
        (np.float32(1), np.float64(1)),
    ],
)
def test_values_that_are_read_are_told_apart(one, other):
    text = "def f(x):\n    return x + VALUE\n"

    assert digest(text, VALUE=one) == digest(text, VALUE=one)
    assert digest(text, VALUE=one) != digest(text, VALUE=other)


class Small(IntEnum):
    STEP = 1


class Large(IntEnum):
    STEP = 2


def package(**values):
    """Return a package with a module of some values."""
    outer, inner = ModuleType("outer"), ModuleType("inner")
    vars(inner).update(values)
    outer.inner = inner
    return outer


def one(x):
    return x + 1.0


def two(x):
    return x + 2.0


@pytest.mark.parametrize(
    ("text", "this", "that"),
    [
        ("x + THING.STEP", Small, Large),
        ("x + THING", Small.STEP, Large.STEP),
        ("THING.inner.step(x)", package(step=one), package(step=two)),
        ("x + THING.inner.K", package(K=1), package(K=2)),
        ("THING(x)", numba.vectorize(one), numba.vectorize(two)),
        ("THING(x)", numba.njit(one), numba.njit(two)),
        ("x / THING(x)", numba.njit(one), numba.njit(one, error_model="numpy")),
        ("THING[0](x)", (numba.njit(one), 1), (numba.njit(two), 1)),
        ("x[THING]", slice(1, 2), slice(2, 3)),
        ("x + THING['a']", *(np.zeros(1, [(name, "f8")])[0] for name in "ab")),
        ("THING(x)", math.log, math.log2),
        ("THING(x)", np.sqrt, np.cbrt),
        ("THING(x)", np.sum, np.prod),
        ("THING(x)", numba.float64, numba.float32),
    ],
)
@pytest.mark.compiled("numba compiles nothing else")
def test_whatever_numba_takes_in_is_told_apart(text, this, that):
    text = f"def f(x):\n    return {text}\n"

    assert digest(text, THING=this) == digest(text, THING=this)
    assert digest(text, THING=this) != digest(text, THING=that)


@pytest.mark.compiled("numba compiles nothing else")
def test_the_options_of_the_compiler_count():
    options = [{}, {"nogil": True}, {"error_model": "numpy"}]

    assert len({made_of(numba.njit(one, **given)) for given in options}) == 3
    assert made_of(numba.cfunc("f8(f8)")(one)) != made_of(numba.cfunc("f8(f8)")(two))


@pytest.mark.compiled("without machine code none is kept")
def test_what_cannot_be_described_is_compiled_and_not_kept(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text("def f(x):\n    return x + 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("treelab.kernels._cache.made_of", lambda _: 1 / 0)
    compiled = kernel(importlib.import_module("mine").f)

    assert compiled(1) == 2
    assert not [*tmp_path.rglob("*.nbc")]
    sys.modules.pop("mine")


def test_functions_that_call_each_other_are_made_of_both():
    even = "def f(n):\n    return n == 0 or odd(n - 1)\n"

    def of(step):
        seen = {"__name__": "somewhere"}
        exec(f"{even}def odd(n):\n    return n != 0 and f(n - {step})\n", seen)
        return made_of(seen["f"])

    assert of(1) == of(1)
    assert of(1) != of(2)


PRINTS = """
from treelab.kernels._jit import kernel
from treelab.kernels._fingerprint import made_of
WORDS = frozenset("one two three four five six seven".split())
print(made_of(lambda x, f=lambda y: y: x in WORDS))
"""


def test_hash_seeds_and_addresses_leave_no_trace():
    """The order of a set of words, and how a function is written, depend on them."""
    found = set()
    for seed in "123":
        settings = os.environ | {"PYTHONHASHSEED": seed}
        words = [sys.executable, "-c", PRINTS]
        found.add(subprocess.check_output(words, env=settings, text=True))

    assert len(found) == 1
