"""PMML, evaluated by an evaluator of its own, and LaTeX."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import treelab as tl
from tests.writers.evaluator import Model
from tests.writers.trees import HOSTILE, examples, random_tree
from treelab.data.schema import Column, Schema
from treelab.errors import TreelabError
from treelab.writers import latex

CLOSE = {"rtol": 0, "atol": 1e-12}  # sums of at most a few dozen parts


@pytest.mark.parametrize("seed", range(24))
def test_pmml_says_what_the_tree_says(seed):
    tree = random_tree(seed, cut=seed // 3 % 2)
    cases, shares, _ = examples(tree, seed)
    model = Model(tl.export(tree, "pmml"))
    given = [model.probabilities(case) for case in cases]

    assert list(given[0]) == list(tree.classes)
    np.testing.assert_allclose([list(row.values()) for row in given], shares, **CLOSE)


@pytest.mark.parametrize("seed", range(4))
def test_pypmml_says_what_the_tree_says(seed):
    """Of pypmml's strategies, `none` follows the standard in deep trees too."""
    pypmml = pytest.importorskip("pypmml", reason="pypmml, which needs Java, is not here")
    tree = random_tree(seed, missing=("branch", "majority")[seed % 2])
    cases, shares, _ = examples(tree, seed)
    model = pypmml.Model.fromString(tl.export(tree, "pmml"))
    for case, expected in zip(cases, shares, strict=True):
        given = model.predict({name: value for name, value in case.items() if value is not None})

        found = [given[f"probability({label})"] for label in tree.classes]
        np.testing.assert_allclose(found, expected, **CLOSE)


def test_pmml_names_the_right_strategy_and_scores():
    root = ET.fromstring(tl.export(tl.grow(tl.load("iris")), "pmml"))
    model = root.find("{*}TreeModel")
    leaf = model.find("{*}Node/{*}Node")

    assert model.get("missingValueStrategy") == "weightedConfidence"
    assert leaf.get("score") == "Iris-setosa"
    assert float(leaf.get("recordCount")) == 50
    assert leaf.find("{*}SimplePredicate").attrib == {
        "field": "petal width", "operator": "lessOrEqual", "value": "0.8",
    }  # fmt: skip


def test_pmml_refuses_what_xml_cannot_hold():
    schema = Schema((Column("a\x01", ("x", "y")),), Column("class", ("a", "b")))
    tree = tl.grow(tl.Dataset.of(schema, [[0, 1] * 5], [0, 1] * 5), pruner="none")

    with pytest.raises(TreelabError, match=r"XML has no way to write a character of 'a\\x01'"):
        tl.export(tree, "pmml")


def test_latex_has_every_node_once():
    tree = tl.grow(tl.load("iris"))
    source = tl.export(tree, "latex")

    assert len(re.findall(r"^ +\[", source, re.M)) == tree.n_nodes
    assert r"word={\textless{}{=} 0.8}" in source


@pytest.mark.parametrize("name", HOSTILE)
def test_latex_leaves_no_name_unescaped(name):
    """What is left after the known commands has no character that TeX acts on."""
    left = latex._escaped(name.replace("\n", " ").replace("\t", " "))
    for command in sorted(latex.SPECIAL.values(), key=len, reverse=True):
        left = left.replace(command, "")

    assert not re.search(r"[\\{}$&#^_%~\[\],=]", left)


def test_latex_balances_its_braces():
    for seed in range(6):
        source = re.sub(r"\\[{}]", "", tl.export(random_tree(seed), "latex"))
        outside = re.sub(r"\{[\[\]]\}", "", source)  # a bracket in a name stands in braces

        assert source.count("{") == source.count("}")
        assert outside.count("[") == outside.count("]")


def installed_latex():
    """Return a LaTeX that has the packages which the source asks for by name, or None."""
    find = shutil.which("kpsewhich")
    needed = ["standalone.cls", "forest.sty"]
    if find is None or subprocess.run([find, *needed], capture_output=True, check=False).returncode:
        return None
    return next(filter(None, map(shutil.which, ("lualatex", "xelatex", "pdflatex"))), None)


def test_latex_compiles(tmp_path):
    program = installed_latex()
    if program is None:
        # Gigabytes that nothing else needs: escapes and braces are tested above without it.
        pytest.skip("no LaTeX with standalone and forest: the source is checked, but not compiled")
    tl.export(tl.grow(tl.load("iris")), "latex", tmp_path / "tree.tex")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "tree.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout[-2000:]
