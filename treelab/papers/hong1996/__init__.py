"""Hong, Hosking and Winograd 1996: merits of features against those of noise of the same values."""

from treelab.experiment.report.article import Article, Section, statement_table
from treelab.experiment.simulation import Answers, Ask
from treelab.papers.hong1996.answers import bias_values, most_deceived, one_draw, printed, rates
from treelab.papers.hong1996.claims import statements
from treelab.papers.hong1996.drawings import bias_drawing, contest_drawing
from treelab.papers.hong1996.merits import CASES, MEASURES, contest, every_merit, merits
from treelab.papers.hong1996.noise import bias, binary, formulas, margins
from treelab.papers.hong1996.tables import (
    bias_table,
    binary_table,
    deceived_table,
    formula_table,
    margin_table,
    means_table,
    merit_table,
    rounds_table,
    success_table,
    variant_table,
)
from treelab.papers.hong1996.tradeoff import front_table, tradeoff_drawing

QUESTIONS: dict[str, Ask] = {
    "table": every_merit,
    "merits": merits,
    "variants": contest,
    "thresholds": contest,
    "rounds": contest,
    "bias": bias,
    "formulas": formulas,
    "margins": margins,
    "binary": binary,
}


def to_article(answers: Answers) -> Article:
    """Return the report: in short, Table 2, its variants, the bias, the equations, notes."""
    study = answers.study
    sections = (
        _in_short(answers),
        _one_draw(answers),
        _many_draws(answers),
        _variants(answers),
        _bias(answers),
        _equations(answers),
        Section("What the paper leaves open, and its slips", notes=study.notes),
        Section("Failures", texts=tuple(f"{trial}: {error}" for trial, error in answers.failures)),
    )
    headline = success_table(answers) if rates(answers) else None
    kept = tuple(section for section in sections if not section.is_empty)
    return Article(study.title, study.citation, answers.state, kept, headline)


def _in_short(answers: Answers) -> Section:
    said = statement_table(statements(answers), "The paper's statements, and what came out.")
    return Section("In short", tuple(_sentences(answers)), (said,))


def _sentences(answers: Answers) -> list[str]:
    words = [
        "Measures of merit like features of many values too much: noise that takes many values "
        "looks useful. The paper divides a merit by what it would be, on average, were the values "
        "of the feature dealt out at random."
    ]
    if bias_values(answers):
        (many, plain), (some, fair), (_, gain) = (
            most_deceived(answers, name, demerit=name == "nH") for name in ("gain", "nH", "nGain")
        )
        words.append(
            "Noise scored better than a feature that tells something of the class in "
            f"{100 * plain:.0f} % of the draws by information gain (noise of {many} values), in at "
            f"most {100 * fair:.0f} % by the entropy over its expectation ({some} values), and in "
            f"at most {100 * gain:.0f} % by the gain over its expectation."
        )
    found = rates(answers)
    if {("B", "CM1"), ("C", "CM1")} <= found.keys():
        shares = {
            m: [f"{100 * found[case, m]:.0f}" for case in "BC"] for m in ("CM1", "NCM0", "NCM1")
        }
        words.append(
            "For contextual merits, the paper shows one draw of an exclusive-or problem with some "
            "bits made numbers. Over many draws (cases B and C), plain CM1 ranks the three that "
            f"matter first in {' and '.join(shares['CM1'])} % of them, normalized NCM1 in "
            f"{' and '.join(shares['NCM1'])} %."
        )
        words.append(
            "NCM0, whose chance level has to be simulated, does so in "
            f"{' and '.join(shares['NCM0'])} % of them; the paper shows one draw in which it does."
        )
    return words


def _one_draw(answers: Answers) -> Section:
    tables = []
    for case in CASES:
        ours = one_draw(answers, case)
        if ours is not None:
            tables += [
                merit_table(ours, f"Case {case}, one draw (seed 0) of ours."),
                merit_table(printed(answers, case), f"Case {case} as the paper prints it."),
            ]
    text = (
        "* marks the smallest merit of X1-X3, # the largest of R1-R10. The data are random: the "
        "paper's draw and ours are alike in their groups of features, not line by line."
    )
    if not tables:
        return Section("Table 2")
    tables.append(front_table(answers))
    return Section("Table 2, one draw", (text,), tuple(tables), (tradeoff_drawing(answers),))


def _many_draws(answers: Answers) -> Section:
    title = "Table 2, many draws"
    if not rates(answers):
        return Section(title)
    halves = (means_table(answers, MEASURES[:3]), means_table(answers, MEASURES[3:]))
    tables = (success_table(answers), *halves)
    return Section(title, (), tables, (contest_drawing(answers),))


def _variants(answers: Answers) -> Section:
    makers = {("variants", "thresholds"): variant_table, ("rounds",): rounds_table}
    tables = tuple(make(answers) for of, make in makers.items() if any(map(answers.of, of)))
    return Section("Whose neighbours, how many simulations", tables=tables)


def _bias(answers: Answers) -> Section:
    title = "Sections 1 and 2: noise of few and of many values"
    if not bias_values(answers):
        return Section(title)
    tables = (bias_table(answers), deceived_table(answers))
    return Section(title, (), tables, (bias_drawing(answers),))


def _equations(answers: Answers) -> Section:
    makers = {"margins": margin_table, "formulas": formula_table, "binary": binary_table}
    tables = tuple(make(answers) for part, make in makers.items() if answers.of(part))
    return Section("The equations", tables=tables)
