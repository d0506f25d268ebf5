"""The widget: the page of a tree in a notebook's cell, asked through the kernel's messages."""

import builtins
import json

import pytest

import treelab as tl
from treelab.errors import MissingExtraError, ParameterError
from treelab.page import script

HOST = """<!DOCTYPE html><meta charset="utf-8"><title>cell</title><div id="cell"></div><script>
async function start(code, values) {
  const heard = {}, address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const model = {
    get: (name) => values[name],
    on: (name, hear) => { heard[name] = hear; },
    send: async (asked) => heard["msg:custom"](JSON.parse(await kernel(JSON.stringify(asked)))),
  };
  (await import(address)).default.render({ model, el: document.getElementById("cell") });
}
</script>"""


@pytest.fixture
def cell(browser):
    """Open a widget as a notebook does; whatever the browser complains about fails the test."""
    complaints, pages = [], []

    def show(made):
        page = browser.new_page(viewport={"width": 900, "height": 700})
        pages.append(page)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.expose_function("kernel", lambda asked: json.dumps(answered(made, json.loads(asked))))
        page.set_content(HOST)
        page.evaluate(
            "([code, values]) => start(code, values)",
            [script("widget"), {"tree": made.tree, "look": made.look}],
        )
        return page

    yield show
    assert complaints == []
    for page in pages:
        page.close()


def answered(made, asked):
    """Return what the widget sends back for a message."""
    sent = []
    made.send = lambda content, *_: sent.append(content)
    made._handle_custom_msg(asked, [])
    return sent[0]


def test_the_tree_is_drawn_and_says_why(cell):
    data = tl.load("labor")
    tree = tl.grow(data)
    page = cell(tl.widget(tree))

    assert page.locator(".node").count() == tree.n_nodes
    page.locator("#why").click()
    page.wait_for_selector(".heat")
    answer = tl.why(tree)
    splits = page.locator(".heat tbody th").evaluate_all("all => all.map(th => th.firstChild.data)")
    assert sorted(splits) == sorted(option.split for option in answer.options)
    spreads = page.locator(".heat tbody td:nth-child(2)").all_text_contents()
    assert list(map(int, spreads)) == sorted((o.spread for o in answer.options), reverse=True)


def test_without_the_data_it_says_so_in_one_sentence(cell, tmp_path):
    tl.grow(tl.load("lenses")).save(tmp_path / "tree.json")
    page = cell(tl.widget(tl.Tree.load(tmp_path / "tree.json")))
    page.locator("#why").click()
    page.wait_for_selector("[role=alert]")

    assert "data" in page.locator("[role=alert]").text_content()


def test_what_is_no_tree_is_refused():
    with pytest.raises(ParameterError, match=r"^expected a Tree to show, got int$"):
        tl.widget(3)


def test_without_anywidget_one_sentence_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def missing(name, *rest):
        if name == "anywidget":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(MissingExtraError, match=r"pip install 'treelab\[lab\]'"):
        tl.widget(tl.grow(tl.load("lenses")))
