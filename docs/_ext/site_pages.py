"""Pages of the site that are generated when it is built, so that none can be out of date.

Each maker returns the text of its pages by their names below `generated`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import api_pages
import command_page
import experiment_pages
import loose_pages
import metric_pages
import model_page

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MAKERS = (
    api_pages.pages,
    command_page.pages,
    experiment_pages.pages,
    loose_pages.pages,
    metric_pages.pages,
    model_page.pages,
)


def pages() -> dict[str, str]:
    """Return the text of every generated page."""
    return {name: text for make in MAKERS for name, text in make().items()}


def write(folder: Path) -> None:
    """Write the pages; files that are as they should be are left alone, so builds stay quick."""
    made = {folder / name: text for name, text in pages().items()}
    for path in folder.rglob("*.*"):
        if path not in made:
            path.unlink()
    for path, text in made.items():
        if not path.is_file() or path.read_text("utf-8") != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")


def _without_last_blank_line(_app: "Sphinx", _name: str, source: list[str]) -> None:
    """Doctest needs an empty line after the last output of a block; readers do not."""
    source[0] = source[0].replace("\n\n```\n", "\n```\n")


def setup(app: "Sphinx") -> dict[str, Any]:
    """Write the pages before Sphinx looks for any, and tidy those that people wrote."""
    app.connect("config-inited", lambda app, _: write(Path(app.srcdir) / "generated"))
    app.connect("source-read", _without_last_blank_line)
    return {"parallel_read_safe": True}
