"""A disk that is full, locked or damaged, a worker that dies, a reader that leaves, a signal.

No result is lost, the message is one sentence, the exit code is right, and nothing is left over.
"""

import importlib.util
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest
from joblib.externals.loky import reusable_executor
from typer.testing import CliRunner

import treelab as tl
from treelab._files import write_text
from treelab.cli import app
from treelab.cli.app import main
from treelab.errors import TreelabError
from treelab.experiment import Store, Study, report, run_study
from treelab.experiment import store as storing
from treelab.experiment.trial import Trial
from treelab.kernels._jit import kernel

NOBODY = 65534
FULL = OSError(28, "No space left on device")
WRITERS = {
    "train": ("train", "lenses", "-q", "-o"),
    "predict": ("predict", "m.json", "lenses", "-o"),
    "render": ("render", "m.json", "-o", ".svg"),
    "export": ("export", "m.json", "--to", "html", "-o"),
    "rank": ("rank", "lenses", "--plot", ".svg"),
    "select": ("select", "iris", "-k", "1", "-o"),
    "discretize": ("discretize", "iris", "--method", "equal-width", "-o", ".csv"),
    "reduce cases": ("reduce", "cases", "iris", "--method", "random", "--size", "9", "-o"),
    "reduce features": ("reduce", "features", "iris", "--method", "pca", "-o"),
    "compare": ("compare", "lenses", "--folds", "2", "-o"),
}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(report, "_write_page", lambda *_: None)  # figures take seconds
    return tmp_path


@pytest.fixture
def model(elsewhere):
    tl.grow(tl.load("lenses")).save(elsewhere / "m.json")


@pytest.fixture
def shared():
    """Give a folder that others may look into, unlike pytest's."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


@contextmanager
def without_privileges():
    """Let the system refuse what it refuses others, also to its keeper."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words], prog_name="treelab")


def call(name, folder):
    """Return a command that writes, and what it would write."""
    *words, last = WRITERS[name]
    suffix = last if last.startswith(".") else ""
    words = words if suffix else [*words, last]
    target = folder / f"out{suffix}"
    return [*words, str(target)], target


def is_one_sentence(result, *parts):
    lines = [line for line in result.stderr.splitlines() if not line.startswith("What is done")]
    return (
        len(lines) == 1 and lines[0].startswith("treelab: ") and all(p in lines[0] for p in parts)
    )


# Commands


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("name", WRITERS)
def test_a_full_disk_is_told_and_leaves_the_old_file(name, elsewhere, monkeypatch):
    words, target = call(name, elsewhere)
    if name != "compare":
        target.write_text("old")
    before = sorted(elsewhere.iterdir())

    def fail(*_):
        raise FULL

    monkeypatch.setattr(os, "fsync", fail)
    result = run(*words)

    assert result.exit_code == 1
    assert is_one_sentence(result, "cannot write", "No space left on device"), result.stderr
    assert "saved" not in result.stdout
    if name == "compare":
        assert [path.name for path in target.iterdir()] == ["trials.sqlite"]
    else:
        assert target.read_text() == "old"
        assert sorted(elsewhere.iterdir()) == before


@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("name", WRITERS)
def test_a_folder_without_permission_is_told_before_the_work_begins(name, elsewhere, monkeypatch):
    words, _ = call(name, elsewhere / "mine")
    (elsewhere / "mine").mkdir()

    def never(*_, **_options):
        raise AssertionError("the work began")

    monkeypatch.setattr("treelab.data.readers.read", never)
    monkeypatch.setattr("treelab.tree.model.Tree.load", never)
    monkeypatch.setattr("treelab.experiment.trial.Trial.carry_out", never)
    monkeypatch.setattr("treelab._files.may_write", lambda _: False)
    result = run(*words)

    assert result.exit_code == 1
    assert is_one_sentence(result, "cannot write", "write-protected"), result.stderr
    assert list((elsewhere / "mine").rglob("?*.*")) == []


def test_more_memory_than_there_is_is_told(monkeypatch):
    def greedy(*_):
        raise MemoryError

    monkeypatch.setattr("treelab.data.bundled.dataset_names", greedy)
    result = run("datasets")

    assert (result.exit_code, result.stderr) == (
        1, "treelab: there is not enough memory\n",
    )  # fmt: skip


