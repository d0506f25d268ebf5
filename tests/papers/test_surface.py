"""Papers reach public names only, so that other people's packages can do what they do."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

import treelab as tl

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "treelab" / "papers").rglob("*.py"))

SURFACE = (
    "treelab.errors",
    "treelab.protocols",
    "treelab.data.synth.draw",
    "treelab.data.synth.table",
    "treelab.metrics",
    "treelab.discretize",
    "treelab.reduce",
    "treelab.characteristics",
    "treelab.selection",
    "treelab.choosing",
    "treelab.evaluate",
    "treelab.plots",
    "treelab.experiment",
    "treelab.experiment.simulation",
    "treelab.experiment.report.article",
    "treelab.experiment.report.tables",
    "treelab.laboratory",
)
"""The modules that papers may use beside `treelab` itself."""


def offered(module):
    """Return what a module offers: what it says, or all it defines that has no underscore."""
    found = import_module(module)
    if hasattr(found, "__all__"):
        return set(found.__all__)
    tree = ast.parse(Path(found.__file__).read_text("utf-8"))
    names = {getattr(node, "name", "") for node in tree.body}
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names |= {target.id for target in targets if isinstance(target, ast.Name)}
    return {name for name in names if name and not name.startswith("_")}


def reached(path):
    """Yield the modules of treelab outside papers that a file imports from, and the names."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "treelab":
            if not node.module.startswith("treelab.papers"):
                yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Import):
            plain = [alias.name for alias in node.names if alias.name.startswith("treelab")]
            yield from ((name, "") for name in plain)


USED = sorted(
    {(*use, path.relative_to(ROOT).as_posix()) for path in FILES for use in reached(path)}
)


def test_papers_reach_public_names_only():
    public = {"treelab": set(tl.__all__)} | {module: offered(module) for module in SURFACE}

    assert len(FILES) > 60
    assert len(USED) > 200
    assert not [use for use in USED if use[1] not in public.get(use[0], ())]


def test_every_module_of_the_surface_is_used_and_written_down():
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")

    assert set(SURFACE) <= {module for module, _, _ in USED}
    assert not [module for module in SURFACE if f"`{module}`" not in text]


@pytest.mark.parametrize("module", SURFACE)
def test_what_is_offered_is_there(module):
    assert all(hasattr(import_module(module), name) for name in offered(module))


def test_a_name_with_an_underscore_or_from_within_is_not_offered():
    assert "_mean" not in offered("treelab.data.synth.draw")
    assert "np" not in offered("treelab.experiment.simulation")
    assert "below" in offered("treelab.data.synth.draw")
