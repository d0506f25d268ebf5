"""0.0 and -0.0 are one number: which of them a row holds changes no byte, on any road.

`tests/data/test_minus_zero.py` looks at the place that makes them one.
"""

import re

import numpy as np
import pandas as pd
import pytest

import treelab as tl
from treelab.tree.file import dumps, loads

CASES = 40
METHODS = [name for name in tl.discretizer_names() if name != "cuts"]
SPLITS = ("auto", "multiway", "binary", "subset")
BY_PERMUTATION = ("normalized-contextual-merit", "normalized-contextual-merit-1")
LEAST = 5e-324  # half of it is 0.0, and half of its negative -0.0


def frame(seed: int) -> pd.DataFrame:
    """Make numbers around zero, of both signs, some missing, and a column of labels."""
    rng = np.random.default_rng(seed)
    near = rng.choice([-1.0, -LEAST, 0.0, 0.0, LEAST, 0.5, 1.0], (3, CASES))
    near[2, rng.random(CASES) < 0.2] = np.nan
    y = np.where(near[0] + rng.normal(0, 0.5, CASES) > 0, "p", "q")
    made = pd.DataFrame({"a": near[0], "b": near[1], "c": near[2]})
    return made.assign(d=rng.choice(list("xyz"), CASES), w=rng.integers(1, 4, CASES), y=y)


