"""All methods on small sets with missing numbers, a constant and an empty column."""

import numpy as np
import pytest

import treelab as tl
from treelab.errors import DataError
from treelab.reduce import entropy_ranking, features, filled, principal_components


@pytest.fixture
def odd():
    import pandas as pd

    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 60)
    good, noise = y + 0.3 * rng.normal(size=60), rng.normal(size=60)
    good[3] = noise[5] = np.nan
    frame = {"constant": np.ones(60), "good": good, "noise": noise, "class": y.astype(str)}
    return tl.Dataset.from_frame(pd.DataFrame(frame), "class")


@pytest.mark.parametrize("fill", ["mean", "median", "nearest"])
@pytest.mark.parametrize("method", ["means", "correlation", "elimination", "relief", "entropy"])
def test_the_constant_goes_first_and_something_is_kept(odd, method, fill):
    found = features(odd, method, fill=fill)
    assert found.kept
    assert found.ranking[-1] == "constant"
    if method != "entropy":  # which does not look at the class
        assert found.ranking[0] == "good"


def test_what_needs_whole_columns_says_so_and_takes_them_filled_in(odd):
    for method, words in (("elimination", {}), ("dm", {"k": 1})):
        with pytest.raises(DataError, match=r"column 'good' has 1 missing values; fill them in"):
            features(odd, method, **words)
        assert "good" in features(odd, method, fill="nearest", **words).kept
    with pytest.raises(DataError, match="fill them in"):
        principal_components(odd)
    last = principal_components(filled(odd, "median")).eigenvalues[-1]
    assert last == pytest.approx(0, abs=1e-12)  # of the constant, to rounding


def test_entropy_removes_a_constant_first_whatever_the_kind(odd):
    for kind in ("numeric", "nominal"):
        assert entropy_ranking(odd, kind=kind).removed[0] == "constant"
        assert entropy_ranking(odd, kind=kind).changes[0] == 0
    assert features(odd, "entropy", alpha=0.5, kind="numeric").ranking[-1] == "constant"


@pytest.mark.parametrize("name", ["iris", "zoo", "wine", "hepatitis", "voting", "labor"])
def test_relief_keeps_features_of_real_data_by_its_own_threshold(name):
    assert features(tl.load(name), "relief").kept
