"""The peers: other trees on the same folds, each in its own way with nominal and missing values.

*ordinal*  nominal features become numbers 0, 1, ...; missing values stay NaN.
*one-hot*  a column for each label; missing values stay NaN.
*yes-no*   columns 0 and 1 only: one for each label, for missing, and for each of up to ten
           quantiles of a number; for trees that know nothing else.
*frame*    a frame as it is, for libraries that take labels and missing values themselves.

A peer is a pair (encoding, fit); what `fit` returns predicts codes of classes and knows its leaves,
NaN for a forest. Peers that are not installed are left out, and the table says so. Those that take
long (`ONCE`) are tested in the first round of folds only.
"""

from importlib.util import find_spec

import attrs
import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from treelab.data.folds import stratified_folds

QUANTILES = np.linspace(0, 1, 12)[1:-1]
LIMIT = 2
"""Seconds that a search for an optimal tree may take."""


@attrs.frozen
class Fitted:
    """What a peer has learned."""

    predict: object
    leaves: float


# Encodings: from all cases and which of them are to train on, to what `fit` and `predict` take


def encode(data, one_hot):
    """Return the matrix scikit-learn needs."""
    columns = []
    for column, values in zip(data.schema.features, data.columns, strict=True):
        if not column.is_nominal:
            columns.append(values)
        elif one_hot and column.n_labels > 2:
            columns += [(values == code).astype(float) for code in range(column.n_labels)]
        else:
            columns.append(np.where(values < 0, np.nan, values))
    return np.column_stack(columns)


def ordinal(data, _train):
    return encode(data, one_hot=False)


def one_hot(data, _train):
    return encode(data, one_hot=True)


def yes_no(data, train):
    columns = []
    for column, values in zip(data.schema.features, data.columns, strict=True):
        if column.is_nominal:
            columns += [values == code for code in range(-1, column.n_labels)]
        else:
            cuts = np.unique(np.nanquantile(values[train], QUANTILES, method="lower"))
            columns += [np.isnan(values), *(values <= cut for cut in cuts)]
    matrix = np.column_stack(columns).astype(np.uint8)
    return matrix[:, np.ptp(matrix[train], axis=0) > 0]


def frame(data, _train):
    table = data.to_frame().drop(columns=data.target)
    for column in data.schema.features:
        if column.is_nominal:  # what is missing is an empty text there
            texts = table[column.name].astype(object)
            table[column.name] = texts.where(texts.notna(), "").astype(str)
    return table


# scikit-learn


def _of_sklearn(model):
    return Fitted(model.predict, model.get_n_leaves())


def fit_plain(X, y):
    return _of_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y))


def fit_pruned(X, y, most=40):
    """Choose ccp_alpha by inner cross-validation: the best accuracy, the larger among equals."""
    path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y)
    steps = np.unique(np.maximum(path.ccp_alphas, 0.0))
    alphas = np.append(np.sqrt(steps[:-1] * steps[1:]), steps[-1])
    if len(alphas) > most:
        alphas = np.unique(np.quantile(alphas, np.linspace(0, 1, most)))
    return _tuned(X, y, "ccp_alpha", alphas)


def fit_depth(X, y):
    """Choose max_depth by inner cross-validation: the best accuracy, the deeper among equals."""
    return _tuned(X, y, "max_depth", range(1, 13))


def _tuned(X, y, name, values, folds=5):
    fold = stratified_folds(y, folds, seed=1)
    right = [sum(_right(X, y, fold == f, {name: value}) for f in range(folds)) for value in values]
    best = max(zip(right, values, strict=True))[1]
    return _of_sklearn(DecisionTreeClassifier(random_state=0, **{name: best}).fit(X, y))


def _right(X, y, held, given):
    tree = DecisionTreeClassifier(random_state=0, **given).fit(X[~held], y[~held])
    return (tree.predict(X[held]) == y[held]).sum()


def fit_forest(X, y):
    return Fitted(RandomForestClassifier(random_state=0).fit(X, y).predict, np.nan)


# Others, imported when they are asked


def fit_lightgbm(X, y):
    from lightgbm import LGBMClassifier

    model = LGBMClassifier(n_estimators=1, learning_rate=1.0, verbose=-1, random_state=0, n_jobs=1)
    model.fit(X, y)
    trees = model.booster_.dump_model()["tree_info"]
    return Fitted(model.predict, sum(tree["num_leaves"] for tree in trees))


def fit_ydf(X, y):
    import ydf

    ydf.verbose(0)
    table = X.assign(**{"the class": [str(code) for code in y]})
    model = ydf.CartLearner(label="the class", num_threads=1).train(table)
    classes = np.array([int(label) for label in model.label_classes()])

    def predict(cases):
        given = model.predict(cases)
        if given.ndim == 1:  # of two classes: the probability of the second
            given = np.column_stack([1 - given, given])
        return classes[given.argmax(axis=1)]

    return Fitted(predict, _ydf_leaves(model.get_tree(0).root))


def _ydf_leaves(node):
    if node.is_leaf:
        return 1
    return _ydf_leaves(node.pos_child) + _ydf_leaves(node.neg_child)


def fit_streed(X, y):
    from pystreed import STreeDClassifier

    task = {"optimization_task": "cost-complex-accuracy", "cost_complexity": 0.01}
    model = STreeDClassifier(max_depth=4, time_limit=LIMIT, **task).fit(X.astype(int), y)
    return Fitted(lambda cases: model.predict(cases.astype(int)), model.get_n_leaves())


def fit_lickety(X, y):
    from licketysplit import LicketySPLITClassifier

    model = LicketySPLITClassifier(depth_budget=5, lambda_leaf=0.01)
    model.fit(X, y)
    return Fitted(model.predict, len(model.leaf_paths()))


def fit_small(X, y):
    from imodels import FastSmallTreeClassifier

    model = FastSmallTreeClassifier(regularization=0.01, time_limit=LIMIT).fit(X.astype(float), y)
    return Fitted(lambda cases: model.predict(cases.astype(float)), (model.complexity_ + 1))


PEERS = {
    "scikit-learn, ordinal": (ordinal, fit_plain, "sklearn"),
    "scikit-learn, one-hot": (one_hot, fit_plain, "sklearn"),
    "scikit-learn, ordinal, cost-complexity by inner folds": (ordinal, fit_pruned, "sklearn"),
    "scikit-learn, one-hot, cost-complexity by inner folds": (one_hot, fit_pruned, "sklearn"),
    "scikit-learn, one-hot, depth by inner folds": (one_hot, fit_depth, "sklearn"),
    "LightGBM, one tree, one-hot": (one_hot, fit_lightgbm, "lightgbm"),
    "YDF CART": (frame, fit_ydf, "ydf"),
    "STreeD, depth 4, leaf 0.01, yes-no": (yes_no, fit_streed, "pystreed"),
    "LicketySPLIT, depth 5, leaf 0.01, yes-no": (yes_no, fit_lickety, "licketysplit"),
    "imodels FastSmallTree, leaf 0.01, yes-no": (yes_no, fit_small, "imodels"),
    "a random forest, one-hot (a ceiling, no tree)": (one_hot, fit_forest, "sklearn"),
}
ONCE = [name for name in PEERS if name not in ("scikit-learn, ordinal", "scikit-learn, one-hot")]
ABSENT = [name for name, (_, _, package) in PEERS.items() if not find_spec(package)]
