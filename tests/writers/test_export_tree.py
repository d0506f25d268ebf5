"""The neutral form and the rules say what the tree says; JSON and text come back whole."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

import treelab as tl
from tests.writers.trees import examples, random_tree
from treelab._text import CONTROL
from treelab.data.schema import Column, Schema
from treelab.errors import ParameterError, TreelabError, UnknownNameError
from treelab.tree import file
from treelab.writers import format_names
from treelab.writers.export_tree import along_the_majority, export_tree_of
from treelab.writers.rules import rules_of

# Sums of at most a few dozen parts, added in another order.
CLOSE = {"rtol": 0, "atol": 1e-12}
SEEDS = range(24)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_form_gives_the_probabilities_of_the_tree(seed):
    tree = random_tree(seed)
    cases, shares, _ = examples(tree, seed)

    assert tree.n_leaves > 3
    np.testing.assert_allclose(
        [export_tree_of(tree).probabilities(case) for case in cases], shares, **CLOSE
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rules_give_the_probabilities_of_the_tree(seed):
    tree = random_tree(seed)
    form, rules = export_tree_of(tree), list(rules_of(export_tree_of(tree)))
    cases, shares, _ = examples(tree, seed)
    for case, expected in zip(cases, shares, strict=True):
        parts = np.array([rule.part(case) for rule in rules])
        given = parts @ np.array([form.nodes[rule.node].probabilities for rule in rules])

        assert parts.sum() == pytest.approx(1, abs=1e-12)  # they exclude each other, and suffice
        np.testing.assert_allclose(given, expected, **CLOSE)


def test_a_rule_names_every_feature_once_and_tells_its_support():
    rules = tl.export(tl.grow(tl.load("iris"), missing="majority"), "rules").splitlines()

    assert rules[1] == (
        "IF 0.8 < petal width <= 1.75 (or missing) AND petal length <= 4.95 (or missing) "
        "THEN class = Iris-versicolor (48 cases, 98 % right)"
    )
    assert len(rules) == 4


def test_a_rule_is_one_line_whatever_the_names():
    tree = random_tree(5)

    assert len(tl.export(tree, "rules").splitlines()) == len(list(rules_of(export_tree_of(tree))))


def test_control_characters_in_names_are_written_out_in_rules():
    frame = {"si\x07ze": ["a\x1b[31m", "b"] * 20, "buy": ["no\x9b", "yes"] * 20}
    text = tl.export(tl.grow(pd.DataFrame(frame), target="buy", missing="majority"), "rules")

    assert CONTROL.search(text.replace("\n", "")) is None
    assert r"IF si\x07ze = a\x1b[31m" in text
    assert r"THEN buy = no\x9b" in text


def test_a_tree_of_one_leaf_is_one_rule():
    tree = tl.grow(tl.load("iris"), max_depth=0)

    assert tl.export(tree, "rules") == "ALWAYS class = Iris-setosa (150 cases, 33 % right)\n"


def test_json_comes_back_equal_and_fits_its_schema():
    tree = random_tree(4)
    text = tl.export(tree, "json")
    schema = json.loads((Path(file.__file__).parent / "model.schema.json").read_text())

    jsonschema.validate(json.loads(text), schema)
    assert file.loads(text) == tree


def test_text_is_what_print_shows():
    tree = random_tree(4)

    assert tl.export(tree, "text") == f"{tree}\n"
    assert tl.export(tree, "text", max_depth=0).count("\n") == 1


def test_along_the_majority_a_missing_value_follows_the_heaviest_branch():
    form = along_the_majority(export_tree_of(tl.grow(tl.load("iris"))))
    visited = form.walk({"petal width": 1.0})

    assert not form.spreads
    assert [number for number, _, _ in visited] == [0, 2, 3, 4]
    assert form.nodes[4].weight == 48


def test_a_file_is_written_and_the_content_returned(tmp_path):
    text = tl.export(random_tree(1), "rules", tmp_path / "rules.txt")

    assert (tmp_path / "rules.txt").read_text(encoding="utf-8") == text


def test_an_unknown_format_or_option_is_told():
    tree = tl.grow(tl.load("lenses"))

    with pytest.raises(UnknownNameError, match="unknown format 'rule': did you mean 'rules'"):
        tl.export(tree, "rule")
    with pytest.raises(UnknownNameError, match="unknown option 'depth' of format 'svg'"):
        tl.export(tree, "svg", depth=3)
    with pytest.raises(ParameterError, match="style must be one of"):
        tl.export(tree, "dot", style="pretty")
    with pytest.raises(ParameterError, match="case must be the values of a case by feature, got 5"):
        tl.export(tree, "dot", case=5)
    with pytest.raises(ParameterError, match="max_depth must be a whole number of at least 0"):
        tl.export(tree, "text", max_depth=-1)


@pytest.mark.parametrize("name", format_names())
def test_only_trees_are_exported(name):
    with pytest.raises(ParameterError, match=r"^expected a Tree to export, got int$"):
        tl.export(5, name)


@pytest.mark.parametrize(
    "words", [("\ud800", "b", "a"), ("a", "\ud800", "b"), ("a", "b", "\ud800")]
)
@pytest.mark.parametrize("name", ["rules", "sql", "text", "onnx"])
def test_half_a_surrogate_pair_is_refused_where_it_cannot_be_written(name, words):
    feature, label, other = words
    schema = Schema((Column(feature, (label, "y")),), Column("class", (other, "z")))
    data = tl.Dataset.of(schema, [[0, 1] * 5], [0, 1] * 5)
    with pytest.raises(TreelabError, match=f"^{name} cannot hold half a surrogate pair, which a"):
        tl.export(tl.grow(data, pruner="none", missing="majority"), name)


def test_formats_are_listed():
    assert {"json", "dot", "svg", "png", "pdf", "text", "rules"} <= set(format_names())
