"""`treelab lab` as people start it: a process of its own, asked over the network."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

import pytest

import treelab as tl
from treelab.cli.app import app
from treelab.errors import TreelabError

CSV = "size,colour,class\n" + "1,red,yes\n2,blue,no\n3,red,yes\n4,blue,no\n" * 5


class Server:
    """A running lab."""

    def __init__(self, folder, *words):
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "treelab", "lab", *words, "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(Path(tl.__file__).parents[1])},
        )
        self.url = self.process.stdout.readline().strip()
        self.port, self.token = re.fullmatch(
            r"http://127\.0\.0\.1:(\d+)/([\w-]{40,})/", self.url
        ).groups()

    def ask(self, method, path, body=None, **headers):
        connection = HTTPConnection("127.0.0.1", int(self.port), timeout=60)
        if isinstance(body, dict):
            body, headers = json.dumps(body), {"Content-Type": "application/json", **headers}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        found = answer.status, json.loads(answer.read())
        connection.close()
        return found

    def call(self, name, **body):
        return self.ask("POST", f"/{self.token}/api/{name}", {"tab": "a", **body})

    def job(self, number, until):
        for _ in range(3000):
            _, job = self.ask("GET", f"/{self.token}/api/jobs/{number}")
            if until(job):
                return job
            time.sleep(0.02)
        raise AssertionError(job)

    def children(self):
        """Return the processes that it has started and that still run."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(words[1]) == self.process.pid and words[0] != "Z":
                found.append(int(folder.name))
        return found


def is_gone(pid):
    for _ in range(500):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


@pytest.fixture
def server(tmp_path):
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "cars.csv").write_text(CSV)
    (folder / "numpy.py").write_text("raise SystemExit('a file of data was run')")
    (tmp_path / "secret.csv").write_text(CSV)
    server = Server(folder, "cars.csv", "--nominal", "size")
    yield server
    server.process.kill()
    server.process.communicate()


def test_the_whole_way(server):
    """One server for all of it: starting one takes a second or two."""
    # Who may ask.
    state = {"tab": "a"}
    assert server.ask("POST", "/x/api/state", state)[0] == 403
    assert server.ask("POST", "/api/state", state)[0] == 403
    own = f"/{server.token}/api/state"
    assert server.ask("POST", own, state, Origin="http://evil.example")[0] == 403
    assert server.ask("POST", own, state, Host="evil.example")[0] == 403
    assert server.ask("POST", own, state, Host=f"evil.example:{server.port}")[0] == 403
    assert server.call("state")[1]["given"] == {"from": "given", "name": "cars.csv"}

    # What may be read.
    status, answer = server.call("open", source={"from": "file", "name": "../secret.csv"})
    assert status == 400
    assert "is not in the folder" in answer["error"]
    path = f"/{server.token}/api/upload?tab=a&name=broken.parquet"
    _, kept = server.ask("POST", path, b"PAR1 broken")
    status, answer = server.call("open", source={"from": "upload", "upload": kept["upload"]})
    assert status == 400
    assert answer["error"].startswith("broken.parquet")

    # The data that were given, as they were to be read.
    status, answer = server.call("open", source={"from": "given"})
    assert status == 200
    assert answer["data"]["columns"][0]["kind"] == "nominal"

    # A worker that is killed.
    source = {"from": "generator", "name": "exor", "parameters": {"n": 2, "m": 20, "cases": 4000}}
    assert server.call("open", source=source)[0] == 200
    _, begun = server.call("compare", metrics=["relieff", "pi"])
    server.job(begun["job"], lambda job: job["words"] != "waiting")
    for pid in server.children():
        os.kill(pid, signal.SIGKILL)
    job = server.job(begun["job"], lambda job: job["state"] != "running")
    assert job["error"].startswith("the worker process ended unexpectedly")
    assert server.call("grow", settings={"max_depth": 2})[0] == 200

    # The end, in the midst of work.
    _, begun = server.call("compare", metrics=["relieff", "pi"])
    server.job(begun["job"], lambda job: job["words"] != "waiting")
    workers = server.children()
    assert workers
    server.process.send_signal(signal.SIGINT)
    _, said = server.process.communicate(timeout=60)
    assert server.process.returncode == 130
    assert "Traceback" not in said
    assert all(map(is_gone, workers))


@pytest.mark.slow
def test_workers_end_when_the_server_is_killed(server):
    source = {"from": "generator", "name": "exor", "parameters": {"n": 2, "m": 20, "cases": 4000}}
    server.call("open", source=source)
    _, begun = server.call("compare", metrics=["relieff", "pi"])
    server.job(begun["job"], lambda job: job["words"] != "waiting")
    workers = server.children()
    server.process.kill()
    server.process.wait()

    assert workers
    assert all(map(is_gone, workers))


def test_lab_of_python_is_started_and_stopped():
    with tl.lab("iris", browser=False) as running:
        port, path = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/.*/)", running.url).groups()
        connection = HTTPConnection("127.0.0.1", int(port), timeout=60)
        body = json.dumps({"tab": "a", "source": {"from": "given"}})
        connection.request("POST", f"{path}api/open", body, {"Content-Type": "application/json"})

        assert json.loads(connection.getresponse().read())["data"]["name"] == "iris"
        connection.close()
        assert "treelab lab" in running._repr_html_()
        with pytest.raises(TreelabError, match="cannot use port"):
            tl.lab(port=int(port), browser=False)
    running.stop()  # a second time nothing happens
    again = HTTPConnection("127.0.0.1", int(port), timeout=5)
    with pytest.raises(ConnectionRefusedError):
        again.request("GET", path)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"data": "irs"}, "did you mean 'iris'?"),
        ({"port": 70_000}, "port must be"),
        ({"folder": "/nowhere/at/all"}, "is no folder"),
    ],
)
def test_a_wrong_start_is_one_sentence(given, sentence):
    with pytest.raises(TreelabError, match=re.escape(sentence)):
        tl.lab(browser=False, **given)


def test_a_frame_is_given_with_its_target():
    frame = tl.load("labor").to_frame()
    with pytest.raises(TreelabError, match="target="):
        tl.lab(frame, browser=False)
    with tl.lab(frame, target="class", browser=False) as running:
        assert running.desk.given.plain == {"from": "given", "name": "frame"}


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["irs"], 2, "did you mean 'iris'?"),
        (["iris", "--target", "class"], 2, "--target is for files"),
        (["--port", "70000"], 2, "port must be"),
        (["--folder", "nowhere"], 2, "is no folder"),
        (["nothing.csv"], 2, "there is no file 'nothing.csv'"),
    ],
)
def test_a_wrong_command_is_one_sentence(words, code, sentence, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["treelab", "lab", *words])
    with pytest.raises(SystemExit) as ended:
        app(prog_name="treelab")

    said = capsys.readouterr().err
    assert ended.value.code == code
    assert sentence in said
    assert said.count("\n") == 1


def test_without_the_extra_it_is_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(TreelabError, match=re.escape("pip install 'treelab[lab]'")):
        tl.lab(browser=False)


def test_the_browser_is_not_told_the_token(monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with tl.lab() as running:
        assert len(opened) == 1
        assert running.desk.token not in opened[0]
        host, _, key = opened[0].removeprefix("http://").partition("/")
        for status, place in ((303, f"/{running.desk.token}/"), (403, None)):
            connection = HTTPConnection(host, timeout=60)
            connection.request("GET", f"/{key}")
            answer = connection.getresponse()
            assert (answer.status, answer.headers["Location"]) == (status, place)
            connection.close()
