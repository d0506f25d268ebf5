"""SQL: one CASE expression, or a view that adds the prediction and its probabilities to a table.

The rules of the tree become the branches of CASE: nested ones would overflow the parsers' stacks.

Dates and times are compared as such, whether a column has their type or holds them as ISO text.
SQLite, which has no type for them, compares date-times and times to the millisecond.
"""

import math
from collections.abc import Container, Mapping

from treelab.data.schema import Column
from treelab.errors import ParameterError, TreelabError, check_choice, shown
from treelab.writers.export_tree import ExportTree
from treelab.writers.rules import Condition, Labels, Numbers, Range, Rule, rules_of
from treelab.writers.safe_decimal import safe_decimal
from treelab.writers.sql_moments import moment_ranges

DIALECTS = ("sqlite", "duckdb", "postgresql")

TINY, DOUBLINGS = 1e-290, 200
"""SQLite rounds to a double between two powers of ten below this size: it gets such a number
multiplied by two that often, and the factor that takes it back, which rounds nothing.
"""


def write(
    form: ExportTree, dialect: str = "sqlite", table: str | None = None, view: str | None = None
) -> str:
    """Return a CASE expression for the class or, given a table, a view of it.

    NULL is a missing value. The view adds the columns `prediction` and `p(class)` for each class.
    """
    check_choice("dialect", dialect, DIALECTS)
    _check_name("table", table)
    _check_name("view", view)
    for name in (*form.names, table or "", view or ""):
        if "\0" in name:
            raise TreelabError(f"sql cannot hold the character NUL, which {name!r} contains")
    if view is not None and table is None:
        raise ParameterError("a view needs the table it is made of")
    if table is None:
        case = _case(form, dialect, "", [_string(label) for label in form.classes])
        return f"{_comment(form)}{case}\n"
    return _view(form, dialect, table, view or view_of(table))


def view_of(table: str) -> str:
    """Return what the view of a table is called unless something else is asked for."""
    return f"{table} predicted"


def _check_name(option: str, given: object) -> None:
    if given is not None and not isinstance(given, str):
        raise ParameterError(f"{option} must be a name, got {shown(given)}")


def _view(form: ExportTree, dialect: str, table: str, view: str) -> str:
    names = _free_names(form, ["prediction", *(f"p({label})" for label in form.classes)])
    columns = ", ".join(map(quoted, ["number", *names]))
    rows = ",\n    ".join(_leaf(form, rule.node) for rule in rules_of(form))
    added = ", ".join(f"tree.{quoted(name)}" for name in names)
    place = _case(form, dialect, "data.", None)
    return (
        f"{_comment(form)}CREATE VIEW {quoted(view)} AS\n"
        f"WITH tree({columns}) AS (VALUES\n    {rows}\n)\n"
        f"SELECT data.*, {added}\n"
        f"FROM {quoted(table)} AS data JOIN tree ON tree.number = {place};\n"
    )


def _comment(form: ExportTree) -> str:
    return f"/* {form.missing_in_words} */\n" if form.follows_majority else ""


def _leaf(form: ExportTree, number: int) -> str:
    node = form.nodes[number]
    shares = ", ".join(map(_double, node.probabilities))
    return f"({number}, {_string(form.classes[node.best])}, {shares})"


def _case(form: ExportTree, dialect: str, prefix: str, words: list[str] | None) -> str:
    """Return the expression that gives the class of a case, or the number of its node."""
    rules = list(rules_of(form))
    write_rule = _RuleWriter(dialect, prefix, form.columns)
    results = [str(r.node) if words is None else words[form.nodes[r.node].best] for r in rules]
    if not rules[0].conditions:
        return results[0]
    lines = (f"WHEN {write_rule(r)} THEN {to}" for r, to in zip(rules, results, strict=True))
    return "CASE\n  {}\nEND".format("\n  ".join(lines))


class _RuleWriter:
    """Writes the conditions of rules."""

    def __init__(self, dialect: str, prefix: str, columns: Mapping[str, Column]) -> None:
        self.dialect, self.prefix, self.columns = dialect, prefix, columns

    def __call__(self, rule: Rule) -> str:
        parts = (self._condition(name, c) for name, c in rule.conditions.items())
        return " AND ".join(parts)

    def _condition(self, name: str, condition: Condition) -> str:
        column = f"{self.prefix}{quoted(name)}"
        scale = self.columns[name].scale
        if scale is not None and isinstance(condition.accepted, Numbers):
            choices = moment_ranges(self.dialect, column, condition.accepted, scale)
        else:
            choices = self._choices(column, condition.accepted)
        if condition.missing:
            choices.append(f"{column} IS NULL")
        return choices[0] if len(choices) == 1 else f"({' OR '.join(choices)})"

    def _choices(self, column: str, accepted: Numbers | Labels) -> list[str]:
        if isinstance(accepted, Numbers):
            return [self._range(column, piece) for piece in accepted.ranges]
        if not accepted:
            return []
        if not accepted.labels:
            return [f"{column} IS NOT NULL"]
        words = ", ".join(map(_string, accepted.labels))
        return [f"{column} {'NOT IN' if accepted.others else 'IN'} ({words})"]

    def _range(self, column: str, piece: Range) -> str:
        low, high = (">=" if piece.low_closed else ">"), ("<=" if piece.high_closed else "<")
        parts = [f"{column} {low} {self._number(piece.low)}"] if piece.low > -math.inf else []
        parts += [f"{column} {high} {self._number(piece.high)}"] if piece.high < math.inf else []
        return " AND ".join(parts) if parts else f"{column} IS NOT NULL"

    def _number(self, value: float) -> str:
        return _for_sqlite(value) if self.dialect == "sqlite" else _double(value)


def _for_sqlite(value: float) -> str:
    if not 0 < abs(value) < TINY:
        return safe_decimal(value)
    large, back = math.ldexp(value, DOUBLINGS), math.ldexp(1.0, -DOUBLINGS)
    return f"({safe_decimal(large)} * {safe_decimal(back)})"


def _double(value: float) -> str:
    """Return a number with an exponent: a double also where 0.1 would be a decimal."""
    decimal = safe_decimal(value)
    return decimal if "e" in decimal else f"{decimal}e0"


def _free_names(form: ExportTree, wanted: list[str]) -> list[str]:
    """Return names for new columns that are none of the table's."""
    taken = {name.lower() for name in (form.target, "number", *(c.name for c in form.features))}
    names = []
    for name in wanted:
        names.append(free_name(name, taken))
        taken.add(names[-1].lower())
    return names


def free_name(name: str, taken: Container[str]) -> str:
    """Return a name that is none of those taken, which are in small letters: SQL sees no others."""
    while name.lower() in taken:
        name += "_"
    return name


def quoted(name: str) -> str:
    """Return the name of a table or column as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def _string(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
