"""Pair metrics: exact figures, naive twins, other tools."""

import json
from itertools import product
from pathlib import Path

import naive_pairs as naive
import numpy as np
import pytest
from pair_metrics import dataset, node, random_cases, scores

import treelab as tl
from treelab.errors import ParameterError
from treelab.kernels.neighbours import neighbours
from treelab.metrics.discrimination import (
    Algorithm1,
    ContextualMerit,
    ContextualMerit1,
    Relief,
    ReliefF,
    ReliefFExpRank,
)
from treelab.metrics.pi import Pi
from treelab.stats.pairs.gaps import gaps, mean_distance
from treelab.stats.pairs.schemes import AllPairs

VECTORS = json.loads((Path(__file__).parents[1] / "reference" / "pair_vectors.json").read_text())


def vectors(*measures):
    found = [vector for vector in VECTORS if vector["measure"] in measures]
    return pytest.mark.parametrize("vector", found, ids=[vector["id"] for vector in found])


@vectors("relief")
def test_relief(vector):
    given, how = vector["input"], vector["params"]
    numeric = [f not in given["nominal"] for f in range(len(given["X"][0]))]
    metric = Relief(how["normalise"], ties="first", euclid=how["metric"] == "euclid")
    found = scores(metric, given["X"], given["y"], numeric)

    assert found == pytest.approx(vector["expected"], abs=1e-9)


@vectors("contextual_merit_CM0", "contextual_merit_CM1")
def test_contextual_merit(vector):
    given, how = vector["input"], vector["params"]
    metric = ContextualMerit if vector["measure"].endswith("0") else ContextualMerit1
    values = given.get("Z", given.get("X"))
    k = {"all": "all", "k2": 2}.get(how["k"])
    rule = metric(k, how.get("threshold_fraction", 0.5), how.get("rows", "all"), "first")
    found = scores(rule, values, given["y"], given.get("numeric", [False] * len(values[0])))

    assert found == pytest.approx(vector["expected"], abs=1e-9)


def instance_of_pi(how):
    known = {"exp0.1": ("exponential", 0.1), "alpha0": ("exponential", 0.0), "pow2": ("power", 2)}
    return known[how.get("f", "alpha0")]


@vectors("pi_F14")
def test_pi(vector):
    given, how = vector["input"], vector["params"]
    decay, alpha = instance_of_pi(how)
    metric = Pi(how.get("theta", (1, 1, 1, 1)), alpha, decay)
    found = scores(metric, given["X"], given["y"], [False] * len(given["X"][0]))

    assert found[given["feature"]] == pytest.approx(vector["expected"], abs=1e-9)


@vectors("pi_contextual_merit", "pi_relief_radius")
def test_instances_of_pi(vector):
    """Proposition 2 of vilalta2001, as put right: column 4 is CM, column 4 less 3 radius Relief."""
    given = vector["input"]
    data = (given["X"], given["y"], [False] * len(given["X"][0]))
    if vector["measure"] == "pi_contextual_merit":
        same = [ContextualMerit("all"), Algorithm1("merit", None),
                Pi((0, 0, 0, 1), 2, "power", lambda matrices, _: matrices.sum())]  # fmt: skip
    else:
        signs = np.array([0, 0, -1, 1])
        same = [Algorithm1(radius=2.0),
                Pi((0, 0, 1, 1), 2.0, "radius", lambda m, _: float((m * signs).sum()))]  # fmt: skip

    for metric in same:
        assert scores(metric, *data)[given["feature"]] == pytest.approx(
            vector["expected"], abs=1e-9
        )


@vectors("pi_columns")
def test_columns_of_pi(vector):
    given, how = vector["input"], vector["params"]
    decay, alpha = instance_of_pi(how)
    found = pi_tables(given, AllPairs(decay, alpha)).reshape(-1, 4).sum(axis=0)

    assert found == pytest.approx(vector["expected"], abs=1e-9)


@vectors("pi_column1", "pi_class_counts_from_column1")
def test_class_counts_in_column_1_of_pi(vector):
    """Proposition 1 of vilalta2001: as printed it squares groups of equal cases."""
    printed = vector["measure"] == "pi_column1"
    scheme = AllPairs("radius", 0.5) if printed else AllPairs(alpha=0.0)
    column = pi_tables(vector["input"], scheme)[..., 0, 0]
    found = column if printed else np.sqrt(column)

    for value, expected in vector["expected"].items():
        assert found[int(value)] == pytest.approx(expected, abs=1e-9)


