"""The peers: each fits a comparable tree, and is imported only where it is measured.

A peer gets its data as it likes them best, made before the clock starts, as treelab does.
"""

import logging
from importlib.util import find_spec
from typing import Any

import numpy as np
from agree import same_size, same_tree
from bench import THREADS, Peer


def sklearn_tree(
    x: np.ndarray, y: np.ndarray, depth: int | None, wanted: float | None, exact: bool = True
) -> Peer:
    """Return scikit-learn's tree, by the gain; `exact`: treelab's has to be the same."""
    from sklearn.tree import DecisionTreeClassifier

    tree = DecisionTreeClassifier(criterion="entropy", max_depth=depth, random_state=0)
    x = np.ascontiguousarray(x, np.float32)
    return Peer("scikit-learn", lambda: tree.fit(x, y), wanted, same_tree if exact else None)


def ydf_tree(x: np.ndarray, y: np.ndarray, depth: int | None, wanted: float | None) -> Peer:
    """Return YDF's CART by the gain, to pure leaves, without the pruning it does by default."""
    if not find_spec("ydf"):
        return Peer("YDF", None, wanted)
    import ydf

    ydf.verbose(0)
    logging.getLogger("absl").setLevel(logging.ERROR)  # it warns of defaults nobody has changed
    learner = ydf.CartLearner(
        "y",
        max_depth=-1 if depth is None else depth + 1,  # it counts the root
        min_examples=1,
        validation_ratio=0.0,
        sorting_strategy="PRESORT",  # the fastest of its strategies on these data
        num_threads=THREADS,
    )
    columns: dict[str, Any] = {f"x{f}": v.astype(np.float32) for f, v in enumerate(x.T)}
    data = ydf.create_vertical_dataset(
        columns | {"y": y}, columns=[("y", ydf.Semantic.CATEGORICAL)], include_all_columns=True
    )
    return Peer("YDF", lambda: learner.train(data), wanted, same_size)


def streed_tree(data: Any, depth: int) -> Peer:
    """Return pystreed's tree of fewest errors; it is given a question a label or threshold."""
    if not find_spec("pystreed"):
        return Peer("pystreed", None)
    from pystreed import STreeDClassifier

    questions = []
    for column, values in zip(data.schema.features, data.columns, strict=True):
        distinct = np.unique(values)
        if column.is_nominal:
            questions += [values == value for value in distinct if len(distinct) > 1]
        else:
            questions += [values <= value for value in distinct[:-1]]
    x = np.array(questions).T.astype(int)

    def errors(tree: Any, model: Any) -> dict[str, Any]:
        wrong = int((model.predict(x) != data.y).sum())
        return {"equal": tree.optimum.proven and tree.optimum.errors == wrong}

    model = STreeDClassifier("accuracy", max_depth=depth, time_limit=60)
    return Peer("pystreed", lambda: model.fit(x, data.y), agree=errors)


def lightgbm_tree(x: np.ndarray, y: np.ndarray, depth: int, wanted: float) -> Peer:
    """Return one tree of LightGBM, for two classes, its binning included."""
    if not find_spec("lightgbm"):
        return Peer("LightGBM", None, wanted)
    import lightgbm

    settings = {
        "objective": "binary", "max_bin": 255, "num_leaves": 2**depth, "max_depth": depth,
        "min_data_in_leaf": 1, "min_sum_hessian_in_leaf": 0.0, "num_threads": THREADS,
        "verbose": -1,
    }  # fmt: skip
    x = np.ascontiguousarray(x)
    return Peer(
        "LightGBM",
        lambda: lightgbm.train(settings, lightgbm.Dataset(x, y), num_boost_round=1),
        wanted,
    )
