"""The reference of Python names: a page for each theme of `reference/themes.toml`."""

import tomllib
from importlib import import_module
from inspect import isclass, ismodule
from pathlib import Path
from types import ModuleType
from typing import Any, get_origin

import treelab

THEMES = Path(__file__).parents[1] / "reference" / "themes.toml"
OTHERS = {"name": "others", "title": "Others", "text": "What no other page has yet."}


def themes() -> list[dict[str, Any]]:
    """Return the themes; names of `treelab` that none of them has come last, as another."""
    listed: list[dict[str, Any]] = tomllib.loads(THEMES.read_text("utf-8"))["theme"]
    found = {name for theme in listed for name in theme.get("names", ())}
    rest = [name for name in treelab.__all__ if name not in found]
    return [*listed, {**OTHERS, "names": rest}] if rest else listed


def objects(theme: dict[str, Any]) -> dict[str, object]:
    """Return what a page describes, by its full name."""
    module = import_module(theme.get("module", "treelab"))
    names = theme.get("names") or getattr(module, "__all__", None) or _classes(module)
    found = {
        f"{module.__name__}.{name}": value
        for name in names
        if get_origin(value := getattr(module, name)) is None  # an alias of types says it all
    }
    return found if module is treelab else {n: o for n, o in found.items() if not _is_public(o)}


def _is_public(value: object) -> bool:
    """Tell whether `treelab` itself offers it, so that it stands on another page."""
    name = getattr(value, "__name__", "")
    return name in treelab.__all__ and getattr(treelab, name) is value


def _classes(module: ModuleType) -> list[str]:
    """Return the classes that a module defines, in its order."""
    return [
        name
        for name, value in vars(module).items()
        if isclass(value) and value.__module__ == module.__name__ and not name.startswith("_")
    ]


def pages() -> dict[str, str]:
    """Return a page for each theme, and the page that lists them."""
    listed = themes()
    entries = "".join(f"   api/{theme['name']}\n" for theme in listed)
    index = f"{_title('Python')}{INTRODUCTION}\n.. toctree::\n   :maxdepth: 1\n\n{entries}"
    return {"api.rst": index} | {f"api/{theme['name']}.rst": _page(theme) for theme in listed}


INTRODUCTION = """
What ``import treelab as tl`` offers, by theme, and the modules beside it that are meant to be used.
Anything else may change.
"""


def _page(theme: dict[str, Any]) -> str:
    shown = {n: o for n, o in objects(theme).items() if n != "treelab.__version__"}
    listed = "".join(f"   {name}\n" for name in shown)
    described = "\n".join(_described(name, value) for name, value in shown.items())
    table = f".. autosummary::\n   :nosignatures:\n\n{listed}"
    return f"{_title(theme['title'])}{theme['text']}\n\n{table}\n{described}"


def _described(name: str, value: object) -> str:
    if ismodule(value):
        return f".. py:module:: {name}\n"
    if isclass(value):
        bases = ", ".join(base.__name__ for base in value.__mro__ if _is_foreign(base))
        hidden = ", ".join(n for n in dir(value) if n.startswith("set_") and n.endswith("_request"))
        options = {"members": "", "inherited-members": bases, "exclude-members": hidden}
        return f".. autoclass:: {name}\n" + "".join(
            f"   :{option}: {words}".rstrip() + "\n"
            for option, words in options.items()
            if words or option == "members"
        )
    kind = "autofunction" if callable(value) and hasattr(value, "__name__") else "autodata"
    return f".. {kind}:: {name}\n"


def _is_foreign(base: type) -> bool:
    """Tell whether a base class comes from another library, which has pages of its own."""
    return not base.__module__.startswith("treelab")


def _title(text: str) -> str:
    return f"{text}\n{'=' * len(text)}\n\n"