def pi_tables(given, scheme):
    data = dataset(given["X"], given["y"], [False] * len(given["X"][0]))
    return node(data).pairs(scheme)[given["feature"]]


@vectors("cm_neighbours")
def test_number_of_counter_examples(vector):
    assert neighbours(0, vector["input"]["counter_examples"]) == vector["expected"]


def test_gini_is_an_instance_of_pi():
    """Proposition 1 of vilalta2001, as repaired: with alpha = 0, column 1 holds squared counts."""
    cases, y, _ = random_cases(5, missing=0.0)
    cases = [[case[0], case[2]] for case in cases]
    data = dataset(cases, y, [False, False])

    def gini(matrices, shares):
        n = len(cases)
        within = [m.sum(0)[0] / (n * n * s) for m, s in zip(matrices, shares, strict=True) if s > 0]
        return sum(within) - (matrices[..., 0].sum() + matrices[..., 2].sum()) / n**2

    found = Pi(alpha=0.0, aggregate=gini)(node(data)).values
    tables = [np.zeros((3, 3)), np.zeros((3, 3))]
    for case, label in zip(cases, y, strict=True):
        for table, value in zip(tables, case, strict=True):
            table[value, label] += 1

    assert found == pytest.approx([tl.formula("gini")(table) for table in tables], abs=1e-12)


AWKWARD = {
    "mixed": random_cases(0),
    "many-missing": random_cases(1, missing=0.6),
    "few-cases": random_cases(2, n=3),
    "two-cases": ([[0, 1, 0, 2.5], [1, 1, 0, 2.5]], [0, 1], [False, True, False, True]),
    "equal-cases": ([[1, 2], [1, 2], [1, 2], [0, 2], [0, 2]], [0, 0, 1, 1, 1], [False, True]),
    "a-class-without-known-values": (
        [[None, 1], [None, 2], [0, None], [1, 5], [1, 3], [0, 2]],
        [0, 0, 1, 1, 2, 2],
        [False, True],
    ),
    "one-case": ([[1, 2.0]], [0], [False, True]),
    "nothing-known": ([[None], [None], [None], [None]], [0, 1, 2, 2], [False]),
    "nothing-known-of-numbers": ([[None], [None], [None]], [0, 1, 2], [True]),
    "larger": random_cases(8, n=45, missing=0.05),
}


@pytest.mark.parametrize("name", AWKWARD)
def test_fast_equals_naive(name):
    data = AWKWARD[name]

    for k in (None, 1, 4):
        merit, other = (naive.contextual_merit(*data, k=k, leave_out=out) for out in (False, True))
        assert scores(ContextualMerit(k), *data) == pytest.approx(merit)
        assert scores(ContextualMerit1(k), *data) == pytest.approx(other)
    for k in (1, 3, 10):
        assert scores(ReliefF(k), *data) == pytest.approx(naive.relieff(*data, k=k))
        value = naive.relieff(*data, k=k, missing="value")
        assert scores(ReliefF(k, missing="value"), *data) == pytest.approx(value)
        ranked = naive.relieff(*data, k=k, spread=2.0)
        assert scores(ReliefFExpRank(k, 2.0), *data) == pytest.approx(ranked)
    assert scores(Relief(), *data) == pytest.approx(naive.relief(*data))


@pytest.mark.parametrize(
    ("name", "missing"),
    [
        # Half of the time, for few values that are missing.
        pytest.param(*how, marks=[pytest.mark.slow] if how == ("larger", "value") else [])
        for how in product(AWKWARD, ("value", "expected"))
    ],
)
def test_tables_of_all_pairs_equal_naive(name, missing):
    cases, y, numeric = AWKWARD[name]
    forms = {
        ("exponential", 0.3): lambda x: 2 ** (-0.3 * x),
        ("power", 2.0): lambda x: x**-2.0 if x > 0 else 1.0,
        ("radius", 1.5): lambda x: float(x < 1.5),
    }
    labels = [sorted({case[f] for case in cases} - {None}) for f in range(len(numeric))]
    view = node(dataset(cases, y, numeric))
    for (decay, alpha), weight_of in forms.items():
        for own in (True, False):
            found = view.pairs(AllPairs(decay, alpha, own, missing=missing))
            by_function = view.pairs(AllPairs(weight_of, 0.0, own, missing=missing))
            expected = np.zeros(found.shape)
            tables = naive.all_pairs(cases, y, numeric, weight_of, missing, own)
            for (f, value, label, *case), weight in tables.items():
                place = -1 if value is None else 0 if numeric[f] else labels[f].index(value)
                expected[f, place, sorted(set(y)).index(label), *case] = weight
            assert found == pytest.approx(expected, abs=1e-9)  # sums of up to 2025 pairs
            assert by_function == pytest.approx(expected, abs=1e-9)


