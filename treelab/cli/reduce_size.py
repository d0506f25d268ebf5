"""`treelab reduce size`: how many cases an estimate takes."""

from typing import Annotated, Any

import typer

from treelab.cli.output import AsJson, count, say, say_json
from treelab.errors import ParameterError


def size(
    eps: Annotated[float, typer.Option(help="The error that is not to be exceeded, ...")],
    delta: Annotated[float, typer.Option(help="... but with this probability.")] = 0.05,
    share: Annotated[
        float | None, typer.Option(help="Of a proportion, as guessed; 0.5 is the safe guess.")
    ] = None,
    variance: Annotated[float | None, typer.Option(help="Of the values of a mean.")] = None,
    width: Annotated[
        float | None, typer.Option(help="The range of the values of a mean, for hoeffding.")
    ] = None,
    method: Annotated[str, typer.Option(help="normal, chebyshev or hoeffding.")] = "normal",
    population: Annotated[float | None, typer.Option(help="How many cases there are.")] = None,
    json: AsJson = False,
) -> None:
    """Tell how many cases estimate a proportion, or a mean, well enough."""
    from treelab.reduce import mean_sample_size, proportion_sample_size

    if share is not None and (variance is not None or width is not None):
        raise ParameterError("--share is of a proportion, --variance and --width are of a mean")
    options: dict[str, Any] = {"method": method, "population": population}
    if variance is None and width is None:
        n = proportion_sample_size(eps, delta, share=0.5 if share is None else share, **options)
    else:
        n = mean_sample_size(eps, delta, variance=variance, width=width, **options)
    if json:
        say_json({"eps": eps, "delta": delta, "method": method, "cases": n})
    else:
        say(count(n, "case"))
