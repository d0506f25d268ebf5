"""Requests that make trees: grow, edit, undo, redo."""

from collections.abc import Mapping
from typing import Any

import attrs

from treelab._text import weight_text
from treelab.editing import edit as edited
from treelab.editing import edit_of, locked
from treelab.errors import ParameterError, UnknownNameError, shown
from treelab.evaluate import assess
from treelab.lab_server.desk import Desk
from treelab.lab_server.sessions import Grown, Session
from treelab.lab_server.views import assessment_view, page_of
from treelab.learner import Learner
from treelab.presets import preset
from treelab.tree.model import Tree
from treelab.tree.path import read_path

SETTINGS = tuple(field.name for field in attrs.fields(Learner))


def learner_of(settings: Any) -> Learner:
    """Return the learner that settings of the page describe; a preset comes first."""
    if not isinstance(settings, Mapping):
        raise ParameterError(f"settings must be an object, got {shown(settings)}")
    given = {name: value for name, value in settings.items() if name != "preset"}
    for name in given:
        if name not in SETTINGS:
            raise UnknownNameError("setting", name, (*SETTINGS, "preset"))
    start = preset(str(settings["preset"])) if settings.get("preset") else {}
    return Learner(**{**start, **given})


def grow(_desk: Desk, session: Session, asked: dict[str, Any]) -> dict[str, Any]:
    """Grow a tree; the edits of the one before are forgotten."""
    learner = learner_of(asked.get("settings") or {})
    with session.lock:
        tree = learner.fit(session.data.training)
        session.grown = Grown((tree,), learner=learner)
        return {"tree": tree_view(session, session.grown)}


def edit(_desk: Desk, session: Session, asked: dict[str, Any]) -> dict[str, Any]:
    """Change the tree; what was undone before is forgotten."""
    wanted = edit_of(asked.get("edit"))
    with session.lock:
        opened, grown = session.editable
        session.grown = grown.edited(edited(grown.tree, wanted, data=opened.training))
        return {"tree": tree_view(session, session.grown)}


def undo(_desk: Desk, session: Session, _asked: dict[str, Any]) -> dict[str, Any]:
    """Go back to the tree before the last edit."""
    return _moved(session, -1)


def redo(_desk: Desk, session: Session, _asked: dict[str, Any]) -> dict[str, Any]:
    """Go on to the tree after the edit that was undone last."""
    return _moved(session, 1)


def _moved(session: Session, step: int) -> dict[str, Any]:
    with session.lock:
        session.grown = session.current.moved(step)
        return {"tree": tree_view(session, session.grown)}


def tree_view(session: Session, grown: Grown) -> dict[str, Any]:
    """Return what the page shows of a tree and its history."""
    tree, opened = grown.tree, session.opened
    held_out = None if opened is None or not grown.has_data else opened.held_out
    return {
        "page": page_of(tree),
        "settings": dict(tree.settings if grown.learner is None else grown.learner.settings),
        "facts": _facts(tree, len(opened.training) if opened and grown.has_data else None),
        "held_out": None if held_out is None else assessment_view(assess(tree, held_out)),
        "edits": _edits(grown),
        "cursor": len(tree.edits),
        "undo": grown.cursor > 0,
        "redo": grown.cursor + 1 < len(grown.versions),
        "locked": [list(read_path(path)) for path in locked(tree)],
        "can_edit": grown.has_data,
        "data": grown.has_data,
    }


def _facts(tree: Tree, cases: int | None) -> dict[str, Any]:
    weight = float(tree.counts[0].sum())
    choice = tree.metric_choice
    return {
        "cases": cases,
        "weight": weight,
        "weight_words": weight_text(weight),
        "leaves": tree.n_leaves,
        "nodes": tree.n_nodes,
        "depth": tree.depth,
        "metric": tree.settings.get("metric"),
        "choice": None if choice is None else str(choice),
        "complete": tree.complete,
    }


def _edits(grown: Grown) -> list[dict[str, Any]]:
    """Return all edits, those that were undone among them."""
    done = len(grown.tree.edits)
    return [
        {"words": f"{each.kind} {each}", "edit": each.plain, "done": place < done}
        for place, each in enumerate(grown.versions[-1].edits)
    ]
