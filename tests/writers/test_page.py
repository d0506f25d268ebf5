"""The interactive page, in a real browser where there is one."""

import json
import re

import pytest

import treelab as tl
from tests.writers.trees import examples, random_tree


@pytest.fixture(scope="module")
def iris():
    return tl.grow(tl.load("iris"))


def shown(page):
    return page.locator(".node").count()


def test_the_tree_is_there(visit, iris):
    page = visit(iris)

    assert shown(page) == iris.n_nodes
    assert "petal width" in page.locator("[data-number='0']").text_content()
    assert page.locator(".word").first.text_content() == "<= 0.8"
    assert page.locator("#facts").text_content() == "150 cases, 7 nodes, 4 leaves"


def test_a_test_closes_and_opens(visit, iris):
    page = visit(iris)
    page.locator("[data-number='2']").click()

    assert shown(page) == 3
    assert "4 nodes below" in page.locator("[data-number='2']").text_content()
    page.locator("[data-number='2']").click()
    assert shown(page) == iris.n_nodes
    page.locator("#collapse").click()
    assert shown(page) == 1
    page.locator("#expand").click()
    assert shown(page) == iris.n_nodes


def test_a_leaf_tells_its_rule(visit, iris):
    page = visit(iris)
    page.locator("[data-number='5']").click()

    assert page.locator(".rule").text_content() == (
        "IF 0.8 < petal width <= 1.75 (missing: 36%) AND petal length > 4.95 (missing: 11%) "
        "THEN class = Iris-virginica"
    )


def test_search_marks_the_tests_of_a_feature(visit, iris):
    page = visit(iris)
    page.locator("#collapse").click()
    page.locator("#search").fill("LENGTH")

    assert page.locator("#found").text_content() == "1 node"
    assert page.locator(".node.hit").get_attribute("data-number") == "3"


def test_hovering_shows_distribution_and_score(visit, iris):
    page = visit(iris)
    page.locator("[data-number='0']").hover()
    text = page.locator("#tip").text_content()

    assert "Iris-virginica 33.3 %" in text
    assert f"score {iris.scores[0]:.5g}" in text


def fill(page, tree, case):
    used = {tree.features[f] for f in tree.feature if f >= 0}
    columns = [column for column in tree.schema.features if column.name in used]
    for place, column in enumerate(columns):
        field = page.locator("form input, form select").nth(place)
        value = case[column.name]
        if not column.is_nominal:
            field.fill("" if value is None else repr(value))
        elif value is None:
            field.select_option(value="missing")
        else:
            known = value in column.labels
            field.select_option(value=str(column.labels.index(value)) if known else "other")


# The first three have the three policies of missing values.
@pytest.mark.parametrize("seed", [0, 1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_a_case_typed_in_is_classified_as_the_tree_does(visit, seed):
    tree = random_tree(seed)
    page = visit(tree)
    for case, shares, label in zip(*examples(tree, seed, cases=3), strict=True):
        fill(page, tree, case)
        given = page.locator("#verdict td:last-child").all_text_contents()

        assert page.locator("#verdict h2").text_content().endswith(f": {label}")
        # Shown with one decimal of a percent.
        assert [float(p[:-2]) for p in given] == pytest.approx(100 * shares, abs=0.0501)
    assert page.locator("[data-number='0'].path").count() == 1


def test_keys_walk_the_tree_and_zoom(visit, iris):
    page = visit(iris)
    page.locator("[data-number='0']").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    stage = page.locator("#stage")
    before = stage.get_attribute("transform")
    page.keyboard.press("+")

    assert page.evaluate("document.activeElement.dataset.number") == "3"
    assert page.locator("[data-number='3']").get_attribute("aria-expanded") == "false"
    assert stage.get_attribute("transform") != before


def test_the_tree_can_be_moved_and_zoomed_by_mouse(visit, iris):
    page = visit(iris)
    stage = page.locator("#stage")
    first = stage.get_attribute("transform")
    page.mouse.move(60, 700)
    page.mouse.down()
    page.mouse.move(160, 600, steps=3)
    page.mouse.up()
    second = stage.get_attribute("transform")
    page.mouse.wheel(0, -200)
    page.wait_for_function(
        "t => document.getElementById('stage').getAttribute('transform') != t", arg=second
    )

    assert first != second


def test_light_and_dark_and_print(visit, iris):
    page = visit(iris)
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    page.locator("#theme").click()

    assert light == "rgb(255, 255, 255)" != page.evaluate(paper)
    page.emulate_media(media="print")
    assert page.evaluate(paper) == light
    assert not page.locator(".tools").is_visible()


def test_a_telephone_needs_no_scrolling_sideways(visit, iris):
    page = visit(iris, width=400)

    assert page.evaluate("document.documentElement.scrollWidth") == 400
    assert page.locator("#case input").first.is_visible()


# What holds without a browser


@pytest.mark.parametrize("seed", range(6))
def test_a_hostile_name_stays_inside_its_text(seed):
    page = tl.export(random_tree(seed), "html")
    inside = re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)[1]

    assert "<" not in inside
    assert json.loads(inside)["target"] == random_tree(seed).schema.target.name
    assert page.count("<script") == page.count("</script>") == 2


def test_the_page_asks_for_nothing_outside(iris):
    page = tl.export(iris, "html").replace("http://www.w3.org/2000/svg", "")

    assert not re.search(r"https?:|//cdn|@import|url\(|src=", page.replace("-src ", ""))
    assert "default-src 'none'" in page
