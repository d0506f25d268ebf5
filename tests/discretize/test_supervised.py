"""ChiMerge, SSV, the code lengths and the greedy search, against slow twins and each other."""

import re

import naive_discretize as naive
import numpy as np
import pytest
from growth import growth
from hypothesis import given
from hypothesis import strategies as st
from strategies import dataset, steady

import treelab as tl
from treelab.errors import DataError, ParameterError
from treelab.kernels.merging import pair_chi2

NAN = np.nan
CASES = st.lists(
    st.tuples(
        st.sampled_from([-3.0, -1.0, 0.0, 0.5, 1.0, 2.0, 4.0, 4.5, 7.0, 9.0]),
        st.integers(0, 2),
        st.integers(1, 3),
    ),
    min_size=1,
    max_size=25,
)
SUPERVISED = ("chimerge", "chi2-merge:3", "ssv:4", "mdlp", "kononenko-mdl", "greedy:gini,bins=4")
ALL = (
    *SUPERVISED, "equal-width:4", "equal-frequency:4", "bins:3", "bins:bins=3,by=median",
    "bins:bins=3,by=mode", "bins:bins=3,by=boundaries", "bins:bins=3,method=moves",
    "rounding:values=8,first=0",
)  # fmt: skip


def cuts_of(spec, x, y=None, weights=None, n_classes=None):
    y = np.zeros(len(x), int) if y is None else y
    data = dataset([np.array(x, dtype=float)], y, n_classes, weights)
    return tl.discretizer(spec).fit(data).cuts["x0"].tolist()


def parts(cases):
    return [list(part) for part in zip(*cases, strict=True)]


# Against the twins


@steady(150)
@given(CASES, st.sampled_from([0.01, 0.1, 0.5]), st.sampled_from(["0.1", "skip", "floor"]))
def test_chimerge_is_one_merge_after_the_other(cases, alpha, empty):
    x, y, w = parts(cases)
    found = tl.discretizer("chimerge", alpha=alpha, empty=empty)
    data = dataset([np.array(x)], y, 3, w)

    assert found.fit(data).cuts["x0"].tolist() == naive.chimerge(x, y, w, alpha, rule=empty)


@steady(100)
@given(CASES, st.integers(1, 6))
def test_merging_to_a_number_of_intervals(cases, k):
    x, y, w = parts(cases)

    assert cuts_of(f"chi2-merge:{k}", x, y, w, 3) == naive.chimerge(x, y, w, to=k)
    at_most = cuts_of(f"chimerge:alpha=0.5,max_intervals={k}", x, y, w, 3)
    assert at_most == naive.chimerge(x, y, w, 0.5, most=k)


@steady(150)
@given(CASES, st.integers(1, 7), st.booleans())
def test_ssv_cuts_the_interval_that_separates_most(cases, k, lexicographic):
    x, y, w = parts(cases)
    found = cuts_of(f"ssv:bins={k},lexicographic={lexicographic}", x, y, w, 3)

    assert found == naive.ssv_cuts(x, y, k, w, lexicographic)


@steady(150)
@given(CASES)
def test_mdlp_is_the_recursion_of_fayyad_and_irani(cases):
    x, y, w = parts(cases)
    w = [3 * weight for weight in w]  # small samples would hardly ever be cut

    assert cuts_of("mdlp", x, y, w, 3) == naive.mdl_cuts(x, y, w)


@steady(150)
@given(CASES)
def test_kononenkos_rule_counts_the_codes(cases):
    x, y, w = parts(cases)
    expected = naive.mdl_cuts(x, y, w, naive.kononenko, classes=3)

    assert cuts_of("kononenko-mdl", x, y, w, 3) == expected


