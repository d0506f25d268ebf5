"""Questions about what the paper leaves to further work (duch2004 sections 4 and 5)."""

from time import process_time

import numpy as np

from treelab import Dataset, discretizer, rank
from treelab.experiment.simulation import Settings
from treelab.papers.duch2004.thyroid import INDICES
from treelab.papers.duch2004.years import NUMERIC, numbered, parted
from treelab.protocols import Discretizer
from treelab.selection import as_matrix

CUTTERS = {
    "equal-width": "equal-width:",
    "equal-frequency": "equal-frequency:",
    "SSV": "greedy:metric=ssv,bins=",
    "entropy": "greedy:metric=gain,bins=",
}
"""Ways to cut; SSV and entropy by the same search, so that only the criterion differs in cost."""

REPEATS = 5
"""Of so many times the least is taken."""


def classes(settings: Settings, seed: int) -> dict[str, float]:
    """Return the place of every feature by what it tells of one class against the others."""
    train = parted(settings, seed)[0]
    found = rank(
        train, "gain-ratio", f"ssv:{settings['bins']}", for_class=str(settings["label"])
    ).features
    return {f"place {n}": found.index(name) + 1.0 for n, name in numbered(train).items()}


def weights(settings: Settings, seed: int) -> dict[str, float]:
    """Return the accuracy of neighbours that see every feature as far as an index says."""
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.preprocessing import StandardScaler

    train, test = parted(settings, seed)
    scale = np.ones(len(train.features))
    if settings["index"] != "none":
        found = rank(train, INDICES[settings["index"]], f"ssv:{settings['bins']}").weights
        scale = np.array([found[name] for name in train.features])
    scaler = StandardScaler().fit(as_matrix(train))
    x, other = (scaler.transform(as_matrix(data)) * scale for data in (train, test))
    model = KNeighborsClassifier(settings["neighbours"], algorithm="kd_tree").fit(x, train.y)
    return {"accuracy": float(100 * (model.predict(other) == test.y).mean())}


def cuttings(settings: Settings, seed: int) -> dict[str, float]:
    """Return what the numbers tell once they are cut, and how long the cutting takes.

    The information is that of the test cases, by cuts of the training cases: more bins tell more
    of the cases they were made from, whatever they are.
    """
    train, test = (
        data.select([data.features[n - 1] for n in NUMERIC]) for data in parted(settings, seed)
    )
    way = discretizer(f"{CUTTERS[settings['cutting']]}{settings['bins']}")
    coding = way.fit(train)
    times = [_seconds(way, train) for _ in range(REPEATS)]
    found = rank(coding.apply(test), "gain")
    return {f"MI {n}": found[name] for n, name in zip(NUMERIC, train.features, strict=True)} | {
        "milliseconds": 1000 * min(times)
    }


def _seconds(way: Discretizer, train: Dataset) -> float:
    begin = process_time()
    way.fit(train)
    return process_time() - begin
