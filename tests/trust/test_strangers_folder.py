"""The folder of a stranger's study: nothing that lies in it is run, by whatever process."""

import os
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from called import run

import treelab as tl
from treelab.errors import ParameterError
from treelab.kernels import _ownership

ROOT = str(Path(tl.__file__).parents[1])
STUDY = """
data = ["lenses"]
folds = 2
[[learner]]
metric = "gain"
[[learner]]
estimator = "sklearn.tree:DecisionTreeClassifier(max_depth=3)"
"""
# Modules that Python, treelab, numpy, joblib, Dask and matplotlib import, some at their beginning.
MODULES = (
    "queue", "numpy", "sitecustomize", "usercustomize", "joblib", "sklearn", "matplotlib", "attrs",
    "typer", "rich", "pickle", "scipy", "numba", "pandas", "distributed", "dask", "click", "yaml",
    "cloudpickle", "tomllib", "sqlite3", "secrets", "shlex",
)  # fmt: skip


@pytest.fixture
def folder(tmp_path):
    """A study with traps beside it, each of which leaves a mark when it is run."""
    (tmp_path / "marks").mkdir()
    for name in MODULES:
        mark = tmp_path / "marks" / name
        (tmp_path / f"{name}.py").write_text(
            f"open({str(mark)!r}, 'w').close()\nraise SystemExit('a trap: {name}')\n"
        )
    trap = tmp_path / "marks" / "backend"
    (tmp_path / "trap_backend.py").write_text(f"open({str(trap)!r}, 'w').close()\n")
    (tmp_path / "matplotlibrc").write_text(
        "backend: module://trap_backend\nfigure.facecolor: ff0000\nfont.size: 77\n"
    )
    (tmp_path / ".numba_config.yaml").write_text(f"cache_dir: {tmp_path}/stolen\ndisable_jit: 1\n")
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def call(folder, *words, way=("-m", "treelab"), **environment):
    """Run a command in the folder; treelab itself is found where it is."""
    return subprocess.run(
        [sys.executable, *way, *words], cwd=folder, capture_output=True, text=True, check=False,
        env=os.environ | {"PYTHONPATH": ROOT, "TREELAB_THREADS": "1"} | environment,
    )  # fmt: skip


def check_untouched(folder):
    assert sorted(path.name for path in (folder / "marks").iterdir()) == []
    assert not (folder / "stolen").exists()


# As the console script does, which has its own folder first on the path.
SCRIPT = ("-P", "-c", "import sys; from treelab.cli import main; sys.argv[0] = 'treelab'; main()")


@pytest.mark.parametrize(
    "way",
    [("-m", "treelab"), pytest.param(SCRIPT, marks=pytest.mark.slow)],
    ids=["module", "script"],
)
def test_nothing_beside_a_study_is_run(folder, way):
    ended = call(folder, "compare", "study.toml", "-o", "out", "--jobs", "2", way=way)
    check_untouched(folder)
    assert ended.returncode == 0, ended.stderr
    assert (folder / "out" / "report.html").exists()
    assert "ff0000" not in "".join(path.read_text() for path in (folder / "out").rglob("*.svg"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("--version",), ("--help",), ("datasets",), ("metrics", "gain"), ("meta", "lenses"),
        ("train", "lenses", "--folds", "2", "-o", "m.json"), ("rank", "lenses"),
        ("reproduce", "--list"), ("discretize", "iris", "--feature", "petal width", "-o", "c.svg"),
        ("compare", "study.toml", "-o", "out", "--jobs", "2", "--backend", "threading"),
        ("compare", "study.toml", "-o", "out", "--engine", "dask", "--workers", "2"),
        ("train", "iris", "--engine", "dask"),
    ],
)  # fmt: skip
def test_nothing_in_the_current_folder_is_run_by_any_command(folder, words):
    ended = call(folder, *words)
    check_untouched(folder)
    if words[:2] != ("train", "iris"):  # which is no file that could be scanned
        assert ended.returncode == 0, ended.stderr


API = """
import sys
import treelab as tl
if __name__ == "__main__":
    results = tl.run_study(sys.argv[1], jobs=2)
    print(results.done)
"""


@pytest.mark.slow
def test_workers_of_a_program_run_nothing_in_the_current_folder(folder, tmp_path_factory):
    script = tmp_path_factory.mktemp("mine") / "program.py"
    script.write_text(API)
    (folder / ".numba_config.yaml").unlink()  # the program is the user's own, who may have one
    ended = call(folder, "study.toml", way=(str(script),))
    check_untouched(folder)
    assert ended.stdout.strip() == "4", ended.stderr


def test_the_folder_stays_on_the_path_where_treelab_itself_is():
    """As in a copy of the repository that is not installed."""
    code = "-m", "treelab", "--version"
    ended = call(ROOT, *code, way=(), PYTHONPATH="")
    assert ended.stdout.startswith("treelab "), ended.stderr


LATE = """
import os
from pathlib import Path
from treelab._current_folder import leave_as_program
leave_as_program()
settings = Path(".numba_config.yaml")
settings.write_text("debug: 1")
import numba
settings.write_text("debug: 2")
numba.core.config.reload_config()
print(numba.config.DEBUG)
"""


def test_settings_that_appear_after_the_start_are_not_read(tmp_path):
    ended = call(tmp_path, LATE, way=("-P", "-c"))
    assert ended.stdout.strip() == "0", ended.stderr


# Classifiers


@pytest.fixture
def named(tmp_path):
    """Read a study that names a classifier."""

    def read(text, **rights):
        learner = f"[[learner]]\nestimator = '{text}'\n"
        (tmp_path / "s.toml").write_text(f'data = ["lenses"]\nfolds = 2\n{learner}')
        return tl.read_study(tmp_path / "s.toml", **rights)

    return read


