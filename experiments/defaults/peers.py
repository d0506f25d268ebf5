"""scikit-learn's tree as a peer: the same folds, its own way with nominal features.

Nominal features become columns 0, 1, ... (`ordinal`) or one column a label (`one-hot`);
missing values stay NaN, which scikit-learn's tree sends to the better side.
"""

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from treelab.data.folds import stratified_folds


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


def fit_plain(X, y):
    return DecisionTreeClassifier(random_state=0).fit(X, y)


def fit_pruned(X, y, folds=5, most=40):
    """Choose ccp_alpha by inner cross-validation: the best accuracy, the larger among equals."""
    path = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y)
    steps = np.unique(np.maximum(path.ccp_alphas, 0.0))
    alphas = np.append(np.sqrt(steps[:-1] * steps[1:]), steps[-1])
    if len(alphas) > most:
        alphas = np.unique(np.quantile(alphas, np.linspace(0, 1, most)))
    fold = stratified_folds(y, folds, seed=1)
    right = [sum(_right(X, y, fold == f, alpha) for f in range(folds)) for alpha in alphas]
    best = max(zip(right, alphas, strict=True))[1]
    return DecisionTreeClassifier(random_state=0, ccp_alpha=best).fit(X, y)


def _right(X, y, held, alpha):
    tree = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X[~held], y[~held])
    return (tree.predict(X[held]) == y[held]).sum()
