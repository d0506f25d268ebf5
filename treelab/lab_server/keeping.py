"""Requests that keep what was done: files, the model, the page, the Python lines; and restore."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from treelab._files import check_plain, file_names, read_text
from treelab.editing import replay, versions
from treelab.errors import ModelFileError, ParameterError, TreelabError, check_truth, shown
from treelab.lab_server.desk import Desk
from treelab.lab_server.formats import Download, exported
from treelab.lab_server.growing import tree_view
from treelab.lab_server.sessions import Grown, Session
from treelab.lab_server.sources import Opened
from treelab.learner import Learner
from treelab.page.lab import kept_page
from treelab.tree.file import dumps, loads
from treelab.tree.model import Tree

DEFAULTS = Learner().settings


def name_of(session: Session) -> str:
    """Return what files of a tab are called."""
    return file_names([session.opened.data.name if session.opened else "tree"])[0]


def export(_desk: Desk, session: Session, asked: dict[str, Any]) -> Download:
    """Return the tree in another format."""
    approximate, options = asked.get("approximate", False), asked.get("options") or {}
    check_truth("approximate", approximate)
    if not isinstance(options, dict):
        raise ParameterError(f"options must be an object, got {shown(options)}")
    tree = session.current.tree
    return exported(tree, name_of(session), str(asked.get("format")), approximate, options)


def model(_desk: Desk, session: Session, _asked: dict[str, Any]) -> Download:
    """Return the model file, as `Tree.save` writes it."""
    content = dumps(session.current.tree).encode()
    return Download(f"{name_of(session)}.json", "application/json", content)


def page(_desk: Desk, session: Session, asked: dict[str, Any]) -> Download:
    """Return everything on the page as one file."""
    title, kept = asked.get("title"), asked.get("kept")
    if not isinstance(title, str) or not isinstance(kept, dict):
        raise ParameterError("a page is kept with its title and with what is on it")
    content = kept_page(title, kept).encode()
    return Download(f"{name_of(session)}.html", "text/html; charset=utf-8", content)


def python(_desk: Desk, session: Session, _asked: dict[str, Any]) -> dict[str, Any]:
    """Return the lines of Python that make the same tree, to the last byte of its file."""
    opened, grown = session.editable
    settings = grown.tree.settings if grown.learner is None else grown.learner.settings
    lines = ["import treelab as tl", "", *opened.lines(), *tree_lines(grown.tree, settings)]
    lines.append(f"tree.save({f'{name_of(session)}.json'!r})")
    return {"python": "\n".join(lines) + "\n"}


def tree_lines(tree: Tree, settings: Mapping[str, Any]) -> list[str]:
    """Return the lines of Python that make a tree of `data` by a learner of some settings."""
    given = {
        name: value
        for name, value in settings.items()
        if name not in DEFAULTS or DEFAULTS[name] != value
    }
    lines = [f"tree = tl.grow({', '.join(['data', *(f'{k}={v!r}' for k, v in given.items())])})"]
    if tree.edits:
        edits = [f"    {each.plain!r}," for each in tree.edits]
        lines += ["tree = tl.edit(", "    tree,", *edits, "    data=data,", ")"]
    return lines


def restore(desk: Desk, session: Session, asked: dict[str, Any]) -> dict[str, Any]:
    """Show the tree of a model file; it can be edited if it was grown from the open data."""
    tree = loads(_text(desk, session, asked))
    with session.lock:
        session.grown = _restored(tree, session.opened)
        return {"tree": tree_view(session, session.grown)}


def _text(desk: Desk, session: Session, asked: dict[str, Any]) -> str:
    given = asked.get("file")
    path = session.upload(asked.get("upload")) if given is None else Path(desk.folder.file(given))
    try:
        check_plain(path)
        return read_text(path)
    except OSError as error:
        raise ModelFileError(f"cannot read {path.name}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ModelFileError(f"{path.name} is not a treelab model: it is not text") from None


def _restored(tree: Tree, opened: Opened | None) -> Grown:
    """Return a tree with its history, as far as the open data make the same tree again."""
    if opened is None or opened.training.schema != tree.schema:
        return Grown((tree,), has_data=False)
    try:
        learner = Learner.of_settings(tree.settings)
        first = replay(learner, (), opened.training)
        first = attrs.evolve(
            first, metric_choice=tree.metric_choice
        )  # the settings name its choice
        history = tuple(versions(first, tree.edits, opened.training))
    except TreelabError:  # other data, or a metric that is not known here
        return Grown((tree,), has_data=False)
    if dumps(history[-1]) != dumps(tree):
        return Grown((tree,), has_data=False)
    return Grown(history, len(history) - 1, learner)