@pytest.mark.parametrize(("number", "status"), [("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130)])
def test_a_signal_keeps_what_is_done_and_says_so(number, status, elsewhere, monkeypatch, capsys):
    """The signal comes with the third trial."""
    made = []

    def carry_out(trial):
        made.append(trial)
        if len(made) == 3:
            os.kill(os.getpid(), getattr(signal, number))
        return carry(trial)

    carry = Trial.carry_out
    monkeypatch.setattr(Trial, "carry_out", carry_out)
    monkeypatch.setattr(sys, "argv", ["treelab", "compare", "lenses", "--folds", "6", "-o", "out"])
    # In the background and under nohup some are ignored, which treelab respects.
    usual = {
        "SIGTERM": signal.SIG_DFL, "SIGHUP": signal.SIG_DFL, "SIGINT": signal.default_int_handler,
    }  # fmt: skip
    before = {name: signal.signal(getattr(signal, name), usual[name]) for name in usual}
    try:
        with pytest.raises(SystemExit) as end:
            main()
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)

    assert end.value.code == status
    assert "What is done is kept in out; the same call goes on" in capsys.readouterr().err
    assert "PARTIAL: 2 of 6 trials" in (elsewhere / "out" / "table.md").read_text()


CLOSED = (
    "import os, sys; os.close({stream}); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)


@pytest.mark.parametrize(
    ("stream", "words", "status"),
    [(1, ("datasets",), 0), (2, ("datasets", "irs"), 2), (0, ("datasets",), 0)],
)
def test_a_closed_stream_changes_nothing_else(stream, words, status):
    """The next file a program opens would get the number of a stream that was closed."""
    command = [sys.executable, "-c", CLOSED.format(stream=stream), "-m", "treelab", *words]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == status
    assert "Traceback" not in done.stderr


def test_remarks_that_cannot_be_printed_do_not_cost_the_result(model, monkeypatch):  # noqa: ARG001
    class Closed:
        def write(self, _):
            raise BrokenPipeError

    monkeypatch.setattr("treelab.cli.output.sys", type("S", (), {"stderr": Closed()}))
    result = run("predict", "m.json", "lenses")

    assert result.exit_code == 0
    assert result.stdout.startswith("prediction\n")


# Files


def test_a_write_protected_file_is_not_replaced(shared):
    file = shared / "m.json"
    file.write_text("old")
    file.chmod(0o444)
    shared.chmod(0o777)
    with (
        without_privileges(),
        pytest.raises(TreelabError, match=r"m.json: it is write-protected$"),
    ):
        write_text(file, "new")

    assert file.read_text() == "old"


def test_a_link_stays_a_link_and_the_file_keeps_its_mode(elsewhere):
    file, link, twin = (elsewhere / name for name in ("file", "link", "twin"))
    file.write_text("old")
    file.chmod(0o640)
    link.symlink_to(file)
    twin.hardlink_to(file)
    write_text(link, "new")

    assert link.is_symlink()
    assert (file.read_text(), twin.read_text()) == ("new", "old")
    assert file.stat().st_mode & 0o777 == 0o640


def test_a_circle_of_links_is_told(elsewhere):
    (elsewhere / "a").symlink_to(elsewhere / "b")
    (elsewhere / "b").symlink_to(elsewhere / "a")
    with pytest.raises(TreelabError, match=r"^cannot write "):
        write_text(elsewhere / "a", "new")


def test_a_new_file_has_the_mode_that_new_files_have(elsewhere):
    before = os.umask(0o027)
    try:
        write_text(elsewhere / "new", "text")
    finally:
        os.umask(before)

    assert (elsewhere / "new").stat().st_mode & 0o777 == 0o640


def test_a_name_may_be_as_long_as_the_system_allows(elsewhere):
    name = "n" * os.pathconf(elsewhere, "PC_NAME_MAX")
    write_text(name, "text")

    assert (elsewhere / name).read_text() == "text"


def test_the_file_reaches_the_disk_before_its_name_does_and_then_the_folder(elsewhere, monkeypatch):
    steps, flush, rename = [], os.fsync, Path.replace

    def fsync(handle):
        steps.append("folder" if Path(f"/proc/self/fd/{handle}").is_dir() else "file")
        flush(handle)

    def replace(old, new):
        steps.append("rename")
        rename(old, new)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    write_text(elsewhere / "m", "text")

    assert steps == ["file", "rename", "folder"]


def test_an_interrupt_while_writing_leaves_nothing_behind(elsewhere, monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_text(elsewhere / "m", "text")

    assert list(elsewhere.iterdir()) == []


# The store of results


def study(**changes):
    learners = {"gain": tl.Learner(metric="gain"), "gini": tl.Learner(metric="gini")}
    return Study(**{"data": ["lenses"], "learners": learners, "folds": 6, "repeats": 2} | changes)


def accuracies(results):
    return results.cube("accuracy").tolist()


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A store that has all trials of a study, and their accuracies."""
    path = tmp_path_factory.mktemp("store") / "s.sqlite"
    return path, accuracies(run_study(study(), path))


def test_a_full_disk_keeps_the_trials_before_and_the_same_call_goes_on(elsewhere, whole):
    path = elsewhere / "s.sqlite"
    with Store(path) as store:
        store._connection.execute("PRAGMA max_page_count = 4")  # then the disk is full
        with pytest.raises(TreelabError, match=r"s.sqlite: database or disk is full$"):
            run_study(study(), store)
        kept = len(store.records(trial.key for trial in study().trials()))

    assert 0 < kept < 24
    to_come = []
    results = run_study(study(), path, watch=lambda o, n, _: to_come.append(n) or o)
    assert to_come == [24 - kept]
    assert accuracies(results) == whole[1]


def test_a_store_on_a_read_only_disk_is_told(shared, whole):
    shutil.copy(whole[0], shared / "s.sqlite")
    (shared / "s.sqlite").chmod(0o444)
    with without_privileges(), pytest.raises(TreelabError, match=r"^cannot use .*s.sqlite as a st"):
        Store(shared / "s.sqlite")


def test_a_locked_store_is_told_after_some_patience(elsewhere, whole, monkeypatch):
    path = shutil.copy(whole[0], elsewhere / "s.sqlite")
    monkeypatch.setattr(storing, "PATIENCE", 0.05)
    other = sqlite3.connect(path)
    other.execute("BEGIN IMMEDIATE")
    try:
        with (
            Store(path) as store,
            pytest.raises(TreelabError, match=r"s.sqlite: database is locked$"),
        ):
            run_study(study(folds=5), store)
    finally:
        other.close()

    assert accuracies(run_study(study(), path)) == whole[1]


@pytest.mark.parametrize("version", [-1, 0, 1, 2])
@pytest.mark.parametrize("table", ["trials", "lawyers"])
def test_a_database_of_somebody_else_is_left_alone(elsewhere, version, table):
    path = elsewhere / "theirs.sqlite"
    with closing(sqlite3.connect(path)) as theirs, theirs:
        theirs.execute(f"CREATE TABLE {table} (lawyer TEXT)")
        theirs.execute(f"PRAGMA user_version = {version}")
    theirs.close()
    before = path.read_bytes()
    with pytest.raises(TreelabError, match=r"as a store of results: it holds something else$"):
        Store(path)

    assert path.read_bytes() == before


def test_a_damaged_store_is_told_or_what_is_damaged_is_made_again(elsewhere, whole):
    """A bit is turned or the file cut, 120 times; a wrong result is never served."""
    intact, path, rng = whole[0].read_bytes(), elsewhere / "s.sqlite", random.Random(0)
    told = made_again = 0
    for turn in range(120):
        content = bytearray(intact)
        if turn % 4 == 0:
            del content[rng.randrange(1, len(content)) :]
        else:
            content[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        path.write_bytes(content)
        to_come = []
        try:
            with Store(path) as store:
                results = run_study(
                    study(), store, watch=lambda o, n, _, t=to_come: t.append(n) or o
                )
        except TreelabError:
            told += 1
        else:
            made_again += bool(to_come)
            assert accuracies(results) == whole[1]

    assert told > 5
    assert made_again > 1


@pytest.mark.parametrize(
    ("old", "new"), [(b"macro_f1 REAL", b"macro_f1 REEL"), (b"seal TEXT", b"seal TEX0")]
)
def test_a_column_that_has_lost_its_type_is_told(elsewhere, whole, old, new):
    """Whole numbers would come back as integers, no seal would fit, and trials would be missing."""
    path = elsewhere / "s.sqlite"
    content = whole[0].read_bytes()
    assert old in content
    path.write_bytes(content.replace(old, new))
    with pytest.raises(TreelabError, match=r"damaged: the table .* has not the columns it was"):
        Store(path)


def test_a_store_of_the_first_format_is_kept_and_sealed(elsewhere, whole):
    path = shutil.copy(whole[0], elsewhere / "s.sqlite")
    with closing(sqlite3.connect(path)) as old, old:
        for column in ("seal", "auc", "macro_f1"):  # which came later
            old.execute(f"ALTER TABLE trials DROP COLUMN {column}")
        old.execute("PRAGMA user_version = 1")
    old.close()
    to_come = []
    results = run_study(study(), path, watch=lambda o, n, _: to_come.append(n) or o)

    assert to_come == []
    assert accuracies(results) == whole[1]


def kill_a_worker_after_two(outcomes, _to_come, _in_all):
    """Let two outcomes pass, then kill a worker of joblib."""
    for number, outcome in enumerate(outcomes):
        if number == 2:
            os.kill(next(iter(reusable_executor._executor._processes)), signal.SIGKILL)
        yield outcome


def test_a_killed_worker_costs_no_finished_trial(elsewhere):
    long = study(repeats=15)
    with Store(elsewhere / "s.sqlite") as store:
        with pytest.raises(
            TreelabError, match=r"^a worker process was killed, perhaps for want of"
        ):
            run_study(long, store, jobs=2, watch=kill_a_worker_after_two)
        kept = len(store.records(trial.key for trial in long.trials()))
        to_come = []
        results = run_study(long, store, watch=lambda o, n, _: to_come.append(n) or o)

    assert kept >= 3
    assert to_come == [len(long.trials()) - kept]
    assert not results.is_partial


# Machine code kept on disk

machine_code = pytest.mark.compiled("without machine code none is kept")


@pytest.fixture
def own_kernel(elsewhere):
    """Give a function that compiles a kernel anew, its code being kept beside its file."""
    file = elsewhere / "own_kernel.py"
    file.write_text("def total(numbers):\n    return numbers.sum()\n")

    def compiled():
        spec = importlib.util.spec_from_file_location("own_kernel", file)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return kernel(module.total)

    return compiled


def code_files(folder):
    return sorted(path for path in (folder / "__pycache__").iterdir() if ".nb" in path.suffix)


@machine_code
def test_machine_code_that_cannot_be_kept_is_compiled_again(own_kernel, monkeypatch):
    def full(*_):
        raise FULL

    total = own_kernel()
    monkeypatch.setattr(total._cache._cache_file, "_save_data", full)

    assert total(np.arange(5)) == 10


@machine_code
def test_without_a_place_to_keep_code_every_process_compiles(own_kernel, monkeypatch):
    monkeypatch.setattr(
        "numba.core.caching.CompileResultCacheImpl._locator_classes", [], raising=True
    )

    assert own_kernel()(np.arange(5)) == 10


@machine_code
def test_beside_a_read_only_file_code_is_kept_in_the_cache_of_the_user(
    own_kernel, elsewhere, monkeypatch
):
    # A file in its place keeps even root, who may write anywhere, from making the folder.
    (elsewhere / "__pycache__").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(elsewhere / "cache of the user"))
    monkeypatch.setattr("numba.config.CACHE_DIR", "")
    own_kernel()(np.arange(5))
    again = own_kernel()

    assert again(np.arange(5)) == 10
    assert sum(again.stats.cache_hits.values()) == 1
    assert len([*(elsewhere / "cache of the user").rglob("own_kernel*.nbc")]) == 1


@machine_code
@pytest.mark.parametrize("keep", [0, 20, 200])
def test_damaged_machine_code_is_compiled_again(own_kernel, keep, elsewhere):
    own_kernel()(np.arange(5))
    files = code_files(elsewhere)
    for path in files:
        path.write_bytes(path.read_bytes()[:keep])

    assert len(files) == 2
    assert own_kernel()(np.arange(5)) == 10
    again = own_kernel()
    assert again(np.arange(5)) == 10
    assert sum(again.stats.cache_hits.values()) == 1


@machine_code
def test_code_of_a_file_that_has_changed_is_removed(own_kernel, elsewhere):
    own_kernel()(np.arange(5))
    before = code_files(elsewhere)
    own_kernel()(np.arange(5, dtype=np.int32))
    assert len(code_files(elsewhere)) == len(before) + 1
    source = elsewhere / "own_kernel.py"
    source.write_text(source.read_text().replace("sum()", "sum() + 1"))

    assert own_kernel()(np.arange(5)) == 11
    assert len(code_files(elsewhere)) == len(before)
    assert code_files(elsewhere) != before


@machine_code
def test_two_processes_that_compile_at_once_do_not_mix_their_code(own_kernel, monkeypatch):
    """Both see an empty index; the second writes its own between the first's two steps."""
    one, other = own_kernel(), own_kernel()
    files = one._cache._cache_file
    save = files._save_data

    def interrupted(name, data):
        other(np.arange(5, dtype=np.uint16))
        save(name, data)

    monkeypatch.setattr(files, "_save_data", interrupted)
    monkeypatch.setattr(files, "_load_index", dict)
    one(np.arange(5, dtype=np.uint8))

    later = own_kernel()
    assert later(np.array([1000, 2000], np.uint16)) == 3000
    assert later(np.array([1, 2], np.uint8)) == 3
