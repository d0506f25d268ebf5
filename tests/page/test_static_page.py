"""What is new of the exported page since it is made of modules: contrast, and one drawing."""

import re

import pytest
from thinned import thinned

import treelab as tl
from tests.page.contrast import faint
from treelab.page import part, script, style


@pytest.fixture(scope="module")
def labor():
    return tl.grow(tl.load("labor"), pruner="none")


@pytest.mark.parametrize("width", thinned([1280, 400], 2))
def test_every_text_has_contrast_light_and_dark(visit, labor, width):
    page = visit(labor, width)
    page.wait_for_selector(".node")
    page.locator("#search").fill("wage")
    light = faint(page)
    page.locator("#theme").click()

    assert light == []
    assert faint(page) == []


def test_what_has_too_little_contrast_is_found(visit, labor):
    page = visit(labor)
    page.wait_for_selector(".node")
    page.evaluate("document.documentElement.style.setProperty('--faint', '#9aa2aa')")

    assert [words for words in faint(page) if words.startswith("57 cases")]


@pytest.mark.parametrize("name", ["static", "widget", "lab", "steps", "frames"])
def test_a_module_is_one_text_in_which_each_thing_is_defined_once(name):
    text = script(name)
    defined = re.findall(r"^(?:async function|function|class|const|let) (\w+)", text, re.M)

    assert not re.search(r"^import ", text, re.M)
    assert len(re.findall(r"^export ", text, re.M)) == (name == "widget")
    assert len(defined) == len(set(defined))


def test_no_page_has_a_drawing_of_its_own():
    for name in ("static", "widget", "lab", "steps"):
        assert part("nodes.js").split("export", 2)[2].strip()[:40] in script(name)
        assert script(name).count('class: "box"') == 1


def test_styles_ask_for_nothing_outside():
    assert "url(" not in style("viewer", "lab", "steps")
    assert "@import" not in style("viewer", "lab", "steps")
