"""The answer in words: computed by rules, so that other figures give other sentences."""

import attrs
import numpy as np

from treelab.evaluate import friedman, holm, mean_and_error, wilcoxon
from treelab.experiment.report.article import listed
from treelab.papers.pi_question.halving import DEFAULT
from treelab.papers.pi_question.holding_out import (
    ALWAYS,
    INNER,
    INNER_OF_ALL,
    RULE,
    RULE_OF_ALL,
    SINGLE,
    Contest,
)
from treelab.papers.pi_question.singles import Single
from treelab.papers.pi_question.table import Finals

ALPHA = 0.05
MOST_BEHIND = 1.0
"""Points of mean accuracy that the tuned metric may be behind."""
CLEAR = 0.95
"""The share of bootstrap samples that makes a setting the best beyond doubt."""


@attrs.frozen
class Lead:
    """By how many points one contestant is above another: mean, standard error, Wilcoxon's P."""

    mean: float
    error: float
    p: float

    def __str__(self) -> str:
        return f"{self.mean:+.2f} ± {self.error:.2f} points (P = {self.p:.2g})"


def lead(contest: Contest, name: str, over: str) -> Lead:
    """Compare two contestants over the data sets."""
    apart = contest.of(name) - contest.of(over)
    return Lead(*mean_and_error(apart), wilcoxon(contest.of(name), contest.of(over)).p)


def leads(contest: Contest, names: tuple[str, ...], over: str) -> dict[str, Lead]:
    """Compare several contestants with one; the P-values are corrected by Holm."""
    found = {name: lead(contest, name, over) for name in names}
    corrected = holm([each.p for each in found.values()])
    return {
        name: attrs.evolve(each, p=float(p))
        for (name, each), p in zip(found.items(), corrected, strict=True)
    }


def short(setting: str) -> str:
    """Write a setting for people.

    >>> short("pi:theta=0/0/0/1,decay=power,alpha=2")
    'theta 0001, power, alpha 2'
    """
    if not setting.startswith("pi:theta="):
        return setting
    theta, decay, alpha = (part.partition("=")[2] for part in setting.split(","))
    return f"theta {theta.replace('/', '')}, {decay}, alpha {alpha}"


def single_sentence(finals: Finals, single: Single) -> str:
    """Answer the first question, whether there are generally useful settings."""
    columns = [finals.metrics.index(name) for name in finals.settings]
    count = f"the {len(columns)} finalists"
    differ = ""
    if len(columns) >= 3:
        p = friedman(finals.means[:, columns]).p
        shown = "differ" if p < ALPHA else "are not shown to differ"
        differ = f" By Friedman's test {count} {shown} (P = {p:.2g})."
    own = f"{short(single.name)} has the largest mean accuracy ({single.mean:.2f} %)"
    sure = f"it is the best in {100 * single.share:.0f} % of bootstrap samples of the data"
    if single.name == DEFAULT:
        return f"Is there a generally useful setting? The paper's own: {own}; {sure}.{differ}"
    beside = f"{single.lead:+.2f} points (95 % interval {single.low:+.2f} to {single.high:+.2f})"
    if single.low > 0:
        answer = "Yes, and better than the paper's"
    else:
        answer = "None is shown to be better than the paper's"
    if single.share < CLEAR:
        answer += ", though which is the best is not sure"
    rivals = [short(name) for name in single.rivals if name != single.name]
    also = f" Others that may be the best: {listed(rivals)}." if rivals else ""
    return (
        f"Is there a generally useful setting? {answer}: {own}, {beside} from the paper's; {sure}."
        f"{differ}{also}"
    )


def choice_sentence(contest: Contest) -> str:
    """Answer the second question, whether the data can choose the setting."""
    found = leads(contest, (RULE, INNER), SINGLE)
    rule, inner = found[RULE], found[INNER]
    return (
        f"Can characteristics of the data choose it? {_verdict(rule)}: the rule, which has never "
        f"seen the family of the data, is {rule} from the best single setting. "
        f"By inner folds: {_verdict(inner).lower()}, {inner}."
    )


def _verdict(found: Lead) -> str:
    if found.p >= ALPHA:
        return "Not shown"
    return "Yes" if found.mean > 0 else "No, it loses by it"


def metrics_sentence(finals: Finals, contest: Contest) -> str:
    """Say how Pi stands beside other metrics."""
    own = leads(contest, finals.peers, SINGLE)
    told = [f"{name} {found}" for name, found in own.items()]
    free = leads(contest, (RULE_OF_ALL, INNER_OF_ALL), SINGLE)
    return (
        f"From the best single setting of Pi other metrics are: {listed(told)}. Where all metrics "
        f"may be chosen, the rule is {free[RULE_OF_ALL]} from it and inner folds "
        f"{free[INNER_OF_ALL]}."
    )


def promise_sentence(finals: Finals, contest: Contest) -> str:
    """Say whether the tuned metric keeps its promise over the bundled data sets."""
    kept = contest.bundled
    tuned = float(contest.of(INNER_OF_ALL)[kept].mean())
    c45 = float(contest.of("gain-ratio-c45")[kept].mean())
    pis = {
        name: float(np.mean([finals.first(k, name).mean() for k in np.flatnonzero(kept).tolist()]))
        for name in finals.settings
    }
    best = max(pis, key=lambda name: round(pis[name], 9))
    rival, value = (best, pis[best]) if pis[best] >= c45 else ("gain-ratio-c45", c45)
    behind = value - tuned
    how = f"{abs(behind):.2f} points {'below' if behind > 0 else 'above'}"
    verdict = "holds" if behind <= MOST_BEHIND else "FAILED"
    return (
        f"The promise that the tuned metric (inner folds over all metrics) is never more than "
        f"{MOST_BEHIND:g} point of mean accuracy below the better of gain-ratio-c45 and the best "
        f"single Pi over the bundled data sets {verdict}: {tuned:.2f} %, {how} {short(rival)} "
        f"({value:.2f} %), the best Pi being picked with hindsight."
    )


def headline_sentence(contest: Contest) -> str:
    """Say what the choice is worth beside never choosing."""
    found = leads(contest, (SINGLE, RULE, INNER, RULE_OF_ALL, INNER_OF_ALL), ALWAYS)
    return f"From the paper's own setting: {listed([f'{n} {f}' for n, f in found.items()])}."
