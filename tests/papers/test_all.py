"""All papers at once, from the command line, as a reader would take a look at them."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from treelab.experiment import Simulation
from treelab.papers.catalog import paper_study, paper_titles

REPORTS = Path(__file__).parents[2] / "experiments"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.compiled("all papers take an hour in plain Python"),
]


@pytest.fixture(scope="module")
def looked_at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    call = [sys.executable, "-m", "treelab", "reproduce", "all", "--quick", "--jobs", "2", "--json"]
    done = subprocess.run(
        [*call, "-o", folder], capture_output=True, text=True, timeout=900, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder, json.loads(done.stdout)


def test_every_paper_is_carried_out_to_its_end(looked_at):
    _, facts = looked_at

    assert [each["study"] for each in facts] == list(paper_titles())
    assert all(each["done"] == each["trials"] > 0 for each in facts)
    assert {each["failed"] for each in facts} == {0}


def test_every_paper_has_a_page_with_the_drawings_of_its_report(looked_at):
    folder, _ = looked_at
    for name, title in paper_titles().items():
        page = (folder / name / "report.html").read_text("utf-8")

        assert title in page
        report = REPORTS / name / "report" / "report.html"
        if report.exists() and "<svg" in report.read_text("utf-8"):
            assert "<svg" in page
        assert "PARTIAL" not in page


@pytest.mark.parametrize("name", paper_titles())
def test_every_simulation_sets_the_papers_figures_beside_ours(looked_at, name):
    folder, facts = looked_at
    if not isinstance(paper_study(name), Simulation):
        return
    rows = next(each["rows"] for each in facts if each["study"] == name)

    assert rows
    text = (folder / name / "report.md").read_text("utf-8")
    assert all(str(next(iter(row.values()))).replace("|", "\\|") in text for row in rows)
