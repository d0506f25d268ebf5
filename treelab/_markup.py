"""Tables and pages in HTML; every name is text and never markup."""

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

from treelab.errors import ParameterError

STYLE = """
.treelab { font: 14px/1.45 system-ui, sans-serif; overflow-x: auto; }
.treelab p { margin: 0.6em 0; }
.treelab table { border-collapse: collapse; margin: 0.8em 0; }
.treelab th, .treelab td { padding: 0.2em 0.8em 0.2em 0; text-align: left; vertical-align: top; }
.treelab th { border-bottom: 1px solid #8888; font-weight: 600; }
.treelab td { border-bottom: 1px solid #8883; }
.treelab .number { text-align: right; font-variant-numeric: tabular-nums; }
.treelab td.number { white-space: nowrap; }
.treelab ul { margin: 0.6em 0; padding-left: 1.2em; }
.treelab .trees { display: flex; flex-wrap: wrap; gap: 18px; align-items: flex-start; }
.treelab figure { margin: 0; padding: 10px; border: 1px solid #8884; border-radius: 6px;
  box-sizing: border-box; max-width: calc(50% - 9px); }
@media (max-width: 800px) { .treelab figure { max-width: 100%; } }
.treelab figcaption { margin-bottom: 6px; max-width: 44em; }
.treelab svg { max-width: 100%; height: auto; background: #fff; }
"""
"""The ink is the page's own, light or dark; pictures are on paper."""

Table = tuple[Sequence[str], Sequence[Sequence[str]], Sequence[bool]]
"""Heads, rows of cells, and which columns are flush right."""


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], to_the_right: Sequence[bool]) -> str:
    """Return a table of words, some columns of it flush right."""
    lines = [_row("th", heads, to_the_right), *(_row("td", row, to_the_right) for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _row(tag: str, cells: Sequence[str], to_the_right: Sequence[bool]) -> str:
    marks = (' class="number"' if flush else "" for flush in to_the_right)
    parts = zip(cells, marks, strict=True)
    return f"<tr>{''.join(f'<{tag}{mark}>{escape(cell)}</{tag}>' for cell, mark in parts)}</tr>"


def listed(sentences: Sequence[str]) -> str:
    """Return sentences as a list."""
    return f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in sentences)}</ul>"


def paragraph(sentence: str) -> str:
    """Return a sentence as a paragraph; nothing of nothing."""
    return f"<p>{escape(sentence)}</p>" if sentence else ""


def notebook_html(heading: str, *tables: Table, remarks: Sequence[str] = ()) -> str:
    """Return what a notebook shows of a result: what it is, its tables, and what they come to."""
    parts = (table(*each) for each in tables)
    return fragment_of(paragraph(heading), *parts, listed(remarks) if remarks else "")


def inline(picture: str) -> str:
    """Return an SVG picture as it stands inside a page, where it has no head of its own."""
    return picture[picture.index("<svg") :]


def framed(page: str) -> str:
    """Return a whole page as something a notebook shows, apart from the notebook's own names."""
    look = "width:100%;height:640px;border:1px solid #8884;border-radius:6px"
    return f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" style="{look}"></iframe>'


def fragment_of(*parts: str) -> str:
    """Return parts as something a notebook shows."""
    return f'<div class="treelab"><style>{STYLE}</style>{"".join(parts)}</div>'


def page_of(title: str, fragment: str) -> str:
    """Return a page of its own."""
    style = ":root { color-scheme: light dark; } body { margin: 24px; }"
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}'
        f'</title><meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<style>{style}</style></head>\n<body>\n<h1 class="treelab" '
        f'style="font-size: 22px">{escape(title)}</h1>\n{fragment}\n</body></html>\n'
    )


def check_page(path: str | os.PathLike[str]) -> None:
    """Raise unless a file name is that of a page."""
    if Path(path).suffix.lower() != ".html":
        raise ParameterError(f"a page ends in .html, got {os.fspath(path)!r}")
