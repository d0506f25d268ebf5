"""Questions of which the book speaks without figures, put to bundled data."""

from collections.abc import Callable

from scipy.stats import spearmanr

from treelab import Dataset, Learner, load
from treelab.evaluate import before_after
from treelab.experiment.simulation import Settings
from treelab.reduce import Reduction, features, on_part, relief, stratified, values


def asked_cases(settings: Settings, seed: int) -> dict[str, float]:
    """Let m cases look for their neighbours (3.3): how like the weights are to those of all."""
    data, k = load(settings["data"]), settings["best"]
    whole, part = relief(data, 0.0), relief(data, 0.0, m=settings["m"], seed=seed)
    names = list(data.features)
    alike = spearmanr([whole.scores[n] for n in names], [part.scores[n] for n in names])
    same = set(whole.ranking[:k]) & set(part.ranking[:k])
    return {"rank correlation": float(alike.statistic), "share of the best": len(same) / k}


def portion(settings: Settings, seed: int) -> dict[str, float]:
    """Choose features on a part P, enlarged on inconsistency (3.2.2)."""
    data = load(settings["data"])

    def judge(cases: Dataset) -> Reduction:
        return features(cases, "relief", k=settings["best"])

    found = on_part(data, judge, 0.1, seed=seed)
    same = set(found.reduction.kept) == set(judge(data).kept)
    return {
        "share of the cases": (found.cases or len(data)) / len(data),
        "at once": float(len(found.steps) == 1 and found.cases is not None),
        "as all cases choose": float(same),
    }


def card(settings: Settings, seed: int) -> dict[str, float]:
    """Compare time, accuracy and simplicity before and after a reduction (3.1)."""
    data = load(settings["data"])
    reduce = REDUCTIONS[settings["reduction"]]
    found = before_after(data, lambda cases: reduce(cases, seed), Learner(), seed=seed)
    before, after = found.before, found.after
    return {
        "time": after.seconds / before.seconds,
        "accuracy before": before.accuracy,
        "accuracy after": after.accuracy,
        "leaves before": before.leaves,
        "leaves after": after.leaves,
    }


def _half_the_features(data: Dataset, _seed: int) -> Dataset:
    return features(data, "relief", k=len(data.features) // 2).apply(data)


def _ten_values(data: Dataset, _seed: int) -> Dataset:
    return values(data, "mean")


def _half_the_cases(data: Dataset, seed: int) -> Dataset:
    return stratified(data, 0.5, seed=seed).data


REDUCTIONS: dict[str, Callable[[Dataset, int], Dataset]] = {
    "half the features, by Relief": _half_the_features,
    "ten values, by bin means": _ten_values,
    "half the cases, stratified": _half_the_cases,
}
