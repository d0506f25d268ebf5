"""Cases on few axes: scikit-learn's scaling and Isomap, whatever the order of the cases."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

import treelab as tl
from treelab.errors import DataError, ParameterError
from treelab.reduce import embedding


@pytest.fixture
def flat():
    """Points of a plane, turned into five dimensions."""
    rng = np.random.default_rng(2)
    points = rng.normal(size=(40, 2)) * [3.0, 1.0]
    turned, _ = np.linalg.qr(rng.normal(size=(5, 5)))
    return points, data_of(points @ turned[:2])


def data_of(values):
    import pandas as pd

    names = [f"x{i}" for i in range(values.shape[1])]
    frame = pd.DataFrame(values, columns=names)
    frame["town"] = "a"
    frame["class"] = ["p", "q"] * (len(values) // 2)
    return tl.Dataset.from_frame(frame, "class")


def test_scaling_finds_points_of_a_plane_again(flat):
    points, data = flat
    found = embedding(data, "mds", standardize=False)
    # Classical scaling is exact here, to the rounding of squares.
    assert pdist(found.coordinates) == pytest.approx(pdist(points), abs=1e-6)
    assert found.residual < 1e-9
    variances = found.coordinates.var(axis=0)
    assert variances[0] > variances[1]


def test_other_distances_are_kept_as_well_as_they_can_be():
    data = tl.load("iris")
    for distance, by in (("manhattan", "cityblock"), ("maximum", "chebyshev")):
        found = embedding(data, "mds", 3, distance=distance, standardize=False)
        values = np.column_stack([data[name] for name in data.features])
        apart = np.corrcoef(pdist(found.coordinates), pdist(values, by))[0, 1] ** 2
        assert found.residual == pytest.approx(1 - apart, abs=1e-9)
        assert found.residual < 0.01


def test_isomap_unrolls_what_is_rolled_up_and_scaling_does_not():
    along = np.linspace(0, 3 * np.pi, 80)
    radius = 1 + along / 4
    spiral = np.column_stack([radius * np.cos(along), radius * np.sin(along), 0 * along])
    data = data_of(spiral)
    by_paths = embedding(data, "isomap", 1, neighbours=2, standardize=False).coordinates[:, 0]
    by_stress = embedding(data, "mds", 1, standardize=False).coordinates[:, 0]
    assert abs(np.corrcoef(by_paths, along)[0, 1]) > 0.98
    assert abs(np.corrcoef(by_stress, along)[0, 1]) < 0.9


@pytest.mark.parametrize("method", ["mds", "isomap"])
def test_the_order_of_the_cases_does_not_matter(flat, method):
    _, data = flat
    order = np.random.default_rng(1).permutation(len(data))
    found, shuffled = embedding(data, method), embedding(data.take(order), method)
    assert shuffled.coordinates == pytest.approx(found.coordinates[order], abs=1e-9)


def test_parts_that_are_far_apart_are_joined_and_counted():
    rng = np.random.default_rng(0)
    data = data_of(np.concatenate([rng.normal(size=(20, 3)), rng.normal(size=(20, 3)) + 50]))
    found = embedding(data, "isomap", neighbours=3)
    assert found.parts == 2
    assert np.isfinite(found.coordinates).all()


def test_axes_take_the_place_of_numbers_and_labels_stay(flat):
    _, data = flat
    reduced = embedding(data, "mds", 1).apply(data)
    assert reduced.features == ("axis 1", "town")
    assert (reduced.y == data.y).all()
    with pytest.raises(DataError, match="places only the 40 cases it was made of, got 20"):
        embedding(data, "mds", 1).apply(data.take(range(20)))


@pytest.mark.parametrize("method", ["mds", "isomap"])
def test_cases_that_are_all_alike_lie_at_one_place(method):
    found = embedding(data_of(np.ones((24, 3))), method)

    assert not found.coordinates.any()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"method": "mdz"}, "method must be one of"),
        ({"k": 5}, "k must be below the number of numeric features, 5, got 5"),
        ({"distance": "far"}, "distance must be one of"),
        ({"method": "isomap", "neighbours": 40}, "neighbours must be below the number of cases"),
    ],
)
def test_mistakes_are_told_in_a_sentence(flat, words, said):
    with pytest.raises(ParameterError, match=said):
        embedding(flat[1], **words)


def test_missing_numbers_are_refused_in_a_sentence():
    with pytest.raises(DataError, match="fill them in first"):
        embedding(tl.load("hepatitis"))
