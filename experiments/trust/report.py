"""What every check of trust prints: a line of JSON a figure, with the code that it speaks of."""

import json
import shlex
import subprocess
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from needs import ROOT, needed

ALL = ("treelab",)


def tell(check: str, figure: str, ok: bool, of: Iterable[str] = ALL) -> bool:
    """Print a figure with the command that made it, and hand its verdict back.

    `of` names the modules that the figure speaks of; with all that they need they are its code.
    """
    command = shlex.join(["python", f"experiments/trust/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    line = {"check": check, "command": command, "figure": figure, "ok": bool(ok)}
    print(json.dumps(line | {"on": code(of), "of": list(of)}), flush=True)
    return bool(ok)


def code(of: Iterable[str] = ALL) -> str:
    """Return the day and the code a figure speaks of, so that nobody takes an old one for new."""
    return f"{datetime.now(UTC):%Y-%m-%d}, {commit(tuple(of))}"


def kept_folder(name: str, otherwise: Path) -> Path:
    """Return where a long check keeps what it has, for the code as it is, so that it can go on.

    Code that is not committed may change any moment: what it gives is kept in the other folder.
    """
    known = commit(ALL)
    found = otherwise if known.endswith("-dirty") else ROOT / ".trust" / known / name
    found.mkdir(parents=True, exist_ok=True)
    return found.resolve()


def is_current(line: dict[str, Any]) -> bool:
    """Tell whether the code a figure speaks of is as it was, files not committed included."""
    _day, _, known = line.get("on", "").partition(", ")
    return bool(known) and _is_as_of(known, tuple(line.get("of", ALL)))


@cache
def commit(modules: tuple[str, ...]) -> str:
    """Return the last commit that changed what modules need, which tests and texts do not."""
    files = needed(modules)
    # A merge counts as one commit: those of its other side lack what this side had.
    last = _git("log", "-1", "--first-parent", "--format=%h", "--", *files).stdout.strip()
    changed = _git("status", "--porcelain", "--", *files).stdout
    return f"{last or 'no commit'}{'-dirty' if changed else ''}"


@cache
def _is_as_of(known: str, modules: tuple[str, ...]) -> bool:
    """Tell whether nothing that modules need differs from a commit; from one unknown all does."""
    return _git("diff", "--quiet", known, "--", *needed(modules)).returncode == 0


def _git(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
