"""Prediction, a tree of depth 10."""

import numpy as np
from agree import same_tree
from bench import Peer, classes, compare, dataset, grown, main, numbers
from sklearn.tree import DecisionTreeClassifier


def rows(quick):
    n = 2_000 if quick else 1_000_000
    x = numbers(n)
    y = classes(x)
    data, x = dataset(x, y), x.astype(np.float32)
    ours = grown(data, max_depth=10)()
    theirs = DecisionTreeClassifier(criterion="entropy", max_depth=10, random_state=0).fit(x, y)
    trees = same_tree(ours, theirs)
    yield from compare(
        "predict",
        f"{n:,} x 20, depth 10",
        lambda: ours.predict(data),
        Peer("scikit-learn", lambda: theirs.predict(x), 1.0, lambda a, b: agreement(a, b, trees)),
        runs=1 if quick else 5,
    )


def agreement(labels, codes, trees):
    """Tell the share of equal predictions; trees that differ by ties need not agree on all."""
    same = float((labels.astype(int) == codes).mean())
    return {"equal": same == 1.0 if trees.get("ties") == 0 else None, "same": same}


if __name__ == "__main__":
    main(rows)