OUTSIDE = json.loads((Path(__file__).parents[1] / "reference" / "relieff_outside.json").read_text())


# fast-select sums up to 19,160 differences one by one in single precision (6e-8 of a sum of at
# most 0.2 each time, mostly averaging out); skrebate works in double precision.
SLACK = {"fast-select 0.3.0": 5e-6, "skrebate 0.8.4": 1e-12}


@pytest.mark.parametrize("entry", OUTSIDE, ids=lambda entry: f"{entry['data']}-{entry['tool']}")
def test_relieff_equals_other_tools(entry):
    found = ReliefF(entry["k"], ties="first")(node(tl.load(entry["data"]))).values

    assert found == pytest.approx(entry["scores"], abs=SLACK[entry["tool"]])


def test_missing_values_of_relieff_by_hand():
    """Kononenko 1994: 1 - P(value | class), and 1 - sum of P(v | class) P(v | other class).

    One of each class is unknown beside three: m = 10 / 3, P(0 | class 0) = (2 + m / 2) / (3 + m).
    """
    column = [0, 0, 1, None, 1, 1, 0, None]
    pairs = node(dataset([[v] for v in column], [0] * 4 + [1] * 4, [False]))._pair_cases(AllPairs())
    _, _, toward = gaps(pairs, "expected")

    own, other = 8 / 19, 11 / 19
    both = 1 - own**2 - other**2, 1 - 2 * own * other
    assert toward[0, 0] == pytest.approx([own, own, other, both[0], other, other, own, both[1]])
    assert toward[0, 1] == pytest.approx([other, other, own, both[1], own, own, other, both[0]])


def test_missing_numbers_of_relieff_by_hand():
    """The mean distance from the known numbers of the class, and with m from all."""
    column = [0.0, 1.0, None, 1.0, 1.0]
    pairs = node(dataset([[v] for v in column], [0, 0, 0, 1, 1], [True]))._pair_cases(AllPairs())
    _, _, toward = gaps(pairs, "expected")

    # Class 0 knows 2 numbers, m = 5: P(0 | class 0) = (1 + 5 / 4) / 7 = 9 / 28.
    assert toward[0, 0] == pytest.approx(np.array([19, 9, 28 - (19**2 + 9**2) / 28, 9, 9]) / 28)
    # Class 1 knows all of its numbers, which are 1.
    assert toward[0, 1] == pytest.approx([1, 0, 9 / 28, 0, 0])


def test_many_known_values_of_a_class_are_believed():
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], 5000)
    column = [None if gap else int(v) for gap, v in zip(rng.random(10_000) < 0.5, y, strict=True)]
    pairs = node(dataset([[v] for v in column], y.tolist(), [False]))._pair_cases(AllPairs())
    _, known, toward = gaps(pairs, "expected")

    # About 2,500 cases of each class are known: m = 10 moves a share by half of 10 / 2,510.
    assert toward[0, 0, known[0]] == pytest.approx(y[known[0]], abs=0.003)


