"""What the end of section 5.2 says of theta and f, which the paper does not show, and its rules.

Theta is varied with the paper's f, 2^(-0.1 x), and f with the paper's theta, 1111. theta = 0000 is
no metric and takes no part.

*significant*   settings differ by Friedman's test over the domains, or on most single domains, by
                Friedman's test over the folds with Holm's correction for the domains; in part, if
                on some domain only.
*consistently*  the theta of the best mean rank is significantly better than every other one, by
                Wilcoxon's test over the domains with Holm's correction; judged with every f.
*degree*        the standard deviation over the settings on a domain, theta's and f's compared by
                Wilcoxon's test: at the paper's instance, and on average over the whole grid.
"""

import numpy as np

from treelab.evaluate import friedman, holm, wilcoxon
from treelab.experiment import Summary
from treelab.experiment.report.article import Section, Statement, Verdict, judged
from treelab.experiment.report.tables import Cell, Table, number
from treelab.papers.vilalta2001.cells import THETA, Extremes, F, GridCells, grid_cells
from treelab.protocols import FloatArray

WHERE = "section 5.2"
ALPHA = 0.05


def statements(summary: Summary) -> list[Statement]:
    """Return the paper's statements about theta and f, if two domains are complete."""
    found = grid_cells(summary)
    if found is None:
        return []
    cells = found.metrics
    return [
        Statement(WHERE, "Varying theta makes significant differences in accuracy",
                  *_differ(cells.over_theta(), cells.theta_extremes())),
        Statement(WHERE, "No theta outperforms other settings consistently", *_consistent(cells)),
        Statement(WHERE, "Varying f makes significant differences in accuracy",
                  *_differ(cells.over_f(), cells.f_extremes())),
        Statement(WHERE, "f matters to a lesser degree than theta", *_degree(cells)),
    ]  # fmt: skip


def _differ(scores: FloatArray, extremes: list[Extremes]) -> tuple[Verdict, str]:
    p = friedman(scores).p
    apart = [each for each in extremes if each.p < ALPHA]
    far = float(np.mean([each.points for each in extremes]))
    is_shown = bool(p < ALPHA or 2 * len(apart) > len(extremes))
    return judged([is_shown, is_shown or bool(apart)]), (
        f"Friedman's test of {scores.shape[1]} settings: P = {_p(p)}; the best and the worst "
        f"differ by {far:.1f} points on average, significantly on {len(apart)} of {len(extremes)} "
        "domains"
    )


def _consistent(cells: GridCells) -> tuple[Verdict, str]:
    leaders = {f: _leader(cells.over_theta(f)) for f in cells.functions}
    beaten = {f: _n_beaten(cells.over_theta(f), place) for f, place in leaders.items()}
    others, scores = len(cells.thetas) - 1, np.round(cells.over_theta(), 2)
    at_top = int((scores[:, leaders[F]] == scores.max(axis=1)).sum())
    return judged(n < others for n in beaten.values()), (
        f"with the paper's f, {cells.thetas[leaders[F]]} has the best mean rank; it is at the top "
        f"on {at_top} of {len(cells.data)} domains and significantly better than {beaten[F]} of "
        f"{others} others; with any f, the theta of the best mean rank beats at most "
        f"{max(beaten.values())} others"
    )


def _leader(scores: FloatArray) -> int:
    return int(friedman(scores).ranks.argmin())


def _n_beaten(scores: FloatArray, place: int) -> int:
    """Return how many settings one is significantly better than, over the domains."""
    others = [other for other in range(scores.shape[1]) if other != place]
    tests = [wilcoxon(scores[:, place], scores[:, other]) for other in others]
    corrected = holm([test.p for test in tests])
    return sum(
        bool(p < ALPHA and test.difference > 0) for p, test in zip(corrected, tests, strict=True)
    )


def _degree(cells: GridCells) -> tuple[Verdict, str]:
    means = cells.means
    pairs = {
        "at the paper's instance": (_spread(cells.over_theta()), _spread(cells.over_f())),
        "over the whole grid": (
            means.std(axis=1, ddof=1).mean(axis=1),
            means.std(axis=2, ddof=1).mean(axis=1),
        ),
    }
    found = {where: (a.mean(), b.mean(), wilcoxon(a, b).p) for where, (a, b) in pairs.items()}
    listed = (
        f"{where} {of_theta:.2f} and {of_f:.2f} points (P = {_p(p)})"
        for where, (of_theta, of_f, p) in found.items()
    )
    lesser = [of_theta > of_f and p < ALPHA for of_theta, of_f, p in found.values()]
    return judged(lesser), f"standard deviation over theta and over f: {'; '.join(listed)}"


def _spread(scores: FloatArray) -> FloatArray:
    return np.asarray(scores.std(axis=1, ddof=1))


def _p(value: float) -> str:
    return f"{value:.2g}" if value >= 1e-4 else "less than 0.0001"


def sections(summary: Summary) -> tuple[Section, ...]:
    """Return the means over the domains, and the tests on each domain."""
    cells = grid_cells(summary)
    if cells is None:
        return ()
    tables = (means_table(cells), domains_table(cells.metrics))
    return (Section("Theta and f over all domains, and on each", tables=tables),)


def means_table(cells: GridCells) -> Table:
    """Return the accuracy of every setting, on average over the domains."""
    means = np.round(cells.means.mean(axis=0), 2)
    ranks = friedman(cells.over_theta()).ranks
    rows = [
        (Cell(theta), *(_cell(value, value == means.max()) for value in means[place]),
         Cell(number(float(ranks[place]))))
        for place, theta in enumerate(cells.thetas)
    ]  # fmt: skip
    return Table(
        f"Accuracy in %, mean over {len(cells.data)} domains, of every theta (down) and f (across);"
        f" the best in bold; rank: the mean rank of a theta over the domains with {F}.",
        ("theta", *cells.functions, "rank"), tuple(rows),
    )  # fmt: skip


def _cell(value: float, is_best: bool) -> Cell:
    return Cell(number(value), emphasis="best" if is_best else "")


def domains_table(cells: GridCells) -> Table:
    """Return the best and the worst theta and f on every domain, with tests."""
    rows = [
        (Cell(name), *_extremes(of_theta), *_extremes(of_f))
        for name, of_theta, of_f in zip(
            cells.data, cells.theta_extremes(), cells.f_extremes(), strict=True
        )
    ]
    return Table(
        f"The best and the worst theta with {F}, the best and the worst f with theta = {THETA}: "
        "how many points they differ by, and P of Friedman's test of all settings over the folds "
        f"(Holm's correction for the domains); below {ALPHA:g} in bold.",
        ("domain", "best theta", "worst", "points", "P", "best f", "worst", "points", "P"),
        tuple(rows),
    )


def _extremes(found: Extremes) -> tuple[Cell, ...]:
    p = Cell(_p(found.p), emphasis="best" if found.p < ALPHA else "")
    return Cell(found.best), Cell(found.worst), Cell(number(found.points, 1)), p
