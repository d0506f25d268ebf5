"""A threshold for each numeric feature in contextual merits (hong1996 eq. 28)."""

import numpy as np
import pytest
from naive_pairs import contextual_merit

import treelab as tl
from treelab.errors import ParameterError

RAMPS = (0.5, 0.2, 1.5, 0.5)


@pytest.fixture(scope="module")
def mixed():
    """Forty cases: two numbers, of which some are missing, and two nominal features."""
    rng = np.random.default_rng(0)
    n = 40
    frame = {
        "colour": rng.choice(["r", "g", "b"], n),
        "length": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
        "weight": rng.exponential(size=n),
        "shape": rng.choice(["x", "y"], n),
        "class": rng.choice(["a", "b", "c"], n),
    }
    pandas = pytest.importorskip("pandas")
    return tl.Dataset.from_frame(pandas.DataFrame(frame), target="class")


def plain_cases(data):
    columns = [
        [None if value == -1 or value != value else value for value in column.tolist()]
        for column in data.columns
    ]
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize(
    ("name", "leave_out"), [("contextual-merit", False), ("contextual-merit-1", True)]
)
def test_every_number_has_its_own_threshold(mixed, name, leave_out):
    found = tl.rank(mixed, tl.metric(name, ramp=RAMPS))
    numeric = [column.labels is None for column in mixed.schema.features]
    expected = contextual_merit(
        plain_cases(mixed), mixed.y.tolist(), numeric, RAMPS, leave_out=leave_out
    )

    assert numeric == [False, True, True, False]
    # sums of some thousand terms in another order
    assert [found[f] for f in mixed.features] == pytest.approx(expected, rel=1e-9)


def test_the_same_threshold_for_all_is_the_plain_one(mixed):
    one, each = (tl.rank(mixed, tl.metric("contextual-merit", ramp=r)) for r in (0.3, (0.3,) * 4))

    assert [one[f] for f in mixed.features] == [each[f] for f in mixed.features]


def test_thresholds_can_be_written(mixed):
    written = tl.metric("contextual-merit:ramp=0.5/0.2/1.5/0.5")

    assert written == tl.metric({"name": "contextual-merit", "ramp": list(RAMPS)})
    assert hash(written) == hash(tl.metric("contextual-merit", ramp=RAMPS))
    normalized = tl.metric("normalized-contextual-merit-1:ramp=0.5/0.2/1.5/0.5")
    assert len(tl.rank(mixed, normalized).features) == 4


@pytest.mark.parametrize(
    ("ramp", "message"),
    [
        ((0.5, 0.5), "one for each of the 4 features .* got 2"),
        ((0.5, 0, 0.5, 0.5), "ramp must be a number of at least 1e-09, got 0"),
        (("a",) * 4, "ramp must be a number"),
    ],
)
def test_wrong_thresholds_are_refused(mixed, ramp, message):
    with pytest.raises(ParameterError, match=message):
        tl.rank(mixed, tl.metric("contextual-merit", ramp=ramp))
