"""Pages at the top of `docs` that no table of contents names yet: they come last among concepts."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[1]
MADE = {"generated", "auto_gallery", "_build"}
TOCTREE = re.compile(r"```\{toctree\}\n(.*?)```", re.S)


def pages() -> dict[str, str]:
    """Return the part that the page of concepts includes; empty where no page is loose."""
    found = loose()
    entries = "".join(f"/{name}\n" for name in found)
    text = f"```{{toctree}}\n:hidden:\n\n{entries}```\n" if found else ""
    return {"parts/loose.md": text}


def loose() -> list[str]:
    """Return the names of the pages that no table of contents has."""
    written = [p for p in DOCS.rglob("*.md") if p.relative_to(DOCS).parts[0] not in MADE]
    blocks = [block for p in written for block in TOCTREE.findall(p.read_text("utf-8"))]
    named = {line.rsplit("/", 1)[-1] for block in blocks for line in block.splitlines()}
    return sorted(p.stem for p in DOCS.glob("*.md") if p.stem not in named | {"index"})