def beside_noise(seed, labels, cases=200, missing=0.9):
    """Return a bit that is right in 63 %, noise, and noise of which most values are missing."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, cases)
    columns = [np.where(rng.random(cases) < 0.63, y, 1 - y)]
    columns += [rng.integers(0, 3, cases) for _ in range(6)]
    columns += [rng.normal(size=cases) for _ in range(3)]
    noise = rng.integers(0, labels, cases) if labels else rng.normal(size=cases)
    columns.append(np.where(rng.random(cases) < missing, np.nan, noise))
    values = [[None if np.isnan(v) else float(v) for v in column] for column in columns]
    return list(zip(*values, strict=True)), y.tolist(), [False] * 7 + [True] * 3 + [not labels]


@pytest.mark.parametrize("labels", [2, 10, None])
def test_missing_values_of_noise_are_worth_nothing_to_relieff(labels):
    for metric in (ReliefF(), ReliefFExpRank()):
        found = np.array([scores(metric, *beside_noise(seed, labels)) for seed in range(8)])
        # Measured 0.003 +- 0.001 at most; P(v | class) from the known alone gives 0.03 to 0.1.
        assert np.abs(found[:, -1].mean()) < 0.01
        assert found[:, 0].mean() > 0.03


@pytest.mark.slow
@pytest.mark.parametrize("labels", [2, 10, None])
def test_noise_of_missing_values_does_not_beat_a_feature_in_relieff(labels):
    runs = [scores(ReliefF(), *beside_noise(seed, labels, cases=400)) for seed in range(200)]
    bit, *_, noise = np.transpose(runs)

    assert np.mean(noise > bit) <= 0.02  # where the bit itself has bad luck


@pytest.mark.parametrize("most", [0.5, 1.0, np.inf])
def test_mean_distance_equals_the_mean_of_all_distances(most):
    rng = np.random.default_rng(1)
    numbers, of, weights = (
        rng.integers(9, size=20) / 4,
        rng.integers(9, size=15) / 4,
        rng.random(15),
    )
    apart = np.minimum(np.abs(numbers[:, None] - of), most)

    assert mean_distance(numbers, of, weights, most) == pytest.approx(
        apart @ weights / weights.sum()
    )


def test_mean_distances_of_numbers_far_from_0_keep_their_digits():
    numbers, weights = np.array([0.0, 0.25, 1.0]), np.array([0.3, 0.5, 0.2])
    far = 2.0**40  # to which quarters can be added exactly

    assert mean_distance(far + numbers, far + numbers, weights).tolist() == (
        mean_distance(numbers, numbers, weights).tolist()
    )


def test_pi_equals_naive():
    cases, y, _ = random_cases(9, missing=0.0)

    assert scores(Pi(), cases, y, [False] * 4) == pytest.approx(naive.pi(cases, y))


@vectors("pi_columns")
def test_the_columns_of_the_matrices(vector):
    given, how = vector["input"], vector["params"]
    decay, alpha = instance_of_pi(how)
    data = dataset(given["X"], given["y"], [False] * len(given["X"][0]))
    found = tl.pi_matrices(data, f"f{given['feature']}", how["theta"], alpha, decay)

    assert found.R_m.sum(axis=(0, 1)) == pytest.approx(vector["expected"], abs=1e-9)


@vectors("pi_column1")
def test_the_first_column_where_only_equal_cases_count(vector):
    given = vector["input"]
    data = dataset(given["X"], given["y"], [False] * len(given["X"][0]))
    only_equal = tl.pi_matrices(data, f"f{given['feature']}", vector["params"]["theta"],
                                decay=lambda x: float(x == 0))  # fmt: skip

    assert only_equal.R_m[..., 0].tolist() == list(vector["expected"].values())


@pytest.mark.parametrize("theta", [(1, 1, 1, 1), (0.5, 2, 0, 3)])
def test_the_matrices_are_those_of_the_naive_twin(theta):
    cases, y, _ = random_cases(9, missing=0.0)
    data = dataset(cases, y, [False] * 4)
    for f in range(4):
        r_m, r = naive.pi_matrices(cases, y, f, theta, lambda x: 1 / (1 + x))
        found = tl.pi_matrices(data, f"f{f}", theta, decay=lambda x: 1 / (1 + x))
        expected = [[r_m[v][c] for c in sorted(set(y))] for v in sorted(r_m)]

        assert found.R_m == pytest.approx(np.array(expected))
        assert pytest.approx(np.array([r[c] for c in sorted(set(y))])) == found.R
        assert len(found.values) == len(r_m)
        assert found.shares.sum() == pytest.approx(1.0)


def test_matrices_have_the_values_that_occur_in_words():
    data = tl.load("heart").take(np.arange(60))
    for name, column in zip(data.features, data.schema.features, strict=True):
        found = tl.pi_matrices(data, name, bins=4)
        known = set(column.labels or found.values)
        assert set(found.values) <= known | {"missing"}
        assert found.R_m.shape == (len(found.values), len(data.classes), 4)
        assert len(str(found).splitlines()) == 1 + len(data.classes) * (1 + len(found.values))
    numbers = dataset([[v] for v in (0.0, 1.0, 2.0, 3.9, 4.0, None)], [0, 0, 0, 1, 1, 1], [True])
    found = tl.pi_matrices(numbers, "f0", bins=2)

    assert found.values == ("< 2", ">= 2", "missing")
    assert found.shares == pytest.approx([2 / 6, 3 / 6, 1 / 6])
    assert tl.pi_matrices(numbers, "f0", bins=0).values == ("any", "missing")


def test_intervals_are_equally_wide():
    numbers = dataset([[v] for v in (3.0, 4.5, 6.0, None)], [0, 0, 1, 1], [True])

    assert tl.pi_matrices(numbers, "f0", bins=2).values == ("< 4.5", ">= 4.5", "missing")


@pytest.mark.parametrize("values", [(7.0, 7.0), (None, None)])
def test_a_column_without_two_values_has_no_intervals(values):
    found = tl.pi_matrices(dataset([[v] for v in values], [0, 1], [True]), "f0", bins=4)

    assert found.values == (("any",) if values[0] else ("missing",))


def test_intervals_between_which_there_are_no_numbers_are_counted():
    """Two of the nine cuts fall on one number; the first two do not."""
    numbers = dataset([[1.0], [1.0 + 8 * 2.0**-52]], [0, 1], [True])
    found = tl.pi_matrices(numbers, "f0", bins=10)

    assert found.values == ("interval 1 of 10", "interval 10 of 10")


def test_an_aggregate_may_ask_for_the_matrix_of_all_cases():
    """Gini from the matrices of alpha = 0 (SPEC 5.4), with R for what lies before the split."""
    cases, y, _ = random_cases(5, missing=0.0)
    cases = [[case[0], case[2]] for case in cases]
    data, n = dataset(cases, y, [False, False]), len(cases)

    def gini(matrices, shares, whole):
        within = [m.sum(0)[0] / (n * n * s) for m, s in zip(matrices, shares, strict=True) if s > 0]
        return sum(within) - whole[:, 0].sum() / n**2

    def two(matrices, shares, factor=2.0):
        return factor * (matrices * shares[:, None, None]).sum()

    found = Pi(alpha=0.0, aggregate=gini)(node(data)).values
    table = tl.rank(data, "gini")
    assert found == pytest.approx([table["f0"], table["f1"]])
    assert Pi(aggregate=two)(node(data)).values == pytest.approx(
        2 * Pi(aggregate=lambda m, s: (m * s[:, None, None]).sum())(node(data)).values
    )


def test_a_decay_of_ones_own_is_that_of_the_name():
    data = tl.load("heart").take(np.arange(80))
    for bins in (0, 5):
        named, mine = Pi(alpha=0.5, bins=bins), Pi(decay=lambda x: 2 ** (-0.5 * x), bins=bins)

        assert mine(node(data)).values == pytest.approx(named(node(data)).values, rel=1e-9)
    tree = tl.grow(data, Pi(decay=np.exp2))
    assert tree == tl.grow(data.take(np.arange(80)[::-1]), Pi(decay=np.exp2))


@pytest.mark.parametrize("decay", [lambda x: 1 / x, lambda x: -x - 1, lambda _: "far",
                                   lambda _: np.nan, np.log])  # fmt: skip
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_a_decay_gives_finite_numbers(decay):
    data = tl.load("heart").take(np.arange(20))
    message = r"^decay must be a finite number of at least 0 at every distance, but decay\(0\) "
    with pytest.raises(ParameterError, match=message):
        tl.grow(data, Pi(decay=decay))


def test_numbers_are_cut_into_intervals_for_pi():
    cases, y, _ = random_cases(3, missing=0.0)
    cut = [[case[0], min(int(case[1] / 8 * 4), 3)] for case in cases]
    assert {case[1] for case in cases} >= {0, 8}

    expected = scores(Pi(), cut, y, [False, False])
    found = scores(Pi(bins=4), [case[:2] for case in cases], y, [False, True])
    assert found == pytest.approx(expected)
