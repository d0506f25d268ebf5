"""Whole numbers of any size as parameters, on small mixed data with gaps."""

import inspect

import pytest

import treelab as tl
from treelab.discretize import DISCRETIZERS
from treelab.errors import TreelabError
from treelab.metrics.registry import METRICS
from treelab.tree.prune import PRUNERS

DATA = tl.load("labor")
HUGE = (10**9, 2**63, 10**20, -(10**20))
ROADS = {
    "metric": (METRICS, lambda made: tl.rank(DATA, made)),
    "pruner": (PRUNERS, lambda made: tl.grow(DATA, pruner=made)),
    "discretizer": (DISCRETIZERS, lambda made: tl.grow(DATA, discretizer=made)),
}
SETTINGS = {
    **{name: lambda n, name=name: {name: n}
       for name in ("min_cases", "min_branch", "max_depth", "max_leaves", "bins", "seed")},
    "width": lambda n: {"search": "lookahead", "width": n},
    "price": lambda n: {"search": f"optimal:price={n}", "max_depth": 2, "missing": "branch"},
    "lambda": lambda n: {"probabilities": f"shrunk:lambda={n}"},
    "m": lambda n: {"probabilities": f"m-estimate:m={n}"},
    "costs": lambda n: {"costs": {"good": {"bad": n}, "bad": {"good": 1}}},
    "class_weight": lambda n: {"class_weight": {"good": n}},
    "cost": lambda n: {"constraints": tl.Constraints(cost={"pension": n})},
}  # fmt: skip


def taken(call):
    """Tell whether a call gives a result; it may refuse in treelab's own words, and no others."""
    try:
        call()
    except TreelabError:
        return False
    return True


def numbers_of(registry, name):
    """Return the parameters of a thing that are numbers or may be."""
    parameters = inspect.signature(registry.factory(name)).parameters
    return [key.removesuffix("_") for key, each in parameters.items()
            if each.default is None or type(each.default) in (int, float)]  # fmt: skip


@pytest.mark.parametrize("number", HUGE)
@pytest.mark.parametrize("kind", ROADS)
def test_numbers_of_any_size_are_taken_or_refused(kind, number):
    registry, use = ROADS[kind]
    tried = [
        taken(lambda name=name, key=key: use(registry.make(name, **{key: number})))
        for name in registry.names()
        for key in numbers_of(registry, name)
    ]

    assert len(tried) > 5
    assert not all(tried)


@pytest.mark.parametrize("number", HUGE)
def test_settings_of_any_size_are_taken_or_refused(number):
    tried = {key: taken(lambda key=key: tl.grow(DATA, **SETTINGS[key](number))) for key in SETTINGS}

    assert tried["class_weight"] == (number > 0)
    assert tried["costs"] == (1e-9 <= number <= 1e9)  # else a class would vanish
    # Nothing may be dearer than all there is, and no number of cases is below none.
    assert tried["lambda"] == tried["m"] == (number > 0)


def test_a_tree_that_hardly_believes_its_tests_predicts_the_majority():
    found = tl.grow(DATA, probabilities=f"shrunk:lambda={10**20}")

    assert found.n_leaves > 1
    assert set(found.predict(DATA)) == {"good"}
