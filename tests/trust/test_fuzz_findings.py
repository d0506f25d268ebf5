"""A short form of experiments/trust/fuzz.py, and inputs that once broke something."""

import os
import signal
import sqlite3
import subprocess
import sys
import warnings
from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet as pq

import treelab as tl
from treelab.errors import FileFormatError, ParameterError, TreelabError

FOLDER = Path(__file__).parents[2] / "experiments" / "trust"
MODULES = ("binaries", "broken", "children", "fuzz", "report", "targets")


@pytest.fixture(scope="module", autouse=True)
def fuzzer():
    """The module `fuzz`, as if it were run."""
    sys.path.insert(0, str(FOLDER))
    import fuzz

    yield fuzz
    sys.path.remove(str(FOLDER))
    for name in MODULES:
        sys.modules.pop(name, None)


@pytest.mark.parametrize(
    ("name", "inputs"),
    [("csv", 400), ("tsv", 150), ("arff", 400), ("c45", 400), ("tab", 400), ("keel", 250),
     ("gz", 100), ("model", 400), ("study", 100)],
)  # fmt: skip
def test_broken_files_are_told_in_treelabs_own_errors(fuzzer, name, inputs):
    assert fuzzer.fuzz(name, inputs, seed=0) == (inputs, {})


FEW = {"parquet": 100, "excel": 40, "sqlite": 100, "duckdb": 8}


def test_broken_files_that_libraries_of_other_languages_read():
    """In a process of its own: it forks, which one with threads should not."""
    code = f"from fuzz import fuzz; print([fuzz(*each, 0) for each in {FEW}.items()])"
    paths = os.pathsep.join([str(FOLDER), str(FOLDER.parents[1])])
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": paths, "TREELAB_THREADS": "1"},
    )  # fmt: skip
    assert ended.stdout.strip() == str([(inputs, {}) for inputs in FEW.values()]), ended.stderr


def test_a_process_that_dies_is_a_finding_too(fuzzer):
    """As one does when a library of another language does."""
    from children import in_children

    def take(content):
        if b"x" in content:
            os.kill(os.getpid(), signal.SIGKILL)
        if b"y" in content:
            raise KeyError

    contents = [b"a", b"x", b"a", b"y", b"xx"] * 2
    done, broken = in_children(take, [b"a"], iter(contents), fuzzer.twice)
    assert done == 10
    died, wrong = sorted(broken, reverse=True)
    assert (died, broken[died]) == ("the process died: SIGKILL", b"x")
    assert (wrong[:8], broken[wrong]) == ("KeyError", b"y")
    with pytest.raises(AssertionError, match="a valid file was refused"):
        in_children(take, [b"x"], iter(contents), fuzzer.twice)


@pytest.mark.parametrize("name", ["csv", "arff", "c45", "tab", "keel", "model", "study"])
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    content=st.binary(max_size=200)
    | st.text(max_size=100).map(lambda t: t.encode("utf-8", "ignore"))
)
def test_any_bytes_are_taken_or_told_in_treelabs_own_errors(fuzzer, name, content):
    assert fuzzer.trouble(_take(name), content) == ""


def _take(name):
    from targets import TARGETS

    return TARGETS[name].take


def test_the_fuzzer_finds_a_crash_a_hang_and_the_smallest_input(fuzzer, monkeypatch):
    """What never finds anything proves nothing."""

    def crash(content):
        if b"x" in content:
            raise KeyError("x")

    def hang(_):
        while True:
            pass

    where = fuzzer.trouble(crash, b"aaxbb")
    assert where.startswith("KeyError at test_fuzz_findings.py:")
    assert fuzzer._smaller(crash, b"aa" * 50 + b"x" + b"b" * 77, where) == b"x"
    assert fuzzer.trouble(crash, b"aabb") == ""
    monkeypatch.setattr(fuzzer, "ENDLESS", 0.05)
    assert fuzzer.trouble(hang, b"") == "hang"
    monkeypatch.setattr(fuzzer, "SECONDS", -1)
    assert fuzzer.trouble(bytes, b"") == "hang", "all that takes longer, though it ends"


def test_the_same_seed_makes_the_same_inputs():
    from random import Random

    from targets import TARGETS

    for target in TARGETS.values():
        runs = [
            [target.mutator(rng, target.seeds, target.words) for _ in range(50)]
            for rng in (Random("a"), Random("a"))
        ]
        assert runs[0] == runs[1]


