"""What README.md shows is what the program says; its code is run as a doctest."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import treelab as tl

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


@pytest.fixture
def scripts(monkeypatch):
    """The folders of the scripts, as if one of them were run."""
    for folder in ("experiments", "experiments/exor"):
        monkeypatch.syspath_prepend(str(ROOT / folder))
    yield
    for name in ("readme", "figure"):
        sys.modules.pop(name, None)


@pytest.mark.usefixtures("scripts")
def test_the_table_of_metrics_is_the_registry():
    import readme

    assert readme.table_in_readme() == readme.metric_table(), "renew it with `make readme`"


@pytest.mark.usefixtures("scripts")
def test_renewing_the_table_changes_nothing_else(tmp_path, monkeypatch):
    import readme

    copy = tmp_path / "README.md"
    copy.write_text(README.replace("| `gain` | ", "| `gain` | once "), "utf-8")
    monkeypatch.setattr(readme, "README", copy)
    readme.main()

    assert copy.read_text("utf-8") == README


def test_every_generator_is_named():
    line = next(line for line in README.splitlines() if line.startswith("| made to order"))

    assert set(tl.generator_names()) <= set(re.findall(r"`([\w-]+)`", line))


def test_every_file_it_links_to_is_there():
    links = re.findall(r"\]\((?!http|#)([^)]+)\)", README)

    assert "docs/exor.svg" in links
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.usefixtures("scripts")
def test_the_picture_can_be_drawn_again(tmp_path):
    import figure

    figure.main(tmp_path / "exor.svg")
    again, kept = (ElementTree.parse(p).getroot() for p in (tmp_path / "exor.svg", figure.PICTURE))

    assert again.tag == kept.tag == "{http://www.w3.org/2000/svg}svg"
    for colour, bars in ((figure.RELEVANT, 3), (figure.RANDOM, 10)):
        for picture in (again, kept):
            drawn = [e for e in picture.iter() if f"fill: {colour}" in e.get("style", "")]
            assert len(drawn) == bars * len(figure.METRICS)
