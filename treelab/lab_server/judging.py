"""Long work: how good trees are on cases they have not seen, and how trees of metrics differ."""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from treelab._text import count
from treelab.data.dataset import Dataset
from treelab.editing import assess_edits
from treelab.errors import ParameterError, check_choice
from treelab.evaluate import assess, cross_validate
from treelab.evaluate.crossval import CrossValidation, FoldResult
from treelab.lab_server.arguments import folds_of
from treelab.lab_server.asking import Part, Report
from treelab.lab_server.desk import Desk
from treelab.lab_server.growing import learner_of
from treelab.lab_server.jobs import Job
from treelab.lab_server.sessions import Session
from treelab.lab_server.views import assessment_view, page_of
from treelab.learner import Learner
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.predict import predicted_codes

MOST_METRICS = 12
"""So many trees stand side by side."""


def ask_assess(desk: Desk, session: Session, asked: dict[str, Any]) -> Job:
    """Begin to measure the tree on cases that it has not seen."""
    opened, grown = session.editable
    by = asked.get("by")
    if by is not None:
        check_choice("by", by, ("held-out", "folds"))
    if by == "held-out" and opened.held_out is None:
        raise ParameterError("no cases were held out when the data were opened")
    folds, seed = folds_of(asked)
    on_held_out = opened.held_out is not None and by != "folds"
    learner = grown.learner or Learner.of_settings(grown.tree.settings)
    return desk.start(
        session,
        "assess",
        tree=grown.tree,
        learner=learner,
        on_held_out=on_held_out,
        folds=folds,
        seed=seed,
    )


def assess_task(
    data: Part,
    report: Report,
    tree: Tree,
    learner: Learner,
    on_held_out: bool,
    folds: int,
    seed: int,
) -> dict[str, Any]:
    """Measure a tree by what was held out, or by growing (and editing) it again in each fold.

    A metric that the learner chose by the data is chosen anew in each fold.
    """
    training, held_out = data
    if on_held_out:
        assert held_out is not None
        return _by_held_out(tree, held_out)
    watch = _watch(report, folds)
    if not tree.edits:
        return _of_folds(cross_validate(training, learner, folds, seed, watch), "folds", folds)
    found = assess_edits(learner, tree.edits, training, folds=folds, seed=seed, watch=watch)
    assert found.validation is not None
    skipped = [
        f"{edit.kind} {edit} was made in {done} of {count(folds, 'fold')}: {reason}"
        for edit, done, reason in zip(tree.edits, found.done, found.reasons, strict=True)
        if done < folds
    ]
    grown = found.grown_validation
    return _of_folds(found.validation, "replay", folds) | {
        "words": found.words,
        "skipped": skipped,
        "unedited": None if grown is None else {"accuracy": grown.accuracy, "error": _error(grown)},
    }


def _by_held_out(tree: Tree, held_out: Dataset) -> dict[str, Any]:
    found = assess(tree, held_out)
    cases = count(len(found.actual), "case")
    return {
        **assessment_view(found),
        "by": "held-out",
        "words": f"on {cases} that were held out before anything was looked at",
        "skipped": [],
        "leaves": tree.n_leaves,
        "depth": tree.depth,
        "folds": [],
    }


def _of_folds(found: CrossValidation, by: str, folds: int) -> dict[str, Any]:
    return {
        **assessment_view(found.assessment),
        "by": by,
        "words": f"{folds}-fold cross-validation, stratified: grown anew without each fold",
        "skipped": [],
        "accuracy": found.accuracy,
        "error": _error(found),
        "leaves": found.leaves,
        "depth": found.depth,
        "folds": [
            {"accuracy": fold.accuracy, "leaves": fold.leaves, "depth": fold.depth}
            for fold in found.folds
        ],
    }


def _error(found: CrossValidation) -> float:
    """Return the standard error of the mean over the folds."""
    return found.deviation / math.sqrt(len(found.folds))


def _watch(
    report: Report, folds: int, first: int = 0, of: int | None = None, name: str = ""
) -> Callable[[Iterable[FoldResult]], Iterator[FoldResult]]:
    """Return what reports each fold as it passes by."""

    def watched(results: Iterable[FoldResult]) -> Iterator[FoldResult]:
        for number, result in enumerate(results, 1):
            report((first + number) / (of or folds), f"{name}fold {number} of {folds}")
            yield result

    return watched


