"""The options of commands that grow trees."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from treelab.cli.completion import complete_discretizers, complete_metrics, complete_pruners
from treelab.cli.inputs import metric_given
from treelab.cli.options import takes

if TYPE_CHECKING:
    from treelab.learner import Learner

MetricSpec = Annotated[
    str | None,
    typer.Option(
        autocompletion=complete_metrics,
        help="What a split is worth; see `treelab metrics`; or auto.",
    ),
]
DiscretizerSpec = Annotated[
    str | None,
    typer.Option(
        autocompletion=complete_discretizers,
        help="Cuts numbers into intervals first, such as equal-width:10.",
    ),
]
PrunerSpec = Annotated[
    str | None,
    typer.Option(
        autocompletion=complete_pruners,
        help="Makes trees smaller, such as pessimistic:cf=0.1; or none.",
    ),
]
MissingPolicy = Annotated[
    str | None, typer.Option(help="Missing values: fractional, branch or majority.")
]
SplitsKind = Annotated[str | None, typer.Option(help="Branches: auto, multiway, binary or subset.")]
SearchKind = Annotated[
    str | None, typer.Option(help="greedy, beam (several trees side by side) or lookahead.")
]
SearchWidth = Annotated[
    int | None, typer.Option(help="Trees that a beam keeps, or features looked ahead.")
]
MinCases = Annotated[float | None, typer.Option(help="A node of fewer cases is a leaf.")]
MinBranch = Annotated[
    float | None, typer.Option(help="A split leaves two branches of so many cases.")
]
MaxDepth = Annotated[int | None, typer.Option(help="No leaf lies under more tests.")]
MaxLeaves = Annotated[int | None, typer.Option(help="Grow best first, to so many leaves.")]
Probabilities = Annotated[
    str | None,
    typer.Option(help="Of class weights: shares, laplace, m-estimate:m=2 or shrunk:lambda=10."),
]


def growing_of(
    discretizer: DiscretizerSpec = None,
    missing: MissingPolicy = None,
    splits: SplitsKind = None,
    min_cases: MinCases = None,
    min_branch: MinBranch = None,
    max_depth: MaxDepth = None,
    max_leaves: MaxLeaves = None,
) -> dict[str, Any]:
    """Return what options say about how trees grow, as settings of `Learner`."""
    return dict(locals())


grows_trees = takes(growing=growing_of)


def learner_of(preset: str | None = None, **settings: Any) -> "Learner":
    """Return the learner that options ask for; what is None is left to the preset or `Learner`."""
    from treelab.learner import Learner
    from treelab.presets import preset as options_of

    given = {name: value for name, value in settings.items() if value is not None}
    given |= {name: metric_given(given[name]) for name in ("metric", "cut_metric") if name in given}
    return Learner(**(options_of(preset) if preset else {}) | given)
