"""What the methods of `treelab reduce features` say, in one form."""

from functools import partial
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset
    from treelab.evaluate import BeforeAfter, Reduced
    from treelab.reduce import PartSelection, PrincipalComponents, Reduction

EMBEDDERS = ("mds", "isomap")
AXES = ("pca", *EMBEDDERS)
"""Methods that make new features."""


@attrs.frozen
class Method:
    """A method by name, and all that was said about it; None where nothing was."""

    name: str
    threshold: float | None
    k: int | None
    fill: Any
    outcome: str | None
    part: float | None
    seed: int
    options: dict[str, Any]

    def judge(self, data: "Dataset") -> "Reduction":
        """Judge the features of some cases."""
        from treelab.reduce import features

        words = {} if self.classes is None else {"classes": self.classes}
        return features(
            data, self.name, self.threshold, self.k, fill=self.fill, outcome=self.outcome, **words,
            **self.said(),
        )  # fmt: skip

    @property
    def classes(self) -> int | None:
        return self.options.get("classes")

    def said(self) -> dict[str, Any]:
        """Return the options of the method that were given; the seed goes with a draw."""
        said = {
            key: value
            for key, value in self.options.items()
            if value is not None and key not in ("classes", "neighbours")
        }
        return said | {"seed": self.seed} if "m" in said else said

    def whole(self, data: "Dataset") -> "Dataset":
        """Return the cases with missing numbers filled in, if that is asked for."""
        from treelab.reduce import filled

        return data if self.fill is None else filled(data, self.fill, but=self.outcome)


class Found(NamedTuple):
    """What a method says: scores by name, names kept, and the data as they become."""

    what: str
    score: str
    scores: list[tuple[str, float]]
    kept: list[str]
    reduced: "Dataset"
    notes: dict[str, Any]

    def facts(self) -> dict[str, Any]:
        """Return what a program wants to know; an infinite score is told as a word."""
        scores = {name: score if isfinite(score) else "inf" for name, score in self.scores}
        features = {"scores": scores, "kept": self.kept, "features": list(self.reduced.features)}
        return features | self.notes


def found_by(method: Method, data: "Dataset", picture: Path | None) -> Found:
    """Return what a method says of the features."""
    _check(method)
    if method.name == "pca":
        return _components(method, method.whole(data), picture)
    if method.name in EMBEDDERS:
        return _axes(method, method.whole(data), picture)
    return _judged(method, data)


def compared(method: Method, data: "Dataset") -> "BeforeAfter":
    """Cross-validate trees before and after the reduction of each training part."""
    from treelab.evaluate import before_after
    from treelab.learner import Learner

    if method.name in EMBEDDERS:
        raise ParameterError(
            f"--before-after cannot test {method.name}: it places only the cases it has seen"
        )
    if method.outcome is not None:
        raise ParameterError("--before-after grows trees for a class, not for a numeric --outcome")
    return before_after(data, partial(_reduced, method), Learner())


def _reduced(method: Method, data: "Dataset") -> "Dataset | Reduced":
    from treelab.evaluate import Reduced

    if method.name != "pca":
        return method.judge(data).apply(data)
    pca = _pca(method, method.whole(data))
    # Cases to predict are filled in by themselves: folds do not see each other.
    return Reduced(pca.apply(method.whole(data)), lambda cases: pca.apply(method.whole(cases)))


def _check(method: Method) -> None:
    if method.name in AXES and (method.outcome is not None or method.part is not None):
        raise ParameterError(
            f"--outcome and --part are for judged features; {method.name} has axes"
        )
    if method.name in AXES and method.said():
        raise ParameterError(f"method {method.name!r} has no --alpha and no -m")
    if method.name != "isomap" and method.options.get("neighbours") is not None:
        raise ParameterError("--neighbours goes with --method isomap")
    if method.outcome is None and method.classes is not None:
        raise ParameterError("--classes is of an --outcome")


def _pca(method: Method, data: "Dataset") -> "PrincipalComponents":
    from treelab.reduce import principal_components

    return principal_components(data, 0.95 if method.threshold is None else method.threshold)


def _components(method: Method, data: "Dataset", picture: Path | None) -> Found:
    pca = _pca(method, data)
    if picture is not None:
        from treelab.plots import draw_scree, save

        save(draw_scree(pca), picture)
    names = [f"component {i + 1}" for i in range(len(pca.eigenvalues))]
    scores = list(zip(names, pca.eigenvalues.tolist(), strict=True))
    return Found("component", "variance", scores, names[: pca.kept], pca.apply(data), {})


def _axes(method: Method, data: "Dataset", picture: Path | None) -> Found:
    from treelab.reduce import embedding

    if method.threshold is not None:
        raise ParameterError(f"{method.name} has no threshold: -k says how many axes")
    neighbours = method.options.get("neighbours")
    words = {} if neighbours is None else {"neighbours": neighbours}
    placed = embedding(data, method.name, method.k or 2, **words)  # type: ignore[arg-type]
    if picture is not None:
        from treelab.plots import draw_embedding, save

        save(draw_embedding(placed, data), picture)
    names = [f"axis {i + 1}" for i in range(placed.coordinates.shape[1])]
    scores = list(zip(names, placed.coordinates.var(axis=0).tolist(), strict=True))
    notes = {"residual variance": round(placed.residual, 6)}
    notes |= {"parts joined": placed.parts} if placed.parts > 1 else {}
    return Found("axis", "variance", scores, names, placed.apply(data), notes)


def _judged(method: Method, data: "Dataset") -> Found:
    if method.part is None:
        judged, notes = method.judge(data), {}
    else:
        from treelab.reduce import on_part

        found = on_part(data, method.judge, method.part, seed=method.seed)
        judged, notes = found.reduction, {"judged on": _said_part(found, len(data))}
    scores = [(name, judged.scores[name]) for name in judged.ranking]
    return Found("feature", "score", scores, list(judged.kept), judged.apply(data), notes)


def _said_part(found: "PartSelection", cases: int) -> str:
    tried = ", ".join(str(step.cases) for step in found.steps)
    if found.cases is None:
        return f"all {cases} cases: no two parts agreed (tried {tried})"
    return f"{found.cases} of {cases} cases, as {found.cases} others judge (tried {tried})"
