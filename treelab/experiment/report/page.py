"""An article as one page of HTML that needs nothing else (extra `report`)."""

from collections.abc import Mapping
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from treelab.experiment.report.article import Article


def page(article: Article, images: Mapping[str, str]) -> str:
    """Return the page, given the SVG of every drawing by name."""
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True,
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    return environment.get_template("page.html").render(article=article, images=images)
