"""Numbers of every magnitude: a defined result or one sentence, never a warning of numpy's.

The suite makes errors of warnings, so that an overflow anywhere fails.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np
import pandas as pd
import pytest

import treelab as tl
from treelab.errors import DataError
from treelab.writers.verify import verify

METHODS = [name for name in tl.discretizer_names() if name != "cuts"]
LARGEST = float(np.finfo(np.float64).max)
CASES = 40
SINGLE = ("one step", "whole, above 2^53", "edges of float32")
"""Kinds whose cut points numbers of 32 bits can hold."""
PICTURES = ("dot", "html", "latex", "text")


def magnitudes() -> dict[str, np.ndarray]:
    """Make three columns of numbers of each kind, both signs, with missing values."""
    rng = np.random.default_rng(0)
    shares = rng.choice([-1.0, 1.0], (3, CASES)) * (1 - rng.random((3, CASES)))
    made = {
        "largest": rng.choice([-LARGEST, LARGEST, 0.0], (3, CASES)),
        "huge": shares * LARGEST,
        "any": shares * 10.0 ** rng.integers(-307, 308, (3, CASES)),
        "small": shares * 1e-308,
        "subnormal": rng.integers(-5, 6, (3, CASES)) * 5e-324,
        "one step": np.nextafter(1.0, rng.choice([0.0, 1.0, 2.0], (3, CASES))),
        "whole, above 2^53": np.round(shares * 2.0**60),
        "edges of float32": rng.choice(
            [-3.4028235e38, -1.1754944e-38, 1e-45, 1.1754944e-38, 3.4028235e38], (3, CASES)
        ),
        "a tiny and a huge": rng.choice([5e-324, LARGEST], (3, CASES)),
    }
    for columns in made.values():
        columns[2, rng.random(CASES) < 0.2] = np.nan
    return made


KINDS = magnitudes()
SHORT = ("huge", "any", "subnormal", "edges of float32")
SOME = [kind if kind in SHORT else pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS]


def dataset(kind: str) -> tl.Dataset:
    columns, rng = KINDS[kind], np.random.default_rng(1)
    y = (columns[0] > np.sort(columns[0])[CASES // 2]) ^ (rng.random(CASES) < 0.2)
    schema = tl.Schema(tuple(map(tl.Column, "abc")), tl.Column("y", ("p", "q")))
    return tl.Dataset.of(schema, list(columns), y.astype(int), rng.integers(1, 3, CASES))


@pytest.mark.parametrize("kind", SOME)
@pytest.mark.parametrize("method", METHODS)
def test_every_discretizer_cuts_between_values(method: str, kind: str) -> None:
    data = dataset(kind)
    coding = tl.discretizer(method).fit(data)
    for name, cuts in coding.cuts.items():
        known = data[name][~np.isnan(data[name])]
        assert np.isfinite(cuts).all()
        assert ((cuts >= known.min()) & (cuts <= known.max())).all() or method == "rounding"
    tree = tl.grow(data, discretizer=method)
    assert np.isfinite(tree.predict_proba(data)).all()


def test_cut_points_may_lie_farther_apart_than_the_largest_number() -> None:
    cuts = [-LARGEST, LARGEST]
    coding = tl.discretizer("cuts", cuts={"a": cuts}).fit(dataset("huge"))
    assert coding.codes("a", np.array([-LARGEST, 0.0, LARGEST, np.nan])).tolist() == [1, 1, 2, -1]


@pytest.mark.parametrize("kind", SOME)
@pytest.mark.parametrize("metric", tl.metric_names())
def test_every_metric_judges_them(metric: str, kind: str) -> None:
    data = dataset(kind)
    scores = np.asarray(tl.rank(data, metric).scores)
    assert not np.isinf(scores).any()
    tree = tl.grow(data, metric, max_depth=2)
    assert np.isfinite(tree.predict_proba(data)).all()


def judged(work: Callable[[], Any]) -> Any:
    """Return a result, or the one sentence in which it is refused."""
    try:
        return work()
    except DataError as error:
        return str(error)


OPTIONS = ["relieff:k=3", "contextual-merit:ramp=0.3", "contextual-merit-1:ramp=1e-9", "pi:alpha=2",
           "pi:decay=power", "pi:decay=radius,bins=3"]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_pairs_of_cases_and_their_matrices(kind: str) -> None:
    data = dataset(kind)
    for metric in OPTIONS:
        assert np.isfinite(tl.rank(data, metric).scores).all()
    assert np.isfinite(tl.pi_matrices(data, "a").R_m).all()
    assert str(tl.pi_cases(data, "a"))


def test_a_scale_leaves_pairs_as_they_are() -> None:
    """Differences are shares of the range, which is the same for numbers of another size."""
    plain = np.random.default_rng(2).integers(-2, 3, (3, CASES)).astype(float)
    schema = tl.Schema(tuple(map(tl.Column, "abc")), tl.Column("y", ("p", "q")))
    y = (plain[0] > 0).astype(int)
    for metric in ("relieff", "contextual-merit:ramp=0.3", "pi"):
        scores = [
            tl.rank(tl.Dataset.of(schema, list(plain * unit), y), metric).scores
            for unit in (1.0, 5e-324, 2.0**-1074, 2.0**1021)
        ]
        np.testing.assert_allclose(scores[1:], [scores[0]] * 3, rtol=1e-12)  # rounded halves


@pytest.mark.parametrize("kind", KINDS)
def test_ranks_and_subsets(kind: str) -> None:
    data = dataset(kind)
    for estimator in ("counts", "kernel", "fuzzy"):
        assert np.isfinite(tl.rank(data, "gain", estimator=estimator).scores).all()
    for metric in ("gain-ratio", "mifs:beta=0.5"):
        assert len(tl.select(data, metric=metric, k=2).features) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_reductions(kind: str) -> None:
    data = tl.reduce.filled(dataset(kind), "median")
    for method in ("means", "correlation", "elimination", "relief", "entropy", "dm"):
        scores = tl.reduce.features(data, method, k=2).scores
        assert not np.isnan(list(scores.values())).any()
    for method in ("mds", "isomap"):
        found = judged(partial(tl.reduce.embedding, data, method, standardize=True))
        assert np.isfinite(found.coordinates).all()
        judged(partial(tl.reduce.embedding, data, method, standardize=False))
    found = tl.reduce.principal_components(data)
    assert np.isfinite(found.scores(np.stack(data.columns, axis=1))).all()
    judged(partial(tl.reduce.two_stage, data, "a", 0.1, pilot=0.5))
    for by in ("mean", "median", "mode", "boundaries"):
        smooth = tl.smooth(data, tl.discretizer("equal-width:4").fit(data), by)
        assert np.isfinite(smooth["a"]).all()
    transformed = tl.ComponentReducer().fit_transform(np.stack(data.columns, axis=1))
    assert np.isfinite(transformed).all()


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_said_of_a_tree(kind: str, tmp_path: Path) -> None:
    data = dataset(kind)
    tree = tl.grow(data, pruner="none")
    said = judged(lambda: tl.regions(tree, data, ["a", "b"]).save(tmp_path / "r.png"))
    assert said is None or "which no picture can show" in said
    assert str(tl.why(tree, data=data))
    assert str(tl.steps(tree, data))
    assert str(tl.check(data))
    assert np.isfinite(tl.importances(tree, data, by="permutation").values).all()
    assert tl.Tree.load(saved(tree, tmp_path)) == tree


def saved(tree: tl.Tree, folder: Path) -> Path:
    tree.save(folder / "m.json")
    return folder / "m.json"


@pytest.mark.parametrize("kind", KINDS)
def test_a_scan_of_two_parts(kind: str, tmp_path: Path) -> None:
    data = dataset(kind)
    frame = pd.DataFrame({name: data[name] for name in "abc"}).assign(y=data.labels)
    for number, part in enumerate((frame[:15], frame[15:])):
        part.to_csv(tmp_path / f"{number}.csv", index=False)
    tree = tl.grow(tl.scan(tmp_path / "*.csv", "y"))
    assert np.isfinite(tree.predict_proba(data)).all()
    whole = tl.read(saved_csv(frame, tmp_path / "whole"), "y")
    for name in "abc":
        np.testing.assert_array_equal(whole[name], data[name])


def saved_csv(frame: pd.DataFrame, folder: Path) -> Path:
    folder.mkdir()
    frame.to_csv(folder / "x.csv", index=False)
    return folder / "x.csv"


@pytest.mark.parametrize("kind", SOME)
@pytest.mark.parametrize("discretizer", [None, "equal-width:4"])
def test_every_writer_predicts_what_the_tree_does(discretizer: str | None, kind: str) -> None:
    """Or refuses in one sentence, as that of scikit-learn does, which has numbers of 32 bits."""
    data = dataset(kind)
    tree = tl.grow(data, pruner="none", discretizer=discretizer, missing="majority")
    single = np.stack(data.columns).astype(np.float32).astype(float) if kind in SINGLE else None
    for name in ("python", "sql", "onnx", "sklearn", *(["c"] if which("cc") else [])):
        cases = data
        if name == "sklearn" and single is None:
            said = judged(partial(tl.export, tree, name))
            assert tree.n_leaves == 1 or "single precision" in said
            continue
        if name == "sklearn":
            cases = tl.Dataset.of(data.schema, list(single), data.y)
        agreement = verify(tree, name, tl.export(tree, name), cases)
        assert agreement.holds, (name, str(agreement))


@pytest.mark.parametrize("kind", SOME)
@pytest.mark.parametrize(
    "name", ["json", "rules", "python", "sql", "c", "dot", "pmml", "text", "html", "latex"]
)
def test_every_writer_writes_the_thresholds(name: str, kind: str) -> None:
    tree = tl.grow(dataset(kind), pruner="none")
    text = tl.export(tree, name, **({} if name in PICTURES else {"approximate": True}))
    assert text
    if name != "html":  # which holds a program
        assert "inf" not in str(text).lower().replace("info", "")


@pytest.mark.parametrize(
    "estimator",
    [tl.TreeClassifier(), tl.Discretizer(), tl.FeatureReducer(), tl.MetricSelector(k=2)],
    ids=lambda each: type(each).__name__,
)
@pytest.mark.parametrize("kind", ["largest", "huge"])
def test_estimators_of_scikit_learn(estimator: Any, kind: str) -> None:
    """Without a missing value, which would hide that the sum of all numbers overflows both ways."""
    X, y = np.nan_to_num(KINDS[kind]).T, dataset(kind).y
    fitted = estimator.fit(X, y)
    found = fitted.predict(X) if hasattr(fitted, "predict") else fitted.transform(X)
    assert len(found) == CASES
