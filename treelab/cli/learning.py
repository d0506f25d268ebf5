"""The options of commands that grow trees."""

from typing import Annotated

import typer

DiscretizerSpec = Annotated[
    str | None, typer.Option(help="Cuts numbers into intervals first, such as equal-width:10.")
]
PrunerSpec = Annotated[
    str | None, typer.Option(help="Makes trees smaller, such as pessimistic:cf=0.1; or none.")
]
MissingPolicy = Annotated[
    str | None, typer.Option(help="Missing values: fractional, branch or majority.")
]
SplitsKind = Annotated[str | None, typer.Option(help="Branches: auto, multiway, binary or subset.")]
MinCases = Annotated[float | None, typer.Option(help="A node of fewer cases is a leaf.")]
Probabilities = Annotated[
    str | None,
    typer.Option(help="Of class weights: shares, laplace, m-estimate:m=2 or shrunk:lambda=10."),
]
