"""The error of a learner on samples of growing size."""

from typing import TYPE_CHECKING

from treelab.plots.canvas import in_style, new_figure, panels
from treelab.plots.style import colour
from treelab.reduce.models import LearningCurve

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@in_style
def draw_learning_curve(curve: LearningCurve) -> "Figure":
    """Draw the test error of each sample size, with the size that was chosen.

    Parameters
    ----------
    curve
        What `treelab.reduce.incremental` found.
    """
    figure = new_figure(6.4, 3.6)
    (axes,) = panels(figure, (1.0,))
    cases = [step.cases for step in curve.steps]
    errors = [100 * step.error for step in curve.steps]
    axes.plot(cases, errors, "o-", color=colour(0), label="test error")
    axes.plot(
        curve.chosen.cases, 100 * curve.chosen.error, "o", markersize=11, fillstyle="none",
        markeredgewidth=1.6, color=colour(5), label=f"chosen: {curve.chosen.cases:,} cases",
    )  # fmt: skip
    for step in curve.steps:
        axes.annotate(
            f"{step.share:.0%}".replace("%", " %"), (step.cases, 100 * step.error), (6, 7),
            textcoords="offset points", fontsize=8, color="0.3",
        )  # fmt: skip
    axes.margins(x=0.06, y=0.2)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("cases learned from")
    axes.set_ylabel("test error (%)")
    axes.set_title("Incremental sampling", loc="left")
    axes.legend(loc="lower left", frameon=False, fontsize=8)
    return figure
