"""Numbers of every magnitude: a defined result or one sentence, never a warning of numpy's.

The suite makes errors of warnings, so that an overflow anywhere fails.
"""

import numpy as np
import pytest

import treelab as tl

METHODS = [name for name in tl.discretizer_names() if name != "cuts"]
LARGEST = float(np.finfo(np.float64).max)
CASES = 40


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


def dataset(kind: str) -> tl.Dataset:
    columns, rng = KINDS[kind], np.random.default_rng(1)
    y = (columns[0] > np.sort(columns[0])[CASES // 2]) ^ (rng.random(CASES) < 0.2)
    schema = tl.Schema(tuple(map(tl.Column, "abc")), tl.Column("y", ("p", "q")))
    return tl.Dataset.of(schema, list(columns), y.astype(int), rng.integers(1, 3, CASES))


@pytest.mark.parametrize("kind", KINDS)
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


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("metric", tl.metric_names())
def test_every_metric_judges_them(metric: str, kind: str) -> None:
    data = dataset(kind)
    scores = np.asarray(tl.rank(data, metric).scores)
    assert not np.isinf(scores).any()
    tree = tl.grow(data, metric, max_depth=2)
    assert np.isfinite(tree.predict_proba(data)).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["json", "rules", "python", "sql", "c", "dot", "pmml"])
def test_every_writer_writes_the_thresholds(name: str, kind: str) -> None:
    tree = tl.grow(dataset(kind), pruner="none")
    text = tl.export(tree, name, approximate=True)
    assert text
    assert "inf" not in str(text).lower().replace("info", "")
