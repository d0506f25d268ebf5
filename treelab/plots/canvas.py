"""Figures without a window, in one style, and files of them that repeat exactly."""

import io
import os
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from treelab._files import write_bytes
from treelab.data.scales import Scale
from treelab.errors import MissingExtraError, ParameterError
from treelab.plots.style import STYLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Given = ParamSpec("Given")

FORMATS = ("svg", "png", "pdf")


def in_style(draw: "Callable[Given, Figure]") -> "Callable[Given, Figure]":
    """Let a function draw in the style of all pictures, which every text takes when it is made."""

    @wraps(draw)
    def styled(*given: Given.args, **named: Given.kwargs) -> "Figure":
        with _our_style():
            return draw(*given, **named)

    return styled


def new_figure(width: float, height: float) -> "Figure":
    """Return an empty figure of a size in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def new_axes(width: float, height: float) -> "tuple[Figure, Axes]":
    """Return an empty figure of a size in inches, and its axes."""
    figure = new_figure(width, height)
    return figure, figure.subplots()


def panels(figure: "Figure", heights: tuple[float, ...], *, share_x: bool = True) -> list["Axes"]:
    """Return the axes of a figure, one above the other."""
    ratios = {"height_ratios": heights}
    axes = figure.subplots(len(heights), 1, sharex=share_x, gridspec_kw=ratios, squeeze=False)
    return list(axes[:, 0])


def write_ticks(axis: Any, scale: Scale) -> None:
    """Write an axis in the words of the data, at numbers that are on its scale."""
    ticks = sorted({scale.up(float(tick)) for tick in axis.get_ticklocs()})
    low, high = sorted(axis.get_view_interval())
    if scale.labels:
        ticks = [tick for tick in ticks if 0 <= tick < len(scale.labels)]
    ticks = [tick for tick in ticks if low <= tick <= high]
    axis.set_ticks(ticks, labels=[scale.write(tick) for tick in ticks], fontsize=7)


def check_format(path: str | os.PathLike[str]) -> str:
    """Return the format a file name asks for, or say which there are."""
    kind = Path(path).suffix.lstrip(".").lower()
    if kind not in FORMATS:
        raise ParameterError(f"a picture ends in .svg, .png or .pdf, got {os.fspath(path)!r}")
    return kind


def save(figure: "Figure", path: str | os.PathLike[str]) -> None:
    """Write a picture to a .svg, .png or .pdf file; the same picture gives the same bytes."""
    write_bytes(path, picture(figure, check_format(path)))


def picture(figure: "Figure", kind: str) -> bytes:
    """Return the bytes of a picture in a format."""
    undated: dict[str, Any] = {
        "svg": {"Date": None, "Creator": "treelab"},
        "pdf": {"CreationDate": None, "ModDate": None},
        "png": {"Software": "treelab"},
    }
    drawn = io.BytesIO()
    with _our_style():
        figure.savefig(drawn, format=kind, dpi=150, metadata=undated[kind])
    return drawn.getvalue()


@contextmanager
def _our_style() -> Iterator[None]:
    """Draw in the style of all pictures; a letter that its font lacks is a box, and no warning."""
    with _matplotlib().rc_context(STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph \d+ ", UserWarning)
        yield


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise MissingExtraError("a picture", "matplotlib", "report") from None
    return matplotlib
