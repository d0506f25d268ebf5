"""The page of all statements is that of the committed reports."""

import importlib.util
from pathlib import Path

import pytest

from treelab.papers.catalog import paper_study, paper_titles

DOCUMENTS = {"duch2004", "hong1996", "kantardzic2011", "kononenko1995", "vilalta2001"}
FOLDER = Path(__file__).parents[2] / "experiments"
spec = importlib.util.spec_from_file_location("all_statements", FOLDER / "statements.py")
page = importlib.util.module_from_spec(spec)
spec.loader.exec_module(page)


def test_the_page_is_up_to_date():
    assert (FOLDER / "statements.md").read_text("utf-8") == page.page()


@pytest.mark.parametrize("paper", paper_titles())
def test_every_paper_that_has_statements_is_on_it(paper):
    rows = [
        row
        for report in page.reports()
        if report.parents[1].name == paper
        for row in page.statements(report)
    ]

    if paper_study(paper).statements is None:
        assert rows == []
        return
    assert len(rows) >= (10 if paper in DOCUMENTS else 1), (
        f"the committed report of {paper} lacks statements: CONTRIBUTING.md says how to make it"
    )
    assert {verdict.strip("*") for _, _, verdict in rows} <= {"holds", "partly", "does not hold"}


def test_papers_say_themselves_whether_they_have_statements():
    """A question of our own states nothing."""
    assert paper_study("metric-or-search").statements is None
    assert paper_study("vilalta2001").statements is not None


def test_cells_may_hold_bars(tmp_path):
    report = tmp_path / "report.md"
    report.write_text(
        f"{page.HEADS}\n| --- | --- | --- | --- |\n| P(a\\|b) | 3 | **holds** | x \\| y |\n\n"
    )

    assert page.statements(report) == [("P(a\\|b)", "3", "**holds**")]
    report.write_text("nothing\n")
    assert page.statements(report) == []
