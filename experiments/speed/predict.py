"""Prediction: a tree of depth 10; frames, whole and by single rows, as an estimator is given them.

Frames are read by one thread, and the processor's time is taken. scikit-learn has no nominal
features and gets their codes, which it would take longer to make of labels.
"""

import time

import numpy as np
import pandas as pd
import polars as pl
from agree import same_tree
from bench import Peer, Timed, classes, compare, dataset, grown, main, numbers
from sklearn.tree import DecisionTreeClassifier

import treelab as tl

LEAVES, LEARNED, AGAIN = 200, 20_000, 100
COLOURS = np.array(["red", "dark blue", "green", "it is grey"])


def rows(quick):
    yield from whole_data(quick)
    yield from frames(quick)


def whole_data(quick):
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


def frames(quick):
    """Compare what is read from a frame: all cases, and one."""
    tl.set_threads(1)
    n, runs = (1_200, 1) if quick else (500_000, 5)
    x = numbers(n, 30)
    y = classes(x)
    names = [f"x{f}" for f in range(30)]
    plain = pd.DataFrame(x, columns=names)
    for kind, frame in (("pandas", plain), ("polars", pl.from_pandas(plain)), ("numpy", x)):
        ours, theirs = tl.TreeClassifier("gain", pruner="none", max_leaves=LEAVES), peer()
        for model in (ours, theirs):
            model.fit(frame[:LEARNED], y[:LEARNED])
        yield from both(f"{kind}, {n:,} x 30", ours, frame, theirs, frame, runs)
    labels, codes = with_labels(plain)
    ours = tl.TreeClassifier("gain", pruner="none", max_leaves=LEAVES)
    ours.fit(labels[:LEARNED], y[:LEARNED])
    theirs = peer().fit(codes[:LEARNED], y[:LEARNED])
    case = f"pandas, {n:,} x 30, 10 of them categories, 5 % missing; scikit-learn on codes"
    yield from both(case, ours, labels, theirs, codes, runs)


def peer():
    return DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=LEAVES, random_state=0)


def with_labels(frame):
    """Return a frame with categories and missing values, and the same with codes for them."""
    rng = np.random.default_rng(0)
    labels, codes = frame.copy(), frame.copy()
    for name in frame.columns[:10]:
        labels[name] = pd.Categorical.from_codes(
            np.searchsorted([-1, 0, 1], frame[name]), sorted(COLOURS)
        )
        labels.loc[rng.random(len(frame)) < 0.05, name] = None
        codes[name] = labels[name].cat.codes.astype(float).replace(-1, np.nan)
    return labels, codes


def both(case, ours, frame, theirs, peer_frame, runs):
    for what in ("predict", "predict_proba"):
        for rows, times in ((slice(None), 1), (slice(1), AGAIN)):
            yield from compare(
                f"{what} from a frame",
                case if times == 1 else f"one row: {case}",
                repeated(getattr(ours, what), frame[rows], times),
                Peer("scikit-learn", repeated(getattr(theirs, what), peer_frame[rows], times), 1.0),
                runs=runs,
            )


def repeated(function, frame, times):
    """Return a function that takes the processor's time of some calls."""

    def timed():
        start = time.process_time()
        for _ in range(times):
            result = function(frame)
        return Timed((time.process_time() - start) / times, result)

    return timed


def agreement(labels, codes, trees):
    """Tell the share of equal predictions; trees that differ by ties need not agree on all."""
    same = float((labels.astype(int) == codes).mean())
    return {"equal": same == 1.0 if trees.get("ties") == 0 else None, "same": same}


if __name__ == "__main__":
    main(rows)
