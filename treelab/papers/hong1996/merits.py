"""Questions of section 4: what contextual merits make of EXOR, before and after normalization.

*case*     A: all bits; B: X3 and R1 to R4 are numbers; C: as B, with a steeper ramp.
*variant*  whose counter-examples count, and how many of them.
"""

from collections.abc import Mapping
from typing import Any

from treelab import Dataset, Normalized, make, metric
from treelab.experiment.simulation import Settings
from treelab.metrics import root_of
from treelab.protocols import FloatArray, NodeView

CASES: Mapping[str, tuple[str, float]] = {
    "A": ("exor", 1 / 2),
    "B": ("rannum", 1 / 2),
    "C": ("rannum", 1 / 3),
}
"""The generator, and the share of the range from which on numbers differ fully (eq. 28)."""

OWN_RAMPS = (0.5, 0.5, 1 / 3, 1 / 4, 1 / 3, 1 / 2, 3 / 4, *[0.5] * 6)
"""A threshold t_k for each feature (eq. 28), as a share of its range: X3 and R1-R4 are numbers."""

VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "smaller class": {"rows": "smaller"},
    "all cases": {"rows": "all"},
    "all counter-examples": {"rows": "smaller", "k": "all"},
    "own thresholds": {"rows": "smaller", "ramp": OWN_RAMPS},
}

MEASURES = ("CM0", "RM0", "NCM0", "CM1", "RM1", "NCM1")
JUDGES = ("CM0", "NCM0", "CM1", "NCM1")
"""The measures that rank features; RM0 and RM1 are what noise is worth."""

FEATURES = ("X1", "X2", "X3", *(f"R{place}" for place in range(1, 11)))
RELEVANT, NOISE = slice(0, 3), slice(3, 13)
GROUPS = {"X1-X2": slice(0, 2), "X3": slice(2, 3), "R1-R4": slice(3, 7), "R5-R10": slice(7, 13)}


def every_merit(settings: Settings, seed: int) -> dict[str, float]:
    """Return all merits of all features for one draw of the data: a case of Table 2."""
    return {
        f"{measure} {feature}": float(value)
        for measure, values in _merits(settings, seed).items()
        for feature, value in zip(FEATURES, values, strict=True)
    }


def merits(settings: Settings, seed: int) -> dict[str, float]:
    """Return the means of alike features, the least merit of X1-X3 and the largest of R1-R10."""
    found = _merits(settings, seed)
    means = {
        f"{measure} {group}": float(found[measure][place].mean())
        for measure in MEASURES
        for group, place in GROUPS.items()
    }
    return means | contested(found)


def contest(settings: Settings, seed: int) -> dict[str, float]:
    """Return what success depends on, and the mean of CM0 over X1-X3."""
    found = _merits(settings, seed)
    return {"CM0 X1-X3": float(found["CM0"][RELEVANT].mean())} | contested(found)


def contested(found: Mapping[str, FloatArray]) -> dict[str, float]:
    """Return the least merit of X1-X3 and the largest of R1-R10, by each measure that ranks."""
    least = {f"{measure} least X": float(found[measure][RELEVANT].min()) for measure in JUDGES}
    most = {f"{measure} most R": float(found[measure][NOISE].max()) for measure in JUDGES}
    return least | most


def _merits(settings: Settings, seed: int) -> dict[str, FloatArray]:
    generator, ramp = CASES[settings["case"]]
    node = root(make(generator, cases=settings["cases"], seed=seed), seed)
    how = {"ramp": ramp, **VARIANTS[settings["variant"]], "ties": "first"}
    found = {}
    for place, name in enumerate(("contextual-merit", "contextual-merit-1")):
        judge = Normalized(metric(name, **how), rounds=settings["rounds"])
        compared = judge.compared(node)
        found[f"CM{place}"], found[f"RM{place}"] = compared.found, compared.expected
        found[f"NCM{place}"] = compared.ratio()
    return found


def root(data: Dataset, seed: int) -> NodeView:
    """Return all cases as metrics see them; nominal features branch into all their values."""
    return root_of(data, splits="multiway", seed=seed)
