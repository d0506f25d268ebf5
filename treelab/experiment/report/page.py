"""An article as one page of HTML that needs nothing else (extra `report`)."""

import re
from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from treelab.experiment.report.article import Article

HERE = Path(__file__).parent
GLYPHS = "DejaVu"
"""How the names of glyphs begin; the same name is the same outline in all figures."""

_GLYPH = re.compile(rf'<path id="({GLYPHS}[^"]*)"[^>]*/>\s*')


def page(article: Article, images: Mapping[str, str]) -> str:
    """Return the page, given the SVG of every drawing by name."""
    environment = Environment(
        loader=FileSystemLoader(HERE), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    style = one_line((HERE / "page.css").read_text("utf-8"))
    template = environment.get_template("page.html")
    return template.render(article=article, images=with_shared_glyphs(images), style=style)


def with_shared_glyphs(images: Mapping[str, str]) -> dict[str, str]:
    """Return drawings of one page, each glyph drawn once: the others refer to it."""
    seen: set[str] = set()

    def once(found: re.Match[str]) -> str:
        is_new = found[1] not in seen
        seen.add(found[1])
        return found[0] if is_new else ""

    return {name: _GLYPH.sub(once, text) for name, text in images.items()}


def one_line(style: str) -> str:
    r"""Return a style sheet without the spaces that are there for its readers.

    >>> one_line("p, li { max-width: 46rem; }\n.far { color: red; }\n")
    'p,li{max-width:46rem}.far{color:red}'
    """
    close = re.sub(r"\s*([{};,])\s*|(?<=[\w-]):\s+", lambda found: found[1] or ":", style)
    return close.replace(";}", "}").strip()
