"""A fitted scikit-learn tree or, where features have labels, a pipeline: an encoder and the tree.

scikit-learn reads numbers in single precision: a number within rounding of a threshold may go the
other way. Dates are days since 1970-01-01 and times seconds since midnight; the seconds of
date-times are too many for single precision. A pipeline takes frames, with labels as words; NaN
and None are missing. Classes that are written as whole numbers are whole numbers.
"""

import sys
from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from treelab._typing import AnyArray
from treelab.data.dataset import label_array
from treelab.data.schema import Column
from treelab.errors import DataError, MissingExtraError, ParameterError
from treelab.writers.chain import Link, chained
from treelab.writers.export_tree import ExportTree, NumberTest

LARGEST = 2**63
MOST_CASES = np.nextafter(float(LARGEST), 0.0)
"""As many cases a node can be said to have."""
SINGLE = float(np.finfo(np.float32).smallest_subnormal), float(np.finfo(np.float32).max)
"""The least and the largest number of single precision."""
ANY = (0.0, sys.float_info.max)
"""These it holds, or needs not hold: no number is above the largest."""


def write(form: ExportTree) -> Any:
    """Return a fitted `DecisionTreeClassifier`, or a `Pipeline` that ends in one.

    Its features are those of the tree, in order; a pipeline finds them by name.
    """
    _check(form)
    labelled = tuple(column for column in form.features if column.has_labels)
    model = _pipeline(form, labelled) if labelled else _named(form)
    if form.follows_majority:
        model.__doc__ = f"A decision tree, written by treelab.\n\n{form.missing_in_words}\n"
    return model


def _check(form: ExportTree) -> None:
    if form.costs:
        raise ParameterError(
            "a scikit-learn tree predicts the most probable class, not the cheapest one, as this "
            "tree with costs does: grow it with class_weight instead"
        )
    _check_single(form)
    for node in form.nodes:
        scale = form.columns[node.test.feature].scale if node.test else None
        if node.test and scale and scale.name.startswith("datetime"):
            raise DataError(
                "a scikit-learn tree reads numbers in single precision, which mixes up the seconds "
                f"of {node.test.feature!r} within two minutes"
            )


def _check_single(form: ExportTree) -> None:
    """Raise where a cut point is beyond single precision: too large, or not told from 0."""
    tests = [node.test for node in form.nodes if isinstance(node.test, NumberTest)]
    for feature, limit in ((test.feature, limit) for test in tests for limit in test.limits):
        if limit not in ANY and not SINGLE[0] <= abs(limit) <= SINGLE[1]:
            raise DataError(
                "a scikit-learn tree reads numbers in single precision, which cannot hold the "
                f"cut point {limit:g} of {feature!r}"
            )


def _named(form: ExportTree) -> Any:
    model = _classifier(form, chained(form))
    model.feature_names_in_ = np.array([c.name for c in form.features], dtype=object)
    return model


def _pipeline(form: ExportTree, labelled: tuple[Column, ...]) -> Any:
    """Return an encoder of the labels, whose columns come first, and the tree of the codes."""
    from sklearn.pipeline import Pipeline

    others = tuple(column for column in form.features if not column.has_labels)
    ordered = attrs.evolve(form, features=(*labelled, *others))
    links = [_by_code(link, len(labelled)) for link in chained(ordered)]
    encoder = _encoder(form, labelled, [column.name for column in others])
    return Pipeline([("encode", encoder), ("tree", _classifier(ordered, links))])


def _by_code(link: Link, n_labelled: int) -> Link:
    """Return a test of the encoder's codes, which count labels from 1."""
    return attrs.evolve(link, limit=link.limit + 1) if link.feature < n_labelled else link


def _encoder(form: ExportTree, labelled: tuple[Column, ...], others: list[str]) -> Any:
    """Return what makes codes of labels: 1, 2, ..., beyond them for others; NaN is missing.

    scikit-learn's encoder takes NaN for missing but None for a label, here of code 0.
    """
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OrdinalEncoder

    codes = OrdinalEncoder(
        categories=[np.array([None, *c.words, np.nan], dtype=object) for c in labelled],
        handle_unknown="use_encoded_value",
        unknown_value=max(len(c.words) for c in labelled) + 2,
        encoded_missing_value=-1,
    )
    none = SimpleImputer(missing_values=0, strategy="constant", fill_value=-1)
    missing = SimpleImputer(
        missing_values=-1, strategy="constant", fill_value=np.nan, keep_empty_features=True
    )
    names = [column.name for column in labelled]
    encoder = ColumnTransformer(
        [("labels", make_pipeline(codes, none, missing), names), ("rest", "passthrough", others)]
    )
    return encoder.fit(_one_case(form))


def _one_case(form: ExportTree) -> Any:
    """Return a frame of one case, which all that is to be learnt from it are the names of."""
    try:
        import pandas
    except ModuleNotFoundError:
        raise MissingExtraError("a pipeline of scikit-learn", "pandas", "frames") from None
    values = {c.name: [c.words[0] if c.words else None] if c.has_labels else [0.0]
              for c in form.features}  # fmt: skip
    return pandas.DataFrame(values).astype({c.name: object for c in form.features if c.has_labels})


def _classifier(form: ExportTree, links: list[Link]) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    model = DecisionTreeClassifier()
    model.classes_ = _classes(form.classes)
    model.n_classes_ = len(form.classes)
    model.n_features_in_ = len(form.features)
    model.n_outputs_, model.max_features_ = 1, len(form.features)
    model.tree_ = _tree(form, links)
    return model


def _classes(labels: Sequence[str]) -> AnyArray:
    """Return the classes: whole numbers where all of them are written as such.

    >>> _classes(("2", "10")).tolist(), _classes(("2", "010")).tolist()
    ([2, 10], ['2', '010'])
    """
    is_whole = all(label.removeprefix("-").isdecimal() and label.isascii() for label in labels)
    if is_whole and all(str(int(n)) == n and abs(int(n)) < LARGEST for n in labels):
        return np.array([int(label) for label in labels])
    return label_array(labels)


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
    nodes["n_node_samples"] = np.minimum(np.ceil(weights), MOST_CASES)
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