def with_signs(given: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Give every zero a sign at random."""
    rng, made = np.random.default_rng(seed), given.copy()
    for name in "abc":
        values = made[name].to_numpy(copy=True)
        values[values == 0] = rng.choice([0.0, -0.0], (values == 0).sum())
        made[name] = values
    return made


def twins(seed: int) -> list[tl.Dataset]:
    """Return the same cases, with other signs of zeros, in another order, and as duplicates."""
    plain = frame(seed)
    signed = [with_signs(plain, seed), with_signs(plain, seed + 1).sample(frac=1, random_state=1)]
    repeated = with_signs(plain, 7).loc[np.repeat(plain.index, plain["w"])].assign(w=1)
    frames = [plain, *signed, repeated.sample(frac=1, random_state=2)]
    assert np.signbit(signed[0][["a", "b"]].to_numpy()[plain[["a", "b"]].to_numpy() == 0]).any()
    return [tl.Dataset.from_frame(each, "y", weights="w") for each in frames]


TWINS = [twins(seed) for seed in (0, 10)]


def check_alike(missing: str = "majority", **settings) -> None:
    """Grow the trees of twins.

    A share of a weight of 3 and three shares of a weight of 1 may differ in the last digit, and
    permutations of three cases are others than those of one: there duplicates are no weights.
    """
    differ = missing == "fractional" or settings.get("metric") in BY_PERMUTATION
    for alike in TWINS:
        these = alike[:3] if differ else alike
        grown = [dumps(tl.grow(each, min_branch=1, missing=missing, **settings)) for each in these]
        assert "-0.0" not in grown[0]
        assert len(set(grown)) == 1


@pytest.mark.parametrize("metric", tl.metric_names())
def test_every_metric(metric: str) -> None:
    number = tl.metric_names().index(metric)
    check_alike(metric=metric, splits=SPLITS[number % 4], pruner="none", max_depth=3)


@pytest.mark.slow
@pytest.mark.parametrize("splits", SPLITS)
@pytest.mark.parametrize("metric", tl.metric_names())
def test_every_metric_and_kind_of_split(metric: str, splits: str) -> None:
    for method in (None, *METHODS):
        check_alike(metric=metric, splits=splits, discretizer=method, pruner="none", max_depth=3)


@pytest.mark.parametrize("splits", SPLITS)
@pytest.mark.parametrize("method", METHODS)
def test_every_discretizer(method: str, splits: str) -> None:
    check_alike(discretizer=method, splits=splits, pruner="none")
    for alike in TWINS:
        first, *others = [tl.discretizer(method).fit(each) for each in alike]
        for name, cuts in first.cuts.items():
            assert not np.signbit(cuts[cuts == 0]).any()
            assert [each.cuts[name].tobytes() for each in others] == [cuts.tobytes()] * 3


@pytest.mark.parametrize("bins", [None, 4])
@pytest.mark.parametrize("missing", ["fractional", "branch", "majority"])
def test_bins_and_missing_values(bins: int | None, missing: str) -> None:
    check_alike(bins=bins, missing=missing)


@pytest.mark.parametrize("metric", ["gain", "relieff", "contextual-merit", "pi"])
def test_ranks_and_selections(metric: str) -> None:
    for alike in TWINS:
        ranked = [tl.rank(each, metric) for each in alike[:3]]
        assert len({each.features for each in ranked}) == 1
        scores = {np.asarray(each.scores).tobytes() for each in ranked[:2]}
        assert len(scores) == 1, "in the same order of rows to the last bit"
    chosen = {tl.select(each, k=2).features for each in TWINS[0][:3]}
    assert len(chosen) == 1


def test_the_roads_into_a_tree_and_out_of_it(tmp_path) -> None:
    """Files of every kind, a scan, the estimator, and predictions of raw frames."""
    plain, signed = frame(3), with_signs(frame(3), 4)
    expected = dumps(tl.grow(tl.Dataset.from_frame(plain, "y", weights="w"), bins=8))
    signed.to_csv(tmp_path / "x.csv", index=False)
    signed.to_parquet(tmp_path / "x.parquet", index=False)
    assert b"-0.0" in (tmp_path / "x.csv").read_bytes()
    for name in ("x.csv", "x.parquet"):
        assert dumps(tl.grow(tl.read(tmp_path / name, "y", weights="w"), bins=8)) == expected
        scans = []
        for side, cases in (("plain", plain), ("signed", signed)):
            folder = tmp_path / side / name.partition(".")[2]
            folder.mkdir(parents=True)
            parts = cases.iloc[:25], cases.iloc[25:]
            for number, part in enumerate(parts):
                write = part.to_csv if name == "x.csv" else part.to_parquet
                write(folder / f"{number}.{name[2:]}", index=False)
            scans.append(dumps(tl.grow(tl.scan(folder, "y", weights="w"))))
        assert scans[0] == scans[1]
    numbers = list("abc")
    made = [
        tl.TreeClassifier(min_branch=1, pruner="none").fit(each[numbers], each["y"])
        for each in (plain, signed)
    ]
    assert dumps(made[0].tree_) == dumps(made[1].tree_)
    for model in made:
        for raw in (plain, signed):
            found = model.predict_proba(raw[numbers])
            np.testing.assert_array_equal(found, made[0].predict_proba(plain[numbers]))


def test_labels_of_numbers() -> None:
    cases = pd.DataFrame({"x": [1.0, 2.0, 3.0], "n": [0.0, -0.0, 1.0], "y": [-0.0, 0.0, 1.0]})
    data = tl.Dataset.from_frame(cases, "y", nominal=["n"])
    assert data.classes == ("0", "1")
    assert data.schema.features[1].labels == ("0", "1")


def test_a_cut_at_zero_in_every_writer() -> None:
    """-0.0 goes the way of 0.0 in the tree and in the program that is made of it."""
    schema = tl.Schema((tl.Column("x"),), tl.Column("y", ("p", "q")))
    for below, above in ((-LEAST, 0.0), (0.0, LEAST), (-LEAST, LEAST), (-1.0, 1.0)):
        values = np.repeat([below, above], 5)
        tree = tl.grow(tl.Dataset.of(schema, [values], [0] * 5 + [1] * 5), pruner="none")
        assert "-0.0" not in dumps(tree)
        space: dict = {}
        exec(tl.export(tree, "python"), space)
        for value in (below, above, 0.0, -0.0):
            (expected,) = tree.predict(tl.Dataset.of(schema, [[value]], [-1]))
            (zero,) = tree.predict(tl.Dataset.of(schema, [[value + 0.0]], [-1]))
            assert space["predict"]({"x": value}) == expected == zero


def test_a_parameter_may_be_either_zero():
    labor = tl.load("labor")
    settings = [
        lambda zero: {"min_branch": zero},
        lambda zero: {"costs": {"good": {"good": zero, "bad": 1}, "bad": {"good": 2, "bad": zero}}},
        lambda zero: {"class_weight": {"good": zero, "bad": 1}},
        lambda zero: {"metric": tl.metric("pi", alpha=zero)},
        lambda zero: {"pruner": tl.pruner("cost-complexity", se=zero)},
        lambda zero: {"discretizer": tl.discretizer("cuts", cuts={"duration": [zero, 1.5]})},
        lambda zero: {"search": tl.Optimal(price=zero), "max_depth": 2, "missing": "branch"},
    ]
    for given in settings:
        one, other = (dumps(tl.grow(labor, **given(zero))) for zero in (0.0, -0.0))
        assert one == other
        assert "-0.0" not in other


def test_a_model_written_by_hand_may_hold_either_zero():
    tree = tl.grow(tl.load("iris"), pruner="none", max_depth=1)
    cut, score = repr(float(tree.threshold[0])), repr(float(tree.scores[0]))
    text = dumps(tree).replace(cut, "0.0").replace(score, "0.0")
    signed = re.sub(r"(?<![\d.])0\.0\b", "-0.0", text)

    assert signed.count("-0.0") > 4  # cut, score and weights of classes
    one, other = loads(text), loads(signed)
    assert dumps(one) == dumps(other) == text
    assert tl.export(one, "sql") == tl.export(other, "sql")


def test_a_score_may_be_either_zero():
    def nothing(tables):
        return -0.0 * tables.sum((-2, -1))

    data = TWINS[0][0]
    metric = tl.from_counts(nothing)
    tree = tl.grow(data, metric, pruner=None, missing="branch")
    zeros = np.concatenate([tl.rank(data, metric).scores, tree.scores[tree.feature >= 0]])

    assert not np.signbit(zeros).any()
    assert "-0.0" not in dumps(tree)


def test_a_threshold_that_somebody_sets_may_be_either_zero():
    values = [0.0, 0, -1, -1, 2, 2, 3, 3]
    data = tl.Dataset.from_frame(pd.DataFrame({"x": values, "class": [*"ppqqppqq"]}), "class")
    tree, split = tl.grow(data, max_depth=0), {"edit": "split", "node": "root", "feature": "x"}
    one, other = (dumps(tl.edit(tree, split | {"by": zero}, data=data)) for zero in (0.0, -0.0))

    assert one == other
    assert "-0.0" not in other
