"""Decision regions: what is drawn where."""

import numpy as np
import pytest
from teaching.mixed import mixed
from typer.testing import CliRunner

import treelab as tl
from treelab.cli import app
from treelab.errors import DataError, ParameterError, UnknownNameError

IRIS = tl.load("iris")


@pytest.mark.parametrize("discretizer", [None, "mdlp"])
def test_every_cell_has_the_class_that_is_predicted_there(discretizer):
    data = mixed()
    tree = tl.grow(data, "gini", pruner="none", discretizer=discretizer)
    found = tl.regions(tree, data, ("x", "y"))
    rng = np.random.default_rng(0)
    edges_x, edges_y = found.borders
    x = rng.uniform(edges_x[0], edges_x[-1], 50)
    y = rng.uniform(edges_y[0], edges_y[-1], 50)
    held = {"colour": found.fixed.get("colour"), "constant": 1.0}
    labels = tree.predict([{"x": a, "y": b, **held} for a, b in zip(x, y, strict=True)])
    cells = found.predicted[
        np.searchsorted(edges_y, y, side="left") - 1, np.searchsorted(edges_x, x, side="left") - 1
    ]

    assert [tree.classes[code] for code in cells] == [str(label) for label in labels]


def test_the_two_most_important_features_are_taken():
    found = tl.regions(tl.grow(IRIS), IRIS)

    assert found.features == ("petal width", "petal length")
    assert found.fixed == {}
    assert found.predicted.tolist() == [[0, 1, 2], [0, 2, 2]]
    assert "<svg" in found._repr_html_()


def test_a_file_is_written_by_the_command(tmp_path):
    tl.grow(IRIS).save(tmp_path / "model.json")
    words = ["regions", str(tmp_path / "model.json"), "iris", "-o", str(tmp_path / "r.png")]
    done = CliRunner().invoke(app, [*words, "--features", "sepal width,petal width"])

    assert done.exit_code == 0
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")
    failed = CliRunner().invoke(app, [*words, "--features", "sepal width"])
    assert failed.exit_code == 2
    assert "two features" in failed.output


@pytest.mark.parametrize(
    ("features", "error", "words"),
    [
        (("x", "x"), ParameterError, "two features"),
        ("xy", ParameterError, "two features"),
        (("x", "colour"), DataError, "nominal"),
        (("x", "why"), UnknownNameError, "'why'"),
    ],
)
def test_wrong_features(features, error, words):
    data = mixed()
    with pytest.raises(error, match=words):
        tl.regions(tl.grow(data), data, features)
