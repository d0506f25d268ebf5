"""ChiMerge, dynamic bins and Relief, step by step."""

import itertools

import numpy as np
import pytest
from strategies import dataset
from teaching.mixed import mixed

import treelab as tl
from treelab.discretize.profile import profile_by_class
from treelab.errors import DataError, ParameterError, UnknownNameError
from treelab.explain.importances import unit_cases
from treelab.teaching.merging import merges

IRIS = tl.load("iris")
WIDE = dataset([np.array([1e308, -1e308, 0.0]), np.array([1.0, 2.0, 3.0])], [0, 1, 1])


@pytest.mark.parametrize("spec", ["chimerge", "chimerge:alpha=0.5", "chimerge:max_intervals=2"])
@pytest.mark.parametrize("data", [IRIS, mixed()], ids=["iris", "mixed"])
def test_chimerge_ends_where_the_discretizer_does(spec, data):
    for name in data.features:
        if not data.schema.features[data.schema.index(name)].is_nominal:
            found = tl.steps_of(spec, data, name)
            labels = tl.discretizer(spec).fit(data).labels(name)

            assert tuple(row[0] for row in found.frames[-1].rows) == labels
            assert "done" in found.frames[-1].text


def test_chimerge_merges_the_two_that_differ_least():
    profile = profile_by_class(mixed(), "x")
    states = merges(profile, tl.discretizer("chimerge"), 1000)

    assert [len(state.starts) for state in states] == list(
        range(len(profile.points), len(states[-1].starts) - 1, -1)
    )
    for before, after in itertools.pairwise(states):
        assert before.chi2[before.least] == before.chi2.min()
        assert set(before.starts) - set(after.starts) == {before.starts[before.least + 1]}
        assert after.counts.sum() == before.counts.sum()


def test_only_the_last_merges_are_shown():
    found = tl.steps_of("chimerge", IRIS, "petal width", most=5)

    assert len(found) == 6
    assert found.heading.endswith("the first 13 merges not shown")
    assert found.frames[0].chosen == (found.frames[0].chosen[0], found.frames[0].chosen[0] + 1)


@pytest.mark.parametrize("by", ["mean", "median", "mode", "boundaries"])
def test_bins_end_where_the_discretizer_does(by):
    data = mixed()
    found = tl.steps_of("bins:4", data, "y", by=by)
    errors = [sum(float(row[-1]) for row in frame.rows) for frame in found.frames]
    coding = tl.discretizer("bins", bins=4, by=by, method="moves").fit(data)

    # Errors are written with four digits.
    assert all(a > b * 0.999 for a, b in itertools.pairwise(errors))
    assert float(found.frames[0].rows[0][2]) * 4 <= data.weights.sum()
    assert len(coding.cuts["y"]) + 1 <= len(found.frames[-1].rows) == 4


def test_relief_comes_to_the_weights_of_relief():
    data = mixed()
    found = tl.steps_of("relief", data, most=3)
    last = {name: float(weight) for name, weight in found.frames[-1].rows}
    scores = tl.reduce.relief(unit_cases(data), ties="first").scores

    assert len(found) == 4
    assert last == pytest.approx(scores, abs=0.00005001)  # written with four digits


def test_relief_draws_hit_and_miss():
    found = tl.steps_of("relief", IRIS, ["petal width", "sepal width"], most=2)
    kinds = [shape[1].get("class") for shape in found.frames[0].picture.shapes]

    assert kinds.count("hit") == kinds.count("miss") == 1
    assert kinds.count("halo") == 1
    assert found.frames[0].rows[0][0] == "sepal length"


def test_relief_does_not_depend_on_the_order_of_the_cases():
    data = mixed()
    other = data.take(np.random.default_rng(1).permutation(len(data)))

    assert str(tl.steps_of("relief", data)) == str(tl.steps_of("relief", other))


@pytest.mark.parametrize(
    ("words", "error", "problem"),
    [
        (("chimrge", IRIS, "petal width"), UnknownNameError, "chimerge"),
        (("chimerge", mixed(), "colour"), DataError, "is nominal"),
        (("chimerge", IRIS), ParameterError, "name the numeric feature"),
        (("chimerge:alpa=1", IRIS, "petal width"), UnknownNameError, "alpha"),
        (("relief:k=2", IRIS), ParameterError, "no parameters"),
        (("relief", IRIS, "petal width"), ParameterError, "two features"),
        (("relief", IRIS.take(IRIS.y == 0)), DataError, "two classes"),
        (("bins", IRIS, "petal widht"), UnknownNameError, "petal width"),
        (("bins:2", WIDE, "x0"), DataError, "which no picture can show"),
        (("relief", WIDE), DataError, "which no picture can show"),
    ],
)
def test_wrong_calls_are_one_sentence(words, error, problem):
    with pytest.raises(error, match=problem):
        tl.steps_of(*words)
