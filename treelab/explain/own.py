"""What a tree was grown with, found again in its settings."""

from treelab.data.constraints import constraints
from treelab.errors import TreelabError
from treelab.metrics import metric as find_metric
from treelab.protocols import SplitMetric
from treelab.stats.candidates.admission import Admitted
from treelab.tree.model import Tree


def own_metric(tree: Tree, setting: str = "metric") -> str | SplitMetric | None:
    """Return the metric a tree was grown with, if it has a name that is known here."""
    given = tree.settings.get(setting)
    try:
        found = find_metric(given)  # type: ignore[arg-type]
    except TreelabError:  # a function, or a metric of a package that is not installed
        return None
    return given if isinstance(given, str) else found


def cut_metric(tree: Tree) -> SplitMetric:
    """Return what chose the thresholds of features that were judged as a whole."""
    return find_metric(own_metric(tree, "cut_metric") or "gain")


def admission(tree: Tree) -> Admitted | None:
    """Return the filter of candidates that the tree was grown with."""
    given = constraints(tree.settings.get("constraints"))
    return None if given is None else Admitted.of(given, tree.schema)
