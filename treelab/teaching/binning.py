"""Dynamic bins step by step: borders move while the error falls (kantardzic2011 3.6, SPEC 4.6)."""

from itertools import pairwise

import numpy as np

from treelab._text import count, weight_text
from treelab._typing import FloatArray
from treelab.data.dataset import Dataset
from treelab.discretize.bins import Bins
from treelab.discretize.moves import Borders, border_moves
from treelab.discretize.profile import Profile, profile_by_mass
from treelab.stats.bins import By, bin_error, representatives
from treelab.teaching.frames import Canvas, Frame, Picture

WIDTH, LEFT = 700.0, 16.0


def bins_frames(data: Dataset, feature: str, most: int, method: Bins) -> tuple[str, list[Frame]]:
    """Return what is done, and the steps: those of the descent, whatever the method of `bins`."""
    profile = profile_by_mass(data, feature)
    n = min(method.bins, len(profile.points))
    states = border_moves(profile.points, profile.mass, n, method.by)
    before = [None, *states]
    frames = [
        _frame(profile, method.by, number, *pair)
        for number, pair in enumerate(zip(before, states, strict=False))
    ]
    hidden = max(0, len(frames) - most - 1)
    skipped = f"; the first {count(hidden, 'move')} not shown" if hidden else ""
    what = f"{feature}: {count(n, 'bin')} by {method.by}, {count(len(states) - 1, 'move')}"
    return f"{what}{skipped}", frames[hidden:]


def _frame(profile: Profile, by: By, number: int, before: Borders | None, here: Borders) -> Frame:
    heads = ("bin", "values", "cases", f"{by}", "error")
    return Frame(
        f"Move {number}" if before else "Equally filled bins", _text(profile, before, here),
        _picture(profile, before, here), heads, _rows(profile, by, here),
        (True, False, True, True, True), _touched(before, here),
    )  # fmt: skip


def _text(profile: Profile, before: Borders | None, here: Borders) -> str:
    if before is None:
        return f"The start: as many cases in each bin. Error {here.error:.4g}."
    k = _moved(before, here)
    old, new = (_where(profile, float(each.borders[k])) for each in (before, here))
    return (
        f"Border {k + 1} moves from {old:.6g} to {new:.6g}, which lowers the error most: "
        f"{before.error:.4g} becomes {here.error:.4g}."
    )


def _moved(before: Borders, here: Borders) -> int:
    return int(np.flatnonzero(before.borders != here.borders)[0])


def _touched(before: Borders | None, here: Borders) -> tuple[int, ...]:
    if before is None:
        return ()
    k = _moved(before, here)
    return k, k + 1


def _rows(profile: Profile, by: By, here: Borders) -> tuple[tuple[str, ...], ...]:
    top = np.cumsum(profile.mass)
    rows = []
    for number, (low, high) in enumerate(pairwise([0.0, *here.borders, top[-1]]), 1):
        inside = np.minimum(top, high) - np.maximum(top - profile.mass, low)
        held = inside > 1e-9 * profile.mass
        points, mass = profile.points[held], inside[held]
        stands = dict.fromkeys(f"{each:.4g}" for each in representatives(points, mass, by))
        rows.append(
            (
                str(number), f"{points[0]:.6g} to {points[-1]:.6g}", weight_text(float(mass.sum())),
                ", ".join(stands), f"{bin_error(points, mass, by):.4g}",
            )
        )  # fmt: skip
    return tuple(rows)


def _where(profile: Profile, border: float) -> float:
    """Return the number at a border: between two values, or the value whose cases it parts."""
    top = np.cumsum(profile.mass)
    place = int(np.searchsorted(top, border - 1e-9 * top[-1]))
    at_end = abs(top[place] - border) <= 1e-9 * top[-1] and place + 1 < len(top)
    points = profile.points
    return float((points[place] + points[place + 1]) / 2 if at_end else points[place])


def _picture(profile: Profile, before: Borders | None, here: Borders) -> Picture:
    """Draw the cases along the values, and the borders between bins."""
    canvas = Canvas(WIDTH + 2 * LEFT, 260)
    low, high = profile.points[[0, -1]]
    x = LEFT + WIDTH * (profile.points - low) / ((high - low) or 1.0)
    _bars(canvas, x, profile.mass)
    canvas.add("path", d=f"M{LEFT},210H{LEFT + WIDTH}", class_="axis")
    moved = None if before is None else _moved(before, here)
    for k, border in enumerate(here.borders):
        at = LEFT + WIDTH * (_where(profile, float(border)) - low) / ((high - low) or 1.0)
        canvas.add("line", x1=at, x2=at, y1=10, y2=222, class_="moved" if k == moved else "border")
    for at, anchor in ((low, "start"), ((low + high) / 2, "middle"), (high, "end")):
        place = LEFT + WIDTH * (at - low) / ((high - low) or 1.0)
        canvas.text(float(place), 240, f"{at:.5g}", anchor=anchor)
    return canvas.done()


def _bars(canvas: Canvas, x: FloatArray, mass: FloatArray) -> None:
    gaps = np.diff(x)
    width = max(1.5, min(14.0, 0.7 * float(gaps.min()) if len(gaps) else 14.0))
    for at, height in zip(x, 185 * mass / mass.max(), strict=True):
        canvas.add(
            "rect", x=float(at) - width / 2, y=210 - float(height), width=width,
            height=float(height), class_="plain",
        )  # fmt: skip
