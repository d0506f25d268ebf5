"""The drawing: what it shows, what it hides, and that no name can break it."""

import re
import sys
import xml.etree.ElementTree as ET

import pytest
from typer.testing import CliRunner

import treelab as tl
from tests.writers.trees import random_tree
from treelab.cli import app
from treelab.errors import TreelabError
from treelab.plots.style import colour
from treelab.writers import look, picture
from treelab.writers.export_tree import export_tree_of

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def iris():
    return tl.grow(tl.load("iris"))


def words(tree, **options):
    """Return the texts of the SVG."""
    picture = ET.fromstring(tl.export(tree, "svg", **options))
    return ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]


def groups(tree, kind, **options):
    picture = ET.fromstring(tl.export(tree, "svg", **options))
    return [group for group in picture.iter(f"{SVG}g") if group.get("class") == kind]


def test_labels_are_complete(iris):
    shown = [text.strip("\xa0 ") for text in words(iris)]

    for text in ("petal width", "<= 0.8", "> 1.75", "Iris-setosa", "150 cases, 100 wrong"):
        assert text in shown
    assert len(groups(iris, "node")) == iris.n_nodes
    assert len(groups(iris, "edge")) == iris.n_nodes - 1


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_pictures_are_what_they_claim(iris, kind):
    start = {"svg": "<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}[kind]

    assert tl.export(iris, kind).startswith(start)


@pytest.mark.parametrize("draw", [picture._by_library, picture.drawn])
def test_graphviz_comes_with_the_installation(draw, monkeypatch):
    monkeypatch.setenv("PATH", "")

    assert b"<svg" in draw('digraph { a -> "b" }', "svg")


@pytest.mark.parametrize("seed", range(6))
def test_a_hostile_name_is_only_a_name(seed):
    tree = random_tree(seed)
    picture = tl.export(tree, "svg", max_nodes=1000)
    root = ET.fromstring(picture)

    assert len([g for g in root.iter(f"{SVG}g") if g.get("class") == "node"]) == tree.n_nodes
    assert not list(root.iter(f"{SVG}script"))
    assert "<script" not in picture


def test_every_class_has_its_colour_and_pure_nodes_are_darker(iris):
    form = export_tree_of(iris)
    fills = [re.search(r'fill="(#\w+)"', ET.tostring(g).decode())[1] for g in groups(iris, "node")]
    purities = [look.purity(node) for node in form.nodes]

    assert fills[1] == look.shade(colour(0), 0.4)
    assert purities[0] == pytest.approx(0)
    assert purities[1] == 1


def test_plain_and_print_have_no_colours(iris):
    assert colour(0) not in tl.export(iris, "dot", style="plain")
    assert colour(0) not in tl.export(iris, "dot", style="print")
    assert colour(0) in tl.export(iris, "dot")


def test_bars_show_the_class_shares(iris):
    source = tl.export(iris, "dot")
    row = re.search(r"n4 \[.*?versicolor.*?</table>", source, re.S)[0]

    assert re.findall(r'width="(\d+)" height="7" fixedsize="true" bg', row) == ["94", "2"]


def test_edges_are_as_wide_as_they_have_cases(iris):
    wide = dict(re.findall(r"n0 -> (n\d+) .*?penwidth=([\d.]+)", tl.export(iris, "dot")))

    assert {n: float(w) for n, w in wide.items()} == {"n1": 2.27, "n2": 3.93}  # 0.6 + 5 n/150


def test_the_legend_can_be_left_out(iris):
    assert "9632" in tl.export(iris, "dot")
    assert "9632" not in tl.export(iris, "dot", legend=False)


def test_max_depth_collapses_what_is_below(iris):
    shown = words(iris, max_depth=1)

    assert "... 4 nodes below, 3 leaves" in [text.replace("…", "...") for text in shown]
    assert len(groups(iris, "node", max_depth=1)) == 3


def test_a_large_tree_is_drawn_with_its_light_parts_collapsed():
    data = tl.make("rannum", cases=2500, seed=0)
    tree = tl.grow(data, pruner="none", min_cases=1)
    form = export_tree_of(tree)
    opened = look.opened(form, None, 80)
    shown = {0, *(child for place in opened for child in form.nodes[place].children)}
    hidden = sum(look.sizes_below(form)[place][0] - 1 for place in shown - opened)

    assert tree.n_nodes > 500
    assert len(groups(tree, "node")) == len(shown) <= 80
    assert hidden == tree.n_nodes - len(shown)


def test_the_path_of_a_case_is_highlighted(iris):
    source = tl.export(iris, "dot", case={"petal width": 1.0, "petal length": 6.0})
    red = re.findall(r"^\s*(n\d+) \[.*?#c1121f", source, re.M)

    assert red == ["n0", "n2", "n3", "n5"]


def test_a_missing_value_highlights_all_it_visits(iris):
    source = tl.export(iris, "dot", case={})

    assert len(re.findall(r"^\s*n\d+ \[.*?#c1121f", source, re.M)) == iris.n_nodes


def test_a_tree_shows_itself_in_a_notebook(iris):
    assert iris._repr_svg_().startswith("<?xml")
    assert iris._repr_html_().startswith('<div style="overflow:auto"><svg')


def test_render_draws_a_saved_tree_and_a_case(iris, tmp_path):
    iris.save(tmp_path / "m.json")
    run = CliRunner().invoke
    saved, picture = str(tmp_path / "m.json"), tmp_path / "t.svg"
    done = run(app, ["render", saved, "-o", str(picture), "--case", "iris:51", "--max-depth", "2"])

    assert done.exit_code == 0, done.output
    assert b"#c1121f" in picture.read_bytes()
    for case, sentence in (("iris:0", "rows 1 to 150"), ("iris", "DATA:ROW")):
        failed = run(app, ["render", saved, "-o", str(picture), "--case", case])
        assert failed.exit_code == 2
        assert sentence in failed.stderr
    failed = run(app, ["render", saved, "-o", str(tmp_path / "t.gif")])
    assert "a picture ends in .svg, .png or .pdf" in failed.stderr


def test_a_foreign_model_is_refused_in_one_sentence(tmp_path):
    (tmp_path / "m.json").write_text('{"format": "other"}')
    failed = CliRunner().invoke(app, ["export", str(tmp_path / "m.json"), "--to", "rules"])

    assert failed.exit_code == 1
    assert failed.stderr.count("\n") == 1
    assert "not a treelab model" in failed.stderr


def test_without_the_libraries_of_graphviz_one_sentence_says_what_is_needed(iris, monkeypatch):
    """As in a small container, where the wheel of pygraphviz cannot be loaded."""
    monkeypatch.setattr(picture.shutil, "which", lambda _program: None)
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    with pytest.raises(TreelabError, match=r"needs Graphviz: the program dot .*pygraphviz"):
        tl.export(iris, "svg")
