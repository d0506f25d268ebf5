"""The results of the grid as an array, of the domains that are complete."""

import attrs
import numpy as np

from treelab.evaluate import friedman, holm
from treelab.experiment import Summary
from treelab.protocols import FloatArray

THETA, F = "1111", "exponential 0.1"
"""The instance of the paper's experiments."""

NO_METRIC = "0000"
"""Scores every feature 0: its trees are no metric's, so the rules leave it out."""


@attrs.frozen
class Extremes:
    """The best and the worst of some settings on a domain, and whether settings differ there.

    `p` is of Friedman's test over the folds, with Holm's correction for the domains.
    """

    best: str
    worst: str
    points: float
    p: float


@attrs.frozen(eq=False)
class GridCells:
    """Accuracies in %: `folds` is (domain, theta, f, fold of any repetition)."""

    data: tuple[str, ...]
    thetas: tuple[str, ...]
    functions: tuple[str, ...]
    folds: FloatArray

    @property
    def means(self) -> FloatArray:
        """(domain, theta, f)."""
        return np.asarray(self.folds.mean(axis=3))

    @property
    def metrics(self) -> "GridCells":
        """The same without theta = 0000."""
        kept = [place for place, theta in enumerate(self.thetas) if theta != NO_METRIC]
        thetas = tuple(self.thetas[place] for place in kept)
        return attrs.evolve(self, thetas=thetas, folds=self.folds[:, kept])

    def over_theta(self, f: str = F) -> FloatArray:
        """Return (domain, theta) with one function."""
        return np.asarray(self.means[:, :, self.functions.index(f)])

    def over_f(self, theta: str = THETA) -> FloatArray:
        """Return (domain, function) with one theta."""
        return np.asarray(self.means[:, self.thetas.index(theta)])

    def theta_extremes(self) -> list[Extremes]:
        """Return the best and the worst theta on every domain, with the paper's function."""
        return _extremes(self.folds[:, :, self.functions.index(F)], self.thetas)

    def f_extremes(self) -> list[Extremes]:
        """Return the best and the worst function on every domain, with the paper's theta."""
        return _extremes(self.folds[:, self.thetas.index(THETA)], self.functions)


def _extremes(folds: FloatArray, names: tuple[str, ...]) -> list[Extremes]:
    means = folds.mean(axis=2)
    corrected = holm([friedman(of_domain.T).p for of_domain in folds])
    ends = zip(means.argmax(axis=1), means.argmin(axis=1), np.ptp(means, axis=1), strict=True)
    return [
        Extremes(names[best], names[worst], float(points), float(p))
        for (best, worst, points), p in zip(ends, corrected, strict=True)
    ]


def grid_cells(summary: Summary) -> GridCells | None:
    """Return the cells of the complete domains; None if there are fewer than two."""
    grid = summary.study.grid
    if grid is None or summary.complete.sum() < 2:
        return None
    thetas, functions = grid.labels
    cube = 100 * summary.results.cube("accuracy")[summary.complete]
    folds = cube.reshape(len(cube), len(thetas), len(functions), -1)
    data = tuple(np.array(summary.data)[summary.complete].tolist())
    whole = np.isfinite(folds).all(axis=(0, 1, 2))  # repetitions that all have
    return GridCells(data, thetas, functions, folds[..., whole])
