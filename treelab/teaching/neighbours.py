"""Relief step by step: a case, its nearest hit and its nearest miss (kantardzic2011 3.3, SPEC 4.3).

Of cases at the same distance the first one is taken, as with `ties="first"`; the cases stand in an
order of their own, so that the steps do not depend on the order of the rows.
"""

from collections.abc import Sequence
from typing import Any

import attrs
import numpy as np

from treelab._random import stream
from treelab._text import count
from treelab._typing import FloatArray
from treelab.data.dataset import Dataset, is_missing
from treelab.data.preview import written
from treelab.errors import DataError, ParameterError
from treelab.explain.importances import unit_cases
from treelab.plots.style import colour
from treelab.teaching.frames import Canvas, Frame, Picture

WIDTH, HEIGHT, LEFT, TOP = 560.0, 400.0, 60.0, 14.0
MOST_POINTS = 600
"""Of more cases these are drawn."""


@attrs.frozen(eq=False)
class Look:
    """A case that looked for neighbours: it, its nearest hit and miss, and what each feature gains.

    `weights` are those of the features so far, as means over the cases that looked.
    """

    case: int
    hit: int | None
    miss: int
    gained: FloatArray
    weights: FloatArray


def differences(data: Dataset, case: int) -> FloatArray:
    """Return how far all cases are from one by each feature: (case, feature), from 0 to 1.

    Numbers differ by their share of the range; missing is a value of its own.
    """
    columns = []
    for column, values in zip(data.schema.features, data.columns, strict=True):
        lost = is_missing(values)
        if column.is_nominal:
            columns.append((values != values[case]).astype(float))
            continue
        spread = np.ptp(values[~lost]) if (~lost).any() else 0.0
        far = np.abs(values - values[case]) / spread if spread else np.zeros(len(values))
        columns.append(np.where(lost | lost[case], lost != lost[case], far))
    return np.column_stack(columns)


def looks(data: Dataset, seed: int) -> list[Look]:
    """Return what every case finds, in an order left to chance."""
    found, gained, looked = [], np.zeros(len(data.features)), 0.0
    for case in stream(seed, "relief").permutation(len(data)):
        off = differences(data, int(case)) ** 2
        far = off.sum(axis=1)
        own = data.y == data.y[case]
        hit, miss = _nearest(far, own, int(case)), _nearest(far, ~own, int(case))
        if miss is None:
            raise DataError("Relief needs cases of two classes")
        here = off[miss] - (0.0 if hit is None else off[hit])
        gained, looked = gained + data.weights[case] * here, looked + data.weights[case]
        found.append(Look(int(case), hit, miss, here, gained / looked))
    return found


def _nearest(far: FloatArray, among: Any, case: int) -> int | None:
    """Return the first of the nearest cases but for itself; equal up to rounding is equal."""
    places = np.flatnonzero(among)
    places = places[places != case]
    if not len(places):
        return None
    return int(places[np.flatnonzero(far[places] <= far[places].min() + 1e-12)[0]])


def relief_frames(
    data: Dataset, axes: Sequence[str] | None, most: int, seed: int
) -> tuple[str, list[Frame]]:
    """Return what is done, and the first steps and what all of them come to."""
    cases = unit_cases(data)
    if not cases.features:
        raise DataError("Relief weighs features, and the data have none")
    found = looks(cases, seed)
    pair = _axes(cases, axes, found[-1].weights)
    frames = [_frame(cases, look, pair, number) for number, look in enumerate(found[:most], 1)]
    frames.append(_last(cases, found[-1], pair, len(found)))
    return f"{count(min(most, len(found)), 'case')} of {len(found):,} look for neighbours", frames


def _axes(data: Dataset, given: Sequence[str] | None, weights: FloatArray) -> tuple[str, str]:
    """Return the features to draw: those given, or the two best."""
    if given is None:
        order = np.argsort(-weights, kind="stable")
        names = [data.features[f] for f in order[:2]]
        return names[0], names[-1]
    if isinstance(given, str) or len(given) != 2:
        raise ParameterError(f"Relief is drawn in the plane of two features, got {given!r}")
    for name in given:
        data.schema.index(name)
    return given[0], given[1]


