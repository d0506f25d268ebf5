"""One palette: distinct colours for twenty classes, and one of its own for any further."""

from itertools import combinations
from pathlib import Path

import numpy as np
from matplotlib.colors import to_hex

import treelab as tl
from treelab.plots.style import COLOURS, colours

TREELAB = Path(tl.__file__).parent


def lab(colour):
    """Return a colour in CIELAB, in which distances are about as people see them."""
    rgb = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    xyz = np.array(to_xyz) @ linear / [0.9505, 1.0, 1.089]
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_twenty_colours_differ():
    apart = [np.linalg.norm(lab(a) - lab(b)) for a, b in combinations(COLOURS, 2)]

    assert len(COLOURS) == 20
    assert min(apart) > 20  # 2.3 is a difference that is just noticed


def test_further_classes_have_colours_of_their_own():
    assert len(set(colours(100))) == 100
    assert colours(100)[:20] == list(COLOURS)


def test_a_class_has_the_same_colour_in_drawing_and_page():
    data = tl.load("zoo")
    tree = tl.grow(data, "gini", pruner="none")

    for place in range(len(data.classes)):
        assert COLOURS[place] in tl.export(tree, "dot")
        assert COLOURS[place] in tl.export(tree, "html")


def test_a_class_has_the_same_colour_in_figures():
    data = tl.load("iris")
    (axes,) = tl.regions(tl.grow(data), data).draw().axes
    drawn = {points.get_label(): to_hex(points.get_facecolor()[0]) for points in axes.collections
             if points.get_label() in data.classes}  # fmt: skip

    assert drawn == dict(zip(data.classes, COLOURS, strict=False))


def test_there_is_no_second_palette():
    """A colour of the palette is written in one file; so are the settings of matplotlib."""
    files = [p for kind in ("py", "js", "css") for p in TREELAB.rglob(f"*.{kind}")]
    texts = {path.relative_to(TREELAB).as_posix(): path.read_text("utf-8") for path in files}
    coloured = {name for name, text in texts.items() if any(c in text for c in COLOURS)}
    setting = {name for name, text in texts.items() if "rcParams" in text or "hashsalt" in text}

    assert coloured == {"plots/style.py", "writers/look.py"}  # which has one in an example
    assert setting == {"plots/style.py"}
