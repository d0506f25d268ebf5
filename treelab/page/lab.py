"""The lab's page: its files, and the same page kept as one file that needs nothing else."""

from functools import cache
from typing import Any

from treelab.page import page, part, script, style


@cache
def lab_files() -> dict[str, str]:
    """Return the files of the page by name."""
    return {
        "index.html": part("lab.html"),
        "lab.css": style("viewer", "lab"),
        "lab.js": script("lab"),
    }


def kept_page(title: str, kept: dict[str, Any]) -> str:
    """Return one page with everything that was on the lab's page: `kept`, the answers it had."""
    return page(title, "page.html", style("viewer", "lab"), script("lab"), kept)
