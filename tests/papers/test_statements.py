"""The page of all statements is that of the committed reports."""

import importlib.util
from pathlib import Path

import pytest

from treelab.papers.catalog import SIMULATIONS

FOLDER = Path(__file__).parents[2] / "experiments"
spec = importlib.util.spec_from_file_location("all_statements", FOLDER / "statements.py")
page = importlib.util.module_from_spec(spec)
spec.loader.exec_module(page)


def test_the_page_is_up_to_date():
    assert (FOLDER / "statements.md").read_text("utf-8") == page.page()


# Questions of our own state nothing.
@pytest.mark.parametrize("paper", sorted({*SIMULATIONS} - {"metric-or-search", "pi-question"}))
def test_every_paper_is_on_it(paper):
    rows = page.statements(FOLDER / paper / "report" / "report.md")

    assert len(rows) >= 10
    assert {verdict.strip("*") for _, _, verdict in rows} <= {"holds", "partly", "does not hold"}


def test_cells_may_hold_bars(tmp_path):
    report = tmp_path / "report.md"
    report.write_text(
        f"{page.HEADS}\n| --- | --- | --- | --- |\n| P(a\\|b) | 3 | **holds** | x \\| y |\n\n"
    )

    assert page.statements(report) == [("P(a\\|b)", "3", "**holds**")]
    report.write_text("nothing\n")
    assert page.statements(report) == []