def test_a_module_must_be_allowed_before_it_is_imported(named, tmp_path, monkeypatch):
    (tmp_path / "strange.py").write_text(
        "from sklearn.tree import DecisionTreeClassifier\n"
        "open('ran', 'w').close()\n"
        "class Mine(DecisionTreeClassifier): pass\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    for allow in ((), ("strang",), ("strange.inner",), ("stranger",)):
        with pytest.raises(ParameterError, match=r"of sklearn.* only.*--allow MODULE"):
            named("strange:Mine()", allow=allow)
    assert not (tmp_path / "ran").exists()
    study = named("strange:Mine()", allow=["strange"])
    assert (tmp_path / "ran").exists()
    assert [each.name for each in study.learners] == ["Mine"]
    assert tl.run_study(tmp_path / "s.toml", allow=["strange"]).done == 2
    sys.modules.pop("strange")


@pytest.mark.parametrize("allow", [["a b"], ["../x"], [""], ["os;"], [3], "os.path:x"])
def test_what_is_allowed_is_the_name_of_a_module(named, allow):
    with pytest.raises(ParameterError, match="allow"):
        named("sklearn.tree:DecisionTreeClassifier()", allow=allow)


def test_what_is_allowed_must_have_a_classifier_of_its_own(named):
    with pytest.raises(ValueError, match="unknown classifier 'system' of os"):
        named("os:system", allow=["os"])
    with pytest.raises(ParameterError, match=r"of sklearn and os only"):
        named("subprocess:Popen()", allow=["os"])


def test_the_command_line_allows_modules(folder, monkeypatch):
    text = STUDY.replace("sklearn.tree:DecisionTreeClassifier", "queue:Queue")
    (folder / "study.toml").write_text(text)
    monkeypatch.chdir(folder)
    refused = run("compare", "study.toml")
    assert refused.exit_code == 2
    assert "--allow MODULE" in refused.stderr
    wrong = call(folder, "compare", "study.toml", "--allow", "queue")  # that of Python
    assert wrong.returncode == 2
    assert "Queue" in wrong.stderr
    assert run("compare", "lenses", "--allow", "queue").exit_code == 2
    check_untouched(folder)


# Machine code


@pytest.fixture
def private(tmp_path, monkeypatch):
    """A folder of one's own, above which all is well."""
    monkeypatch.setattr(_ownership, "_reported", [])
    _ownership.is_own_folder.cache_clear()
    made = tmp_path / "above" / "cache"
    made.mkdir(parents=True, mode=0o755)
    yield made
    _ownership.is_own_folder.cache_clear()


OTHERS = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="a system without owners of files")


@OTHERS
@pytest.mark.parametrize(
    ("inner", "above", "is_own"),
    [
        (0o755, 0o755, True), (0o700, 0o700, True), (0o777, 0o755, False), (0o757, 0o755, False),
        (0o1777, 0o755, False), (0o755, 0o777, False), (0o755, 0o1777, True),
    ],
)  # fmt: skip
def test_a_folder_is_ones_own(private, inner, above, is_own):
    private.chmod(inner)
    private.parent.chmod(above)
    link = private.parent.parent / "link"
    link.symlink_to(private)
    assert _ownership.is_own_folder(str(private)) is is_own
    assert _ownership.is_own_folder(str(link)) is is_own
    private.parent.chmod(0o755)


@OTHERS
def test_a_folder_of_another_user_is_not(private, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    is_roots = private.stat().st_uid == 0
    assert _ownership.is_own_folder(str(private)) is is_roots
    assert not _ownership.is_own_folder(str(private / "nothing"))


@OTHERS
def test_a_file_of_code_that_others_may_write_is_not_opened(private):
    code = private / "a.nbi"
    code.write_bytes(b"x")
    with _ownership.opened_own(str(code)) as file:
        assert file.read() == b"x"
    (private / "b.nbi").symlink_to(code)
    with pytest.raises(OSError):  # noqa: PT011  (another number on every system)
        _ownership.opened_own(str(private / "b.nbi"))
    code.chmod(0o666)
    with pytest.warns(RuntimeWarning, match="others can write to"), pytest.raises(PermissionError):
        _ownership.opened_own(str(code))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the second time it is not said again
        with pytest.raises(PermissionError):
            _ownership.opened_own(str(code))


EVIL = """
import pickle, pathlib, sys
class Evil:
    def __reduce__(self):
        return (pathlib.Path({mark!r}).touch, ())
for path in pathlib.Path({cache!r}).rglob("*.nb[ic]"):
    path.write_bytes(pickle.dumps(Evil()))
    sys.stdout.write(path.suffix)
"""
TRAIN = "import treelab as tl; print(tl.grow(tl.load('lenses'), 'gini').n_leaves)"


@OTHERS
@pytest.mark.slow
def test_code_in_a_folder_that_others_can_write_to_is_not_run(private, tmp_path):
    """It is run from a folder of one's own: what is damaged there was damaged by oneself."""
    kept = {"NUMBA_CACHE_DIR": str(private)}
    first = call(tmp_path, TRAIN, way=("-P", "-W", "error", "-c"), **kept)
    assert first.returncode == 0, first.stderr
    mark = tmp_path / "ran"
    evil = EVIL.format(mark=str(mark), cache=str(private))
    assert ".nbi" in call(tmp_path, evil, way=("-c",)).stdout
    private.chmod(0o777)
    again = call(tmp_path, TRAIN, way=("-P", "-c"), **kept)
    assert again.stdout == first.stdout
    assert not mark.exists()
    assert again.stderr.count("others can write to") == 1
    private.chmod(0o755)
    call(tmp_path, TRAIN, way=("-P", "-c"), **kept)
    assert mark.exists(), "else the trap is none"
