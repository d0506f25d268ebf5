"""`treelab reduce features`: judge the features, keep the good ones."""

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from treelab.cli.inputs import DataName, check_output, split_names, training_data
from treelab.cli.output import AsJson, count, say, say_facts, say_json, say_table
from treelab.cli.reading import Reading, reads_data
from treelab.cli.reduction import Nominal, Numeric, Output, Picture, Target, Weights, check_picture
from treelab.cli.tables import write_data
from treelab.errors import ParameterError

if TYPE_CHECKING:
    from treelab.data.dataset import Dataset
    from treelab.evaluate import BeforeAfter


@reads_data
def features(
    data: DataName,
    method: Annotated[
        str,
        typer.Option(help="means, correlation, elimination, relief, entropy, dm or pca."),
    ] = "means",
    threshold: Annotated[
        float | None, typer.Option(help="What a feature must score; of pca: what to retain.")
    ] = None,
    k: Annotated[int | None, typer.Option("-k", help="Keep the k best instead.")] = None,
    fill: Annotated[
        str | None,
        typer.Option(help="Fill missing numbers in by mean, median or nearest (case) first."),
    ] = None,
    before_after: Annotated[
        bool,
        typer.Option("--before-after", help="Cross-validate trees before and after, too."),
    ] = False,
    picture: Picture = None,
    target: Target = None,
    nominal: Nominal = None,
    numeric: Numeric = None,
    weights: Weights = None,
    output: Output = None,
    json: AsJson = False,
    *,
    reading: Reading,
) -> None:
    """Judge the features and keep the good ones.

    Nothing is left to chance. --picture draws how much variance the components of pca have.
    """
    check_output(output, data)
    check_picture(picture, method, "pca", data)
    kinds = split_names(nominal), split_names(numeric)
    cases = training_data(data, target, *kinds, weights, reading)
    compared = _compared(cases, method, threshold, k, fill) if before_after else None
    if method == "pca":
        found = _components(_whole(cases, fill), threshold, picture)
    else:
        found = _judged(cases, method, threshold, k, fill)
    if output is not None:
        write_data(output, found.reduced, weights)
    if json:
        say_json(
            {"data": cases.name, "method": method, "fill": fill} | found.facts() | _cards(compared)
        )
        return
    rows = [(name, f"{score:.6g}", "kept" * (name in found.kept)) for name, score in found.scores]
    say_table((found.what, found.score, ""), rows)
    kept = count(len(found.reduced.features), "feature")
    if compared is not None:
        say(f"\n{compared}\n")
    say_facts([("kept", kept), ("filled in", _said(cases, fill)), ("saved to", output)])


class Found(NamedTuple):
    """What a method says: scores by name, names kept, and the data as they become."""

    what: str
    score: str
    scores: list[tuple[str, float]]
    kept: list[str]
    reduced: "Dataset"

    def facts(self) -> dict[str, Any]:
        """Return what a program wants to know; an infinite score is told as a word."""
        scores = {name: score if isfinite(score) else "inf" for name, score in self.scores}
        return {"scores": scores, "kept": self.kept, "features": list(self.reduced.features)}


def _components(data: "Dataset", retain: float | None, picture: Path | None) -> Found:
    from treelab.reduce import principal_components

    pca = principal_components(data, 0.95 if retain is None else retain)
    if picture is not None:
        from treelab.figures import draw_scree, save

        save(draw_scree(pca), picture)
    names = [f"component {i + 1}" for i in range(len(pca.eigenvalues))]
    scores = list(zip(names, pca.eigenvalues.tolist(), strict=True))
    return Found("component", "variance", scores, names[: pca.kept], pca.apply(data))


def _compared(
    data: "Dataset", method: str, threshold: float | None, k: int | None, fill: Any
) -> "BeforeAfter":
    from treelab.evaluate import before_after
    from treelab.learner import Learner
    from treelab.reduce import features as judge

    if method == "pca":
        raise ParameterError("--before-after is for methods that keep features: pca makes new ones")
    return before_after(
        data, lambda cases: judge(cases, method, threshold, k, fill=fill).apply(cases), Learner()
    )


def _cards(compared: "BeforeAfter | None") -> dict[str, Any]:
    import attrs

    return {} if compared is None else {"before_after": attrs.asdict(compared)}


def _whole(data: "Dataset", fill: Any) -> "Dataset":
    from treelab.reduce import filled

    return data if fill is None else filled(data, fill)


def _said(data: "Dataset", fill: str | None) -> str | None:
    """Say what was filled in, if anything was."""
    from treelab.reduce import filling

    if fill is None or not (found := filling(data, fill)).holes:
        return None
    return str(found)


def _judged(
    data: "Dataset", method: str, threshold: float | None, k: int | None, fill: Any
) -> Found:
    from treelab.reduce import features as judge

    judged = judge(data, method, threshold, k, fill=fill)
    scores = [(name, judged.scores[name]) for name in judged.ranking]
    return Found("feature", "score", scores, list(judged.kept), judged.apply(data))
