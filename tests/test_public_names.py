"""The public surface: what `treelab` offers, by which names, with which parameters."""

import inspect
import re
import subprocess
import sys
import types
from operator import attrgetter

import pytest

import treelab as tl
from treelab import errors

PUBLIC = [name for name in tl.__all__ if name != "__version__"]

# Names other people's scripts rely on.
FIXED = {
    "tl": (
        "load dataset_names read Dataset metric metric_names formula grow prune Tree discretizer "
        "TreeClassifier Discretizer make generator_names why reduce smooth rank select export "
        "Normalized Pi pi_matrices"
    ),
    "tl.Dataset": "from_frame features target classes __len__",
    "tl.Tree": "load save predict predict_proba n_leaves n_nodes depth __str__",
    "tl.Coding": "cuts apply",
    "tl.Ranking": "features scores to_frame",
    "tl.metrics": "Pi AllPairs Nearest Contextual from_pairs from_counts pi_matrices Normalized",
}
GROW = "metric discretizer pruner missing min_cases max_depth splits bins seed"  # in any order


def test_all_is_what_dir_says():
    assert sorted(tl.__all__) == dir(tl)
    assert len(set(tl.__all__)) == len(tl.__all__)


@pytest.mark.parametrize("name", tl.__all__)
def test_every_name_can_be_imported(name):
    scope = {}
    exec(f"from treelab import {name}", scope)

    assert scope[name] is getattr(tl, name)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match=r"^module 'treelab' has no attribute 'nothing'$"):
        _ = tl.nothing


def test_the_type_checker_sees_the_same_names():
    """The imports under TYPE_CHECKING are the ones that happen on first use."""
    source = inspect.getsource(tl)
    block = source[source.index("if TYPE_CHECKING:") : source.index("__version__ =")]
    found = {}
    for module, names in re.findall(r"from (treelab\S*) import (\([^)]+\)|[\w, ]+)", block):
        found |= dict.fromkeys(re.findall(r"\w+", names), module)
    found |= {name: module for module, name in re.findall(r"import (treelab\S*) as (\w+)", block)}

    assert found == tl._HOME
    assert set(tl._HOME) == set(PUBLIC)


def test_importing_treelab_imports_nothing_heavy():
    script = "import sys, treelab; print(sorted({'numpy', 'numba', 'sklearn'} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("owner", "name"), [(owner, name) for owner, names in FIXED.items() for name in names.split()]
)
def test_fixed_names_exist(owner, name):
    thing = eval(owner, {"tl": tl})
    fields = getattr(thing, "__annotations__", {})

    assert hasattr(thing, name) or name in fields


def test_grow_takes_the_fixed_parameters():
    assert list(inspect.signature(tl.grow).parameters)[:2] == ["data", "metric"]
    assert set(GROW.split()) <= set(inspect.signature(tl.Learner).parameters)


def test_the_estimator_takes_the_parameters_of_grow():
    learner = dict(inspect.signature(tl.Learner).parameters)
    estimator = dict(inspect.signature(tl.TreeClassifier).parameters)

    assert learner.keys() <= estimator.keys()
    for name in learner:
        assert estimator[name].default == learner[name].default, name


def test_every_error_is_a_treelab_error():
    classes = [kind for kind in vars(errors).values() if inspect.isclass(kind)]
    own = [kind for kind in classes if kind.__module__ == "treelab.errors"]
    kinds = [kind for kind in own if not issubclass(kind, Warning)]

    assert len(kinds) > 4
    assert all(issubclass(kind, errors.TreelabError) for kind in kinds)


# Docstrings


def parameters_told(docstring):
    """Return the names in the Parameters section, or None where there is none."""
    found = re.search(r"^Parameters\n-+\n(.*?)(?=^\S+\n-+\n|\Z)", docstring, re.M | re.S)
    if not found:
        return None
    lines = re.findall(r"^(\w[\w, ]*)(?: : .*)?$", found[1], re.M)
    return [name.strip() for line in lines for name in line.split(",")]


def parameters_of(thing):
    return [name for name in inspect.signature(thing).parameters if name not in ("self", "cls")]


def public_things():
    """Yield every public function and class, and the public methods of the classes."""
    inner = [f"reduce.{name}" for name in tl.reduce.__all__]
    for name in PUBLIC + inner:
        thing = attrgetter(name)(tl)
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                function = getattr(value, "__func__", value)  # of a class method
                if isinstance(function, types.FunctionType) and not member.startswith("_"):
                    yield f"{name}.{member}", function


THINGS = dict(public_things())


@pytest.mark.parametrize("name", THINGS)
def test_everything_public_is_described(name):
    assert (inspect.getdoc(THINGS[name]) or "").strip()


@pytest.mark.parametrize(
    "name", [name for name, thing in THINGS.items() if parameters_told(inspect.getdoc(thing) or "")]
)
def test_the_described_parameters_are_those_of_the_signature(name):
    told = parameters_told(inspect.getdoc(THINGS[name]))

    assert sorted(told) == sorted(parameters_of(THINGS[name]))


def test_some_parameters_are_described():
    told = [name for name, thing in THINGS.items() if parameters_told(inspect.getdoc(thing) or "")]

    assert {"Dataset", "Dataset.from_frame", "Learner", "Tree", "prune"} <= set(told)
