"""A lab without a network: requests go straight to the application."""

import itertools
import re
import time
import warnings

import pytest

import treelab as tl
from treelab.lab_server.app import application
from treelab.lab_server.desk import Desk
from treelab.lab_server.folder import Folder

with warnings.catch_warnings():
    # The client of newer versions is built on another package, of which it reminds.
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

PORT = 4321
_tabs = itertools.count()


class Tab:
    """A tab of the browser: asks, and waits for jobs."""

    def __init__(self, client, token):
        self.client, self.token, self.tab = client, token, f"tab-{next(_tabs)}"

    def post(self, name, **body):
        return self.client.post(f"/{self.token}/api/{name}", json={"tab": self.tab, **body})

    def ask(self, name, **body):
        answer = self.post(name, **body)
        assert answer.status_code in (200, 202), answer.text
        found = answer.json()
        return self.result(found["job"]) if answer.status_code == 202 else found

    def refused(self, name, **body):
        answer = self.post(name, **body)
        assert 400 <= answer.status_code < 500, answer.text
        sentence = answer.json()["error"]
        assert sentence
        assert "\n" not in sentence
        return sentence

    def job(self, number):
        return self.client.get(f"/{self.token}/api/jobs/{number}").json()

    def ended(self, number):
        for _ in range(6000):
            job = self.job(number)
            if job["state"] != "running":
                return job
            time.sleep(0.02)
        raise AssertionError(f"the job does not end: {job}")

    def result(self, number):
        job = self.ended(number)
        assert job["state"] == "done", job
        assert job["progress"] == 1.0
        return job["result"]

    def upload(self, name, content):
        return self.client.post(
            f"/{self.token}/api/upload", params={"tab": self.tab, "name": name}, content=content
        )

    def open(self, name="iris", **more):
        return self.ask("open", source={"from": "bundled", "name": name}, **more)["data"]

    def grow(self, **settings):
        return self.ask("grow", settings=settings)["tree"]


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A folder with data in it, and things outside of it that links lead to."""
    root = tmp_path_factory.mktemp("lab")
    inside, outside = root / "inside", root / "outside"
    (inside / "sub").mkdir(parents=True)
    outside.mkdir()
    text = "size,colour,class\n" + "1,red,yes\n2,blue,no\n3,red,yes\n4,blue,no\n" * 5
    (inside / "cars.csv").write_text(text)
    (inside / "sub" / "more.csv").write_text(text)
    (outside / "secret.csv").write_text(text)
    (outside / "pair.names").write_text("yes, no.\nsize: continuous.\n")
    (inside / "pair.data").write_text("1, yes\n2, no\n")
    (inside / "link.csv").symlink_to(outside / "secret.csv")
    (inside / "linked").symlink_to(outside)
    (inside / "pair.names").symlink_to(outside / "pair.names")
    (inside / ".hidden.csv").write_text(text)
    return inside


@pytest.fixture(scope="session")
def desk(folder):
    desk = Desk(Folder(folder))
    yield desk
    desk.close()


@pytest.fixture(scope="session")
def client(desk):
    return TestClient(application(desk, PORT), base_url=f"http://127.0.0.1:{PORT}")


@pytest.fixture
def tab(client, desk):
    return Tab(client, desk.token)


@pytest.fixture
def other(client, desk):
    return Tab(client, desk.token)


# In a real browser

REFUSED = re.compile(r"^Failed to load resource: the server responded with a status of 400")
"""What the browser itself notes of a request that was refused, as a broken file is."""


@pytest.fixture(scope="module")
def lab_folder(tmp_path_factory):
    return tmp_path_factory.mktemp("folder")


@pytest.fixture(scope="module")
def lab(lab_folder):
    """A lab with its server, in a thread."""
    with tl.lab(folder=lab_folder, browser=False) as running:
        yield running


@pytest.fixture
def visit_lab(browser, lab):
    """Open the lab in a tab; complaints and requests to another host fail the test."""
    complaints, requests, pages = [], [], []

    def visit(width=1280, scheme="light"):
        page = browser.new_page(viewport={"width": width, "height": 860}, color_scheme=scheme)
        page.set_default_timeout(60_000)  # a loaded machine, and kernels that are compiled
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(lab.url)
        page.wait_for_selector("#bundled")
        pages.append(page)
        return page

    yield visit
    assert [words for words in complaints if not REFUSED.match(words)] == []
    assert [url for url in requests if not url.startswith((lab.url, "blob:", "data:,"))] == []
    for page in pages:
        page.close()
