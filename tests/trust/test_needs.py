"""A figure is old when the code it speaks of has changed since, and only then."""

import subprocess
import sys

import pytest

USES = {
    "treelab.data.readers": "import treelab as tl; tl.read(sys.argv[1])",
    "treelab.tree.file": "import treelab.tree.file as f; str(f.loads(f.dumps(f.loads(MODEL))))",
    "treelab.experiment.study_file": "from treelab.experiment.study_file import read_study\n"
    "read_study(sys.argv[2])",
}
BESIDE = {"treelab._current_folder", "treelab._moved"}
"""What runs with `treelab` itself: where modules are looked for, and old names of them."""


@pytest.fixture
def needs(script):
    return script("needs")


@pytest.fixture
def report(script):
    return script("report")


@pytest.mark.parametrize("module", USES)
def test_what_is_loaded_when_a_module_is_used_is_known(module, needs, tmp_path):
    import treelab as tl

    data, model, study = tmp_path / "x.csv", tmp_path / "m.json", tmp_path / "s.toml"
    data.write_text("a,b\n1,p\n2,q\n")
    tl.grow(tl.load("lenses")).save(model)
    study.write_text('data = ["lenses"]\n[[learner]]\nmetric = "gain"\n')
    script = f"import sys\nMODEL = open(sys.argv[3]).read()\n{USES[module]}\nprint(*sys.modules)"
    words = [sys.executable, "-c", script, data, study, model]
    told = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    names = {name for name in told if name.startswith("treelab.")} - BESIDE
    loaded = {needs.modules()[name] for name in names}

    assert needs.modules()[module] in loaded
    assert loaded <= set(needs.needed([module]))


def test_readers_need_no_trees_and_treelab_needs_all(needs):
    packages = {path.relative_to(needs.ROOT).parts[1] for path in needs.needed(["treelab.data"])}

    assert not packages & {"tree", "metrics", "stats", "experiment"}
    assert needs.needed(["treelab"]) == sorted(needs.modules().values())


@pytest.fixture
def project(needs, report, monkeypatch, tmp_path):
    """Return what commits files of a small project, in which `b` names `a`, and `c` nobody."""
    monkeypatch.setattr(needs, "ROOT", tmp_path)
    monkeypatch.setattr(report, "ROOT", tmp_path)

    def git(*words):
        author = ["-c", "user.name=n", "-c", "user.email=n@n"]
        done = subprocess.run(
            ["git", *author, *words], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def write(name, text):
        (tmp_path / "treelab").mkdir(exist_ok=True)
        (tmp_path / "treelab" / name).write_text(text)
        for known in (needs.modules, needs.imported, report.commit, report._is_as_of):
            known.cache_clear()

    def commit(**files):
        for name, text in files.items():
            write(f"{name}.py", text)
        git("add", ".")
        git("commit", "-qm", "m")
        return git("rev-parse", "--short", "HEAD")

    git("init", "-q")
    commit.write = write
    commit(__init__="", a="", b="HOME = 'treelab.a'", c="")
    return commit


def figure(report, *modules):
    return {"on": f"2026-01-02, {report.commit(modules)}", "of": list(modules)}


def test_a_figure_stays_while_others_change(project, report):
    of_b, of_all = figure(report, "treelab.b"), figure(report, "treelab")
    project(c="1")

    assert report.is_current(of_b)
    assert not report.is_current(of_all)
    assert not report.is_current({key: of_all[key] for key in ["on"]})  # it speaks of everything


def test_a_figure_is_old_when_what_it_needs_has_changed(project, report):
    of_b = figure(report, "treelab.b")
    last = project(a="1")

    assert not report.is_current(of_b)
    assert report.commit(("treelab.b",)) == last


def test_a_figure_of_files_that_are_not_committed_is_of_no_commit(project, report):
    of_b = figure(report, "treelab.b")
    project.write("a.py", "1")

    assert not report.is_current(of_b)
    dirty = figure(report, "treelab.b")
    assert dirty["on"].endswith("-dirty")
    assert not report.is_current(dirty)


@pytest.mark.usefixtures("project")
def test_a_figure_of_nobody_knows_when_is_old(report):
    assert not report.is_current({"figure": "1 of 1"})
    assert not report.is_current({"on": "2026-01-02, 0000000"})
