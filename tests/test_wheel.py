"""The wheel holds what runs, and nothing else."""

import os
import sys
import tomllib
from pathlib import Path

import pytest

import treelab as tl
from treelab import __version__
from treelab.data.bundled import dataset_names
from treelab.papers.catalog import paper_study

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
WHEEL = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]


def packed():
    """Return the files that the rules of pyproject.toml put into the wheel."""
    named = (path for rule in WHEEL["include"] for path in ROOT.glob(rule.removeprefix("/")))
    files = (inner for path in named for inner in ([path] if path.is_file() else path.rglob("*")))
    return {path for path in files if path.is_file() and "__pycache__" not in path.parts}


def placed(path):
    """Return where a file lies in the wheel."""
    name = path.relative_to(ROOT).as_posix()
    for source, target in WHEEL["sources"].items():
        if name.startswith(f"{source}/"):
            return f"{target}{name.removeprefix(source)}"
    return name


class Watch:
    """Notes the files of the repository that are opened while it is on."""

    def __init__(self):
        self.on, self.seen = False, set()
        sys.addaudithook(self)

    def __call__(self, event, arguments):
        if self.on and event == "open" and isinstance(arguments[0], str | os.PathLike):
            path = Path(os.fspath(arguments[0]))
            if path.is_absolute() and path.is_relative_to(ROOT):
                self.seen.add(path)


@pytest.fixture(scope="module")
def watch():
    return Watch()  # a hook cannot be taken away, but it can be turned off


def use_data():
    for name in dataset_names():
        tl.load(name)
    tl.load("ann-thyroid", part="test")


def use_papers():
    for file in (ROOT / "experiments").glob("*/*.toml"):
        study = paper_study(file.parent.name, file.stem)
        if hasattr(study, "printed") and (file.parent / "expected.csv").exists():
            study.printed()


def use_pages(folder):
    tree = tl.grow(tl.load("lenses"))
    tl.export(tree, "html", folder / "tree.html")
    tl.steps(tl.Learner(), tl.load("lenses")).save(folder / "steps.html")
    tree.save(folder / "model.json")
    tl.Tree.load(folder / "model.json")


def test_what_is_opened_lies_in_the_wheel(watch, tmp_path):
    watch.on = True
    try:
        use_data()
        use_papers()
        use_pages(tmp_path)
    finally:
        watch.on = False
    opened = {path for path in watch.seen if "__pycache__" not in path.parts}

    assert {"iris.csv", "study.toml", "grid.toml", "expected.csv", "page.html"} <= {
        path.name for path in opened
    }
    assert sorted(map(str, opened - packed())) == []


def test_reports_and_scripts_stay_outside():
    outside = [placed(path) for path in packed() if path.is_relative_to(ROOT / "experiments")]
    assert outside
    assert {Path(name).suffix for name in outside} == {".toml", ".csv"}
    assert all(name.count("/") == 4 for name in outside)  # no file of a folder of reports
    assert sum(path.stat().st_size for path in packed()) < 9e6


def test_one_version_is_written_everywhere():
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert f"\nversion: {__version__}\n" in citation
    assert f"\n## {__version__} (" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_all_extras_for_users_are_in_all():
    extras = PROJECT["project"]["optional-dependencies"]
    (everything,) = extras["all"]
    named = set(everything.removeprefix("treelab[").removesuffix("]").split(","))
    # For those who work on treelab itself, or measure it beside others.
    assert set(extras) - named == {"all", "bench", "defaults", "docs", "test", "trust"}
