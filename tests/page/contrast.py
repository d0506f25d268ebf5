"""Contrast as WCAG 2.2 defines it, of all that is on a page: what is seen, not what was meant."""

from pathlib import Path

LEAST = {"texts": 4.5, "controls": 3.0}
"""Of texts of ordinary size (1.4.3, AA), and of the borders of controls (1.4.11, AA)."""

SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").split("\n", 1)[1]


def faint(page):
    """Return what on a page has too little contrast, with the ratio."""
    return [words for asked in LEAST.items() for words in page.evaluate(SCRIPT, list(asked))]
