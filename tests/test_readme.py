"""What README.md shows is what there is; its code is run as a doctest."""

import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")


@pytest.fixture
def scripts(monkeypatch):
    """The folder of the script, as if it were run."""
    monkeypatch.syspath_prepend(str(ROOT / "experiments/exor"))
    yield
    sys.modules.pop("figure", None)


def test_it_fits_the_first_screens():
    assert len(README.splitlines()) <= 160


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
