"""Tables in LaTeX (package booktabs)."""

import re

from treelab.experiment.report.tables import NONE, Cell, Table

_SPECIAL = re.compile(r"([&%$#_{}])")


def latex(table: Table, name: str) -> str:
    r"""Return a table environment; a text refers to it by `\ref{tab:name}`."""
    columns = "l" + "r" * (len(table.heads) - 1)
    rows = [_line([_cell(cell) for cell in row]) for row in table.rows]
    if table.n_totals:
        rows.insert(len(rows) - table.n_totals, "\\midrule")
    return "\n".join(
        [
            "\\begin{table}",
            f"\\caption{{{escaped(table.caption)}}}",
            f"\\label{{tab:{_plain(name)}}}",
            f"\\begin{{tabular}}{{{columns}}}",
            "\\toprule",
            _line([escaped(head) for head in table.heads]),
            "\\midrule",
            *rows,
            "\\bottomrule",
            "\\end{tabular}",
            "\\end{table}\n",
        ]
    )


def escaped(text: str) -> str:
    """Return text with what LaTeX takes for commands made harmless."""
    plain = text.replace("\\", "/").replace("~", "-").replace("^", "-")
    return _SPECIAL.sub(r"\\\1", plain).replace(NONE, "--").replace(" x ", " $\\times$ ")


def _plain(name: str) -> str:
    """Return a name of letters, digits and hyphens: others end a label, or are commands in it."""
    return re.sub(r"[^0-9A-Za-z]+", "-", name).strip("-") or "study"


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    text = f"\\textbf{{{text}}}" if cell.emphasis == "best" else text
    return f"*{text}" if cell.mark else text


def _line(cells: list[str]) -> str:
    return f"{' & '.join(cells)} \\\\"
