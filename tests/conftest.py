"""Being here puts `tests` on the path, so that every test can import `naive` and `strategies`."""

import shutil
from pathlib import Path

import numba
import pytest
from called import WEATHER, done

from treelab import _registry
from treelab.papers import catalog


def _none_installed(**_group):
    """Tests are about what treelab has itself, whatever packages of others are installed."""
    return []


# Before test modules are read: they list names where they are imported.
_registry.entry_points = catalog.entry_points = _none_installed

collect_ignore = ["conftest.py"]  # it holds no examples, and docs has a file of that name, too


def pytest_collection_modifyitems(items):
    """With NUMBA_DISABLE_JIT=1, leave out what is about machine code or hopeless without it."""
    if numba.config.DISABLE_JIT:
        for item in items:
            for mark in item.iter_markers("compiled"):
                item.add_marker(pytest.mark.skip(reason=f"nothing is compiled: {mark.args[0]}"))


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")


# Of a module, not of the session: while it runs, so does a loop of events, and no other may.
@pytest.fixture(scope="module")
def browser():
    """A Chromium, where there is one."""
    api = pytest.importorskip("playwright.sync_api")
    with api.sync_playwright() as play:
        found = next(filter(None, map(shutil.which, BROWSERS)), play.chromium.executable_path)
        if not Path(found).exists():
            # Tests install nothing themselves; `.ci/run` brings a Chromium where it can.
            pytest.skip("no Chromium: the page is written, but not opened")
        running = play.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def opened(browser):
    """Open pages of files; whatever the browser complains about or asks for fails the test."""
    complaints, requests, pages = [], [], []

    def load(path, width=1280):
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri())
        pages.append((page, path.as_uri()))
        return page

    yield load
    assert complaints == []
    assert set(requests) <= {address for _, address in pages}
    for page, _ in pages:
        page.close()


@pytest.fixture
def visit(opened, tmp_path):
    """Open the page of a tree."""

    def load(tree, width=1280):
        import treelab as tl

        tl.export(tree, "html", tmp_path / "tree.html")
        return opened(tmp_path / "tree.html", width)

    return load


# Of the command line


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working directory with the weather in it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "weather.csv").write_text(WEATHER)
    return tmp_path


@pytest.fixture
def model(folder):
    """A saved tree of the weather, whose levels are labels."""
    done("train", "weather.csv", "--nominal", "level", "--pruner", "none", "-o", "m.json")
    return folder / "m.json"
