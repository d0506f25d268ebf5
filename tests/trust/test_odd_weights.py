"""Weights of any size, beside each other and in all, with costs, class weights and searches."""

import numpy as np
import pytest
from strategies import random_dataset

import treelab as tl
from treelab.tree.file import dumps

LABOR = tl.load("labor")
LEAST, MOST = 5e-324, 1.7e308


def weighing(total, data=LABOR):
    return data.reweighted(np.full(len(data), total / len(data)))


def costs_of(*pair):
    return {"good": {"bad": pair[0]}, "bad": {"good": pair[-1]}}


@pytest.mark.parametrize("total", [1.0, 1e-6, 1e-10, 1e-45, 1e45])
def test_costs_leave_the_shares_of_the_classes_as_they_are(total):
    tree = tl.grow(weighing(total), costs=costs_of(3.0, 1.0), min_cases=1, min_branch=0)

    shares = tree.counts[0] / tree.counts[0].sum()
    assert shares == pytest.approx(np.bincount(LABOR.y) / len(LABOR), rel=1e-8)
    assert np.isfinite(tree.predict_proba(LABOR)).all()


@pytest.mark.parametrize("cost", [LEAST, 1e-300, 1e300, MOST])
@pytest.mark.parametrize("total", [1e-45, 1.0, 1e45])
def test_only_the_ratio_of_costs_and_class_weights_counts(cost, total):
    data = weighing(total)

    def grown(**given):
        return tl.grow(data, min_cases=1, min_branch=0, pruner="none", max_depth=3, **given)

    plain, dear = grown(costs=costs_of(1.0)), grown(costs=costs_of(cost))
    assert dear.counts == pytest.approx(plain.counts, rel=1e-9)
    assert dear.feature.tolist() == plain.feature.tolist()
    weighted = grown(class_weight={"good": cost, "bad": cost})
    assert weighted.feature.tolist() == grown().feature.tolist()


@pytest.mark.parametrize("exponent", [15, 17, 40])
@pytest.mark.parametrize("metric", tl.metric_names())
def test_a_case_of_next_to_no_weight_breaks_no_metric(metric, exponent):
    data = random_dataset(3, 24, numeric=2, nominal=2)
    weights = np.ones(len(data))
    weights[0] = 10.0**-exponent
    light, without = data.reweighted(weights), data.reweighted(np.where(weights < 1, 0.0, 1.0))

    # Beside 23 cases a unit is 2^-47, and what is lighter is rounded away.
    assert tl.rank(light, metric).scores == pytest.approx(
        tl.rank(without, metric).scores, rel=1e-9, nan_ok=True
    )
    assert tl.grow(light, metric, max_depth=2).n_leaves > 0


def of_least_cost(data, price):
    search = tl.Optimal(price=price)
    return tl.grow(data, search=search, max_depth=2, missing="branch", min_cases=1, min_branch=0)


@pytest.mark.parametrize("price", [0.0, 0.03])
@pytest.mark.parametrize("power", [3, 30, 100])
def test_the_tree_of_least_cost_is_that_of_any_unit_of_weight(power, price):
    unit = np.ldexp(1.0, power)
    plain, scaled = (of_least_cost(weighing(n), price) for n in (64.0, 64.0 * unit))

    assert plain.n_leaves > 1
    assert scaled.feature.tolist() == plain.feature.tolist()
    assert scaled.counts == pytest.approx(plain.counts * unit, rel=1e-9)
    assert scaled.optimum.cost == pytest.approx(plain.optimum.cost * unit, rel=1e-9)


@pytest.mark.parametrize("total", [1e-6, 1e-10, 1e-45])
def test_data_lighter_than_a_case_are_a_leaf_whose_price_is_known(total):
    tree = of_least_cost(weighing(total), price=0.25)
    errors = np.bincount(LABOR.y).min() / len(LABOR)

    assert tree.n_leaves == 1
    assert tree.optimum.cost == pytest.approx((errors + 0.25) * total, rel=1e-6)


def test_a_leaf_heavier_than_any_whole_number_goes_to_scikit_learn(tmp_path):
    data = tl.load("iris")
    tree = tl.grow(data.reweighted(np.full(len(data), 1e47)), max_depth=1)
    tl.export(tree, "sklearn", tmp_path / "m.pickle")

    assert (tmp_path / "m.pickle").stat().st_size > 0


def test_a_model_heavier_than_data_may_be_is_refused():
    text = dumps(tl.grow(LABOR, pruner="none", max_depth=1))
    root = text[text.index('"counts"') :].partition("]")[0]
    heavy = text.replace(root, '"counts": [1e60, 1e60', 1)

    from treelab.tree.file import loads

    with pytest.raises(tl.errors.ModelFileError, match="far too many"):
        loads(heavy)
