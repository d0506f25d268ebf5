"""Generators: populations as their sources define them, seeds, and bad parameters."""

import inspect
import json
import re
from hashlib import blake2b
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import treelab as tl
from treelab.data.synth import GENERATORS, generator_info
from treelab.data.synth.classics import DIGITS
from treelab.data.synth.genetics import genotypes, penetrance
from treelab.data.synth.multivalued import first_half
from treelab.data.synth.parity import stacked_rows
from treelab.errors import ParameterError, TreelabError, UnknownNameError

PATH = Path(__file__).parents[1] / "reference" / "generator_vectors.json"
VECTORS = json.loads(PATH.read_text())
MANY = 100_000
NAMES = tl.generator_names()

# What came out when the generators were written: it may never change for the same seed.
FINGERPRINTS = {
    "checkerboard": "8a97fa791f91",
    "epistasis": "8a16021aae88",
    "exor": "92132ae23305",
    "four-gaussians": "6865204dbe99",
    "kononenko": "466e063684f7",
    "led": "5183763004e4",
    "monks": "2d2fdded64cf",
    "parity": "9646e7fbff48",
    "rannum": "10a26381b940",
}


def vectors(measure):
    found = [vector for vector in VECTORS if vector["measure"] == measure]
    return pytest.mark.parametrize("vector", found, ids=[vector["id"] for vector in found])


def rows(data):
    return np.array(data.columns)


def fingerprint(data):
    # Six decimals: the inverse normal distribution may differ in the last bits between machines.
    content = [column.round(6).tolist() for column in (*data.columns, data.y)]
    return blake2b(repr(content).encode(), digest_size=6).hexdigest()


def sample_gain(data, feature):
    table = np.zeros((int(data[feature].max()) + 1, len(data.classes)))
    np.add.at(table, (data[feature], data.y), 1)
    return tl.formula("gain")(table)


# What holds for all


def test_the_names_are_those_promised():
    promised = "exor rannum four-gaussians kononenko led monks parity epistasis checkerboard"

    assert sorted(promised.split()) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_always_makes_the_same_data(name):
    assert fingerprint(tl.make(name)) == FINGERPRINTS[name]
    assert fingerprint(tl.make(name, seed=np.int64(0))) == FINGERPRINTS[name]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "monks"])
def test_another_seed_makes_other_data(name):
    assert fingerprint(tl.make(name, seed=1)) != FINGERPRINTS[name]


@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_is_described_and_has_a_default(name):
    info = generator_info(name)
    section = info.description.partition("Parameters\n----------\n")[2]
    told = re.findall(r"\w+", " ".join(re.findall(r"^\w.*$", section, re.M)))

    assert sorted(told) == sorted(info.parameters)
    assert info.parameters["seed"] == 0
    assert inspect.Parameter.empty not in info.parameters.values()


@pytest.mark.parametrize("name", NAMES)
def test_the_target_comes_with_every_class_and_nothing_is_missing(name):
    data = tl.make(name)

    assert data.target == "class"
    assert set(np.unique(data.y)) == set(range(len(data.classes)))
    assert not data.missing()


def test_a_specification_may_hold_parameters_and_seed():
    spelled = tl.make("exor:n=2,m=1,cases=30,seed=5")

    assert fingerprint(spelled) == fingerprint(tl.make("exor", 5, n=2, m=1, cases=30))


# Parity


@vectors("exor_truth_table_rows")
def test_exor_draws_from_so_many_rows(vector):
    given = vector["input"]

    assert stacked_rows(given["n"], given["N"]) == vector["expected"]


@pytest.mark.parametrize(("n", "m", "cases"), [(3, 10, 200), (2, 0, 7), (1, 1, 1), (6, 2, 20)])
def test_every_case_of_exor_obeys_the_parity(n, m, cases):
    data = tl.make("exor", n=n, m=m, cases=cases, seed=3)
    names = [f"X{i + 1}" for i in range(n)] + [f"R{i + 1}" for i in range(m)]

    assert (list(data.features), len(data), data.classes) == (names, cases, ("0", "1"))
    assert np.array_equal(rows(data)[:n].sum(axis=0) % 2, data.y)
    assert all(column.labels == ("0", "1") for column in data.schema.features)


