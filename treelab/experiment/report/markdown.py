"""Tables in Markdown."""

from collections.abc import Sequence

from treelab.experiment.report.tables import Cell, Table


def markdown(table: Table) -> str:
    """Return a table with its caption."""
    lines = [_line(table.heads), _line(["---"] + ["---:"] * (len(table.heads) - 1))]
    lines += [_line([_cell(cell) for cell in row]) for row in table.rows]
    return f"{table.caption}\n\n" + "\n".join(lines) + "\n"


def _cell(cell: Cell) -> str:
    text = cell.text.replace("|", "\\|")
    text = f"**{text}**" if cell.emphasis == "best" else text
    return f"\\*{text}" if cell.mark else text


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
