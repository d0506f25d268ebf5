"""Model files, from their schema."""

import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

Schema = dict[str, Any]

INTRODUCTION = """\
# Model files

`tree.save("model.json")` and `treelab train -o model.json` write a tree as JSON; `tl.Tree.load`
reads it. Reading runs nothing, and what a file says is checked against what it holds
([Security](/SECURITY.md)). Files of every older version are read ([Promises](/promises.md)). This
page is made of the JSON Schema that comes with treelab as `treelab/tree/model.schema.json`; a key
with a question mark may be left out.

"""


def pages() -> dict[str, str]:
    """Return the page."""
    return {"model-file.md": INTRODUCTION + "\n".join(_sections(schema()))}


def schema() -> Schema:
    """Return the schema of model files."""
    text = files("treelab.tree").joinpath("model.schema.json").read_text("utf-8")
    found: Schema = json.loads(text)
    return found


def _sections(whole: Schema) -> Iterator[str]:
    yield _section("The file", whole)
    for name, part in whole["$defs"].items():
        yield _section(name, part)


def _section(title: str, part: Schema) -> str:
    lines = [f"## {title}\n", f"{part.get('description', '')}\n"]
    if "properties" not in part:
        return "\n".join([*lines, f"{_kind(part)}\n"])
    lines += ["| key | value | meaning |", "| --- | --- | --- |"]
    for key, value in _keys(part):
        lines.append(f"| `{key}` | {_kind(value)} | {value.get('description', '')} |")
    return "\n".join([*lines, ""])


def _keys(part: Schema, before: str = "") -> Iterator[tuple[str, Schema]]:
    """Yield the keys of an object, those of objects within it as `outer.inner`."""
    for key, value in part.get("properties", {}).items():
        is_needed = key in part.get("required", ())
        yield f"{before}{key}" + ("" if is_needed else "?"), value
        yield from _keys(value, f"{before}{key}.")
        if isinstance(value.get("items"), dict):
            yield from _keys(value["items"], f"{before}{key}[].")


def _kind(part: Schema) -> str:
    """Say in words what a value may be."""
    if "$ref" in part:
        name = part["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name})"
    for word in ("oneOf", "anyOf", "allOf"):
        if word in part:
            return (" and " if word == "allOf" else " or ").join(map(_kind, part[word]))
    if "const" in part or "enum" in part:
        values = part.get("enum", [part.get("const")])
        return ", ".join(f"`{json.dumps(value)}`" for value in values)
    return _type(part) + _bounds(part)


def _type(part: Schema) -> str:
    kinds = part.get("type", "any value")
    words = " or ".join(kinds) if isinstance(kinds, list) else kinds
    items = part.get("items")
    return f"{words} of {_kind(items)}" if isinstance(items, dict) and items else words


def _bounds(part: Schema) -> str:
    return f", at least {part['minimum']}" if "minimum" in part else ""