def test_exor_draws_without_replacement():
    """No row of the truth table comes more often than it stands in the stack: 408 / 8 = 51."""
    for seed in range(20):
        data = tl.make("exor", cases=200, seed=seed)
        counts = np.bincount(rows(data)[:3].T @ [4, 2, 1], minlength=8)

        assert counts.max() <= 51
        # Hypergeometric: sd 3.35 a row. With replacement it would be 4.7; 12 is 3.6 sd.
        assert abs(counts - 25).max() <= 12


def test_the_spread_of_exor_is_that_of_a_draw_without_replacement():
    counts = [np.bincount(tl.make("exor", m=0, seed=s).y, minlength=2)[0] for s in range(400)]
    # Hypergeometric: 200 of 408, half of them of class 0; with replacement it would be 50.
    expected = 200 * 0.25 * (408 - 200) / (408 - 1)

    assert np.mean(counts) == pytest.approx(100, abs=4 * np.sqrt(expected / 400))
    assert np.var(counts) == pytest.approx(expected, rel=4 * np.sqrt(2 / 400))  # 4 sd of a variance


def test_random_bits_are_fair():
    bits = rows(tl.make("exor", n=1, m=5, cases=MANY))[1:]

    assert np.allclose(bits.mean(axis=1), 0.5, atol=5 * 0.5 / np.sqrt(MANY))
    assert np.allclose(np.corrcoef(bits) - np.eye(5), 0, atol=5 / np.sqrt(MANY))


