"""The wheel holds what runs, and nothing else."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

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


def opened(folder):
    """Return the files of the repository that are opened to show what treelab brings along."""
    seen = set()

    def watch(event, arguments):
        if event == "open" and isinstance(arguments[0], str | os.PathLike):
            seen.add(Path(os.fspath(arguments[0])))

    sys.addaudithook(watch)  # it cannot be taken away: this is for a process of its own
    use_data()
    use_papers()
    use_pages(folder)
    parts = [ROOT / name for name in ("treelab", "datasets", "experiments")]
    inside = (path for path in seen if any(map(path.is_relative_to, parts)))
    return {path for path in inside if "__pycache__" not in path.parts}


def test_what_is_opened_lies_in_the_wheel(tmp_path):
    """In a new process, since this one may have read some of the files before."""
    words = [sys.executable, __file__, str(tmp_path)]
    told = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    found = set(map(Path, told.stdout.splitlines()))

    assert {"iris.csv", "study.toml", "grid.toml", "expected.csv", "page.html"} <= {
        path.name for path in found
    }
    assert sorted(map(str, found - packed())) == []


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


if __name__ == "__main__":
    sys.stdout.writelines(f"{path}\n" for path in sorted(opened(Path(sys.argv[1]))))
