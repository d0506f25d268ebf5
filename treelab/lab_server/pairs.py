"""The four cases of a feature by distance, at a node (`treelab.pi_cases`)."""

from typing import Any

import numpy as np

from treelab.data.dataset import Dataset
from treelab.errors import DataError
from treelab.lab_server.arguments import path_of
from treelab.lab_server.asking import Part, Report
from treelab.lab_server.cases import LEAST, parts_at
from treelab.lab_server.desk import Desk
from treelab.lab_server.jobs import Job
from treelab.lab_server.sampled import MOST_CASES
from treelab.lab_server.sessions import Session
from treelab.metrics.pi_cases import pi_cases
from treelab.plots.pi_cases import CASES
from treelab.plots.style import colour
from treelab.reduce.sampling import capped
from treelab.tree.model import Tree

ALPHAS = np.round(np.linspace(0.0, 3.0, 31), 10)
RANKED = (0.0, 0.1, 1.0)
QUICK = 400
"""Of so many cases all pairs are looked at while the page waits."""


def ask_pi(desk: Desk, session: Session, asked: dict[str, Any]) -> dict[str, Any] | Job:
    """Return the pairs of cases in the four cases of a feature; a job where there are many."""
    opened, grown = session.editable
    path, tree = path_of(asked), grown.tree
    feature = asked.get("feature") or tree.node(path).feature or tree.features[0]
    tree.schema.index(feature)
    given: dict[str, Any] = {"tree": tree, "path": path, "feature": feature}
    if len(opened.training) > QUICK:
        return desk.start(session, "pi", **given)
    return pi_table((opened.training, None), lambda _share, _words: None, **given)


def pi_table(
    data: Part, report: Report, tree: Tree, path: tuple[int, ...], feature: str
) -> dict[str, Any]:
    """Return the four cases, what they say, and the score by alpha."""
    there = _at_node(data[0], tree, path)
    some = capped(there, MOST_CASES)
    report(0.1, f"comparing {len(some):,} cases")
    found = pi_cases(some, feature, seed=0)
    pairs = found.pairs
    return {
        "feature": feature,
        "distances": list(range(len(pairs))),
        "cases": [
            {"name": name, "colour": colour(number), "pairs": pairs[:, case].tolist()}
            for case, (name, number) in enumerate(CASES)
        ],
        "agreement": found.agreement,
        "alphas": ALPHAS,
        "scores": [found.mean_scores(a)[found.features.index(feature)] for a in ALPHAS],
        "ranks": [[alpha, found.rank(alpha)] for alpha in RANKED],
        "of": len(found.features),
        "sample": None if some is there else {"cases": len(some), "of": len(there)},
    }


def _at_node(data: Dataset, tree: Tree, path: tuple[int, ...]) -> Dataset:
    """Return the cases at a node, with the part of their weight that is there."""
    parts = parts_at(tree, tree.node(path).number, data)
    known = (parts > LEAST) & (data.y >= 0) & (data.weights > 0)
    if known.sum() < 2:
        raise DataError("pairs need at least two cases of known class at the node")
    there = data.take(known)
    return there.reweighted(there.weights * parts[known])
