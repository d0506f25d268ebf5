"""The pages with a slider, in a real browser where there is one."""

import pytest

import treelab as tl

IRIS = tl.load("iris")


@pytest.fixture(scope="module")
def steps():
    return tl.steps(tl.Learner(metric="gini"), IRIS, held_out=0.3)


def nodes(page):
    return page.locator(".node").count()


def test_the_tree_grows_by_keys_and_shrinks_again(opened, steps, tmp_path):
    steps.save(tmp_path / "steps.html")
    page = opened(tmp_path / "steps.html")

    assert nodes(page) == 1
    page.keyboard.press("ArrowRight")
    assert nodes(page) == 3
    chosen = page.locator("tr.chosen td").all_text_contents()
    assert chosen[:2] == ["petal length", "petal length <= 2.45"]
    page.keyboard.press("End")
    assert nodes(page) == steps.tree.n_nodes
    assert page.locator("#where").text_content() == f"step {len(steps.growth)} of 6"
    page.locator("#shrinking").click()
    assert nodes(page) == steps.tree.n_nodes
    assert page.locator("#curve polyline").count() == 3
    page.keyboard.press("End")
    assert nodes(page) == 1
    page.keyboard.press("ArrowLeft")
    assert nodes(page) == 2 * steps.pruning[-2].leaves - 1


def test_the_slider_itself_takes_keys(opened, steps, tmp_path):
    steps.save(tmp_path / "steps.html")
    page = opened(tmp_path / "steps.html")
    page.locator("#slider").focus()
    page.keyboard.press("ArrowRight")

    assert page.locator("#where").text_content() == "step 1 of 6"


@pytest.mark.parametrize(
    ("method", "feature"),
    [("chimerge", "petal width"), ("bins:4", "petal length"), ("relief", None)],
)
def test_methods_go_on_step_by_step(opened, tmp_path, method, feature):
    found = tl.steps_of(method, IRIS, feature)
    found.save(tmp_path / "method.html")
    page = opened(tmp_path / "method.html", width=400)

    assert page.evaluate("document.documentElement.scrollWidth") == 400
    for frame in found.frames[:3]:
        assert page.locator("#what").text_content() == frame.title
        assert page.locator("#picture > *").count() == len(frame.picture.shapes)
        assert page.locator("#table tr").count() == len(frame.rows) + 1
        page.locator("#forth").click()
