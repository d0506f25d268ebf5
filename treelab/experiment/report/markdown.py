"""Tables in Markdown."""

import re
from collections.abc import Sequence

from treelab.experiment.report.article import Article
from treelab.experiment.report.tables import Cell, Table

_MARKUP = re.compile(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)|(?<=\])\(")
"""What begins a tag, stands for another character, or makes a link of what is before it."""
_HARMLESS = {"<": "&lt;", "&": "&amp;", "(": "\\("}


def plain(text: str) -> str:
    r"""Return a text with names in it, none of which is taken for markup.

    >>> print(plain("P < 0.05: <img src=x> &lt; [a](b) & c"))
    P < 0.05: &lt;img src=x> &amp;lt; [a]\(b) & c
    """
    return _MARKUP.sub(lambda found: _HARMLESS[found[0]], text)


def markdown(table: Table) -> str:
    """Return a table with its caption."""
    side = "---" if table.is_prose else "---:"
    lines = [
        _line([_plain_cell(head) for head in table.heads]),
        _line(["---"] + [side] * (len(table.heads) - 1)),
    ]
    lines += [_line([_cell(cell) for cell in row]) for row in table.rows]
    return f"{plain(table.caption)}\n\n" + "\n".join(lines) + "\n"


def article_md(article: Article) -> str:
    """Return texts, tables and notes of an article."""
    parts = [f"# {article.title}\n", f"{article.citation}\n" if article.citation else ""]
    if article.state:
        parts.append(f"**{article.state}**\n")
    for section in article.sections:
        parts.append(f"## {section.title}\n")
        parts += [f"{text}\n" for text in section.texts]
        parts += [markdown(table) for table in section.tables]
        parts += [f"![{d.caption}]({d.name}.svg)\n" for d in section.figures]
        parts += [f"**{note.title}** {note.text}\n" for note in section.notes]
        parts += [f"- {name}: {text}\n" for name, text in section.facts]
    return "\n".join(part for part in parts if part)


def _cell(cell: Cell) -> str:
    text = _plain_cell(cell.text)
    text = f"**{text}**" if cell.emphasis == "best" else text
    return f"\\*{text}" if cell.mark else text


def _plain_cell(text: str) -> str:
    return plain(text).replace("|", "\\|")


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