def _frame(data: Dataset, look: Look, pair: tuple[str, str], number: int) -> Frame:
    case, miss = data.classes[data.y[look.case]], data.classes[data.y[look.miss]]
    return Frame(
        f"Case {number}: {case}",
        f"Its nearest hit (solid line) is of the same class, its nearest miss (dashed line) is "
        f"{miss}. A feature gains the squared difference from the miss, and loses that from the "
        "hit.",
        _picture(data, look, pair),
        ("feature", "case", "hit", "miss", "gains", "weight so far"),
        tuple(_row(data, look, f) for f in range(len(data.features))),
        (False, True, True, True, True, True),
    )  # fmt: skip


def _row(data: Dataset, look: Look, f: int) -> tuple[str, ...]:
    column, values = data.schema.features[f], data.columns[f]
    trio = (look.case, look.hit, look.miss)
    shown = ("-" if k is None else written(column, float(values[k])) for k in trio)
    return (column.name, *shown, f"{look.gained[f]:+.4f}", f"{look.weights[f]:+.4f}")


def _last(data: Dataset, look: Look, pair: tuple[str, str], n: int) -> Frame:
    order = np.argsort(-look.weights, kind="stable")
    rows = tuple((data.features[f], f"{look.weights[f]:+.4f}") for f in order)
    return Frame(
        f"After all {n:,} cases", "The mean of what each feature gained: its weight by Relief.",
        _picture(data, None, pair), ("feature", "weight"), rows, (False, True),
    )  # fmt: skip


def _picture(data: Dataset, look: Look | None, pair: tuple[str, str]) -> Picture:
    """Draw the cases in a plane; a missing value lies on the axis."""
    canvas = Canvas(LEFT + WIDTH + 20, TOP + HEIGHT + 50)
    x = LEFT + WIDTH * _shares(data, pair[0])
    y = TOP + HEIGHT * (1 - _shares(data, pair[1]))
    step = -(-len(data) // MOST_POINTS)
    for k in range(0, len(data), step):
        canvas.add(
            "circle", cx=float(x[k]), cy=float(y[k]), r=4, fill=colour(int(data.y[k])),
            fill_opacity=0.75,
        )  # fmt: skip
    canvas.add("path", d=f"M{LEFT},{TOP}V{TOP + HEIGHT}H{LEFT + WIDTH}", class_="axis")
    canvas.text(LEFT + WIDTH / 2, TOP + HEIGHT + 40, pair[0])
    _ends(canvas, data, pair)
    across = f"rotate(-90 18 {TOP + HEIGHT / 2})"
    canvas.add("text", pair[1], x=18, y=TOP + HEIGHT / 2, text_anchor="middle", transform=across)
    if look is not None:
        _mark(canvas, x, y, look)
    return canvas.done()


def _ends(canvas: Canvas, data: Dataset, pair: tuple[str, str]) -> None:
    """Write the least and the largest number at the ends of the axes."""
    low, high = 0.03, 0.97
    for name, is_across in zip(pair, (True, False), strict=True):
        column, values = data.schema.features[data.schema.index(name)], data[name]
        if column.is_nominal or np.isnan(values).all():
            continue
        for at, value in ((low, np.nanmin(values)), (high, np.nanmax(values))):
            words = written(column, float(value))
            if is_across:
                canvas.text(LEFT + WIDTH * at, TOP + HEIGHT + 18, words)
            else:
                canvas.text(LEFT - 6, TOP + HEIGHT * (1 - at) + 4, words, anchor="end")


def _mark(canvas: Canvas, x: FloatArray, y: FloatArray, look: Look) -> None:
    at = float(x[look.case]), float(y[look.case])
    for other, kind in ((look.hit, "hit"), (look.miss, "miss")):
        if other is not None:
            to = float(x[other]), float(y[other])
            canvas.add("line", x1=at[0], y1=at[1], x2=to[0], y2=to[1], class_=kind)
            canvas.add("circle", cx=to[0], cy=to[1], r=7, class_=f"halo {kind}", fill="none")
    canvas.add("circle", cx=at[0], cy=at[1], r=9, class_="halo")


def _shares(data: Dataset, name: str) -> FloatArray:
    """Return where values lie on an axis: numbers by their share of the range, labels evenly."""
    column, values = data.schema.features[data.schema.index(name)], data[name]
    lost = is_missing(values)
    if column.labels is not None:
        return np.where(lost, 0.0, (values + 0.5) / max(column.n_labels, 1))
    known = values[~lost]
    low, spread = (known.min(), np.ptp(known)) if len(known) else (0.0, 0.0)
    return np.where(lost, 0.0, 0.03 + 0.94 * (values - low) / (spread or 1.0))
