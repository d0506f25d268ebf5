"""The lab in a real browser: from data to a kept tree, by mouse and by keys alone."""

import json

import pytest

import treelab as tl
from tests.lab.browsing import drop, grow, open_set, saved
from tests.page.contrast import faint


def written(tree, tmp_path):
    tree.save(tmp_path / "tree.json")
    return (tmp_path / "tree.json").read_bytes()


def in_python(page, tmp_path, monkeypatch):
    """Run the lines of the page, and return the model file they write."""
    monkeypatch.chdir(tmp_path)
    page.click("#tab-keep")
    page.locator("#python", has_text="tree.save").wait_for()
    exec(page.locator("#python").text_content(), {})
    return (tmp_path / "labor.json").read_bytes()


def test_load_grow_ask_change_undo_save_reload(visit_lab, tmp_path, monkeypatch):
    page = visit_lab()
    open_set(page, "labor")
    data = tl.load("labor")
    assert page.locator("table.columns tbody tr").count() == len(data.features) + 1
    grow(page, metric="gini", max_depth="3")
    tree = tl.grow(data, "gini", max_depth=3)
    assert page.locator("#stage .node").first.get_attribute("aria-label").startswith("test of")

    page.click("#tab-ask")
    page.wait_for_selector(".heat")
    splits = page.locator(".heat tbody th").evaluate_all("all => all.map(th => th.firstChild.data)")
    assert sorted(splits) == sorted(option.split for option in tl.why(tree).options)
    spreads = list(map(int, page.locator(".heat tbody td:nth-child(3)").all_text_contents()))
    assert spreads == sorted(spreads, reverse=True)

    page.locator(".heat .take").first.click()
    page.click("#tab-change")
    page.locator("#edits li:not(.none)").wait_for()
    assert page.locator("#edits li").count() == 1
    changed = saved(page)
    assert json.loads(changed)["edits"][0]["edit"] == "split"
    assert changed != written(tree, tmp_path)
    assert changed == in_python(page, tmp_path, monkeypatch)

    page.click("#tab-change")
    page.click("#undo")
    page.locator("#edits .undone").wait_for()
    assert saved(page) == written(tree, tmp_path)
    page.click("#tab-change")
    page.click("#redo")
    page.locator("#edits li:not(.undone)").wait_for()
    page.reload()
    page.wait_for_selector("#stage .node", state="attached")
    assert saved(page) == changed

    (tmp_path / "kept.json").write_bytes(changed)
    page.set_input_files("#restore", tmp_path / "kept.json")
    page.locator("#facts", has_text="nodes").wait_for()
    assert saved(page) == changed


def test_a_dropped_file_is_opened_and_a_broken_one_is_one_sentence(visit_lab):
    page = visit_lab()
    drop(page, "cars.csv", "size,colour,class\n" + "1,red,yes\n2,,no\n" * 6)
    page.locator(".facts h2", has_text="cars").wait_for()
    drop(page, "broken.csv", 'a,b,class\n1,"2\n')
    page.locator("#error:not(:empty)").wait_for()
    sentence = page.locator("#error").text_content()

    assert "broken.csv" in sentence
    assert "Traceback" not in sentence
    assert "\n" not in sentence
    assert page.locator("#error").get_attribute("role") == "alert"
    assert page.locator(".facts h2").text_content() == "cars"


def walk_to(page, selector, most=150):
    """Press Tab until something has the focus, and fail if that never happens."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", selector):
            outline = "getComputedStyle(document.activeElement).outlineStyle"
            assert page.evaluate(outline) != "none" or ".node" in selector
            return
    raise AssertionError(f"the focus never comes to {selector}")


def test_everything_can_be_done_with_keys_alone(visit_lab):
    page = visit_lab()
    keys = page.keyboard
    walk_to(page, "#bundled")
    keys.type("wine")
    walk_to(page, "#open-bundled")
    keys.press("Enter")
    page.locator(".facts h2", has_text="wine").wait_for()
    page.keyboard.press("Shift+Tab")
    page.locator("#tab-data").focus()
    keys.press("ArrowRight")
    assert page.evaluate("document.activeElement.id") == "tab-grow"
    walk_to(page, "#grow")
    keys.press("Enter")
    page.locator("#grown", has_text="grown from").wait_for()

    page.locator("#tab-grow").focus()
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    walk_to(page, "#stage .node")
    keys.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.number") == "1"
    keys.press("ArrowUp")
    page.locator("#threshold").wait_for()
    walk_to(page, "#threshold")
    before = page.locator("#threshold-number").input_value()
    for _ in range(5):
        keys.press("ArrowRight")
    chosen = page.locator("#threshold-number").input_value()
    assert float(chosen) > float(before)
    keys.press("Enter")
    page.locator("#edits li:not(.none)").wait_for()
    assert chosen in page.locator("#edits li").text_content()
    assert chosen in page.locator("#stage .word").first.text_content()
    page.locator("#tab-change").focus()
    keys.press("Control+z")
    page.locator("#edits .undone").wait_for()


def faint_in_any_light(page):
    """Return what has too little contrast on a light page or on a dark one."""
    found = []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        found += faint(page)
    return found


@pytest.mark.parametrize("width", [400, pytest.param(1280, marks=pytest.mark.slow)])
def test_contrast_and_width_of_every_section(visit_lab, width):
    page = visit_lab(width)
    open_set(page, "labor")
    assert faint_in_any_light(page) == []
    grow(page, metric="gini")
    for name in ("grow", "ask", "change", "compare", "keep"):
        page.click(f"#tab-{name}")
        awaited = {"ask": ".heat", "change": "#split-feature", "keep": "#save-model"}.get(name)
        page.wait_for_selector(awaited or f"#panel-{name}")

        assert faint_in_any_light(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") == width, name
        assert page.locator(f"#tab-{name}").get_attribute("aria-selected") == "true"


def test_names_that_try_to_break_out_stay_text(visit_lab):
    page = visit_lab()
    bad = "<img src=x onerror=alert(1)>"
    rows = [f"{'abc'[k % 3]}{bad},{k % 7},{bad if k % 3 else '</script>'}" for k in range(60)]
    drop(page, "bad.csv", "\n".join([f"{bad},__proto__,class", *rows]))
    page.locator(".facts h2", has_text="bad").wait_for()
    grow(page)
    page.click("#tab-ask")
    page.wait_for_selector(".heat")

    assert page.locator("img").count() == 0
    assert bad in page.locator("#details h2").text_content()
