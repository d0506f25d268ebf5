"""Which files a module of treelab needs, so that a figure is old only when one of them has changed.

Every import counts, wherever it stands, and so does every text that names a module, for some are
imported by name when they are asked for. `treelab/__init__.py` does nothing but that: whoever
imports `treelab` itself needs everything, and nobody else needs it.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"treelab(\.\w+)+\.?")


@cache
def modules() -> dict[str, Path]:
    """Return the file of every module, by its name."""
    files = (ROOT / "treelab").rglob("*.py")
    return {".".join(f.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): f
            for f in files}  # fmt: skip


def needed(names: Iterable[str]) -> list[Path]:
    """Return the files that modules, or all that is in packages, need, themselves included."""
    seen, waiting = set[str](), [name for root in names for name in (root, *_below(f"{root}."))]
    while waiting:
        name = waiting.pop()
        if name == "treelab":
            return sorted(modules().values())
        if name not in seen:
            seen.add(name)
            package = name.rpartition(".")[0]
            waiting += [*imported(modules()[name]), *([package] if package != "treelab" else [])]
    return sorted(modules()[name] for name in seen)


@cache
def imported(path: Path) -> frozenset[str]:
    """Return the modules of treelab that a file names."""
    named = {name for node in ast.walk(ast.parse(path.read_text("utf-8"))) for name in _of(node)}
    return frozenset(name for name in named if name in modules())


def _of(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names):
            yield from (each.name for each in names)
        case ast.ImportFrom(module=str(module), names=names):
            yield from () if module == "treelab" else (module,)
            yield from (f"{module}.{each.name}" for each in names)
        case ast.Constant(str(text)) if NAMED.fullmatch(text):
            # A text that ends with a point is the beginning of names of all modules there.
            yield from _below(text) if text.endswith(".") else (text,)


def _below(prefix: str) -> Iterator[str]:
    yield from (name for name in modules() if name.startswith(prefix))
