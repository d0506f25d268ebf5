"""Frames: a step of a method as a title, a sentence, a picture and a table.

A picture is a list of shapes, from which the page makes SVG: names stay text and never are markup.
"""

from collections.abc import Sequence
from typing import Any

import attrs

Shape = tuple[str, dict[str, Any], str]
"""The name of an SVG element, its attributes, and its text."""


@attrs.frozen
class Picture:
    """Shapes on a canvas of a size."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


@attrs.frozen
class Frame:
    """A step: what happens, a picture, and a table in which some rows stand out."""

    title: str
    text: str
    picture: Picture
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]
    chosen: tuple[int, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it in plain values, as the page takes it."""
        return attrs.asdict(self)


class Canvas:
    """Takes shapes and makes a picture of them."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.shapes: list[Shape] = []

    def add(self, name: str, text: str = "", **attributes: Any) -> None:
        """Add a shape; an attribute such as `stroke_width` is written with a hyphen."""
        plain = {_attribute(key): _number(value) for key, value in attributes.items()}
        self.shapes.append((name, plain, text))

    def text(
        self, x: float, y: float, words: str, *, anchor: str = "middle", kind: str = ""
    ) -> None:
        """Write words at a place."""
        self.add("text", words, x=x, y=y, text_anchor=anchor, class_=kind)

    def stack(
        self, x: float, y: float, width: float, heights: Sequence[float], colours: Sequence[str]
    ) -> None:
        """Draw a bar that grows up from y, a part above the other."""
        for height, colour in zip(heights, colours, strict=True):
            if height > 0:
                y -= height
                self.add("rect", x=x, y=y, width=width, height=height, fill=colour)

    def done(self) -> Picture:
        """Return the picture."""
        return Picture(self.width, self.height, tuple(self.shapes))


def _attribute(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _number(value: Any) -> Any:
    return round(float(value), 2) if isinstance(value, float | int) else value
