"""The page of a large tree: small, readable at once, and with what one looks for in view."""

import json
import re

import pytest

import treelab as tl
from tests.writers.test_large import full
from treelab.page import carried

DATA = re.compile(r'<script id="data" type="([^"]+)">(.*?)</script>', re.S)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    path = tmp_path_factory.mktemp("large") / "tree.html"
    tl.export(full(12), "html", path)
    return path


def test_the_page_of_eight_thousand_nodes_is_small(large):
    page = large.read_text(encoding="utf-8")

    assert full(12).n_nodes == 8191
    assert DATA.search(page)[1] == "application/gzip"
    assert large.stat().st_size < 500_000


def test_small_pages_are_not_packed():
    kind, text = DATA.search(tl.export(full(3), "html")).groups()

    assert kind == "application/json"
    assert len(json.loads(text)["nodes"]) == 15
    assert carried({"a": "<"}) == {"type": "application/json", "data": '{"a":"\\u003c"}'}


def test_texts_have_eleven_pixels_at_least(opened, large):
    for width in (1280, 400):
        page = opened(large, width)
        page.wait_for_selector(".node")
        heights = page.evaluate(
            "[...document.querySelectorAll('#stage text')].map(t => parseFloat("
            "getComputedStyle(t).fontSize) * t.getCTM().a)"
        )

        assert min(heights) >= 10.99  # 11, but for the rounding of the scale


def test_a_typed_case_has_its_path_in_view_and_the_verdict_above_the_form(opened, large):
    page = opened(large)
    page.wait_for_selector(".node")
    page.locator("#case input").first.fill("3000")
    page.locator("#case input").nth(1).fill("-3000")
    tree = page.locator("#tree").bounding_box()
    leaf = page.locator(".node.leaf.path").bounding_box()

    assert page.locator("#verdict").bounding_box()["y"] < page.locator("#case").bounding_box()["y"]
    assert tree["x"] <= leaf["x"]
    assert leaf["x"] + leaf["width"] <= tree["x"] + tree["width"]
    assert tree["y"] <= leaf["y"]
    assert leaf["y"] + leaf["height"] <= tree["y"] + tree["height"]


def test_enter_travels_from_hit_to_hit(opened, tmp_path):
    tl.export(tl.grow(tl.load("iris"), pruner="none"), "html", tmp_path / "iris.html")
    page = opened(tmp_path / "iris.html")
    page.locator("#search").fill("petal")
    count = int(page.locator("#found").text_content().split()[0])
    seen = []
    for _ in range(count):
        seen.append(page.locator(".node.chosen").get_attribute("data-number"))
        page.locator("#search").press("Enter")

    assert len(set(seen)) == count > 1
    assert page.locator(".node.chosen").get_attribute("data-number") == seen[0]
    page.locator("#search").press("Shift+Enter")
    assert page.locator(".node.chosen").get_attribute("data-number") == seen[-1]
    assert page.locator("#found").text_content() == f"{count} of {count} nodes"
