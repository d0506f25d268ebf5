"""Requests about data: what there is, open some, and what a tab works on."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from treelab.data.bundled import load
from treelab.data.synth import make
from treelab.errors import ParameterError, check_choice, shown
from treelab.lab_server.choices import choices as choices_of
from treelab.lab_server.desk import Desk
from treelab.lab_server.growing import tree_view
from treelab.lab_server.sessions import NothingThereError, Session
from treelab.lab_server.sources import Asked, File, InMemory, Source, call_text, opened
from treelab.lab_server.views import data_view

SOURCES = ("bundled", "file", "upload", "generator", "given")


def choices(desk: Desk, _session: Session, _asked: dict[str, Any]) -> dict[str, Any]:
    """Return everything there is to choose from."""
    return choices_of(desk.folder)


def state(desk: Desk, session: Session, _asked: dict[str, Any]) -> dict[str, Any]:
    """Return what a tab works on, for a page that is loaded again."""
    given, shown_data, grown = desk.given, session.opened, session.grown
    return {
        "data": None if shown_data is None else data_view(shown_data),
        "tree": None if grown is None else tree_view(session, grown),
        "given": None if given is None else given.plain,
    }


def open_data(desk: Desk, session: Session, asked: dict[str, Any]) -> dict[str, Any]:
    """Open data; what was open before stays where that fails."""
    source = _source(desk, session, asked.get("source"))
    found = opened(source, Asked.of(asked))
    view = data_view(found)
    with session.lock:
        session.open(found)
    return {"data": view}


def _source(desk: Desk, session: Session, given: Any) -> Source:
    if not isinstance(given, Mapping):
        raise ParameterError(f"source says where data come from, got {shown(given)}")
    check_choice("source", given.get("from"), SOURCES)
    return _FIND[given["from"]](desk, session, dict(given))


def _bundled(_desk: Desk, _session: Session, given: dict[str, Any]) -> Source:
    name = str(given.get("name"))
    return InMemory(given, f"tl.load({name!r})", load(name))


def _generator(_desk: Desk, _session: Session, given: dict[str, Any]) -> Source:
    name, parameters = str(given.get("name")), given.get("parameters") or {}
    if not isinstance(parameters, Mapping):
        raise ParameterError(f"parameters must be an object, got {shown(parameters)}")
    said: dict[str, Any] = {
        key: tuple(v) if isinstance(v, list) else v for key, v in parameters.items()
    }
    return InMemory(given, f"tl.make({call_text(name, **said)})", make(name, **said))


def _file(desk: Desk, _session: Session, given: dict[str, Any]) -> Source:
    return File(desk.folder.file(str(given.get("name"))), str(given.get("name")), given)


def _upload(_desk: Desk, session: Session, given: dict[str, Any]) -> Source:
    path: Path = session.upload(given.get("upload"))
    table = given.get("table")
    end = "" if table is None else f"::{table}"
    return File(f"{path}{end}", f"{path.name}{end}", {**given, "name": path.name})


def _given(desk: Desk, _session: Session, _given: dict[str, Any]) -> Source:
    if desk.given is None:
        raise NothingThereError("treelab lab was started without data")
    return desk.given


_FIND = {
    "bundled": _bundled,
    "file": _file,
    "upload": _upload,
    "generator": _generator,
    "given": _given,
}
