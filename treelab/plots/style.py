"""How all pictures look: one palette, one ink, one style of axes.

Nothing here needs matplotlib: trees drawn by Graphviz and pages take the same colours.
"""

from colorsys import hls_to_rgb
from typing import Any

INK = "#1f2328"
"""Lines and letters; a page may replace it by its own colour of text."""
GREY = "#8a929b"
COLOURS = (
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#a08000", "#999999",
    "#332288", "#882255", "#0b5d2a", "#7a3b00", "#86b300", "#e3172d", "#7a5cff", "#00c2b8",
    "#c9b18f", "#f58cf0", "#4a4a4a", "#a9e2a0",
)  # fmt: skip
"""Okabe and Ito's, told apart by colour-blind readers too, their yellow made dark enough for a line
on white; and twelve that differ from them and from each other by at least 20 in CIELAB."""
GOLDEN = 0.618034
"""A step along the hues that comes close to no earlier one for long."""
MARKERS = "osD^vPX*<>dh"
WIDTH = 5.8
"""Inches of a figure in a report: letters stay legible when a phone shows it."""

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans", "font.size": 10, "axes.titlesize": 11, "text.color": INK,
    "text.parse_math": False,  # a $ in a name is a $
    "axes.labelcolor": INK, "axes.titlecolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.edgecolor": GREY, "axes.spines.top": False, "axes.spines.right": False,
    "axes.facecolor": "none", "figure.facecolor": "white", "axes.axisbelow": True,
    "axes.grid": True, "grid.color": GREY, "grid.alpha": 0.25, "legend.frameon": False,
    "svg.hashsalt": "treelab", "svg.fonttype": "path",
}  # fmt: skip
"""matplotlib's settings (rcParams) for every figure."""


def colour(number: int) -> str:
    """Return the colour of a class, method or line; beyond the palette it follows from its place.

    >>> colour(0), colour(20) == colour(21)
    ('#0072b2', False)
    """
    if number < len(COLOURS):
        return COLOURS[number]
    lightness = (0.35, 0.5, 0.65)[number % 3]
    parts = hls_to_rgb(number * GOLDEN % 1, lightness, 0.65)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def colours(n: int) -> list[str]:
    """Return the colours of so many classes."""
    return [colour(number) for number in range(n)]


def marker(number: int) -> str:
    """Return the mark of a class, method or line; after the last one the first comes again."""
    return MARKERS[number % len(MARKERS)]