D = b'data = ["lenses"]\n'
L = b'[[learner]]\nmetric = "gain"\n'


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("c45", b":\n---\n1,x\n", "expected the classes"),
        ("tab", b"m#", "has no column that is not to be skipped"),
        ("study", b"alpha = []\n" + D + L, "alpha must be a number"),
        ("study", b'alpha = "a"\n' + D + L, "alpha must be a number"),
        ("study", b"note = 3\n" + D + L, "notes are written as"),
        ("study", D + L + b"[[note]]\ntext = 3\n", "text must be a text"),
        ("study", b"learner = [1]\n" + D, "learners are written as"),
        ("study", b'learner = ["a"]\n' + D, "learners are written as"),
        ("study", b'data = [{ file = "x.csv", label = [] }]\n' + L, "label must be a text"),
        ("study", b'data = [{ file = "x.csv", target = 3 }]\n' + L, "target must be a text"),
        ("study", b"data = [{ file = 3 }]\n" + L, "file must be a text"),
        ("study", b'data = ["' + b"a" * 5000 + b'"]\n' + L, "unknown data set"),
        ("study", D + L + b'[paper]\nexpected = "expected.csv"\nunavailable = 3', "as a table"),
        ("study", D + L + b'[paper]\nexpected = "expected.csv"\ncheck = 3', "as a table"),
        ("study", D + L + b'[paper]\nexpected = "expected.csv"\ncheck = [3]', "a check names"),
        ("study", D + L + b'[paper]\nexpected = "expected.csv"\n[[paper.check]]\nlearners = 3\n'
         b'data = []\nwithin = 1', "by name"),
        ("study", D + b"[[learner]]\nestimator = 3", "estimator must be a text"),
        ("study", b"seeds = [1" + b"0" * 400 + b"]\n" + D + L, "does not fit 64 bits"),
    ],
)  # fmt: skip
def test_what_once_broke_is_told_in_one_sentence(name, content, said):
    with pytest.raises((FileFormatError, ParameterError), match=said):
        _take(name)(content)


@pytest.mark.parametrize("suffix", [".parquet", ".sqlite", ".duckdb"])
def test_text_that_is_no_utf8_in_a_binary_file(tmp_path, suffix):
    """In a name or a value: the libraries hand out bytes as they are, and Python refuses."""
    path, other = tmp_path / f"x{suffix}", tmp_path / f"y{suffix}"
    if suffix == ".parquet":
        pq.write_table(pa.table({"a": ["colour", "b"], "colour": ["p", "q"]}), path)
    elif suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as database, database:
            database.execute("CREATE TABLE t (a, colour)")
            database.execute("INSERT INTO t VALUES (1, 'p')")
    else:
        with duckdb.connect(path) as database:
            database.execute("CREATE TABLE t (a INT, b TEXT)")
            database.execute("INSERT INTO t VALUES (1, 'colour')")
    content = path.read_bytes()
    assert b"colour" in content
    content = content.replace(b"colour", b"colo\xffr")
    if suffix == ".duckdb":
        import binaries

        content = bytes(binaries.sealed(bytearray(content), block=2**18))
    other.write_bytes(content)
    assert len(tl.read(path)) > 0
    with pytest.raises(FileFormatError, match=r"not UTF-8|Invalid unicode"):
        tl.read(other)


def test_a_column_of_parquet_that_is_not_of_its_type(tmp_path):
    """Asked about it, pyarrow ended the process."""
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"a": [1.0, 2.0], "b": [b"p", b"q"]}), path, store_schema=False)
    text_type, truth_type = b"\x15\x0c%\x02\x18\x01b", b"\x15\x00%\x02\x18\x01b"
    content = path.read_bytes()
    assert content.count(text_type) == 1
    path.write_bytes(content.replace(text_type, truth_type))
    script = (
        f"import treelab as tl\ntry: tl.read({str(path)!r})\nexcept tl.errors.DataError: print(1)"
    )
    command = [sys.executable, "-c", script]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (0, "1\n"), ended.stderr


def test_numbers_of_any_length_are_told_in_one_sentence():
    from treelab import Learner, load

    for value in (10**400, -(10**400), 10**5000):
        with pytest.raises(TreelabError, match="min_cases must be a number"):
            Learner(min_cases=value).fit(load("lenses"))


def test_python_has_no_say_in_what_a_classifier_is_written_like():
    """It would warn of `3if`."""
    content = D + b'[[learner]]\nestimator = "sklearn.tree:DecisionTreeClassifier(max_depth=3if)"'
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with pytest.raises((FileFormatError, ParameterError), match="a classifier is written as"):
            _take("study")(content)

    assert not told
