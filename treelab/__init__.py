"""treelab grows decision trees with any split metric, and shows what the metric changes."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treelab.data.bundled import dataset_card, dataset_names, load
    from treelab.data.coding import Coding
    from treelab.data.dataset import Dataset
    from treelab.data.readers import read
    from treelab.data.schema import Column, Schema
    from treelab.discretize import discretizer
    from treelab.estimators import TreeClassifier
    from treelab.evaluate import cross_validate
    from treelab.experiment import Study, read_study, run_study, write_report
    from treelab.learner import Learner, grow
    from treelab.metrics import formula, from_counts, metric, metric_names
    from treelab.tree.model import Tree
    from treelab.tree.prune import prune, pruner

__version__ = "0.1.0"

# Each name is imported when it is first used: `import treelab` costs next to nothing.
_HOME = {
    "Coding": "treelab.data.coding",
    "Column": "treelab.data.schema",
    "Dataset": "treelab.data.dataset",
    "Learner": "treelab.learner",
    "Schema": "treelab.data.schema",
    "Study": "treelab.experiment",
    "Tree": "treelab.tree.model",
    "TreeClassifier": "treelab.estimators",
    "cross_validate": "treelab.evaluate",
    "dataset_card": "treelab.data.bundled",
    "dataset_names": "treelab.data.bundled",
    "discretizer": "treelab.discretize",
    "formula": "treelab.metrics",
    "from_counts": "treelab.metrics",
    "grow": "treelab.learner",
    "load": "treelab.data.bundled",
    "metric": "treelab.metrics",
    "metric_names": "treelab.metrics",
    "prune": "treelab.tree.prune",
    "pruner": "treelab.tree.prune",
    "read": "treelab.data.readers",
    "read_study": "treelab.experiment",
    "run_study": "treelab.experiment",
    "write_report": "treelab.experiment",
}

__all__ = [
    "Coding",
    "Column",
    "Dataset",
    "Learner",
    "Schema",
    "Study",
    "Tree",
    "TreeClassifier",
    "__version__",
    "cross_validate",
    "dataset_card",
    "dataset_names",
    "discretizer",
    "formula",
    "from_counts",
    "grow",
    "load",
    "metric",
    "metric_names",
    "prune",
    "pruner",
    "read",
    "read_study",
    "run_study",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'treelab' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
