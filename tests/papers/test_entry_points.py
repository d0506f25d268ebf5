"""A sixth paper, from another package: its entry point is all that treelab knows of it."""

import importlib
import json
import re
import sys
import tomllib
from fnmatch import fnmatch
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from typer.testing import CliRunner

from treelab.cli import app
from treelab.papers import catalog

TEXT = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text("utf-8")
POINT, STUDY, PACKAGE = re.findall(
    r"```\w+\n(.*?)```", TEXT[TEXT.index("## Adding a paper") :], re.DOTALL
)[:3]
"""A package exactly as CONTRIBUTING.md has it."""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Pretend that packages with papers are installed: a good one, a broken one, one without file.

    One has the name of a paper of treelab's.
    """
    for name, text in {
        "coins": PACKAGE,
        "broken": "import nothing_of_that_name",
        "bare": "",
    }.items():
        (tmp_path / f"{name}_paper").mkdir()
        (tmp_path / f"{name}_paper" / "__init__.py").write_text(text)
    (tmp_path / "coins_paper" / "study.toml").write_text(STUDY)
    points = [
        EntryPoint(name, module, catalog.GROUP)
        for name, module in {
            "coins2026": "coins_paper",
            "broken2026": "broken_paper",
            "bare2026": "bare_paper",
            "hong1996": "coins_paper",
        }.items()
    ]
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(
        catalog, "entry_points", lambda group: points if group == "treelab.papers" else []
    )
    yield tmp_path
    for name in ("coins_paper", "broken_paper", "bare_paper"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()


def call(*words):
    return CliRunner().invoke(app, ["reproduce", *map(str, words)])


@pytest.mark.usefixtures("installed")
def test_it_is_listed_with_its_title_and_a_broken_one_with_its_reason():
    titles = catalog.paper_titles()

    assert titles["coins2026"] == "How often a coin falls on its edge"
    assert titles["broken2026"] == (
        "paper 'broken2026' cannot be loaded from broken_paper: "
        "No module named 'nothing_of_that_name'"
    )
    assert "there is no" in titles["bare2026"]
    told = json.loads(call("--list", "--json").stdout)
    assert {"name": "coins2026", "title": titles["coins2026"]} in told


def test_the_entry_point_is_the_one_of_the_text():
    assert tomllib.loads(POINT)["project"]["entry-points"] == {
        catalog.GROUP: {"coins2026": "coins_paper"}
    }


def test_the_package_of_the_text_brings_its_study_file_along():
    """Packages leave out what is not Python, unless they are told."""
    patterns = tomllib.loads(POINT)["tool"]["setuptools"]["package-data"]["coins_paper"]

    assert any(fnmatch("study.toml", pattern) for pattern in patterns)


@pytest.mark.usefixtures("installed")
def test_ours_stay_ours():
    assert catalog.paper_study("hong1996").title != "How often a coin falls on its edge"


def test_it_is_carried_out_and_reported(installed):
    done = call("coins2026", "-o", installed / "out", "--json")

    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    assert (facts["study"], facts["done"], facts["failed"]) == ("coins2026", 8, 0)
    text = (installed / "out" / "report.md").read_text("utf-8")
    assert "Coins fall on their edges at times." in text
    assert "**holds**" in text
    assert len(catalog.paper_study("coins2026", quick=True).trials()) == 2
    assert len(catalog.paper_study("coins2026", repeats=3).trials()) == 6


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["broken2026"], "paper 'broken2026' cannot be loaded from broken_paper: No module named"),
        (["bare2026"], "the paper 'bare2026' has no study: there is no "),
        (["coins2026", "--grid"], "the paper 'coins2026' has no grid"),
        (["coins2026", "--all-metrics"], "the study of 'coins2026' has no further metrics"),
        (["coins2027"], "unknown paper 'coins2027': did you mean 'coins2026'?"),
    ],
)
@pytest.mark.usefixtures("installed")
def test_what_goes_wrong_is_one_sentence(words, told):
    done = call(*words)

    assert done.exit_code == 2
    assert told in " ".join(done.output.split())
    assert "Traceback" not in done.output


def test_a_study_of_learners_is_judged_by_the_package(installed):
    (installed / "coins_paper" / "study.toml").write_text(
        'name = "two"\ntitle = "Two metrics"\ndata = ["lenses"]\nfolds = 2\n'
        '[[learner]]\nmetric = "gain"\n[[learner]]\nmetric = "gini"\n'
    )
    text = "def statements(summary):\n    return []\n"
    (installed / "coins_paper" / "__init__.py").write_text(text)
    study = catalog.paper_study("coins2026")

    assert len(study.learners) == 2
    assert study.statements(None) == []
    assert study.sections is None


def changed(installed, old, new):
    path = installed / "coins_paper" / "__init__.py"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    sys.modules.pop("coins_paper", None)
    importlib.invalidate_caches()


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("def to_article", "def article", "coins_paper answers .*, but has no function to_article"),
        ("QUESTIONS =", "ANSWERS =", "line 5: a part is a question, and no package has QUESTIONS"),
        (
            'most = answers.figures("throws',
            'most = answers.figures("throw',
            "unknown part 'throw': did",
        ),
        (
            'figures("throws", "edges").mean',
            'figures("throws", "edge").mean',
            "unknown figure 'edge' of part 'throws': did you mean 'edges'",
        ),
        (
            '{"edges": float(',
            '{"edges": str(',
            "nothing to report: 8 trials failed; the first: .*: the figure 'edges' must be",
        ),
        (
            'return {"edges": float(',
            'return 5, {"edges": float(',
            "8 trials failed; the first: .*: a question must give figures by name, got",
        ),
    ],
)
def test_mistakes_of_an_author_are_one_sentence(installed, old, new, told):
    changed(installed, old, new)
    done = call("coins2026", "-o", installed / "out")
    said = " ".join(done.output.split())

    assert done.exit_code in (1, 2)
    assert re.search(told, said), said
    assert "Traceback" not in said
    assert not (installed / "out" / "report.md").exists()


def test_a_question_that_was_changed_is_asked_again(installed):
    folder = installed / "out"
    assert call("coins2026", "-o", folder).exit_code == 0
    changed(installed, '{"edges": float(', '{"edges": 7.0 + float(')
    assert call("coins2026", "-o", folder).exit_code == 0

    assert re.search(r"edges +\| +[7-9]\.", (folder / "report.md").read_text("utf-8"))


def test_a_study_of_learners_is_cited_without_figures_of_the_paper(installed):
    (installed / "coins_paper" / "study.toml").write_text(
        'name = "two"\ncitation = "A. Nobody: Two. 2026."\ndata = ["lenses"]\nfolds = 2\n'
        '[[learner]]\nmetric = "gain"\n[[learner]]\nmetric = "gini"\n'
    )
    (installed / "coins_paper" / "__init__.py").write_text("")
    done = call("coins2026", "-o", installed / "out")

    assert done.exit_code == 0, done.output
    assert "A. Nobody: Two. 2026." in (installed / "out" / "report.html").read_text("utf-8")
