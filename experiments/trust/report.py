"""What every check of trust prints: a line of JSON a figure."""

import json
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "treelab"


def tell(check: str, figure: str, ok: bool) -> bool:
    """Print a figure with the command that made it, and hand its verdict back."""
    command = shlex.join(["python", f"experiments/trust/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    line = {"check": check, "command": command, "figure": figure, "ok": bool(ok), "on": code()}
    print(json.dumps(line), flush=True)
    return bool(ok)


@cache
def code():
    """Return the day and the code a figure speaks of, so that nobody takes an old one for new."""
    return f"{datetime.now(UTC):%Y-%m-%d}, {commit()}"


@cache
def commit():
    """Return the last commit that changed treelab itself, which tests and texts do not."""
    last = _git("log", "-1", "--format=%h", "--", PACKAGE)
    return f"{last or 'no commit'}{'-dirty' if _git('status', '--porcelain', PACKAGE) else ''}"


def _git(*words):
    told = subprocess.run(["git", *words], cwd=PACKAGE, capture_output=True, text=True, check=False)
    return told.stdout.strip()
