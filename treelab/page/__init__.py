"""What runs in a browser: small ES modules and style sheets, and how pages are made of them.

Every `.js` file here is a plain ES module without a build step. A page carries its module as one
text: `script` puts a module after those it imports. The drawing of a tree therefore exists once,
in `nodes.js`, for the exported page, the widget, the lab and the pages that teach.
"""

import gzip
import json
import re
from base64 import b64encode
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

PACKED = 300_000
"""Longer JSON is packed with gzip, which every browser since 2023 unpacks."""

IMPORT = re.compile(r'^import \{[^}]*\} from "\./([\w-]+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=const|function|async function|class)", re.MULTILINE)


def page(title: str, body: str, style: str, script: str, data: Any) -> str:
    """Return a page that needs nothing else and carries its data; `body` names a file here."""
    named = {"title": escape(title), "style": style}
    parts = {"head": filled(part("head.html"), named), "title": named["title"], "script": script}
    return filled(part(body), parts | carried(data))


def script(name: str) -> str:
    """Return a module and all it imports as one text, whose names are unique over all of them.

    >>> script("static").count("function laidOut(")
    1
    """
    texts = (part(f"{module}.js") for module in _in_order(name))
    return "\n".join(EXPORT.sub("", IMPORT.sub("", text)) for text in texts)


def _in_order(name: str) -> list[str]:
    """Return a module and those it imports, each after all that it needs."""
    ordered: dict[str, None] = {}

    def add(module: str) -> None:
        for needed in IMPORT.findall(part(f"{module}.js")):
            if needed not in ordered:
                add(needed)
        ordered[module] = None

    add(name)
    return list(ordered)


def style(*names: str) -> str:
    """Return style sheets as one: what all pages share, then those named."""
    return "".join(part(f"{name}.css") for name in ("base", *names))


def carried(data: Any) -> dict[str, str]:
    """Return what is to stand in a page's script element for data: their type and their text."""
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    if len(text) <= PACKED:
        return {"type": "application/json", "data": text}
    packed = gzip.compress(text.encode(), mtime=0)
    return {"type": "application/gzip", "data": b64encode(packed).decode()}


def filled(page: str, parts: dict[str, str]) -> str:
    """Return a page with its parts, which are written @name@ there, put in."""
    names = "|".join(parts)
    return re.sub(f"@({names})@", lambda found: parts[found[1]], page)


@cache
def part(name: str) -> str:
    """Return a file that pages are made of."""
    return (files(__name__) / name).read_text(encoding="utf-8")
