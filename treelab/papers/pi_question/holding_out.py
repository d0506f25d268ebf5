"""What would be chosen for a data set by whoever has seen all others, but not its family.

Whatever chooses is given the other domains and the characteristics of a training part, and nothing
else: it cannot see what it is tested on.
"""

from collections.abc import Mapping, Sequence

import attrs
import numpy as np

from treelab.choosing import Domain, Rule
from treelab.papers.pi_question.halving import DEFAULT, mean_by_family
from treelab.papers.pi_question.table import Finals
from treelab.protocols import BoolArray, FloatArray

ALWAYS = "always 1/1/1/1, alpha 0.1"
SINGLE = "best single setting"
RULE = "rule"
INNER = "inner folds"
RULE_OF_ALL = "rule, all metrics"
INNER_OF_ALL = "inner folds, all metrics"
ORACLE = "best setting, known afterwards"


@attrs.frozen(eq=False)
class Contest:
    """Accuracy in % of each contestant on each data set, (data set, contestant).

    Over the folds of the first repetition, the same for all.
    """

    data: tuple[str, ...]
    bundled: BoolArray
    names: tuple[str, ...]
    accuracy: FloatArray

    def of(self, name: str) -> FloatArray:
        """Return the accuracies of a contestant."""
        return np.asarray(self.accuracy[:, self.names.index(name)])


def others(domains: Sequence[Domain], family: str) -> tuple[Domain, ...]:
    """Return the domains that are not of a family."""
    return tuple(each for each in domains if each.family != family)


def best_single(known: Sequence[Domain], among: Sequence[str]) -> str:
    """Return the metric of the largest mean accuracy over the families that are known."""
    accuracy = np.array([[each.accuracy[name] for name in among] for each in known])
    means = mean_by_family(accuracy, [each.family for each in known])
    return among[int(np.argmax(means.round(9)))]


def by_rule(known: Sequence[Domain], among: Sequence[str], meta: Mapping[str, float]) -> str:
    """Return the metric that a rule learned from what is known takes for such data."""
    return Rule(tuple(known)).expected(meta, among).best


def contest(finals: Finals) -> Contest:
    """Let every contestant choose for every data set, and look up what it then gets."""
    rows = [_contestants(finals, place) for place in range(len(finals.data))]
    names = tuple(rows[0])
    accuracy = np.array([[row[name] for name in names] for row in rows])
    return Contest(finals.data, finals.bundled, names, accuracy)


def _contestants(finals: Finals, place: int) -> dict[str, float]:
    known = others(finals.domains(), finals.families[place])
    own = finals.portfolios[finals.data[place]]
    every = (*own, *finals.peers)
    found = {
        ALWAYS: _mean(finals, place, [DEFAULT]),
        SINGLE: _mean(finals, place, [best_single(known, own)]),
        RULE: _mean(finals, place, [by_rule(known, own, meta) for meta in finals.parts[place]]),
        INNER: float(finals.nested[0, place].mean()),
        RULE_OF_ALL: _mean(
            finals, place, [by_rule(known, every, meta) for meta in finals.parts[place]]
        ),
        INNER_OF_ALL: float(finals.nested[1, place].mean()),
    }
    found |= {name: _mean(finals, place, [name]) for name in finals.peers}
    return found | {ORACLE: max(_mean(finals, place, [name]) for name in finals.settings)}


def _mean(finals: Finals, place: int, chosen: Sequence[str]) -> float:
    """Return the mean accuracy of what was chosen for each fold, or for all of them."""
    n_folds = finals.accuracy.shape[3]
    names = [chosen[0]] * n_folds if len(chosen) == 1 else chosen
    return float(np.mean([finals.first(place, name)[k] for k, name in enumerate(names)]))
