"""Questions of the study: how right the trees of a metric are, and what the data are like."""

from functools import cache
from typing import Any

import numpy as np

from treelab import Dataset, Learner, cross_validate, load, make, meta, metric
from treelab.choosing import race
from treelab.evaluate import folds_by_content
from treelab.experiment.simulation import Settings
from treelab.laboratory import Design, figures, scores
from treelab.reduce import capped

GENERATED = "make:"


def domain(settings: Settings) -> Dataset:
    """Return the data of a question, at most so many cases of them."""
    return _domain(settings["data"], settings["cases"])


@cache
def _domain(name: str, cases: int) -> Dataset:
    """Return a bundled data set, or one made to order: 'make:parity:n=2,noise=0.1'."""
    whole = make(name.removeprefix(GENERATED)) if name.startswith(GENERATED) else load(name)
    return capped(whole, cases, 0)


def screened(settings: Settings, seed: int) -> dict[str, float]:
    """Cross-validate one setting of Pi once, roughly."""
    how = {**settings, "metric": setting(settings["theta"], settings["decay"])}
    return {"accuracy": _of_folds(how, seed).mean()}


def judged(settings: Settings, seed: int) -> dict[str, float]:
    """Cross-validate one metric; a figure a fold."""
    return _figures("accuracy", _of_folds(settings, seed))


def described(settings: Settings, seed: int) -> dict[str, float]:
    """Characterize the training part of every fold, and the whole."""
    data, most = domain(settings), settings["max_cases"]
    found = {f"whole {name}": value for name, value in meta(data, max_cases=most).items()}
    for k, (train, _) in enumerate(_parts(data, settings["folds"], seed)):
        of_fold = meta(capped(train, settings["most"], seed), max_cases=most)
        found |= {f"fold {k} {name}": value for name, value in of_fold.items()}
    return {name: float(f"{value:.7g}") for name, value in found.items()}


def nested(settings: Settings, seed: int) -> dict[str, float]:
    """In every fold, choose a metric by inner folds of its training part, then test that.

    Once among the settings of Pi (`portfolio`) and once among these and `others`.
    """
    data = domain(settings)
    own, others = settings["portfolios"][settings["data"]], settings["others"]
    found = np.empty((2, settings["folds"]))
    for k, (train, test) in enumerate(_parts(data, settings["folds"], seed)):
        part = capped(train, settings["most"], seed)
        trees = {name: _learner(settings, name) for name in [*own, *others]}
        result = race(part, trees, settings["inner"], seed)
        for place, among in enumerate((own, [*own, *others])):
            chosen = max(among, key=lambda name: result.means[result.names.index(name)])
            right = trees[chosen].fit(part).predict(test) == test.labels
            found[place, k] = np.average(right, weights=test.weights)
    return _figures("pi", found[0]) | _figures("all", found[1])


def biased(settings: Settings, seed: int) -> dict[str, float]:
    """Put a metric to attributes that differ in their number of values only (kononenko1995)."""
    design = Design(
        settings["scenario"], settings["classes"], tuple(settings["values"]), settings["cases"],
        seed,
    )  # fmt: skip
    found = scores(metric(settings["metric"]), design, settings["trials"])
    return figures(found, design.sizes)


def setting(theta: str, decay: str) -> str:
    """Return the name of a setting of Pi.

    >>> setting("0/0/0/1", "power:2")
    'pi:theta=0/0/0/1,decay=power,alpha=2'
    """
    form, _, alpha = decay.partition(":")
    return f"pi:theta={theta},decay={form},alpha={alpha}"


def _of_folds(settings: Settings, seed: int) -> Any:
    learner = _learner(settings, settings["metric"])
    data, most = domain(settings), settings["most"]
    found = cross_validate(
        data, lambda part: learner.fit(capped(part, most, seed)), settings["folds"], seed
    )
    return found.of("accuracy")


def _learner(settings: Settings, metric: str) -> Learner:
    return Learner(**settings["learner"], metric=metric)


def _parts(data: Dataset, folds: int, seed: int) -> list[tuple[Dataset, Dataset]]:
    """Return training and test part of every fold, as `cross_validate` takes them."""
    known = data.usable()
    fold = folds_by_content(known, folds, seed)
    return [(known.take(fold != k), known.take(fold == k)) for k in range(folds)]


def _figures(name: str, values: Any) -> dict[str, float]:
    return {f"{name} {k}": float(value) for k, value in enumerate(values)}
