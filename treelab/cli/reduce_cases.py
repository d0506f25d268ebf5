"""`treelab reduce cases`: take a sample."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.averaging import say_average
from treelab.cli.inputs import DataName, check_output, training_data
from treelab.cli.output import AsJson, count, percent, say, say_facts, say_json, say_table
from treelab.cli.reading import Columns, Reading, reads_cases
from treelab.cli.reduction import BeforeAfterCard, Output, Picture, cards, check_picture
from treelab.cli.tables import as_csv, write_data
from treelab.errors import ParameterError, check_choice

if TYPE_CHECKING:
    from treelab.cli.case_methods import Draw
    from treelab.data.dataset import Dataset
    from treelab.evaluate import BeforeAfter
    from treelab.learner import Learner
    from treelab.reduce import LearningCurve, Sample

METHODS = (
    "random", "systematic", "stratified", "inverse", "window", "two-stage", "average", "incremental"
)  # fmt: skip


@reads_cases
def cases(
    data: DataName,
    method: Annotated[str, typer.Option(help=f"{', '.join(METHODS[:-1])} or {METHODS[-1]}.")] = (
        "random"
    ),
    size: Annotated[
        float,
        typer.Option(
            help="How many cases, or a share below 1; inverse: how many of the label; two-stage: "
            "of the pilot sample."
        ),
    ] = 0.1,
    replace: Annotated[
        bool, typer.Option("--replace", help="A case may be drawn more than once.")
    ] = False,
    by: Annotated[
        str | None,
        typer.Option(
            help="The nominal column of strata or label, else the class; two-stage: whose mean, "
            "or share of the label, is wanted."
        ),
    ] = None,
    label: Annotated[
        str | None, typer.Option(help="The rare value of inverse sampling, or of two-stage.")
    ] = None,
    eps: Annotated[float | None, typer.Option(help="The error that two-stage allows, ...")] = None,
    delta: Annotated[float, typer.Option(help="... but with this probability.")] = 0.05,
    samples: Annotated[int, typer.Option(help="How many samples average sampling draws.")] = 10,
    metric: Annotated[
        str | None, typer.Option(help="The metric of the trees of average and incremental.")
    ] = None,
    before_after: BeforeAfterCard = False,
    picture: Picture = None,
    seed: Annotated[int, typer.Option(help="For everything that is left to chance.")] = 0,
    output: Output = None,
    json: AsJson = False,
    *,
    columns: Columns,
    reading: Reading,
) -> None:
    """Take a sample of the cases, as CSV.

    A window holds the last cases of data in the order of time. Two-stage sampling learns the
    variance of a column from a pilot sample and draws as many more as its mean takes. Average
    sampling tells the error of trees of several samples that vote. Incremental sampling learns
    trees from 10, 20, 33, 50, 67 and 100 % of the cases until the error on held-out cases no
    longer improves; --picture draws the learning curve. --before-after shows what the sample does
    to trees, instead of the cases.
    """
    from treelab.cli.case_methods import Draw

    check_choice("method", method, METHODS)
    check_output(output, data)
    check_picture(picture, method, ["incremental"], data)
    everyone = training_data(data, *columns, reading)
    draw = Draw(method, size, replace, by, label, eps, delta, seed)
    if method == "average":
        if output is not None or before_after:
            raise ParameterError(
                "average sampling draws many samples: there is none to write, and what it prints "
                "is the error before and after"
            )
        drawing = {"samples": samples, "size": size, "replace": replace}
        say_average(everyone, _learner(metric, seed), drawing, seed, json)
        return
    card = _compared(everyone, draw, _learner(metric, seed)) if before_after else None
    if method == "incremental":
        curve = _curve(everyone, metric, seed, picture)
        _save(curve.sample, columns.weights, output)
        _say_curve(curve, card, output, json)
    else:
        sample, facts = draw.found(everyone)
        _save(sample, columns.weights, output)
        _say_sample(everyone, sample, draw, facts, card, columns.weights, output, json)


def _compared(data: "Dataset", draw: "Draw", learner: "Learner") -> "BeforeAfter":
    """Cross-validate trees of all training cases and of a sample of them."""
    from treelab.evaluate import before_after
    from treelab.reduce import incremental

    def reduce(cases: "Dataset") -> "Dataset":
        if draw.method == "incremental":
            return incremental(cases, learner.fit, seed=draw.seed).sample.data
        return draw.sample(cases).data

    return before_after(data, reduce, learner)


def _learner(metric: str | None, seed: int) -> "Learner":
    from treelab.learner import Learner

    return Learner(seed=seed) if metric is None else Learner(metric=metric, seed=seed)


def _curve(data: "Dataset", metric: str | None, seed: int, picture: Path | None) -> "LearningCurve":
    from treelab.reduce import incremental

    curve = incremental(data, _learner(metric, seed).fit, full=picture is not None, seed=seed)
    if picture is not None:
        from treelab.plots import draw_learning_curve, save

        save(draw_learning_curve(curve), picture)
    return curve


def _save(sample: "Sample", weights: str | None, output: Path | None) -> None:
    if output is not None:
        write_data(output, sample.data, weights)


def _say_sample(
    data: "Dataset",
    sample: "Sample",
    draw: "Draw",
    facts: dict[str, Any],
    card: "BeforeAfter | None",
    weights: str | None,
    output: Path | None,
    json: bool,
) -> None:
    if json:
        about: dict[str, Any] = {"data": data.name, "cases": len(data), "method": draw.method}
        drawn = {"seed": draw.seed, "size": len(sample), "rows": sample.rows.tolist()}
        say_json(about | drawn | facts | cards(card))
        return
    if card is not None:
        say(str(card))
    elif output is None:
        sys.stdout.write(as_csv(sample.data, weights))
    if output is not None:
        say(f"{count(len(sample), 'case')} of {len(data):,} saved to {output}")
        say_facts([(name, f"{value:.6g}") for name, value in facts.items()])


def _say_curve(
    curve: "LearningCurve", card: "BeforeAfter | None", output: Path | None, json: bool
) -> None:
    if json:
        steps = [{"share": s.share, "cases": s.cases, "error": s.error} for s in curve.steps]
        chosen = {"size": curve.chosen.cases, "rows": curve.sample.rows.tolist()}
        say_json({"method": "incremental", "steps": steps} | chosen | cards(card))
        return
    rows = [(percent(step.share), step.cases, percent(step.error)) for step in curve.steps]
    say_table(("share", "cases", "error"), rows)
    if card is not None:
        say(f"\n{card}\n")
    say_facts([("chosen", count(curve.chosen.cases, "case")), ("saved to", output)])
