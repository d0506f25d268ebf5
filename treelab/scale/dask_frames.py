"""A `dask.dataframe` as scikit-learn's users have it: features and classes apart."""

from collections.abc import Sequence
from typing import Any

from treelab._cluster import running_client
from treelab.data.labels import is_null, label_of
from treelab.errors import DataError
from treelab.learner import Learner
from treelab.scale.scanning import scan
from treelab.tree.model import Tree


def is_dask_frame(given: object) -> bool:
    """Tell whether something is a `dask.dataframe`, without importing it."""
    return type(given).__module__.partition(".")[0] == "dask" and hasattr(given, "to_delayed")


def fitted_to_dask(
    learner: Learner, features: Any, classes: Any, nominal: Sequence[str]
) -> tuple[Tree, list[Any]]:
    """Return the tree of a frame and the classes as they came, in the order of the tree's.

    It is grown on the client that is the default, or else in this process.
    """
    if not is_dask_frame(classes):
        raise DataError(
            "the classes of a dask.dataframe must be a dask series of the same partitions, "
            f"got {type(classes).__name__}"
        )
    name = str(getattr(classes, "name", None) or "class")
    while name in set(map(str, features.columns)):
        name += "_"
    engine = "local" if running_client() is None else "dask"
    source = scan(features.assign(**{name: classes}), name, nominal=nominal, engine=engine)
    tree = learner.fit(source)
    values = {label_of(value): value for value in classes.unique().compute() if not is_null(value)}
    return tree, [values[label] for label in tree.classes]
