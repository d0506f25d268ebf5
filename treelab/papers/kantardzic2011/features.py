"""Questions of sections 3.2 to 3.5: which features to keep."""

from itertools import combinations

import numpy as np

from treelab import Dataset, load
from treelab.experiment.simulation import Settings
from treelab.papers.kantardzic2011.data import (
    FIGURE_3_3,
    PROBLEM_3,
    PROBLEM_4,
    PROBLEM_4B,
    TABLE_3_1,
    TABLE_3_2,
)
from treelab.reduce import (
    backward_elimination,
    best_by_dm,
    correlations,
    dm_distance,
    entropy_ranking,
    mean_variance_test,
    means_and_variances,
    multiple_r_squared,
    pearson,
    principal_components,
    relief,
    scaled,
    similarity_alpha,
    similarity_entropy,
)

STOP = 150.0
"""A change of the entropy, in bits, that is too much to lose a feature."""


def means(_settings: Settings, _seed: int) -> dict[str, float]:
    """Compare means and variances: Table 3.1 and problem 3a."""
    found = {}
    for name in TABLE_3_1.features:
        a, b = (TABLE_3_1[name][TABLE_3_1.y == code] for code in (0, 1))
        test = mean_variance_test(a, b)
        for label, group in (("A", a), ("B", b)):
            found[f"mean of {name}_{label}"] = float(group.mean())
            found[f"variance of {name}_{label}"] = float(group.var(ddof=1))
        found[f"SE of {name}"] = float(abs(a.mean() - b.mean()) / test)
        found[f"test of {name}"] = test
    kept = means_and_variances(TABLE_3_1, 0.5).kept
    found |= {f"{name} kept": float(name in kept) for name in TABLE_3_1.features}
    judged = means_and_variances(PROBLEM_3)
    found |= {f"test of {name}": score for name, score in judged.scores.items()}
    return found | _places(judged.ranking)


def correlation(_settings: Settings, _seed: int) -> dict[str, float]:
    """Return R, multiple R^2 and DM of Table 3.1 and problem 3."""
    found = {f"R({name})": r for name, r in correlations(TABLE_3_1).items()}
    found |= {f"R({name})": r for name, r in correlations(PROBLEM_3).items()}
    found["R^2 of I1, I2 and I3"] = multiple_r_squared(PROBLEM_3, PROBLEM_3.features)
    for name in PROBLEM_3.features:
        others = [other for other in PROBLEM_3.features if other != name]
        found[f"R^2 without {name}"] = multiple_r_squared(PROBLEM_3, others)
    kept = backward_elimination(PROBLEM_3, 0.1).kept
    found |= {f"{name} kept": float(name in kept) for name in PROBLEM_3.features}
    found["DM of X and Y"] = dm_distance(TABLE_3_1)
    found["DM of X and Y, 1/(n-1)"] = dm_distance(TABLE_3_1, ddof=1)
    for size in (1, 2):
        for names in combinations(PROBLEM_3.features, size):
            found[f"DM of {' and '.join(names)}"] = dm_distance(PROBLEM_3, names)
        best = best_by_dm(PROBLEM_3, size)
        found |= {f"{n} in best {size} by DM": float(n in best) for n in PROBLEM_3.features}
    return found


def relief_weights(_settings: Settings, _seed: int) -> dict[str, float]:
    """Weigh features by Relief: Table 3.2, problems 3b and 4b, raw and by shares of the range."""
    found: dict[str, float] = {}
    for data in (TABLE_3_2, PROBLEM_3, PROBLEM_4B):
        raw = relief(data, 5.0, normalize=False, ties="first")
        found |= {f"W({name})": w for name, w in raw.scores.items()}
        scores = relief(data, 0.0, ties="first").scores
        found |= {f"W({name}), normalized": w for name, w in scores.items()}
        if data is TABLE_3_2:
            found |= {f"{name} kept": float(name in raw.kept) for name in data.features}
        if data is PROBLEM_3:
            found |= _places(raw.ranking)
    return found


def entropy(_settings: Settings, _seed: int) -> dict[str, float]:
    """Rank features by the entropy of similarities: Figure 3.3 and problem 4a."""
    found = {
        f"S(R{i + 1},R{j + 1})": _agreement(FIGURE_3_3.take([i, j]))
        for i, j in combinations(range(len(FIGURE_3_3)), 2)
    }
    whole = similarity_entropy(FIGURE_3_3)
    found["E of Figure 3.3"] = whole
    for name in FIGURE_3_3.features:
        others = [other for other in FIGURE_3_3.features if other != name]
        less = similarity_entropy(FIGURE_3_3.select(others))
        found[f"E without {name}"], found[f"change without {name}"] = less, abs(whole - less)
    found |= _rounds(FIGURE_3_3, 2, "removal of {}")
    found |= _rounds(PROBLEM_4, 2, "removal of {}, 2 bins")
    found |= _rounds(PROBLEM_4, 3, "removal of {}, 3 bins")
    iris = load("iris")
    for text, alpha in (("removal of {}", None), ("removal of {}, alpha 0.5", 0.5)):
        found |= _rounds(iris, 2, text, alpha)
    stopped = entropy_ranking(iris, threshold=STOP)
    found["features left by a stop at 150 bits"] = float(len(stopped.left))
    numbers = PROBLEM_4.select(["X1", "X2"])
    found["alpha of X1, X2"] = float(similarity_alpha(scaled(numbers), numbers.weights)[-1])
    found["E of X1, X2"] = similarity_entropy(numbers)
    return found


def components(_settings: Settings, _seed: int) -> dict[str, float]:
    """Find the principal components of the iris data: Tables 3.3 and 3.4."""
    iris = load("iris")
    found = {
        f"r({i + 1},{j + 1})": pearson(iris[iris.features[i]], iris[iris.features[j]])
        for i, j in combinations(range(len(iris.features)), 2)
    }
    pca = principal_components(iris, 0.95)
    found |= {f"eigenvalue {i}": float(v) for i, v in enumerate(pca.eigenvalues, 1)}
    found |= {f"R({m})": float(r) for m, r in enumerate(pca.ratios, 1)}
    found["components kept"] = float(pca.kept)
    found |= {
        f"part of feature {f + 1} in component {c + 1}": float(pca.components[c, f])
        for c in range(pca.kept)
        for f in range(len(iris.features))
    }
    return found


def _agreement(pair: Dataset) -> float:
    """Return S of two cases, the share of features that agree."""
    return float(np.mean([one == other for one, other in pair.columns]))


def _rounds(data: Dataset, bins: int, text: str, alpha: float | None = None) -> dict[str, float]:
    removed = entropy_ranking(data, bins=bins, alpha=alpha).removed
    return {text.format(name): float(removed.index(name) + 1) for name in data.features}


def _places(ranking: tuple[str, ...]) -> dict[str, float]:
    return {f"place of {name}": float(place) for place, name in enumerate(ranking, 1)}
