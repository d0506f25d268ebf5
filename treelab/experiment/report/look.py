"""How the figures of reports look (extra `report`)."""

from typing import Any

from matplotlib.figure import Figure

INK = "#1f2328"
GREY = "#8a929b"
# Okabe and Ito's colours, which colour-blind readers can tell apart; they read on light and dark.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#a08000", GREY)
WIDTH = 5.8  # inches: letters stay legible when a phone shows it
MARKERS = "osD^vPX*<>dh"
STYLE: dict[Any, Any] = {
    "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": GREY, "xtick.color": INK,
    "ytick.color": INK, "axes.titlecolor": INK, "font.size": 10, "axes.spines.top": False,
    "axes.spines.right": False, "legend.frameon": False, "svg.hashsalt": "treelab",
    "axes.facecolor": "none", "figure.facecolor": "white", "axes.grid": True, "grid.color": GREY,
    "grid.alpha": 0.25, "axes.axisbelow": True, "svg.fonttype": "path",
    "text.parse_math": False,  # a $ in a name is a $
}  # fmt: skip


def canvas(width: float, height: float) -> tuple[Figure, Any]:
    """Return an empty figure of this size in inches, and its axes."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()