# Compare


def ask_compare(desk: Desk, session: Session, asked: dict[str, Any]) -> Job:
    """Begin to grow and measure the trees of several metrics."""
    metrics = asked.get("metrics")
    if not isinstance(metrics, list) or not 2 <= len(metrics) <= MOST_METRICS:
        raise ParameterError(f"compare takes a list of 2 to {MOST_METRICS} metrics")
    _ = session.data  # or the sentence that there are none
    grown = session.grown
    start = grown.learner if grown is not None and grown.learner is not None else Learner()
    settings = {**start.settings, **(asked.get("settings") or {})}
    learners = [learner_of({**settings, "metric": metric}) for metric in metrics]
    folds, seed = folds_of(asked)
    return desk.start(
        session, "compare", metrics=metrics, learners=learners, folds=folds, seed=seed
    )


def compare_task(
    data: Part,
    report: Report,
    metrics: list[str],
    learners: list[Learner],
    folds: int,
    seed: int,
) -> dict[str, Any]:
    """Grow the tree of each metric, cross-validate it, and say where trees differ."""
    training = data[0]
    trees, found = [], []
    for place, (metric, learner) in enumerate(zip(metrics, learners, strict=True)):
        report(place / len(metrics), f"{metric}: growing")
        trees.append(learner.fit(training))
        watch = _watch(report, folds, place * folds, len(metrics) * folds, f"{metric}: ")
        found.append(cross_validate(training, learner, folds, seed, watch))
    of_all = found[0].assessment
    return {
        "trees": [
            {
                "metric": metric,
                "page": page_of(tree),
                "leaves": tree.n_leaves,
                "nodes": tree.n_nodes,
                "depth": tree.depth,
                "accuracy": each.accuracy,
                "error": _error(each),
                "cv_leaves": each.leaves,
                "differs": _differing(trees[0], tree),
            }
            for metric, tree, each in zip(metrics, trees, found, strict=True)
        ],
        "baseline": of_all.baseline,
        "majority": of_all.majority,
        "differences": _differences(trees),
        "alike": _alike(trees, training),
        "folds": folds,
        "cases": len(training),
    }


def said_at(node: Node) -> str:
    """Return what a node says: its test, or the class of a leaf."""
    return f"= {node.label}" if node.is_leaf else " | ".join(node.branch_labels)


def _by_path(tree: Tree) -> dict[tuple[int, ...], Node]:
    """Return all nodes by their paths, the upper ones first."""
    found: dict[tuple[int, ...], Node] = {(): tree.root}
    waiting: list[tuple[int, ...]] = [()] if not tree.root.is_leaf else []
    while waiting:
        path = waiting.pop(0)
        for branch, child in enumerate(found[path].children):
            found[(*path, branch)] = child
            if not child.is_leaf:
                waiting.append((*path, branch))
    return found


def _differing(first: Tree, other: Tree) -> list[int]:
    """Return the nodes of a tree that say something else than those of the first at their path."""
    mine = _by_path(first)
    return [
        node.number
        for path, node in _by_path(other).items()
        if path not in mine or said_at(mine[path]) != said_at(node)
    ]


def _differences(trees: list[Tree]) -> list[dict[str, Any]]:
    """Return the paths at which trees differ, and what each says there; the uppermost only.

    Below a node that asks something else nothing can be compared.
    """
    of_trees = [_by_path(tree) for tree in trees]
    found: list[dict[str, Any]] = []
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        path = waiting.pop(0)
        nodes = [nodes.get(path) for nodes in of_trees]
        words = [None if node is None else said_at(node) for node in nodes]
        if len(set(words)) > 1:
            found.append({"path": list(path), "words": words})
        elif nodes[0] is not None:
            waiting += [(*path, branch) for branch in range(len(nodes[0].children))]
    return found


def _alike(trees: list[Tree], data: Dataset) -> list[list[float]]:
    """Return the share of the cases that each two trees predict alike."""
    codes = np.stack([predicted_codes(tree, data) for tree in trees])
    same = (codes[:, None, :] == codes[None, :, :]).astype(float)
    shares: list[list[float]] = np.average(same, axis=2, weights=_weights(data)).tolist()
    return shares


def _weights(data: Dataset) -> Any:
    return data.weights if data.weights.sum() > 0 else np.ones(len(data))
