"""Imports point down only; what is on the same layer does not know each other."""

import ast
import sys
from functools import cache
from pathlib import Path

import treelab as tl

ROOT = Path(__file__).parents[1] / "treelab"

LAYERS = [
    {
        "kernels",
        "errors",
        "_random",
        "_typing",
        "_files",
        "_formats",
        "_hints",
        "_markup",
        "page",
        "_moved",
        "_registry",
        "_text",
        "_threads",
        "_cluster",
        "_current_folder",
        "_zeros",
    },
    {"data", "protocols", "views"},
    {"stats", "checking"},
    {"metrics", "discretize", "reduce", "characteristics"},
    {"tree", "selection"},
    {"writers", "evaluate", "testing", "choosing", "learner", "presets", "explain", "plots"},
    {
        "experiment",
        "sklearn",
        "warming",
        "multiplicity",
        "teaching",
        "widgets",
        "scale",
        "tuning",
        "editing",
    },
    {"laboratory"},
    {"papers", "lab_server"},
    {"cli"},
    {"__main__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

# Who may import whom on the same layer, and why.
NEIGHBOURS = {
    (
        "_typing",
        "kernels",
    ): "the array aliases are defined beside the kernels, which import nothing",
    ("_registry", "errors"): "an unknown name is a user's error",
    ("_registry", "_zeros"): "a parameter that is -0.0 is written as 0.0",
    ("_hints", "errors"): "a parameter of another program is a user's error",
    ("_markup", "errors"): "a page of another ending is a user's error",
    ("_threads", "errors"): "a number of threads that is none is a user's error",
    ("_cluster", "errors"): "a scheduler that does not answer is a user's error",
    ("_cluster", "_current_folder"): "workers are not to look for modules in a stranger's folder",
    ("_files", "errors"): "a file that cannot be written is a user's error",
    ("discretize", "metrics"): "the greedy discretizer may be told its metric by name",
    ("selection", "tree"): "scores are checked as the builder checks them; a tree may select",
    ("reduce", "metrics"): "Relief is a metric",
    ("reduce", "discretize"): "similarities of mixed data cut the numbers first",
    ("choosing", "evaluate"): "candidates are cross-validated",
    ("learner", "choosing"): "a metric may be chosen for the data before a tree grows",
    ("presets", "learner"): "a preset makes a learner",
    ("sklearn", "scale"): "a dask.dataframe is fitted where it lies",
    ("plots", "explain"): "importances are drawn",
    ("writers", "plots"): "a class has the same colour in all pictures",
    ("protocols", "views"): "a metric is shown a node",
    ("protocols", "data"): "the signatures of the extension points name Dataset and Coding",
}

# Who may look up, when asked and not before, and why.
UPWARD = {("treelab.tree.model", "treelab.writers"): "a tree shows itself in a notebook"}

# What the package's own __init__ defines; everything else there is imported from below.
FACADE = {"treelab.__version__"}

# Who uses treelab as anybody does, by what its own __init__ offers, and why.
USERS = {"papers": "other people's packages can do what a paper does"}


def part_of(module):
    """Return the part of the package a module belongs to: 'treelab.data.coded' is of 'data'."""
    names = module.split(".")
    return names[1] if len(names) > 1 else None


def module_name(path):
    names = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(names[:-1] if names[-1] == "__init__" else names)


def imports(path):
    """Yield the modules of treelab that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "treelab")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} has a relative import"
            if node.module and node.module.split(".")[0] == "treelab":
                # `from treelab import x` names the part in x.
                tail = (
                    [f".{alias.name}" for alias in node.names] if node.module == "treelab" else [""]
                )
                yield from (node.module + name for name in tail)


FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


@cache
def edges():
    """Return all pairs of a module and what it imports; read once, and only where it is asked."""
    return sorted({(module_name(path), name) for path in FILES for name in imports(path)})


def test_there_is_something_to_check():
    assert len(FILES) > 40
    assert ("treelab.tree.grow", "treelab.stats.stores.nodes") in edges()


def test_every_module_has_a_layer():
    assert {part_of(module_name(path)) for path in FILES} <= set(LEVEL)


def points_down(importer, imported):
    here, there = part_of(importer), part_of(imported)
    if here == there or (here, there) in NEIGHBOURS or imported in FACADE:
        return True
    if (importer, imported) in UPWARD:
        return True
    if here in USERS and there in tl.__all__ and imported == f"treelab.{there}":
        return True
    return there in LEVEL and LEVEL[here] > LEVEL[there]


def test_imports_point_down():
    assert not [f"{a} may not import {b}" for a, b in edges() if not points_down(a, b)]


def test_an_import_that_points_up_or_sideways_is_found():
    assert not points_down("treelab.data.coding", "treelab.metrics.gini")
    assert not points_down("treelab.tree.grow", "treelab.selection.rank")
    assert not points_down("treelab.tree.grow", "treelab.Dataset")  # of the facade


def test_every_exception_is_needed_and_on_one_layer():
    used = {(part_of(a), part_of(b)) for a, b in edges()}

    assert set(NEIGHBOURS) <= used
    assert not [pair for pair in NEIGHBOURS if LEVEL[pair[0]] != LEVEL[pair[1]]]


def test_whoever_may_look_up_does():
    assert set(UPWARD) <= set(edges())


def test_trees_do_not_know_metrics():
    assert not [
        edge for edge in edges() if part_of(edge[0]) == "tree" and part_of(edge[1]) == "metrics"
    ]


def test_kernels_import_nothing_of_treelab():
    others = [edge for edge in edges() if part_of(edge[0]) == "kernels" != part_of(edge[1])]

    assert not others


def test_kernels_need_numpy_and_numba_only():
    allowed = {"numpy", "numba", "llvmlite", "treelab", *sys.stdlib_module_names}
    for path in (ROOT / "kernels").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) else []

            assert {name.split(".")[0] for name in names} <= allowed, path
