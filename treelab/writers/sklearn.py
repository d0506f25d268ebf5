"""A fitted scikit-learn tree, where the tree tests numbers only.

scikit-learn reads numbers in single precision: a number within rounding of a threshold may go the
other way. Dates are days since 1970-01-01, times seconds since midnight, and labels that have an
order their places in it, from 0; the seconds of date-times are too many for single precision.
"""

from typing import Any

import numpy as np

from treelab.data.dataset import label_array
from treelab.errors import DataError, ParameterError
from treelab.writers.chain import Link, chained
from treelab.writers.export_tree import ExportTree


def write(form: ExportTree) -> Any:
    """Return a fitted `DecisionTreeClassifier`; its features are those of the tree, in order."""
    from sklearn.tree import DecisionTreeClassifier

    if form.costs:
        raise ParameterError(
            "a scikit-learn tree predicts the most probable class, not the cheapest one, as this "
            "tree with costs does: grow it with class_weight instead"
        )
    for node in form.nodes:
        column = next((c for c in form.features if node.test and c.name == node.test.feature), None)
        if column is not None and column.is_nominal:
            raise DataError(
                f"a scikit-learn tree tests numbers only, but {column.name!r} is nominal"
            )
        if column is not None and column.scale and column.scale.name.startswith("datetime"):
            raise DataError(
                "a scikit-learn tree reads numbers in single precision, which mixes up the seconds "
                f"of {column.name!r} within two minutes"
            )
    model = DecisionTreeClassifier()
    model.classes_ = label_array(form.classes)
    model.n_classes_ = len(form.classes)
    model.n_features_in_ = len(form.features)
    model.feature_names_in_ = np.array([c.name for c in form.features], dtype=object)
    model.n_outputs_, model.max_features_ = 1, len(form.features)
    model.tree_ = _tree(form, chained(form))
    return model


def _tree(form: ExportTree, links: list[Link]) -> Any:
    from sklearn.tree._tree import NODE_DTYPE, Tree

    nodes = np.zeros(len(links), dtype=NODE_DTYPE)
    weights = [form.nodes[link.node].weight for link in links]
    shares = np.array([form.nodes[link.node].shares for link in links])
    nodes["left_child"] = [link.left for link in links]
    nodes["right_child"] = [link.right for link in links]
    nodes["feature"] = [link.feature if link.feature >= 0 else -2 for link in links]
    nodes["threshold"] = [link.limit if link.feature >= 0 else -2.0 for link in links]
    nodes["missing_go_to_left"] = [link.missing_left for link in links]
    nodes["impurity"] = 1 - (shares**2).sum(axis=1)
    nodes["n_node_samples"] = np.ceil(weights)
    nodes["weighted_n_node_samples"] = weights
    tree = Tree(len(form.features), np.array([len(form.classes)]), 1)
    state = {"max_depth": _depth(links), "node_count": len(links), "nodes": nodes}
    values = np.array([[form.nodes[link.node].probabilities] for link in links])
    tree.__setstate__(state | {"values": values})
    return tree


def _depth(links: list[Link]) -> int:
    depths = [0] * len(links)
    for number, link in enumerate(links):
        if link.feature >= 0:
            depths[link.left] = depths[link.right] = depths[number] + 1
    return max(depths)