@pytest.mark.parametrize("seed", range(6))
def test_twins_agree_on_random_numbers(seed):
    """Larger than what Hypothesis draws, with cuts at several levels."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=150).round(2)
    y = (x > -0.5).astype(int) + (x + rng.normal(scale=0.4, size=150) > 0.5)
    x, y = x.tolist(), y.tolist()

    assert len(naive.mdl_cuts(x, y)) > 1
    assert cuts_of("mdlp", x, y) == pytest.approx(naive.mdl_cuts(x, y), abs=1e-12)
    assert cuts_of("ssv:8", x, y) == pytest.approx(naive.ssv_cuts(x, y, 8), abs=1e-12)
    assert cuts_of("chimerge", x, y) == pytest.approx(naive.chimerge(x, y), abs=1e-12)


# From outside


def test_mdlp_on_iris():
    """Frozen cuts of ours; that they are right is shown by the naive twin above."""
    cuts = tl.discretizer("mdlp").fit(tl.load("iris")).cuts

    assert [points.round(2).tolist() for points in cuts.values()] == [
        [5.55, 6.15], [2.95, 3.35], [2.45, 4.75], [0.8, 1.75],
    ]  # fmt: skip


# Greedy, by any metric


@pytest.mark.parametrize("stop", ["mdlp", "kononenko-mdl"])
@pytest.mark.parametrize("name", ["iris", "wine", "diabetes-pima"])
def test_greedy_gain_with_a_code_length_is_the_discretizer_of_that_name(name, stop):
    data = tl.load(name)
    greedy = tl.discretizer("greedy", metric="gain", bins=None, stop=stop)

    assert greedy.fit(data) == tl.discretizer(stop).fit(data)


def test_greedy_takes_a_metric_of_ones_own():
    def gini(t):
        n = t.sum((-2, -1))
        within = (t**2).sum(-1) / t.sum(-1).clip(1e-300)
        return within.sum(-1) / n - (t.sum(-2) ** 2).sum(-1) / n**2

    data = tl.load("iris")
    mine = tl.discretizer("greedy", metric=tl.from_counts(gini), bins=4).fit(data)

    assert mine == tl.discretizer("greedy", metric="gini", bins=4).fit(data)
    assert all(1 <= len(points) <= 3 for points in mine.cuts.values())


def test_greedy_cuts_as_a_tree_of_that_feature_does():
    data = tl.load("iris").select(["petal width"])
    tree = tl.grow(data, "gini", pruner="none", min_cases=1, min_branch=1, max_leaves=4)
    cuts = tl.discretizer("greedy", metric="gini", bins=4).fit(data).cuts["petal width"]
    thresholds = [node.threshold for node in tree.nodes if node.children]

    assert cuts.tolist() == sorted(thresholds)


@pytest.mark.parametrize("shift", [-50.0, 3.0])
def test_where_the_zero_of_a_metric_lies_does_not_matter_to_greedy_cuts(shift):
    """By score times weight the largest interval would come first, or last."""
    data = tl.load("diabetes-pima")
    moved, plain = (
        tl.discretizer("greedy", metric=lambda node, by=by: tl.metric("gini")(node) + by, bins=5)
        for by in (shift, 0.0)
    )

    assert moved.fit(data) == plain.fit(data)


def test_greedy_stops_by_score_and_by_cases():
    x, y = np.arange(8.0), [0, 0, 1, 1, 0, 2, 2, 2]

    assert cuts_of("greedy:gain,bins=none", x, y) == [1.5, 3.5, 4.5]
    assert cuts_of("greedy:gain,bins=none,min_score=0.95", x, y) == [4.5]
    assert cuts_of("greedy:gain,bins=none,min_cases=2", x, y) == [1.5, 4.5]
    assert cuts_of("greedy:gain,bins=1", x, y) == []


def test_greedy_refuses_metrics_that_judge_whole_features():
    with pytest.raises(
        ParameterError, match=r"^the metric of a discretizer must judge the cuts .* as a whole$"
    ):
        cuts_of("greedy:relief", [1.0, 2.0, 3.0], [0, 1, 0])


def test_greedy_tells_of_a_metric_with_too_few_scores():
    with pytest.raises(DataError, match=r"^a metric must return one score per candidate"):
        cuts_of(tl.discretizer("greedy", metric=lambda _node: np.zeros(1)), [1, 2, 3], [0, 1, 0])


# All of them


@pytest.mark.parametrize("spec", ALL)
@pytest.mark.parametrize("weights", ["whole", "fraction"])
def test_the_order_of_the_rows_does_not_matter(spec, weights):
    rng = np.random.default_rng(3)
    x = rng.normal(size=120).round(1)
    x[rng.random(120) < 0.1] = NAN
    y = (np.nan_to_num(x) + rng.normal(size=120) > 0).astype(int)
    pool = {"whole": [1, 2, 3], "fraction": [0.1, 0.2, 0.3, 0.7]}[weights]
    data = dataset([x], y, weights=rng.choice(pool, 120))
    found = tl.discretizer(spec).fit(data)

    assert len(found.cuts["x0"]) > 0
    for _ in range(3):
        assert tl.discretizer(spec).fit(data.take(rng.permutation(120))) == found


@pytest.mark.parametrize("spec", ALL)
def test_a_weight_of_two_is_a_case_twice(spec):
    rng = np.random.default_rng(4)
    x, w = rng.integers(0, 30, 60).astype(float), rng.integers(0, 4, 60)
    y = (x > 12).astype(int) ^ (rng.random(60) < 0.2)
    rows = np.repeat(np.arange(60), w)

    assert cuts_of(spec, x, y, w) == cuts_of(spec, x[rows], y[rows])


@pytest.mark.parametrize("spec", ["ssv:4", "greedy:gini,bins=4", "bins:3", "bins:bins=3,by=median"])
def test_light_cases_are_cut_as_heavy_ones_are(spec):
    """Pairs of cases of weight 1e-9 count 1e-18, which is not a tie; nor are small numbers."""
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=80), rng.integers(0, 2, 80)

    assert len(cuts_of(spec, x, y, np.full(80, 1e-9))) == len(cuts_of(spec, x, y))
    tiny = 2.0**-800
    small = np.array(cuts_of("bins:3", x * tiny)) / tiny
    assert small.tolist() == cuts_of("bins:3", x)


@pytest.mark.parametrize("spec", ALL)
@pytest.mark.parametrize("x", [[3.0, 3.0, 3.0], [3.0], [], [NAN, NAN], [NAN, 2.0]])
def test_without_two_different_values_there_is_no_cut(spec, x):
    assert cuts_of(spec, x, np.arange(len(x)) % 2, n_classes=2) == []


@pytest.mark.parametrize("spec", SUPERVISED)
def test_one_class_is_one_interval(spec):
    cuts = cuts_of(spec, [1.0, 2.0, 3.0, 4.0], [1, 1, 1, 1], n_classes=2)

    assert len(cuts) == (2 if spec.startswith("chi2-merge") else 0)


@pytest.mark.parametrize("spec", ALL)
def test_more_bins_than_values_is_no_problem(spec):
    name = spec.partition(":")[0]
    if name in ("mdlp", "kononenko-mdl", "chimerge", "rounding"):
        return
    codes = tl.discretizer(name, bins=50).fit(dataset([[1.0, 2.0, 4.0]], [0, 1, 0]))

    assert codes.codes("x0", np.array([1.0, 2.0, 4.0])).tolist()[0] == 0
    assert len(codes.cuts["x0"]) == (2 if name != "equal-width" else 49)


@pytest.mark.parametrize("spec", ALL)
def test_cases_without_a_value_a_class_or_a_weight_are_left_out(spec):
    x, y = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] * 3, [0, 0, 0, 1, 1, 1] * 3
    known = cuts_of(spec, x, y)
    weights = [1] * 18 + [0, 1]
    holed = cuts_of(spec, [*x, 900.0, NAN], [*y, 0, 1], weights)

    assert known == holed
    if spec in SUPERVISED:
        assert cuts_of(spec, [*x, 900.0], [*y, -1]) == known


@pytest.mark.parametrize("spec", SUPERVISED)
def test_data_without_classes_are_refused(spec):
    data = tl.Dataset.of(tl.Schema((tl.Column("x"),)), [[1.0, 2.0]])
    message = "this discretizer looks at the classes, but the data have no target"
    with pytest.raises(DataError, match=f"^{re.escape(message)}$"):
        tl.discretizer(spec).fit(data)


@pytest.mark.parametrize("spec", ALL)
def test_cuts_are_found_among_the_largest_and_smallest_numbers(spec):
    tiny = [0.0, 5e-324, 1e-320, 1.0, np.nextafter(1.0, 2.0)]
    x = np.array([*tiny, -1.7e308, 1.7e308, 1.0, 0.0])
    y = np.array([0, 1, 0, 1, 0, 1, 0, 1, 0])

    assert np.all(np.diff(cuts_of(spec, np.tile(x, 4), np.tile(y, 4))) > 0)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("chimerge:alpha=0", "alpha must lie between 0 and 1, got 0"),
        ("chimerge:alpha=1", "alpha must lie between 0 and 1, got 1"),
        ("chimerge:max_intervals=0", "max_intervals must be a whole number of at least 1, got 0"),
        ("chimerge:empty=none", "empty must be one of '0.1', 'skip', 'floor', got None"),
        ("chi2-merge:0", "bins must be a whole number of at least 1, got 0"),
        ("ssv:x", "bins must be a whole number of at least 1, got 'x'"),
        ("greedy:gain,stop=mdl", "stop must be one of 'mdlp', 'kononenko-mdl', got 'mdl'"),
        ("greedy:gain,min_cases=-1", "min_cases must be a number of at least 0, got -1"),
        ("greedy:gain,min_score=a", "min_score must be a number, got 'a'"),
        ("greedy:gain,seed=0.5", "seed must be a whole number, got 0.5"),
        ("rounding:first=0.5", "first must be a whole number of at least -300, got 0.5"),
        ("bins:by=men", "by must be one of 'mean', 'median', 'mode', 'boundaries', got 'men'"),
        ("bins:method=x", "method must be one of 'exact', 'moves', got 'x'"),
        ("rounding:0", "values must be a whole number of at least 1, got 0"),
        ("cuts:1;b", "cuts must be numbers such as '2.5;4.75', got '1;b'"),
    ],
)
def test_wrong_parameters_are_told(spec, message):
    with pytest.raises(ParameterError, match=f"^{re.escape(message)}"):
        tl.discretizer(spec)


def test_discretizers_work_inside_trees_and_model_files(tmp_path):
    data = tl.load("iris")
    for spec in ("mdlp", "chimerge", "ssv:4", "bins:3"):
        tree = tl.grow(data, discretizer=spec)
        tree.save(tmp_path / "m.json")
        again = tl.Tree.load(tmp_path / "m.json")

        assert again == tree
        assert (again.predict(data) == data.labels).mean() > 0.9


def test_a_symmetric_chi_square():
    a, b = np.array([3.0, 1.0, 0.0]), np.array([1.0, 4.0, 0.0])

    assert pair_chi2(a, b, 0.1, 0.0) == pair_chi2(b, a, 0.1, 0.0)
    assert pair_chi2(a, b, 0.1, 0.0) == pytest.approx(pair_chi2(a, b, 0.0, 0.0) + 0.2, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["chimerge", "chimerge:max_intervals=6", "ssv:32", "mdlp"])
def test_ten_times_as_many_values_take_about_ten_times_as_long(spec):
    """Were the work quadratic, a million would take 100 times as long as 100,000."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=1_000_000)
    y = (x + rng.normal(size=1_000_000) > 0).astype(int)
    large = dataset([x], y)
    small = large.take(range(100_000))
    tl.discretizer(spec).fit(small.take(range(100)))  # compile
    fit = tl.discretizer(spec).fit

    assert growth(lambda: fit(small), lambda: fit(large)) < 40