def test_rannum_makes_numbers_of_the_same_bits():
    bits, mixed = tl.make("exor", seed=4), tl.make("rannum", spread=100, seed=4)
    numeric = [c.name for c in mixed.schema.features if not c.is_nominal]

    assert numeric == ["X3", "R1", "R2", "R3", "R4"]  # case B of hong1996
    assert np.array_equal(mixed.y, bits.y)
    for name in bits.features:
        assert np.array_equal(mixed[name] // 100 if name in numeric else mixed[name], bits[name])


def test_rannum_uses_the_whole_range_evenly():
    data = tl.make("rannum", n=1, m=1, cases=40_000, numeric="X1+R1", spread=10, seed=2)
    for name in data.features:
        counts = np.bincount(data[name].astype(int), minlength=20)

        assert len(counts) == 20
        assert abs(counts - 2000).max() < 5 * np.sqrt(2000)


def test_parity_turns_some_classes_round():
    data = tl.make("parity", n=4, m=2, cases=MANY, noise=0.1)
    wrong = (rows(data)[:4].sum(axis=0) % 2 != data.y).mean()

    assert wrong == pytest.approx(0.1, abs=5 * 0.3 / np.sqrt(MANY))
    assert np.allclose(rows(data).mean(axis=1), 0.5, atol=5 * 0.5 / np.sqrt(MANY))


# Numbers


def test_four_gaussians_have_the_means_and_variances_of_the_paper():
    data = tl.make("four-gaussians", cases=4 * MANY)
    values = rows(data)
    means = np.array([values[:, data.y == c].mean(axis=1) for c in range(4)])
    variances = np.array([values[:, data.y == c].var(axis=1) for c in range(4)])
    first = 2 * np.arange(4)[:, None] / np.array([1, 2, 3, 4])  # a = 2

    # 5 sd of a mean and of a variance of MANY normal numbers; the copies have variance 4 + 1.
    assert np.allclose(means, np.hstack([first, 2 * first]), atol=5 * np.sqrt(5 / MANY))
    assert np.allclose(variances, [1] * 4 + [5] * 4, rtol=5 * np.sqrt(2 / MANY))


def test_the_copies_differ_by_uniform_noise():
    values = rows(tl.make("four-gaussians", cases=MANY))
    noise = values[4:] - 2 * values[:4]

    assert abs(noise).max() <= np.sqrt(3) + 1e-12  # rounding of a difference
    assert np.allclose(noise.var(axis=1), 1, rtol=5 * np.sqrt(0.8 / MANY))  # kurtosis 1.8
    assert np.allclose(np.corrcoef(noise) - np.eye(4), 0, atol=5 / np.sqrt(MANY))


def test_gain_ranks_the_gaussian_features_ideally():
    data = tl.make("four-gaussians")
    binned = tl.discretizer("equal-width", bins=16).fit(data).apply(data)
    gains = {name: sample_gain(binned, name) for name in binned.features}

    assert " ".join(sorted(gains, key=gains.get, reverse=True)) == "X1 X5 X2 X6 X3 X7 X4 X8"


def test_a_checkerboard_changes_colour_at_every_border():
    data = tl.make("checkerboard", squares=3, m=1, cases=500)
    x, y, rest = data.columns
    squares = [(int(a * 3), int(b * 3)) for a, b in zip(x, y, strict=True)]

    assert data.y.tolist() == [(a + b) % 2 for a, b in squares]
    assert set(squares) == set(product(range(3), repeat=2))
    assert 0 <= rest.min() < rest.max() < 1


# Attributes of many values


@vectors("informative_attribute_population_gain")
def test_an_informative_attribute_tells_as_much_as_the_specification_says(vector):
    classes, k = vector["input"]["C"], vector["input"]["k"]
    first = first_half(classes, k)
    table = np.stack([first, 1 - first]) / classes

    assert tl.formula("gain")(table) == pytest.approx(vector["expected"], abs=1e-12)
    data = tl.make("kononenko", cases=MANY, classes=classes, k=k, seed=1)
    for name in data.features:
        # 5 sd: the sd of log2 p(class|value)/p(class) is below 1.6 bits here; the bias of a sample,
        # (C-1)(V-1) / (2 n ln 2), is at most 0.003. The reading '1 + k C' is off by 0.035 or more.
        assert sample_gain(data, name) == pytest.approx(
            vector["expected"], abs=5 * 1.6 / 316 + 3e-3
        )


def test_the_means_at_600_cases_are_those_of_the_specification():
    """SPEC 2.10: 0.1306 for C = 2, k = 1; 1 / (1200 ln 2) for an irrelevant attribute.

    The sd of a gain is that of the information of a case over sqrt 600, or chi-square's.
    """
    for kind, mean, sd in (("informative", 0.1306, 0.026), ("irrelevant", 0.0012, 0.0017)):
        made = (tl.make("kononenko", values=2, attributes=kind, seed=s) for s in range(200))
        gains = [sample_gain(data, "V2") for data in made]

        assert np.mean(gains) == pytest.approx(mean, abs=4 * sd / np.sqrt(200))


def test_values_inside_a_half_are_uniform():
    data = tl.make("kononenko", cases=MANY, classes=2, values=(5,), k=1)
    for i, first in enumerate((1 - 1 / 3, 1 / 4)):
        shares = np.bincount(data["V5"][data.y == i], minlength=5) / (data.y == i).sum()

        assert np.allclose(shares, [first / 2] * 2 + [(1 - first) / 3] * 3, atol=5 * 0.5 / 223)


def test_slightly_informative_attributes_lean_by_delta():
    assert first_half(3, None, 0.05) == pytest.approx([0.55, 0.45, 0.55])
    data = tl.make("kononenko", cases=MANY, attributes="slightly", delta=0.1, values=4)
    halves = [(data["V4"][data.y == i] < 2).mean() for i in (0, 1)]

    assert halves == pytest.approx([0.6, 0.4], abs=5 * 0.5 / 223)


def test_classes_and_values_may_be_skewed():
    data = tl.make("kononenko", cases=MANY, classes=3, values=4, attributes="irrelevant",
                   class_skew=1, value_skew=2)  # fmt: skip
    classes, values = np.array([1, 1 / 2, 1 / 3]), np.array([1, 1 / 4, 1 / 9, 1 / 16])

    assert np.allclose(np.bincount(data.y) / MANY, classes / classes.sum(), atol=5 * 0.5 / 316)
    assert np.allclose(np.bincount(data["V4"]) / MANY, values / values.sum(), atol=5 * 0.5 / 316)
    assert sample_gain(data, "V4") < 1e-3


# Digits, monks, genes


def test_ten_digits_are_ten_patterns():
    data = tl.make("led", cases=2000, irrelevant=0, noise=0)

    assert data.classes == tuple("0123456789")
    assert len({tuple(digit) for digit in DIGITS}) == 10
    assert np.array_equal(rows(data).T, DIGITS[data.y])
    assert DIGITS.sum(axis=1).tolist() == [6, 2, 5, 5, 4, 5, 6, 3, 7, 6]


def test_the_best_possible_accuracy_on_led_is_74_percent():
    """Breiman et al. 1984: the Bayes rate with a tenth of the segments wrong is 0.26."""
    shown = np.array(list(product((0, 1), repeat=7)))
    wrong = (shown[:, None, :] != DIGITS[None]).sum(axis=2)
    likely = 0.1**wrong * 0.9 ** (7 - wrong)

    assert likely.max(axis=1).sum() / 10 == pytest.approx(0.74, abs=0.005)  # two digits are told
    data = tl.make("led", cases=MANY, irrelevant=1)
    guess = likely.argmax(axis=1)[rows(data)[:7].T @ 2 ** np.arange(6, -1, -1)]
    assert (guess == data.y).mean() == pytest.approx(0.74, abs=0.005 + 5 * 0.44 / 316)


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_the_monks_are_those_of_the_bundled_file(problem):
    """The last 432 cases of the file are all robots, by the true rule."""
    file, made = tl.load(f"monks-{problem}").take(range(-432, 0)), tl.make("monks", problem=problem)
    words = [
        {tuple(column.labels[code] for column, code in zip(data.schema.features, row, strict=True)):
         label for row, label in zip(rows(data).T, data.labels, strict=True)}
        for data in (file, made)
    ]  # fmt: skip

    assert len(made) == 432
    assert made.features == file.features
    assert words[0] == words[1]


@pytest.mark.parametrize(("problem", "cases", "wrong"), [(1, 124, 0), (2, 169, 0), (3, 122, 6)])
def test_the_training_monks_have_the_classic_size_and_noise(problem, cases, wrong):
    true = tl.make("monks", problem=problem)
    rule = {tuple(row): y for row, y in zip(rows(true).T, true.y, strict=True)}
    data = tl.make("monks", problem=problem, part="training", seed=2)
    robots = [tuple(row) for row in rows(data).T]

    assert len(set(robots)) == len(data) == cases
    assert sum(rule[robot] != y for robot, y in zip(robots, data.y, strict=True)) == wrong
    assert fingerprint(data) != fingerprint(
        tl.make("monks", seed=3, problem=problem, part="training")
    )


@pytest.mark.parametrize("model", ["xor", "threshold"])
@pytest.mark.parametrize("maf", [0.5, 0.3])
def test_penetrance_has_the_prevalence_and_heritability_asked_for(model, maf):
    weights = np.outer(genotypes(maf), genotypes(maf))
    table = penetrance(model, maf, 0.1, 0.4)

    assert weights.sum() == pytest.approx(1)
    assert (weights * table).sum() == pytest.approx(0.4)
    assert (weights * (table - 0.4) ** 2).sum() == pytest.approx(0.1 * 0.4 * 0.6)
    assert len(np.unique(table.round(12))) == 2


def test_epistasis_without_marginal_effects():
    """With 'xor' at maf 0.5 the risk is the same for every genotype of one locus."""
    table = penetrance("xor", 0.5, 0.2, 0.5)

    assert table @ genotypes(0.5) == pytest.approx([0.5] * 3)
    assert table[1, 0] == table[0, 1] == table[1, 2] > table[0, 0] == table[1, 1] == table[2, 0]


def test_epistasis_follows_its_table():
    data = tl.make("epistasis", cases=MANY, m=1, maf=0.3, heritability=0.1, prevalence=0.3)
    table = penetrance("xor", 0.3, 0.1, 0.3)
    for a, b in product(range(3), repeat=2):
        cell = (data["X1"] == a) & (data["X2"] == b)

        # 5 sd of a share among the cases of the cell.
        assert data.y[cell].mean() == pytest.approx(table[a, b], abs=2.5 / np.sqrt(cell.sum()))
    for column in data.columns:
        assert np.bincount(column) / MANY == pytest.approx(genotypes(0.3), abs=5 * 0.5 / 316)


# Bad parameters

WRONG = [
    ("exor", {"n": 0}, "n must be a whole number of at least 1, got 0"),
    ("exor", {"n": 21}, "n must be at most 20, for the truth table has 2^n rows, got 21"),
    ("exor", {"m": -1}, "m must be a whole number of at least 0, got -1"),
    ("exor", {"cases": 2.5}, "cases must be a whole number of at least 1, got 2.5"),
    ("exor", {"seed": "x"}, "seed must be a whole number, got 'x'"),
    ("rannum", {"spread": 0}, "spread must be a whole number of at least 1, got 0"),
    ("rannum", {"numeric": "X4"}, "unknown column 'X4': did you mean"),
    ("parity", {"noise": 1.5}, "noise must be a number from 0 to 1, got 1.5"),
    ("parity", {"noise": float("nan")}, "noise must be a number from 0 to 1, got nan"),
    ("led", {"irrelevant": None}, "irrelevant must be a whole number of at least 0, got None"),
    ("monks", {"problem": 4}, "problem must be one of '1', '2', '3', got '4'"),
    ("monks", {"part": "train"}, "did you mean 'training'?"),
    ("four-gaussians", {"a": "far"}, "a must be a number of at least 0, got 'far'"),
    ("checkerboard", {"squares": 1}, "squares must be a whole number of at least 2, got 1"),
    ("kononenko", {"classes": 1}, "classes must be a whole number of at least 2, got 1"),
    ("kononenko", {"values": (2, 1)}, "values must be a whole number of at least 2, got 1"),
    ("kononenko", {"values": ()}, "values must be at least one number of values, got none"),
    ("kononenko", {"values": "2+2"}, "column names must differ, but 'V2' occurs 2 times"),
    ("kononenko", {"attributes": "slight"}, "did you mean 'slightly'?"),
    ("kononenko", {"delta": 0.6}, "delta must be a number from 0 to 0.5, got 0.6"),
    ("kononenko", {"value_skew": 1}, "value_skew is for irrelevant attributes"),
    ("epistasis", {"maf": 0}, "nobody is at risk at maf 0"),
    ("epistasis", {"maf": 0.1, "heritability": 0.9}, "heritability can be at most 0.419 with"),
    ("epistasis", {"prevalence": 0}, "heritability can be at most 0 with"),
    ("epistasis", {"model": "and"}, "model must be one of 'xor', 'threshold', got 'and'"),
]


@pytest.mark.parametrize(("name", "parameters", "words"), WRONG)
def test_a_bad_parameter_is_one_sentence(name, parameters, words):
    with pytest.raises(TreelabError, match=re.escape(words)) as told:
        tl.make(name, **parameters)

    assert "\n" not in str(told.value)


def test_unknown_names_get_the_nearest_one():
    with pytest.raises(
        UnknownNameError, match=r"^unknown generator 'exxor': did you mean 'exor'\?$"
    ):
        tl.make("exxor")
    with pytest.raises(UnknownNameError, match=r"did you mean 'cases'\?$"):
        tl.make("led", case=3)


def test_a_generator_of_ones_own_is_asked_for_by_name(monkeypatch):
    monkeypatch.setattr(GENERATORS, "_factories", dict(GENERATORS._factories))
    GENERATORS.add("mine", lambda seed=0: tl.make("led", seed=seed))

    assert fingerprint(tl.make("mine", seed=0)) == FINGERPRINTS["led"]
    assert generator_info("mine").title == ""
    with pytest.raises(ParameterError, match="there is already a generator named 'led'"):
        GENERATORS.add("led", None)
