"""Requests about a node: its cases, its values, its candidates, and what metrics say of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from treelab.data.dataset import Dataset
from treelab.data.schema import Column
from treelab.editing import locked, values_at
from treelab.errors import ParameterError, shown
from treelab.explain import Option, Why, why
from treelab.explain.model import why_model
from treelab.explain.own import own_metric
from treelab.lab_server.arguments import path_of
from treelab.lab_server.cases import parts_at
from treelab.lab_server.desk import Desk
from treelab.lab_server.jobs import Job
from treelab.lab_server.sampled import OnSample, compares_cases, on_sample
from treelab.lab_server.sessions import Session
from treelab.lab_server.views import histogram
from treelab.metrics import metric as find_metric
from treelab.metrics import metric_names
from treelab.metrics.names import USUAL, name_of
from treelab.tree.model import Tree
from treelab.tree.node import Node
from treelab.tree.path import write_path

Report = Callable[[float, str], None]

QUICK = 200_000
"""Cases x metrics that are judged at once; more is a job."""

Part = tuple[Dataset, Dataset | None]
"""The cases to learn from, and those held out."""


def metrics_of(given: Any, tree: Tree, *, quick: bool = False) -> list[str | Any]:
    """Return the metrics that are asked: those named, 'all', or the tree's own and the usual."""
    if given is None:
        own = own_metric(tree)
        names = [*([] if own is None else [own]), *(name for name in USUAL if name != own)]
        return [m for m in names if not quick or not (isinstance(m, str) and compares_cases(m))]
    if given == "all":
        return [*metric_names()]
    if not isinstance(given, list) or not given:
        raise ParameterError(f"metrics must be a list of names, or 'all', got {shown(given)}")
    for name in given:
        find_metric(name)
    return list(dict.fromkeys(given))


# why


def ask_why(desk: Desk, session: Session, asked: dict[str, Any]) -> dict[str, Any] | Job:
    """Return every candidate at a node and what every metric says; a job where that takes long."""
    opened, grown = session.editable
    path, candidates = path_of(asked), asked.get("candidates", "best")
    tree, metrics = grown.tree, metrics_of(asked.get("metrics"), grown.tree)
    given = {"tree": tree, "path": path, "metrics": metrics, "candidates": candidates}
    tree.node(path)
    n_costly = sum(1 for each in metrics if not isinstance(each, str) or compares_cases(each))
    if len(metrics) > 6 or len(opened.training) * max(1, n_costly) > QUICK:
        return desk.start(session, "why", **given)
    return why_table((opened.training, None), lambda _share, _words: None, **given)


def why_table(
    data: Part,
    report: Report,
    tree: Tree,
    path: tuple[int, ...],
    metrics: Sequence[Any],
    candidates: str,
) -> dict[str, Any]:
    """Return the table; metrics that compare cases see a sample of many."""
    judges = [_judge(each, report, at / len(metrics)) for at, each in enumerate(metrics)]
    found = why(tree, path, judges, data[0], candidates=candidates)  # type: ignore[arg-type]
    return _why_view(found, [each.inner for each in judges])


class _Watched:
    """A metric that says when its turn has come."""

    def __init__(self, inner: Any, name: str, begin: Callable[[], None]) -> None:
        self.inner, self.__name__, self.begin = inner, name, begin
        self.by_level = False

    def __call__(self, node: Any) -> Any:
        self.begin()
        return self.inner(node)


def _judge(asked: Any, report: Report, share: float) -> _Watched:
    name = name_of(asked)
    metric: Any = find_metric(asked)
    if not isinstance(asked, str) or compares_cases(asked):
        metric = on_sample(metric, name)
    return _Watched(metric, name, lambda: report(share, f"judging by {name}"))


def _why_view(found: Why, judges: list[Any]) -> dict[str, Any]:
    """Return the table with the edit that takes each candidate, and what was judged by a sample."""
    view, node = why_model(found), write_path(found.path)
    for candidate, option in zip(view["candidates"], found.options, strict=True):
        candidate["edit"] = _take(node, option)
    for metric, judge in zip(view["metrics"], judges, strict=True):
        metric["needs"] = "pairs" if isinstance(judge, OnSample) else "counts"
    return {**view, "sample": _sample([j for j in judges if isinstance(j, OnSample) and j.seen])}


