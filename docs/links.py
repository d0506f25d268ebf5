"""Check a built site: every link within it leads somewhere, and no page needs the network.

Run by `make docs`: `python docs/links.py docs/_build/html`.
"""

import re
import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}
"""What a browser loads without being asked."""


class Page(HTMLParser):
    """What a page links to, what it loads, and the anchors it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note what the tag refers to, and its name."""
        found = {key: value for key, value in attributes if value}
        self.anchors |= {found[key] for key in ("id", "name") if key in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        if tag in LOADED and LOADED[tag] in found:
            self.loads.append(found[LOADED[tag]])


@cache
def page(path: Path) -> Page:
    """Return a page, read once."""
    return Page(path)


def problems(root: Path) -> list[str]:
    """Return what is wrong, a sentence each."""
    found = []
    for path in sorted(root.rglob("*.html")):
        name = path.relative_to(root)
        if "_static" in name.parts or "_downloads" in name.parts:
            continue
        found += [f"{name} loads {x}" for x in page(path).loads if _is_outside(x)]
        found += [f"{name} links to {x}" for x in page(path).links + page(path).loads
                  if not _is_outside(x) and not _leads_somewhere(path, x)]  # fmt: skip
    for path in sorted(root.rglob("*.css")):
        for address in re.findall(r"url\([\"']?(https?:[^)\"']+)", path.read_text("utf-8")):
            found.append(f"{path.relative_to(root)} loads {address}")
    return found


def _is_outside(link: str) -> bool:
    return bool(re.match(r"([a-z]+:)?//|mailto:", link))


def _leads_somewhere(path: Path, link: str) -> bool:
    if link.startswith(("data:", "javascript:")):
        return True
    target, anchor = urldefrag(link)
    place = (path.parent / unquote(target.split("?")[0])).resolve() if target else path
    if not place.is_file():
        return False
    is_page = place.suffix == ".html" and "_downloads" not in place.parts
    return not anchor or not is_page or unquote(anchor) in page(place).anchors


if __name__ == "__main__":
    wrong = problems(Path(sys.argv[1]).resolve())
    sys.stdout.write("".join(f"{each}\n" for each in wrong) or "every link leads somewhere\n")
    sys.exit(bool(wrong))
