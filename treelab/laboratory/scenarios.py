"""Scenarios: attributes that differ in their number of values only (kononenko1995 section 3)."""

import attrs

from treelab.data.synth.multivalued import Attributes
from treelab.errors import UnknownNameError

VALUES = (2, 5, 10, 20, 40)
CLASSES = (2, 5, 10)
CASES = 600


@attrs.frozen
class Scenario:
    """How classes and values are drawn; the parameters are those of `tl.make("kononenko")`.

    With `has_numeric`, a numeric attribute that tells as much as the others stands beside them;
    with `has_signal`, a slightly informative one of two values. `missing` is the share of values
    that are not known, of every attribute but the signal.
    """

    title: str
    attributes: Attributes = "irrelevant"
    k: float = 1.0
    delta: float = 0.05
    class_skew: float = 0.0
    value_skew: float = 0.0
    has_signal: bool = False
    missing: float = 0.0
    has_numeric: bool = False

    @property
    def tells(self) -> bool:
        """Whether the attributes tell anything about the class."""
        return self.attributes != "irrelevant"

    @property
    def is_noise(self) -> bool:
        """Whether no attribute tells anything, so that a fair metric chooses each as often."""
        return not self.tells and not self.has_signal

    @property
    def is_of_tables(self) -> bool:
        """Whether tables of values and classes say all: nothing is missing, nothing numeric."""
        return not self.missing and not self.has_numeric


MISSING = 0.3
"""The share of missing values in the scenarios that have some."""


SCENARIOS: dict[str, Scenario] = {
    "irrelevant": Scenario("irrelevant attributes"),
    "informative": Scenario("informative attributes", "informative"),
    "slightly": Scenario("slightly informative attributes", "slightly"),
    "signal": Scenario("irrelevant attributes beside a slightly informative one", has_signal=True),
    "missing": Scenario("irrelevant attributes, 30 % missing", missing=MISSING),
    "informative-missing": Scenario(
        "informative attributes, 30 % missing", "informative", missing=MISSING
    ),
    "signal-missing": Scenario(
        "irrelevant attributes, 30 % missing, beside a slightly informative one without",
        has_signal=True, missing=MISSING,
    ),
    "numeric": Scenario("irrelevant attributes and a numeric one", has_numeric=True),
    "informative-numeric": Scenario(
        "informative attributes and a numeric one", "informative", has_numeric=True
    ),
    "signal-numeric": Scenario(
        "irrelevant attributes and a numeric one beside a slightly informative one",
        has_signal=True, has_numeric=True,
    ),
    "informative-0": Scenario("informative attributes, k = 0", "informative", k=0.0),
    "informative-2": Scenario("informative attributes, k = 2", "informative", k=2.0),
    "skewed-values": Scenario("irrelevant attributes, skewed values", value_skew=1.0),
    "skewed-classes": Scenario("irrelevant attributes, skewed classes", class_skew=1.0),
    "skewed-both": Scenario(
        "irrelevant attributes, skewed values and classes", class_skew=1.0, value_skew=1.0
    ),
    "informative-skewed-classes": Scenario(
        "informative attributes, skewed classes", "informative", class_skew=1.0
    ),
}  # fmt: skip
"""The scenarios by name. Skewed: the share of the i-th value or class goes with 1 / i."""


def scenario(name: str) -> Scenario:
    """Return a scenario by name."""
    if name not in SCENARIOS:
        raise UnknownNameError("scenario", name, SCENARIOS)
    return SCENARIOS[name]
