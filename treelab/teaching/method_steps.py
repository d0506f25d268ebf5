"""`steps_of`: ChiMerge, dynamic bins and Relief step by step on any data."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

import attrs
import numpy as np

from treelab._files import write_text
from treelab._markup import check_page, framed
from treelab._text import aligned
from treelab.data.checks import check_dataset
from treelab.data.dataset import Dataset
from treelab.discretize import discretizer
from treelab.errors import DataError, ParameterError, UnknownNameError, check_number
from treelab.plots.regions import picture_ends
from treelab.teaching.binning import bins_frames
from treelab.teaching.frames import Frame
from treelab.teaching.merging import chimerge_frames
from treelab.teaching.neighbours import relief_frames

CUTS: dict[str, Callable[[Dataset, str, int, Any], tuple[str, list[Frame]]]] = {
    "chimerge": chimerge_frames,
    "bins": bins_frames,
}
"""Discretizers, which cut one feature."""
METHODS = (*CUTS, "relief")
TITLES = {"chimerge": "ChiMerge", "bins": "Dynamic bins", "relief": "Relief"}


@attrs.frozen(eq=False)
class MethodSteps:
    """A method step by step; made by `treelab.steps_of`.

    Parameters
    ----------
    title, heading
        What is shown, and of how much.
    classes
        The classes whose colours the pictures have.
    frames
        The steps.
    """

    title: str
    heading: str
    classes: tuple[str, ...]
    frames: tuple[Frame, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the steps without their pictures in plain values, ready for JSON."""
        rows = [
            attrs.asdict(frame, filter=lambda field, _: field.name != "picture")
            for frame in self.frames
        ]
        return {"title": self.title, "heading": self.heading, "steps": rows}

    def __len__(self) -> int:
        return len(self.frames)

    def __str__(self) -> str:
        parts = [self.heading]
        for frame in self.frames:
            table = aligned([frame.heads, *frame.rows], frame.right)
            parts.append(f"{frame.title}\n{frame.text}\n\n{table}")
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        return f"<{self.title}: {self.heading}>"

    def _repr_html_(self) -> str:
        """Show itself in a notebook."""
        from treelab.teaching.page import method_page

        return framed(method_page(self))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page, which needs nothing else, to an .html file."""
        from treelab.teaching.page import method_page

        check_page(path)
        write_text(path, method_page(self))


def steps_of(
    method: str,
    data: Dataset,
    feature: str | Sequence[str] | None = None,
    *,
    most: int = 30,
    seed: int = 0,
    **parameters: Any,
) -> MethodSteps:
    """Return a method step by step: what it looks at, and what it does next.

    Parameters
    ----------
    method
        'chimerge': which neighbouring intervals are merged; 'bins': how borders between bins move;
        'relief': a case with its nearest hit and miss, and what that says of the features. With
        parameters as in 'chimerge:alpha=0.05' or 'bins:4'.
    data
        The cases.
    feature
        The numeric feature that is cut, where there are several; for 'relief' the two features in
        whose plane the cases are drawn, else the two best ones.
    most
        How many steps are shown: the last merges or moves, the first cases.
    seed
        For the order in which the cases of 'relief' look for their neighbours.
    parameters
        Those of the discretizer by name, such as `max_intervals` of 'chimerge', `by` of 'bins'.

    Returns
    -------
    MethodSteps
        A notebook shows it; `save` writes the page, `print` all tables.

    Examples
    --------
    >>> import treelab as tl
    >>> tl.steps_of("chimerge", tl.load("iris"), "petal width", max_intervals=3)
    <ChiMerge: petal width: 19 merges of 22 values below chi-square 4.605>
    """
    check_dataset(data)
    name, _, text = str(method).partition(":")
    if name not in METHODS:
        raise UnknownNameError("method to go through", method, METHODS)
    check_number("most", most, 1, whole=True)
    check_number("seed", seed, float("-inf"), whole=True)
    if name == "relief":
        if text or parameters:
            raise ParameterError(f"'relief' has no parameters, got {text or ', '.join(parameters)}")
        _check_drawable(data, data.features)
        heading, frames = relief_frames(data, feature, most, seed)
    else:
        cut = _numeric(data, feature)
        _check_drawable(data, [cut])
        heading, frames = CUTS[name](data, cut, most, discretizer(method, **parameters))
    classes = () if name == "bins" else data.classes
    return MethodSteps(TITLES[name], heading, classes, tuple(frames))


def _check_drawable(data: Dataset, names: Sequence[str]) -> None:
    """Raise for numbers that no picture can show, nor their squares be added up."""
    for column in data.schema.features:
        known = data[column.name]
        if column.name in names and not column.is_nominal and not np.isnan(known).all():
            picture_ends(column.name, float(np.nanmin(known)), float(np.nanmax(known)))


def _numeric(data: Dataset, feature: str | Sequence[str] | None) -> str:
    numeric = [column.name for column in data.schema.features if not column.is_nominal]
    if feature is None and len(numeric) == 1:
        feature = numeric[0]
    if not isinstance(feature, str):
        known = ", ".join(map(repr, numeric[:6])) or "none"
        raise ParameterError(f"name the numeric feature to cut, such as one of: {known}")
    if data.schema.features[data.schema.index(feature)].is_nominal:
        raise DataError(f"column {feature!r} is nominal; only numeric columns can be cut")
    if np.isnan(data[feature][data.weights > 0]).all():
        raise DataError(f"column {feature!r} has no known values to cut")
    return feature
