"""Tables and statements of what was put to bundled data: m, part P, before and after."""

from collections.abc import Iterator
from typing import Any

from treelab.experiment.report.article import Statement, judged
from treelab.experiment.report.tables import Cell, Table, number
from treelab.experiment.simulation import Answers

ENOUGH = 0.95
"""A rank correlation that is as good as that of all cases."""


def trial_tables(answers: Answers) -> tuple[Table, ...]:
    """Return a table for each question that is answered."""
    made = (_asked_table, _portion_table, _card_table)
    parts = ("asked", "portion", "card")
    return tuple(make(answers) for make, part in zip(made, parts, strict=True) if answers.of(part))


def trial_statements(answers: Answers) -> Iterator[Statement]:
    """Yield what the chapter says of them, with verdicts."""
    if answers.of("portion"):
        yield _portion_statement(answers)
    if answers.of("card"):
        yield _card_statement(answers)


def _axis(answers: Answers, part: str, name: str) -> list[Any]:
    return list(dict.fromkeys(question.varied[name] for question, _ in answers.of(part)))


def _mean(answers: Answers, part: str, figure: str, **varied: Any) -> float:
    return float(answers.figures(part, figure, **varied).mean())


def _asked_table(answers: Answers) -> Table:
    rows = tuple(
        (
            Cell(f"m = {m}"),
            Cell(number(_mean(answers, "asked", "rank correlation", m=m), 3)),
            Cell(number(100 * _mean(answers, "asked", "share of the best", m=m), 1)),
        )
        for m in _axis(answers, "asked", "m")
    )
    settings = answers.of("asked")[0][0].settings
    return Table(
        f"Relief with m cases that look for their neighbours ({settings['data']}): the rank "
        "correlation of its weights with those of all cases, and how many of the "
        f"{settings['best']} best features are the same, in %.",
        ("", "rank correlation", "of the best"),
        rows,
    )


def _portion_table(answers: Answers) -> Table:
    figures = ("share of the cases", "at once", "as all cases choose")
    rows = tuple(
        (
            Cell(data),
            *(Cell(number(100 * _mean(answers, "portion", f, data=data), 1)) for f in figures),
        )
        for data in _axis(answers, "portion", "data")
    )
    best = answers.of("portion")[0][0].settings["best"]
    return Table(
        f"The {best} best features by Relief on a part P of the cases, 10 % at first, that is "
        "enlarged until another part of the same size chooses the same: how large it becomes, and "
        "in how many runs 10 % were enough and the features those that all cases choose; in %.",
        ("", *figures),
        rows,
    )


def _card_table(answers: Answers) -> Table:
    rows = tuple(
        (Cell(reduction), Cell(data), *_card_cells(answers, reduction, data))
        for reduction in _axis(answers, "card", "reduction")
        for data in _axis(answers, "card", "data")
    )
    return Table(
        "Before and after (3.1): processor time, the reduction included, as a share of that "
        "before; accuracy in % and leaves of trees, in ten folds.",
        ("reduction", "data", "time", "accuracy", "after", "leaves", "after "),
        rows,
    )


def _card_cells(answers: Answers, reduction: str, data: str) -> list[Cell]:
    at = {"reduction": reduction, "data": data}
    time = _mean(answers, "card", "time", **at)
    accuracy = [100 * _mean(answers, "card", f"accuracy {w}", **at) for w in ("before", "after")]
    leaves = [_mean(answers, "card", f"leaves {when}", **at) for when in ("before", "after")]
    return [Cell(number(x, 1)) for x in (time, *accuracy, *leaves)]


def _portion_statement(answers: Answers) -> Statement:
    names = _axis(answers, "portion", "data")
    shares = {n: _mean(answers, "portion", "at once", data=n) for n in names}
    return Statement(
        "3.2.2", "a simple choice of the part to select features on is 10 % of the data",
        judged(share > 0.5 for share in shares.values()),
        "; ".join(f"{n} {100 * share:.0f} %" for n, share in shares.items())
        + " of the runs in which another 10 % choose the same",
    )  # fmt: skip


def _card_statement(answers: Answers) -> Statement:
    won = {}
    for question, told in answers.of("card"):
        place = f"{question.varied['reduction']} of {question.varied['data']}"
        won[place] = (
            told["time"] < 1,
            told["accuracy after"] > told["accuracy before"],
            told["leaves after"] < told["leaves before"],
        )
    ideal = [place for place, three in won.items() if all(three)]
    return Statement(
        "3.1", "more often than not, we gain in some of time, accuracy and simplicity and lose in "
        "others",
        judged([2 * len(ideal) < len(won)]),
        f"{len(ideal)} of {len(won)} gain in all three"
        + (f": {'; '.join(ideal)}" if ideal else ""),
    )  # fmt: skip
