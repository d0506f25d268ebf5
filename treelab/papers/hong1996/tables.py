"""Tables of the report, the paper's figures beside ours."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from treelab.experiment.report.tables import NONE, Cell, Table, number
from treelab.experiment.simulation import Answers
from treelab.papers.hong1996.answers import (
    Merits,
    bias_means,
    bias_values,
    deceived,
    group_means,
    groups_of,
    part_of,
    printed,
    printed_success,
    ranks_well,
    rates,
    ratios,
    size_of_merits,
    success,
)
from treelab.papers.hong1996.merits import CASES, FEATURES, JUDGES, MEASURES, VARIANTS
from treelab.papers.hong1996.noise import EXPECTED, MARGINS, SCORES
from treelab.protocols import FloatArray


def merit_table(merits: Merits, caption: str) -> Table:
    """Return one case as the paper prints it: * at the smallest X, # at the largest R."""
    signs = {measure: _signs(merits, measure) for measure in JUDGES}
    rows = [
        (Cell(f), *(Cell(number(merits[m][f]) + signs.get(m, {}).get(f, "")) for m in MEASURES))
        for f in FEATURES
    ]
    verdicts = [
        Cell(("yes" if ranks_well(merits[m]) else "no") if m in JUDGES else "") for m in MEASURES
    ]
    rows.append((Cell("ranking successful?"), *verdicts))
    return Table(caption, ("f", *MEASURES), tuple(rows), n_totals=1)


def _signs(merits: Merits, measure: str) -> dict[str, str]:
    values = merits[measure]
    relevant, noise = FEATURES[:3], FEATURES[3:]
    return {min(relevant, key=values.__getitem__): "*", max(noise, key=values.__getitem__): "#"}


def success_table(answers: Answers) -> Table:
    """Return in how many of 100 draws each measure succeeds, beside the paper's one draw."""
    found, said = rates(answers), printed_success(answers)
    rows = [
        (Cell(case), *(cell for m in JUDGES for cell in _rate(found, said, case, m)))
        for case in CASES
        if (case, JUDGES[0]) in found
    ]
    heads = ("case", *(head for measure in JUDGES for head in (measure, "paper")))
    n = len(answers.figures("merits", "CM0 least X", case="A"))
    return Table(
        f"In how many % of {n} draws all of X1-X3 have more merit than all of R1-R10; the paper "
        "says yes or no of one draw.",
        heads,
        tuple(rows),
    )


def _rate(
    found: dict[tuple[str, str], float], said: dict[tuple[str, str], bool], case: str, measure: str
) -> tuple[Cell, Cell]:
    return Cell(_percent(found[case, measure])), Cell("yes" if said[case, measure] else "no")


def _percent(share: float) -> str:
    return number(100 * share, 1)


def means_table(answers: Answers, measures: Sequence[str]) -> Table:
    """Return means of alike features: our mean, the paper's one draw, and how far apart."""
    rows = [
        (Cell(f"{case} {group}"), *_means(answers, case, group, measures))
        for case in CASES
        if answers.of("merits", case=case)
        for group in groups_of(case)
    ]
    heads = ["case, features"]
    for measure in measures:
        heads += [measure, "paper", "s.d."]
    return Table(
        "Mean merit of alike features over all draws, the mean of the paper's one draw, and how "
        "many standard deviations of a draw the paper's lies above ours.",
        tuple(heads),
        tuple(rows),
    )


def _means(answers: Answers, case: str, group: str, measures: Sequence[str]) -> Iterator[Cell]:
    theirs, names = printed(answers, case), [f for f in FEATURES if _within(f, group)]
    for measure in measures:
        mean = float(np.mean([theirs[measure][name] for name in names]))
        yield from _beside(group_means(answers, case, measure, group), mean)


def _within(feature: str, group: str) -> bool:
    first, _, last = group.partition("-")
    place, ends = int(feature[1:]), (int(first[1:]), int((last or first)[1:]))
    return feature[0] == group[0] and ends[0] <= place <= ends[1]


def _beside(ours: FloatArray, theirs: float) -> tuple[Cell, Cell, Cell]:
    spread = float(ours.std(ddof=1)) if len(ours) > 1 else np.nan
    apart = (theirs - float(ours.mean())) / spread if spread else np.nan
    return (
        Cell(number(float(ours.mean()))),
        Cell(number(float(theirs))),
        Cell(f"{apart:+.1f}" if np.isfinite(apart) else NONE),
    )


