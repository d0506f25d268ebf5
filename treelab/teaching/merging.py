"""ChiMerge step by step: which neighbours are merged, and why (kantardzic2011 3.7, SPEC 4.8)."""

from collections import deque
from collections.abc import Sequence

import attrs
import numpy as np

from treelab._text import count, weight_text
from treelab._typing import FloatArray, IndexArray
from treelab.data.coding import Coding
from treelab.data.dataset import Dataset
from treelab.discretize.chimerge import ChiMerge, interval_chi2
from treelab.discretize.profile import Profile, labelled, profile_by_class
from treelab.plots.style import colour
from treelab.teaching.frames import Canvas, Frame, Picture

MANY_CLASSES = 6
"""Of more classes the table has only the cases in all."""


@attrs.frozen(eq=False)
class Merging:
    """Intervals by where they start, their class weights, and the chi-square of neighbours.

    `number` counts the merges so far; `least` is the pair that is merged next, None at the end.
    """

    number: int
    starts: IndexArray
    counts: FloatArray
    chi2: FloatArray
    least: int | None


def merges(profile: Profile, method: ChiMerge, most: int) -> list[Merging]:
    """Return the last states of ChiMerge, the final one included."""
    threshold, limit = method.limits(profile)

    def chi2(low: int) -> float:
        return interval_chi2(counts[low], counts[low + 1], method.empty)

    starts, counts = np.arange(len(profile.points)), profile.counts.copy()
    pairs = np.array([chi2(k) for k in range(len(counts) - 1)])
    seen: deque[Merging] = deque(maxlen=most + 1)
    for number in range(len(starts)):
        least = int(pairs.argmin()) if len(pairs) else None
        if least is not None and pairs[least] >= threshold and len(starts) <= limit:
            least = None
        seen.append(Merging(number, starts, counts, pairs, least))
        if least is None:
            break
        joined = counts[least] + counts[least + 1]
        starts, counts = np.delete(starts, least + 1), np.delete(counts, least + 1, axis=0)
        counts[least], pairs = joined, np.delete(pairs, least)
        for changed in {least - 1, least} & set(range(len(pairs))):
            pairs[changed] = chi2(changed)
    return list(seen)


def chimerge_frames(
    data: Dataset, feature: str, most: int, method: ChiMerge
) -> tuple[str, list[Frame]]:
    """Return what is done, and the steps."""
    profile = profile_by_class(data, feature)
    rows = labelled(data)
    occurring = np.unique(data.y[rows][~np.isnan(data[feature][rows])]).tolist()
    states = merges(profile, method, most)
    threshold, _ = method.limits(profile)
    frames = [_frame(data, feature, profile, occurring, state, threshold) for state in states]
    skipped = states[0].number
    hidden = f"; the first {count(skipped, 'merge')} not shown" if skipped else ""
    n = states[-1].number
    heading = f"{feature}: {count(n, 'merge')} of {len(profile.points):,} values below chi-square"
    return f"{heading} {threshold:.4g}{hidden}", frames


def _frame(
    data: Dataset, feature: str, profile: Profile, classes: Sequence[int], state: Merging,
    threshold: float,
) -> Frame:  # fmt: skip
    coding = Coding({feature: profile.cuts(state.starts[1:])}).on(data.schema)
    labels = coding.labels(feature)
    heads, rows = _table(data, classes, state, labels)
    merged = () if state.least is None else (state.least, state.least + 1)
    return Frame(
        count(len(labels), "interval"), _text(state, labels, threshold),
        _picture(classes, state, labels), heads, rows,
        (False, *[True] * (len(heads) - 1)), merged,
    )  # fmt: skip


def _text(state: Merging, labels: Sequence[str], threshold: float) -> str:
    if state.least is None:
        return (
            f"No pair of neighbours has a chi-square below {threshold:.4g}: done."
            if len(labels) > 1
            else "One interval is left: done."
        )
    a, b = labels[state.least], labels[state.least + 1]
    return (
        f"The classes of {a} and {b} differ least (chi-square "
        f"{state.chi2[state.least]:.4g}, threshold {threshold:.4g}): they are merged next."
    )


def _table(
    data: Dataset, classes: Sequence[int], state: Merging, labels: Sequence[str]
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    few = len(classes) <= MANY_CLASSES
    cells = state.counts if few else state.counts.sum(axis=1, keepdims=True)
    names = [data.classes[c] for c in classes] if few else ["cases"]
    chi2 = [f"{value:.4g}" for value in state.chi2] + [""]
    rows = (
        (label, *(weight_text(float(cell)) for cell in row), next_one)
        for label, row, next_one in zip(labels, cells, chi2, strict=True)
    )
    return ("interval", *names, "chi² to next"), tuple(rows)


def _picture(classes: Sequence[int], state: Merging, labels: Sequence[str]) -> Picture:
    """Draw a bar of class weights for each interval, and the chi-squares between them."""
    step = min(96.0, max(26.0, 680 / len(labels)))
    canvas = Canvas(step * len(labels) + 20, 290)
    tallest = float(state.counts.sum(axis=1).max())
    colours = [colour(c) for c in classes]
    for k, (label, row) in enumerate(zip(labels, state.counts, strict=True)):
        x = 10 + k * step
        canvas.stack(x + 3, 210, step - 6, (190 * row / tallest).tolist(), colours)
        if step >= 60:
            canvas.text(x + step / 2, 228, label[: int(step / 6.5)])
        if k < len(state.chi2) and step >= 40:
            canvas.text(x + step, 258, f"{state.chi2[k]:.3g}", kind="faint")
    canvas.add("path", d=f"M10,210H{10 + step * len(labels):.1f}", class_="axis")
    if step >= 40 and len(labels) > 1:
        canvas.text(10, 282, "chi-square of neighbours", anchor="start", kind="faint")
    if state.least is not None:
        canvas.add(
            "rect", x=10 + state.least * step, y=8, width=2 * step, height=206, rx=4, class_="mark"
        )
    return canvas.done()
