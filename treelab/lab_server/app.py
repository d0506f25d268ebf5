"""The application: requests by name, answers as JSON or files, errors as sentences."""

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from treelab.errors import ParameterError, TreelabError
from treelab.lab_server import asking, cases, growing, judging, keeping, opening, pairs, studying
from treelab.lab_server.desk import Desk
from treelab.lab_server.formats import Download
from treelab.lab_server.guard import Guard, TooLarge
from treelab.lab_server.jobs import Job
from treelab.lab_server.sessions import NothingThereError, Session
from treelab.lab_server.views import plain
from treelab.lab_server.worker import UNEXPECTED
from treelab.page.lab import lab_files

Answer = dict[str, Any] | Download | Job
Handler = Callable[[Desk, Session, dict[str, Any]], Answer]

REQUESTS: dict[str, Handler] = {
    "choices": opening.choices,
    "state": opening.state,
    "open": opening.open_data,
    "grow": growing.grow,
    "edit": growing.edit,
    "undo": growing.undo,
    "redo": growing.redo,
    "node": asking.ask_node,
    "cases": cases.ask_cases,
    "why": asking.ask_why,
    "pi": pairs.ask_pi,
    "assess": judging.ask_assess,
    "compare": judging.ask_compare,
    "study": studying.ask_study,
    "export": keeping.export,
    "model": keeping.model,
    "page": keeping.page,
    "python": keeping.python,
    "restore": keeping.restore,
}

MEDIA = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


def application(desk: Desk, port: int) -> Guard:
    """Return the application behind its guard."""
    routes = [
        Route("/", _Page(desk).index),
        Route("/api/upload", _Calls(desk).upload, methods=["POST"]),
        Route("/api/cancel", _Calls(desk).cancel, methods=["POST"]),
        Route("/api/close", _Calls(desk).close, methods=["POST"]),
        Route("/api/jobs/{number}", _Calls(desk).job),
        Route("/api/{name}", _Calls(desk).call, methods=["POST"]),
        Route("/{name}", _Page(desk).file),
    ]
    return Guard(Starlette(routes=routes), desk.token, port)


class _Page:
    """The page and its files."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def index(self, _request: Request) -> Response:
        return _file("index.html")

    async def file(self, request: Request) -> Response:
        return _file(request.path_params["name"])


def _file(name: str) -> Response:
    found = lab_files().get(name)
    if found is None:
        return _sentence(404, "there is no such page")
    return Response(found, media_type=MEDIA[name.rpartition(".")[2]])


class _Calls:
    """The calls of the page. What they do runs in threads, so that none waits for another."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk

    async def call(self, request: Request) -> Response:
        """Answer a call by its name."""
        name = request.path_params["name"]
        if name not in REQUESTS:
            return _sentence(404, f"there is no request {name!r}")
        return await self._answered(request, REQUESTS[name])

    async def cancel(self, request: Request) -> Response:
        """End a job."""
        return await self._answered(request, _cancel)

    async def close(self, request: Request) -> Response:
        """End a session."""
        return await self._answered(request, _close)

    async def job(self, request: Request) -> Response:
        """Say how far a job is."""
        job = self.desk.jobs.find(request.path_params["number"])
        return _sentence(404, "there is no such job") if job is None else JSONResponse(job.view())

    async def upload(self, request: Request) -> Response:
        """Keep a file that is handed over."""

        def keep(_desk: Desk, session: Session, asked: dict[str, Any]) -> Answer:
            content: bytes = asked["content"]
            with session.lock:
                number = session.keep(asked["name"], content)
            return {"upload": number, "name": asked["name"], "size": len(content)}

        async def read(request: Request) -> dict[str, Any]:
            said = request.query_params
            content = await request.body()
            return {"tab": said.get("tab"), "name": said.get("name"), "content": content}

        return await self._answered(request, keep, read)

    async def _answered(self, request: Request, handler: Handler, read: Any = None) -> Response:
        try:
            asked = await (read or _body)(request)
            return await run_in_threadpool(self._answer, handler, asked)
        except TooLarge as error:
            return _sentence(413, str(error))
        except ClientDisconnect:
            return _sentence(400, "the request was broken off")
        except TreelabError as error:
            return _sentence(400, str(error))

    def _answer(self, handler: Handler, asked: dict[str, Any]) -> Response:
        session = self.desk.sessions.of(asked.pop("tab", None))
        try:
            return _response(handler(self.desk, session, asked))
        except TreelabError as error:
            status = 409 if isinstance(error, NothingThereError) else 400
            return _sentence(status, session.said(str(error)))
        except MemoryError:
            return _sentence(500, "there is not enough memory for this")
        except Exception as error:  # a bug is told, and the server goes on
            traceback.print_exc(file=sys.stderr)
            return _sentence(500, UNEXPECTED.format(type(error).__name__))


def _cancel(desk: Desk, session: Session, asked: dict[str, Any]) -> Answer:
    job = desk.jobs.find(str(asked.get("job")), session.tab)
    if job is None:
        raise ParameterError("there is no such job")
    desk.jobs.cancel(job.id)
    return job.view()


def _close(desk: Desk, session: Session, _asked: dict[str, Any]) -> Answer:
    desk.sessions.close(session.tab)
    return {}


async def _body(request: Request) -> dict[str, Any]:
    """Return the object that a call carries."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/json":
        raise ParameterError("a call is made with Content-Type: application/json")
    try:
        asked = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise ParameterError("the body of a call must be JSON") from None
    if not isinstance(asked, dict):
        raise ParameterError("the body of a call must be an object of JSON")
    return asked


def _response(answer: Answer) -> Response:
    if isinstance(answer, Download):
        name = quote(answer.name)
        disposition = f"attachment; filename=\"{name}\"; filename*=UTF-8''{name}"
        return Response(
            answer.content,
            media_type=answer.media,
            headers={"Content-Disposition": disposition},
        )
    if isinstance(answer, Job):
        return JSONResponse({"job": answer.id}, 202)
    return JSONResponse(plain(answer))


def _sentence(status: int, text: str) -> Response:
    return JSONResponse({"error": " ".join(text.split())}, status)
