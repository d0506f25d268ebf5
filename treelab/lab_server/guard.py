"""Who may ask: only the page that was opened with the address, on this machine.

Any page of the web can make a browser send requests to the loopback address, and any name can be
made to stand for it. So a request needs three things: the token, which only the printed address
has; a `Host` that is the loopback address with our port, which a name that was bound to it
afterwards ("DNS rebinding") has not; and, where the browser says where it comes from, our own
`Origin`.
"""

import hmac
import json
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAMES = ("127.0.0.1", "localhost")
"""What the loopback address is called."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-store"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
"""What every answer says."""

MOST = 4 * 2**20
MOST_OF = {"/api/upload": 200 * 2**20, "/api/page": 20 * 2**20}
"""Bytes of the body of a call; of a file that is handed over, and of a page that is kept."""


class Guard:
    """Lets a request pass to the application, without the token in its path, or refuses it."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self.app, self.token = app, token
        self.hosts = {f"{name}:{port}" for name in NAMES}
        self.once: set[str] = set()

    def allow_once(self, key: str) -> None:
        """Let a key open the page a single time, by leading to its address."""
        self.once.add(key)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        headers = Headers(scope=scope)
        if headers.get("host") in self.hosts and scope["path"][1:] in self.once:
            self.once.discard(scope["path"][1:])
            await _lead(_with_headers(send), f"/{self.token}/")
            return
        refusal = self._refusal(scope["path"], headers)
        if refusal is None:
            path = "/" + scope["path"].split("/", 2)[2]
            most = MOST_OF.get(path, MOST)
            within = {**scope, "path": path, "raw_path": path.encode()}
            await self.app(within, _limited(receive, headers, most), _with_headers(send))
        else:
            await _refuse(_with_headers(send), refusal)

    def _refusal(self, path: str, headers: Headers) -> str | None:
        """Return why a request is refused; None where it is not."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self.hosts:
            return "this server answers to the loopback address only"
        if origin is not None and origin != f"http://{host}":
            return "requests of other pages are refused"
        given = path.split("/", 2)[1:]
        is_known = hmac.compare_digest(given[0].encode(), self.token.encode())
        if not is_known or len(given) < 2:
            return "open the whole address that treelab lab has printed: it has a key in it"
        return None


class TooLarge(Exception):  # noqa: N818  (it is an answer)
    """The body of a request is larger than it may be."""


def _limited(receive: Receive, headers: Headers, most: int) -> Receive:
    """Return what hands on the body of a request until it is too large."""
    told, seen = headers.get("content-length", ""), 0

    async def limited() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most or (told.isdigit() and int(told) > most):
            raise TooLarge(f"at most {most // 2**20} MB can be sent")
        return message

    return limited


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*_others(message.get("headers", ())), *HEADERS]
        await send(message)

    return sending


def _others(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    ours = {name for name, _ in HEADERS}
    return [(name, value) for name, value in headers if name.lower() not in ours]


async def _lead(send: Send, path: str) -> None:
    head = [(b"location", path.encode()), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 303, "headers": head})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(send: Send, sentence: str) -> None:
    body = json.dumps({"error": sentence}).encode()
    head = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": 403, "headers": head})
    await send({"type": "http.response.body", "body": body})