def variant_table(answers: Answers) -> Table:
    """Return success, and the size of the merits, when other pairs of cases count."""
    rows = []
    for variant in VARIANTS:
        for case in CASES:
            part, varied = part_of(variant, case)
            draws = len(answers.of(part, **varied))
            if draws:
                shares = [_percent(success(answers, part, m, **varied)) for m in JUDGES]
                theirs = float(np.mean([printed(answers, case)["CM0"][f] for f in FEATURES[:3]]))
                sizes = [number(size_of_merits(answers, variant, case)), number(theirs)]
                texts = [f"{case}, {variant}", str(draws), *shares, *sizes]
                rows.append(tuple(map(Cell, texts)))
    return Table(
        "Success in % of the draws, and the mean CM0 of X1-X3, when the nearest counter-examples "
        "of the smaller class count (as above), those of all cases, or all counter-examples of "
        "the smaller class; and when each number has a threshold of its own: a third of the range "
        "for X3, a quarter to three quarters for R1-R4.",
        ("case, variant", "draws", *JUDGES, "CM0 of X", "paper"),
        tuple(rows),
    )


def rounds_table(answers: Answers) -> Table:
    """Return how the success of NCM0 depends on the number of simulations, on the same draws."""
    rows = []
    for case in CASES:
        for question, _ in answers.of("rounds", case=case)[:1]:
            many = ratios(answers, "rounds", "NCM0", case=case)
            few = ratios(answers, "merits", "NCM0", case=case)[: len(many)]
            for rounds, found in ((10, few), (question.settings["rounds"], many)):
                share = float((found > 1).mean()) if len(found) else np.nan
                rows.append(tuple(map(Cell, [case, str(rounds), str(len(found)), _percent(share)])))
    return Table(
        "Success of NCM0 in % of the same draws, when RM0 is the mean of so many simulations.",
        ("case", "simulations", "draws", "NCM0"),
        tuple(rows),
    )


def bias_table(answers: Answers) -> Table:
    """Return the mean score of noise by its number of values."""
    means = {name: bias_means(answers, name, "noise") for name in SCORES}
    rows = [
        (Cell(str(v)), *(Cell(number(float(means[name][place]), 3)) for name in SCORES))
        for place, v in enumerate(bias_values(answers))
    ]
    return Table(
        "Mean score of noise that takes so many values. Gini, gain and gain ratio: larger is "
        "better. nGini and nH, the impurity left over its expectation: smaller is better. nGain: "
        "gain over its expectation. By chance the last three are 1.",
        ("values", *SCORES),
        tuple(rows),
    )


def deceived_table(answers: Answers) -> Table:
    """Return how often noise is preferred to a feature that tells something of the class."""
    rows = [
        (
            Cell(str(v)),
            *(Cell(_percent(deceived(answers, n, v, demerit=SCORES[n][1] < 0))) for n in SCORES),
        )
        for v in bias_values(answers)
    ]
    return Table(
        "In how many % of the draws noise of so many values scores better than a bit that agrees "
        "with the class more often than not.",
        ("values", *SCORES),
        tuple(rows),
    )


def margin_table(answers: Answers) -> Table:
    """Return expected impurities by each formula."""
    asked = [
        (name, values) for name in MARGINS for _, values in answers.of("margins", margins=name)
    ]
    heads = list(asked[0][1])
    rows = [(Cell(name), *(Cell(number(v[head], 4)) for head in heads)) for name, v in asked]
    return Table(
        "Expected entropy of the class given noise, in bits: exactly, by eq. 24 and by eq. 26 "
        "(put right) with thresholds A; and the expected Gini impurity, eq. 16.",
        ("margins", *heads),
        tuple(rows),
    )


def formula_table(answers: Answers) -> Table:
    """Return how formulas and permutations agree."""
    rows = [_agreement(answers, name) for name in EXPECTED if answers.of("formulas", of=name)]
    return Table(
        "Formulas against permutations: the largest difference of any feature in standard errors; "
        "by how many % the mean of ten permutations is off, on average and in 95 of 100 cases at "
        "most.",
        ("expectation", "data sets", "z", "off, %", "off at most, %"),
        tuple(rows),
    )


def _agreement(answers: Answers, name: str) -> tuple[Cell, ...]:
    z, *off = (answers.figures("formulas", f, of=name) for f in ("z", "off", "off at most"))
    return (
        Cell(name), Cell(str(len(z))), Cell(number(z.max(), 1)),
        *(Cell(number(values.mean(), 2)) for values in off),
    )  # fmt: skip


def binary_table(answers: Answers) -> Table:
    """Return how often normalization leaves binary features in their order."""
    names: Iterable[str] = answers.of("binary")[0][1]
    found = {name: answers.figures("binary", name) for name in names}
    rows = [(Cell(n), Cell(_percent(v.mean())), Cell(str(len(v)))) for n, v in found.items()]
    return Table(
        "How often normalized impurities rank binary features (case A) as plain ones do.",
        ("expectation", "same order, %", "draws"),
        tuple(rows),
    )
