"""Which settings of Pi go on to the finals: chosen for every data set without a look at it."""

from collections.abc import Mapping, Sequence

import numpy as np

from treelab.experiment.simulation import Answers, Part
from treelab.papers.pi_question.questions import judged, nested, setting
from treelab.protocols import FloatArray

DEFAULT = "pi:theta=1/1/1/1,decay=exponential,alpha=0.1"
"""The metric of vilalta2001's experiments."""


def part_of(answers: Answers, name: str) -> Part:
    """Return a part of the study."""
    return next(part for part in answers.study.parts if part.name == name)


def settings_of(answers: Answers) -> tuple[str, ...]:
    """Return the names of all settings of Pi, in order."""
    over = part_of(answers, "screen").over
    return tuple(setting(theta, decay) for theta in over["theta"] for decay in over["decay"])


def screening(answers: Answers) -> FloatArray:
    """Return (data set, setting): the accuracy in % of the first look; NaN where there is none."""
    over = part_of(answers, "screen").over
    data, names = list(over["data"]), settings_of(answers)
    found = np.full((len(data), len(names)), np.nan)
    for run, figures in answers.of("screen"):
        name = setting(run.varied["theta"], run.varied["decay"])
        found[data.index(run.varied["data"]), names.index(name)] = 100 * figures["accuracy"]
    return found


def screened_families(answers: Answers) -> tuple[FloatArray, list[str], list[str]]:
    """Return the first look at the data sets that are complete, their names and families."""
    part, found = part_of(answers, "screen"), screening(answers)
    kept = np.flatnonzero(np.isfinite(found).all(axis=1)).tolist()
    names = [part.over["data"][k] for k in kept]
    families = [family_of(name, part.settings["families"]) for name in names]
    return found[kept], names, families


def family_of(name: str, families: Mapping[str, Sequence[str]]) -> str:
    """Return the family of a data set: the one that lists it, else its own."""
    return next((family for family, members in families.items() if name in members), name)


def mean_by_family(values: FloatArray, families: Sequence[str]) -> FloatArray:
    """Return the mean of rows (data set, ...), data sets of a family counting as one together."""
    kinds = sorted(set(families))
    rows = [values[[each == kind for each in families]].mean(axis=0) for kind in kinds]
    return np.asarray(np.mean(rows, axis=0))


def leaders(accuracy: FloatArray, families: Sequence[str], keep: int) -> list[int]:
    """Return the settings of the least mean regret over the families, the best first."""
    regret = accuracy.max(axis=1, keepdims=True) - accuracy
    return list(np.argsort(mean_by_family(regret, families).round(9), kind="stable")[:keep])


def portfolios(answers: Answers) -> dict[str, tuple[str, ...]]:
    """Return for every data set the settings that lead on all others, and the paper's.

    The data set itself and its family have no say.
    """
    part = part_of(answers, "screen")
    names, found = settings_of(answers), screening(answers)
    data = list(part.over["data"])
    families = [family_of(name, part.settings["families"]) for name in data]
    chosen = {}
    for place, name in enumerate(data):
        others = [k for k, family in enumerate(families) if family != families[place]]
        best = leaders(found[others], [families[k] for k in others], part.settings["keep"])
        chosen[name] = tuple(dict.fromkeys([*(names[k] for k in best), DEFAULT]))
    return chosen


def finals(answers: Answers) -> tuple[Part, ...]:
    """Return the second stage: the leaders at full length, and choice by inner folds."""
    first, peers = part_of(answers, "screen"), part_of(answers, "peers")
    found = portfolios(answers)
    union = [name for name in settings_of(answers) if any(name in each for each in found.values())]
    inner = {name: first.settings[name] for name in ("learner", "cases", "most")} | {
        "folds": peers.settings["folds"],
        "inner": first.settings["inner"],
        "portfolios": {name: list(each) for name, each in found.items()},
        "others": list(peers.over["metric"]),
    }
    data = first.over["data"]
    return (
        Part("nested", nested, {"data": data}, inner, first.settings["nested_seeds"]),
        Part("finals", judged, {"data": data, "metric": union}, peers.settings, peers.seeds),
    )
