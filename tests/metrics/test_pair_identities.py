"""Identities of SPEC section 7 that hold for every data set: numbers 16 and 18 to 22."""

import naive_pairs as naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import dataset, steady

import treelab as tl
from treelab.data.coded import Coded
from treelab.data.coding import Coding
from treelab.metrics.discrimination import Algorithm1, ContextualMerit, ContextualMerit1
from treelab.metrics.pi import Pi
from treelab.stats.pairs.schemes import ALL, AllPairs, Nearest
from treelab.stats.stores.in_memory import root_node

CLOSE = {"rel": 1e-9, "abs": 1e-9}  # sums of at most 144 pairs of weight at most 1

three_values = st.integers(0, 2)
nominal = st.lists(st.tuples(*[three_values] * 4), min_size=1, max_size=12)
numbers = st.integers(0, 6).map(lambda whole: whole / 4)
mixed = st.lists(
    st.tuples(three_values, three_values, numbers, three_values), min_size=1, max_size=12
)


def node(rows, n_classes=3):
    """Return the node of rows whose last entry is the class; whole numbers are nominal."""
    *columns, y = (np.array(column) for column in zip(*rows, strict=True))
    labels = dict.fromkeys(range(len(columns)), 3)
    return root_node(Coded.of(dataset(columns, y, n_classes, labels=labels), Coding()))


def scores(metric, rows):
    return metric(node(rows)).values


def columns_of(tables):
    """Return the totals (feature, case 1 to 4)."""
    return tables.sum(axis=(1, 2)).reshape(-1, 4)


@steady(200)
@given(mixed, st.integers(1, 4))
def test_16_contextual_merit(rows, k):
    view = node(rows)
    merit, without = (m("all")(view).values for m in (ContextualMerit, ContextualMerit1))
    near = ContextualMerit(k)(view).values
    cases, y = [row[:-1] for row in rows], [row[-1] for row in rows]
    by_case = view.pairs(Nearest(ALL, each_class=False, mean=False, alpha=2.0, ramp=0.5))

    assert merit[:2] == pytest.approx(without[:2], **CLOSE)  # nominal features only
    assert by_case[..., 1, 1].sum(axis=(1, 2)) == pytest.approx(merit, **CLOSE)
    if len(set(y)) == 2:
        either = by_case[:, :, sorted(set(y)), 1, 1].sum(axis=1).T
        assert either[0] == pytest.approx(either[1], **CLOSE)
    for found, places in ((merit, len(rows)), (near, k)):
        assert found.sum() == pytest.approx(inverse_distances(cases, y, places), **CLOSE)


def inverse_distances(cases, y, k):
    """Return the sum of 1 / D over the k nearest counter-examples of every case."""
    scale, total = naive.scales(cases, [False, False, True], 0.5), 0.0
    for i, case in enumerate(cases):
        others = [j for j in range(len(y)) if y[j] != y[i]]
        distance = {j: round(sum(naive.apart(case, cases[j], scale)), 12) for j in others}
        shares = naive.shares_of_places(distance, k)
        total += sum(share / distance[j] for j, share in shares.items() if distance[j] > 0)
    return total


@steady(200)
@given(nominal, st.sampled_from([("exponential", 0.3), ("power", 2.0), ("radius", 2.0)]))
def test_18_and_19_mass_of_pi(rows, form):
    columns = columns_of(node(rows).pairs(AllPairs(*form)))
    features = np.array(rows)[:, :-1]
    distance = (features[:, None] != features[None]).sum(axis=-1)
    weight = {
        "exponential": 2.0 ** (-0.3 * distance),
        "power": 1.0 / np.maximum(distance, 1.0) ** 2,
        "radius": distance < 2,
    }[form[0]]
    same = columns[:, 0] + columns[:, 2]

    assert columns.sum(axis=1) == pytest.approx(weight.sum(), **CLOSE)
    assert same == pytest.approx(same[0], **CLOSE)
    assert columns.sum(axis=1) - same == pytest.approx(columns[0].sum() - same[0], **CLOSE)


@steady(200)
@given(nominal, st.tuples(*[st.integers(-3, 3)] * 4))
def test_18_columns_are_linear_in_theta(rows, theta):
    plain = Pi(aggregate=lambda matrices, _: (matrices * theta).sum())
    weighted = Pi(theta, aggregate=lambda matrices, _: matrices.sum())

    assert scores(weighted, rows) == pytest.approx(scores(plain, rows), **CLOSE)


@steady(200)
@given(nominal)
def test_20_closed_form_without_decay_and_proposition_1(rows):
    """Every function of class counts is an instance of Pi, for column 1 holds their squares."""
    view = node(rows)
    tables, n = view.pairs(AllPairs(alpha=0.0)), len(rows)
    for f in range(3):
        counts = np.zeros(tables.shape[1:3])
        for row in rows:
            counts[row[f], row[-1]] += 1
        value, label = counts.sum(axis=1, keepdims=True), counts.sum(axis=0, keepdims=True)
        closed = [counts, value - counts, label - counts, n - value - label + counts]
        squares = tables[f, ..., 0, 0]

        assert tables[f].reshape(*counts.shape, 4) == pytest.approx(
            counts[..., None] * np.stack(closed, axis=-1), **CLOSE
        )
        assert tl.formula("gini")(np.sqrt(squares)) == pytest.approx(
            tl.formula("gini")(counts), **CLOSE
        )


@steady(60)
@given(nominal, st.integers(1, 4))
def test_21_proposition_2(rows, radius):
    """Column 4 with 1 / x^2 is Contextual Merit; column 4 less 3 in a radius is radius Relief."""
    view = node(rows)
    merit = columns_of(view.pairs(AllPairs("power", 2.0)))[:, 3]
    near = columns_of(view.pairs(AllPairs("radius", radius)))
    every = Nearest(ALL, each_class=False, mean=False, alpha=2.0)

    assert merit == pytest.approx(columns_of(view.pairs(every))[:, 3], **CLOSE)
    assert merit == pytest.approx(ContextualMerit1("all")(view).values, **CLOSE)
    assert near[:, 3] - near[:, 2] == pytest.approx(
        Algorithm1(radius=float(radius))(view).values, **CLOSE
    )


@steady(60)
@given(nominal, st.permutations(range(3)), st.permutations(range(3)), st.randoms())
def test_22_pi_does_not_care_for_names_and_order(rows, values, classes, random):
    renamed = [(*(values[v] for v in row[:-1]), classes[row[-1]]) for row in rows]
    random.shuffle(renamed)

    assert scores(Pi(), renamed) == pytest.approx(scores(Pi(), rows), **CLOSE)