def _take(node: str, option: Option) -> dict[str, Any]:
    """Return the edit that takes a candidate."""
    by = option.by
    plain = [list(group) for group in by] if isinstance(by, tuple) else by
    split = {"edit": "split", "node": node, "feature": option.feature}
    return {**split, "by": plain, "below": "grow"}


def _sample(drawn: list[OnSample]) -> dict[str, Any] | None:
    """Return which metrics have seen a part of the cases only, and how large a part."""
    if not drawn:
        return None
    cases = drawn[0].seen[0]
    parts = [
        f"{', '.join(each.__name__ for each in drawn if each.most == most)}: {most:,} cases"
        for most in sorted({each.most for each in drawn}, reverse=True)
    ]
    words = f"Judged by cases drawn at random from the {cases:,} of the node: {'; '.join(parts)}."
    most = max(each.most for each in drawn)
    names = [each.__name__ for each in drawn]
    return {"cases": most, "of": cases, "metrics": names, "words": words}


# node


def ask_node(_desk: Desk, session: Session, asked: dict[str, Any]) -> dict[str, Any]:
    """Return what a node is: its cases by class, and a feature of theirs with cuts of metrics."""
    opened, grown = session.editable
    path, tree, data = path_of(asked), grown.tree, opened.training
    node = tree.node(path)
    name = asked.get("feature") or node.feature or tree.features[0]
    tree.schema.index(name)
    column, weights = _column(data, name), parts_at(tree, node.number, data) * data.weights
    return {
        **_facts(node, path),
        "locked": write_path(path) in locked(tree),
        "feature": name,
        "features": list(tree.features),
        "histogram": histogram(data, column, data[name], weights),
        "cut": node.threshold if node.feature == name else None,
        "groups": _groups(node) if node.feature == name else None,
        "cuts": _cuts(tree, path, data, name, asked.get("metrics")),
        "slider": _slider(tree, path, name, data),
        "edit": {
            "edit": "split",
            "node": write_path(path),
            "feature": name,
            "by": None,
            "below": "keep" if node.feature == name else "grow",
        },
    }


def _column(data: Dataset, name: str) -> Column:
    return data.schema.features[data.schema.index(name)]


def _facts(node: Node, path: tuple[int, ...]) -> dict[str, Any]:
    return {
        "path": list(path),
        "number": node.number,
        "is_leaf": node.is_leaf,
        "conditions": list(_conditions(node.tree, path)),
        "counts": node.counts.tolist(),
        "weight": node.weight,
        "class": node.label,
        "probabilities": node.probabilities.tolist(),
    }


def _conditions(tree: Tree, path: tuple[int, ...]) -> Iterator[str]:
    node = tree.root
    for step in path:
        yield node.branch_labels[step]
        node = node.children[step]


def _groups(node: Node) -> list[list[str | int]] | None:
    """Return the labels of the feature that is tested with the branch of each; None for a cut."""
    if node.threshold is not None or node.column is None:
        return None
    pairs = zip(node.column.words, node.branch_of.tolist(), strict=True)
    return [[word, branch] for word, branch in pairs]


def _cuts(
    tree: Tree, path: tuple[int, ...], data: Dataset, feature: str, given: Any
) -> list[dict[str, Any]]:
    """Return the best candidate of a feature by each metric."""
    if tree.node(path).is_leaf:
        return []
    metrics = metrics_of(given, tree, quick=True)
    judges = [_judge(each, lambda _share, _words: None, 0.0) for each in metrics]
    found = why(tree, path, judges, data)
    mine = [option for option in found.options if option.feature == feature]
    return [
        _best(name, at, mine, write_path(path)) for at, name in enumerate(found.metrics) if mine
    ]


def _best(metric: str, at: int, options: list[Option], node: str) -> dict[str, Any]:
    best = min(options, key=lambda option: option.verdicts[at].rank)
    return {
        "metric": metric,
        "cut": best.by if isinstance(best.by, float) else None,
        "words": best.split,
        "score": best.verdicts[at].score,
        "edit": _take(node, best),
    }


def _slider(
    tree: Tree, path: tuple[int, ...], feature: str, data: Dataset
) -> dict[str, Any] | None:
    """Return the thresholds that leave no branch empty; None where there are none."""
    found = values_at(tree, write_path(path), feature, data).to_dict()
    if found["kind"] == "nominal" or found["lowest"] is None:
        return None
    names = ("lowest", "highest", "learner_lowest", "learner_highest", "borders")
    return {name: found[name] for name in names}
