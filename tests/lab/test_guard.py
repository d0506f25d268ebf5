"""Who may ask, and what an answer says."""

import pytest

from treelab.lab_server.guard import MOST

PATHS = ("/", "/lab.js", "/api/state", "/api/jobs/1", "/api/upload")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("token", ["", "/wrong", "/" + "x" * 43])
def test_nothing_without_the_token(client, path, token):
    for answer in (client.get(token + path), client.post(token + path, json={"tab": "a"})):
        assert answer.status_code == 403
        assert "treelab lab has printed" in answer.json()["error"]


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1:4321", "http://127.0.0.1:4322"]
)
def test_other_origins_are_refused(client, desk, origin):
    answer = client.post(f"/{desk.token}/api/state", json={"tab": "a"}, headers={"Origin": origin})

    assert answer.status_code == 403
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize("host", ["evil.example", "evil.example:4321", "127.0.0.1:80", "127.0.0.1"])
def test_other_names_of_the_address_are_refused(client, desk, host):
    answer = client.get(f"/{desk.token}/", headers={"Host": host})

    assert answer.status_code == 403


def test_our_own_origin_may_ask(client, desk):
    for name in ("127.0.0.1", "localhost"):
        headers = {"Host": f"{name}:4321", "Origin": f"http://{name}:4321"}
        answer = client.post(f"/{desk.token}/api/state", json={"tab": "a"}, headers=headers)

        assert answer.status_code == 200


def test_a_preflight_of_another_origin_is_refused(client, desk):
    headers = {"Origin": "http://evil.example", "Access-Control-Request-Method": "POST"}

    assert client.options(f"/{desk.token}/api/state", headers=headers).status_code == 403


@pytest.mark.parametrize("path", ["/wrong/", "/{}/", "/{}/lab.css", "/{}/api/state", "/{}/none"])
def test_what_every_answer_says(client, desk, path):
    headers = client.get(path.format(desk.token)).headers

    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'")
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers


def test_the_page_and_its_files(client, desk):
    page = client.get(f"/{desk.token}/")

    assert page.headers["content-type"].startswith("text/html")
    assert desk.token not in page.text
    assert client.get(f"/{desk.token}/lab.js").headers["content-type"].startswith("text/javascript")
    assert client.get(f"/{desk.token}/lab.css").headers["content-type"].startswith("text/css")
    assert client.get(f"/{desk.token}/../guard.py").status_code in (403, 404)


def test_a_key_opens_the_page_once(client, desk):
    client.app.allow_once("a-key")

    first = client.get("/a-key", follow_redirects=False)

    assert first.status_code == 303
    assert first.headers["location"] == f"/{desk.token}/"
    assert client.get("/a-key", follow_redirects=False).status_code == 403


def test_a_body_may_not_be_too_large(client, desk):
    body = b'{"tab": "a", "x": "' + b"x" * MOST + b'"}'
    answer = client.post(
        f"/{desk.token}/api/state", content=body, headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 413
    assert answer.json() == {"error": "at most 4 MB can be sent"}


def test_a_body_without_a_length_may_not_be_too_large(client, desk):
    pieces = (b"x" * 2**20 for _ in range(6))
    answer = client.post(
        f"/{desk.token}/api/state", content=pieces, headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 413


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"[" * 100_000, b'"a"', b"\xff"])
def test_what_is_no_object_is_one_sentence(client, desk, body):
    answer = client.post(
        f"/{desk.token}/api/state", content=body, headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 400
    assert answer.json()["error"].startswith("the body of a call must be")


def test_a_form_of_another_page_is_no_call(client, desk):
    answer = client.post(f"/{desk.token}/api/state", data={"tab": "a"})

    assert answer.status_code == 400
    assert "application/json" in answer.json()["error"]


@pytest.mark.parametrize("tab", [None, 1, "", "a" * 65, "a/b", "../x"])
def test_a_tab_has_a_plain_name(client, desk, tab):
    answer = client.post(f"/{desk.token}/api/state", json={"tab": tab})

    assert answer.status_code == 400
    assert answer.json()["error"].startswith("tab must be")


def test_an_unknown_request_is_not_found(tab):
    assert tab.post("nothing").status_code == 404
