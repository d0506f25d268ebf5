"""Old names of modules: they lead to the modules of today, with one warning that says where."""

import pickle
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import treelab as tl
from treelab._moved import MOVED, new_name

ROOT = Path(__file__).parents[1]


def forget(monkeypatch, *names):
    """Let the next import of some modules be the first one."""
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.parametrize("old", MOVED)
def test_an_old_name_gives_the_module_of_today_and_says_its_name(monkeypatch, old):
    forget(monkeypatch, old)
    with pytest.warns(FutureWarning, match=rf"^{old} has moved: import {MOVED[old]} instead$"):
        module = import_module(old)

    assert module is import_module(MOVED[old])
    assert module.__name__ == MOVED[old]


PUBLIC = ("estimators", "transformers", "selectors", "figures")


def test_a_script_warns_once_for_each_and_in_its_own_line(tmp_path):
    script = tmp_path / "old.py"
    lines = [f"import treelab.{name}; from treelab import {name}" for name in PUBLIC]
    script.write_text("\n".join(lines * 2))
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(ROOT)},
    )  # fmt: skip

    told = [line for line in done.stderr.splitlines() if "Warning" in line]
    assert [line.partition(" has moved")[0] for line in told] == [
        f"{script}:{number}: FutureWarning: treelab.{name}" for number, name in enumerate(PUBLIC, 1)
    ]


def test_what_is_in_a_package_that_moved_is_no_second_copy(monkeypatch):
    forget(monkeypatch, "treelab.estimators", "treelab.estimators.classifier")
    with pytest.warns(FutureWarning, match="import treelab.sklearn instead") as told:
        module = import_module("treelab.estimators.classifier")

    assert len(told) == 1
    assert module.TreeClassifier is tl.TreeClassifier


def test_a_pickle_that_names_old_modules_is_read(monkeypatch):
    data = tl.load("labor")
    frame = data.to_frame()
    X, y = frame.drop(columns=[data.target]), frame[data.target]
    fitted = tl.TreeClassifier("gini").fit(X, y)
    written = pickle.dumps(fitted, protocol=0)  # names are on lines of their own
    new, old = b"treelab.sklearn.classifier\n", b"treelab.estimators.classifier\n"
    assert new in written
    forget(monkeypatch, "treelab.estimators", "treelab.estimators.classifier")

    with pytest.warns(FutureWarning, match="import treelab.sklearn instead"):
        read = pickle.loads(written.replace(new, old))

    assert type(read) is tl.TreeClassifier
    assert (read.predict(X) == fitted.predict(X)).all()


def test_other_names_are_nobodys():
    assert new_name("treelab.tree.model") is None
    assert new_name("treelab") is None
    with pytest.raises(ModuleNotFoundError, match=r"^No module named 'treelab.estimator'$"):
        import_module("treelab.estimator")
    with pytest.raises(ModuleNotFoundError):
        import_module("treelab.stats.nothing")


def test_nobody_here_uses_an_old_name():
    old = re.compile(rf"\b({'|'.join(map(re.escape, MOVED))})\b")
    folders = ("treelab", "tests", "experiments", "docs")
    files = [p for f in folders for kind in ("py", "md") for p in (ROOT / f).rglob(f"*.{kind}")]
    own = {ROOT / "treelab" / "_moved.py", Path(__file__)}

    assert len(files) > 400
    assert not [p for p in files if p not in own and old.search(p.read_text(encoding="utf-8"))]
